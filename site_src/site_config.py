"""What the publisher says of the site as a whole: `content/site.yaml`.

Does: read it strictly, with a default for each setting. Does not: look for the experiments that it
names, or read the content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from metrics_core import yaml_strict
from metrics_core.errors import ConfigError
from site_src.paths import external

KEYS = ("title", "subtitle", "description", "language", "url", "experiments", "pricing", "notice")
LISTS = ("experiments", "pricing")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteConfig:
    """The settings of a site.

    Attributes:
        title: Name of the site, in the head of every page.
        subtitle: Whose evaluations they are.
        description: One sentence for search engines.
        language: BCP 47 tag of the prose.
        url: Where it will be published, ending in a slash; empty where that is not known.
        experiments: Globs of experiment folders, relative to the content folder.
        pricing: Globs of price tables, relative to the content folder.
        notice: A few words that stand on every page, such as "Illustrative data"; may be empty.
    """

    title: str = "Assay"
    subtitle: str = ""
    description: str = ""
    language: str = "en"
    url: str = ""
    experiments: tuple[str, ...] = ("experiments/*",)
    pricing: tuple[str, ...] = ("pricing/*",)
    notice: str = ""


def read(data: bytes, name: str = "site.yaml") -> SiteConfig:
    """Settings from the bytes of a `site.yaml`.

    Args:
        data: YAML; an empty file means the defaults.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/key``, what was expected and what stood there.
        FormatError: It is not YAML, or not plain YAML.

    >>> read(b"title: Halden").title
    'Halden'
    """
    document = yaml_strict.parse(data, name)
    settings = document.value
    if settings is None:
        return SiteConfig()
    if not isinstance(settings, dict):
        raise ConfigError(f"expected settings, got {settings!r}", where=name)
    for key in settings:
        if key not in KEYS:
            raise ConfigError(
                f"unknown key {key!r}", where=document.where(key), hint=f"one of {', '.join(KEYS)}"
            )
    texts = {k: _text(v, document.where(k)) for k, v in settings.items() if k not in LISTS}
    lists = {k: _texts(v, document.where(k)) for k, v in settings.items() if k in LISTS}
    language = texts.get("language", "en")
    if not texts.get("title", "Assay"):
        raise ConfigError("an empty title", where=document.where("title"))
    if not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language):
        raise ConfigError(
            f"expected a language tag, got {language!r}",
            where=document.where("language"),
            hint="such as en or pt-BR",
        )
    if texts.get("url"):
        texts["url"] = _address(texts["url"], document.where("url"))
    given: dict[str, Any] = {**texts, **lists}
    return SiteConfig(**given)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"expected text, got {value!r}", where=where, hint="put it in quotation marks")
    return " ".join(value.split())


def _texts(value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise ConfigError(f"expected a list, got {value!r}", where=where)
    return tuple(_text(item, where) for item in value)


def _address(url: str, where: str) -> str:
    try:
        parts = urlsplit(url)
        plain = parts.hostname and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # half an IPv6 address, or a port beyond the last one
        plain = False
    if not plain or not external(url) or set(url) & set('"<>'):
        raise ConfigError(
            f"expected an address, got {url!r}", where=where, hint="such as https://example.org/evals/"
        )
    return url.rstrip("/") + "/"
