"""What a secret looks like: one shape a line, for tokens, keys, credentials in addresses and headers.

Does: list them, with the few bytes that each cannot be without, so that a text which lacks those need not
be searched. Does not: replace anything. Shapes are those that the issuers document; a random-looking word
alone is no secret, since digests, patches and identifiers are evidence and look the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret.

    Attributes:
        label: What the mark says: ``[redacted:label]``.
        needles: The text holds one of these, or it holds no such secret.
        pattern: The secret, in the group ``secret`` where only a part of the match is one. It never
            matches a quotation mark, so that a JSON string stays one.
        bounded: Whether it must not continue a word to its left.
        has_run: Whether each such secret holds a long token: 23 of ``[A-Za-z0-9_-]`` in a row.
    """

    label: str
    needles: tuple[bytes, ...]
    pattern: re.Pattern[bytes]
    bounded: bool = True
    has_run: bool = True


def shape(
    label: str, needles: tuple[bytes, ...], pattern: bytes, *, bounded: bool = True, has_run: bool = True
) -> Shape:
    """A shape from the source of its pattern."""
    return Shape(label, needles, re.compile(pattern), bounded, has_run)


_GAP = rb"(?:\\{1,2}[nrt]|\s)"
_PEM = rb"(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PLAIN = rb"\s\"'<>{}$*\[\]\\"

SHAPES: tuple[Shape, ...] = (
    shape("github-token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), rb"gh[pousr]_[A-Za-z0-9]{36,255}"),
    shape("github-token", (b"github_pat_",), rb"github_pat_[A-Za-z0-9_]{22,255}"),
    shape("gitlab-token", (b"glpat-", b"gldt-", b"glrt-", b"glcbt-", b"glptt-", b"glft-", b"glsoat-"),
          rb"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_\-]{20,255}"),
    shape("anthropic-key", (b"sk-ant-",), rb"sk-ant-[A-Za-z0-9_\-]{20,255}"),
    shape("openai-key", (b"sk-",),
          rb"sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_\-]{20,255}"
          rb"|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,255}|[A-Za-z]{32,255})"),
    shape("aws-key-id", (b"AKIA", b"ASIA"), rb"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])", has_run=False),
    shape("aws-secret-key", (b"ecret", b"ECRET"),
          rb"(?i:aws_?secret_?access_?key|secretaccesskey)[\\\"']{0,4}\s{0,4}[:=]\s{0,4}[\\\"']{0,4}"
          rb"(?P<secret>(?:[A-Za-z0-9+]|\\?/){40})(?![A-Za-z0-9+/=])", bounded=False, has_run=False),
    shape("google-key", (b"AIza",), rb"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    shape("google-token", (b"ya29.",), rb"ya29\.[A-Za-z0-9_\-]{30,255}"),
    shape("google-secret", (b"GOCSPX-",), rb"GOCSPX-[A-Za-z0-9_\-]{28}"),
    shape("slack-token", (b"xox",), rb"xox[abeoprs]-[A-Za-z0-9\-]{20,255}"),
    shape("slack-token", (b"xapp-",), rb"xapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[A-Za-z0-9]{23,255}"),
    shape("slack-hook", (b"hooks.slack.com",),
          rb"hooks\.slack\.com\\?/services\\?/(?P<secret>T[A-Z0-9]{6,}\\?/B[A-Z0-9]{6,}\\?/[A-Za-z0-9]{23,})"),
    shape("npm-token", (b"npm_",), rb"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    shape("package-index-token", (b"pypi-",), rb"pypi-[A-Za-z0-9_\-]{50,}"),
    shape("hugging-face-token", (b"hf_",), rb"hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])"),
    shape("stripe-key", (b"k_live_",), rb"[sr]k_live_[A-Za-z0-9]{20,255}"),
    shape("groq-key", (b"gsk_",), rb"gsk_[A-Za-z0-9]{40,64}(?![A-Za-z0-9])"),
    shape("xai-key", (b"xai-",), rb"xai-[A-Za-z0-9]{60,100}(?![A-Za-z0-9])"),
    shape("docker-token", (b"dckr_pat_",), rb"dckr_pat_[A-Za-z0-9_\-]{20,64}"),
    shape("jwt", (b"eyJ",),
          rb"eyJ[A-Za-z0-9_\-]{10,600}\.eyJ[A-Za-z0-9_\-]{8,8000}\.[A-Za-z0-9_\-]{23,1000}"),
    shape("bearer-token", (b"earer ", b"EARER "),
          rb"(?i:bearer) {1,4}(?P<secret>(?=[A-Za-z._~+/=\\\-]*[0-9])(?:[A-Za-z0-9._~+=\-]|\\?/){16,}"
          rb"|(?:[A-Za-z._~+=\-]|\\?/){24,})", has_run=False),
    shape("basic-credentials", (b"asic ",),
          rb"(?i:authorization)[\\\"']{0,4} {0,4}[:=] {0,4}[\\\"']{0,4}[Bb]asic {1,4}"
          rb"(?P<secret>(?:[A-Za-z0-9+]|\\?/){8,}={0,2})", bounded=False, has_run=False),
    shape("url-credentials", (b"@",),
          rb":\\?/\\?/(?P<secret>[^/:@" + _PLAIN + rb"]{0,100}:[^/@" + _PLAIN + rb"]{1,200}"
          rb"|[A-Za-z0-9_\-]{20,200})@", bounded=False, has_run=False),
    shape("private-key", (b"PRIVATE KEY-----", b"PRIVATE KEY BLOCK-----"),
          rb"-----BEGIN " + _PEM + rb"(?:(?:(?!-----)[^\"]){1,20000}-----END " + _PEM
          + rb"|" + _GAP + rb"{1,4}[A-Za-z0-9+/=]{16}(?:[A-Za-z0-9+/=]|" + _GAP + rb"){0,20000})",
          bounded=False, has_run=False),
)  # fmt: skip
"""In the order in which they are applied. A key that is cut off ends with its text: it comes last."""
