"""A comparison as lines for a terminal, and as Markdown for a comment or a note."""

from __future__ import annotations

import re

from metrics_core.comparison import Comparing
from metrics_core.text import visible
from site_src.comparing.facts import Fact, facts_of
from site_src.console import safe
from site_src.report_text import TextRow, laid_out

_MARKED = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#~$"} | {"\n": " ", "&": "&amp;"})

_LINKS_BY_ITSELF = re.compile(r"@|:(?=//|[a-z_+-][\w+-]*:)|www(?=\.)|[#!%&](?=\w)|\bGH-(?=\d)", re.IGNORECASE)
"""What a host of code makes a link, a mention or a picture of without any markup: it looks at the text that
is shown, so that no backslash keeps it from that. A word joiner behind it does.
"""


def comparing_text(c: Comparing, width: int | None = None) -> str:
    """At most twelve lines, where the terminal is wide enough for each.

    Args:
        c: As it was compared.
        width: Columns of the terminal; None leaves each fact in one line.
    """
    first, *rest = facts_of(c)
    rows = [TextRow((_label(fact),), fact.words) for fact in rest]
    return "\n".join(safe(line) for line in (first.words, *laid_out(rows, width)))


def _label(fact: Fact) -> str:
    return f"{fact.label} (!)" if fact.warning else fact.label


def comparing_markdown(c: Comparing) -> str:
    """The same facts as a table of Markdown.

    Args:
        c: As it was compared.
    """
    first, *rest = facts_of(c)
    rows = [f"| {_marked(fact)} | {escaped(fact.words)} |" for fact in rest]
    data = ", ".join(f"{escaped(side.name)} `{side.report.data_digest[:15]}`" for side in c.things)
    contract = c.first.a.contract
    named = f"{escaped(contract.id)} v{escaped(contract.version)} `{contract.digest[:15]}`"
    foot = f"<sub>{named}; data of {data}</sub>"
    heads = ("|  | Found |", "| --- | --- |")
    return "\n".join((f"### {escaped(first.words)}", "", *heads, *rows, "", foot, ""))


def _marked(fact: Fact) -> str:
    return f"**{escaped(fact.label)}**" if fact.warning else escaped(fact.label)


def escaped(words: str) -> str:
    r"""Words as Markdown shows them: no markup, no link, no cell of a table begins in them.

    Args:
        words: Of ours or from records.

    >>> escaped("a|b <i> [x](y) *z* &lt;")
    'a\\|b \\<i\\> \\[x\\](y) \\*z\\* &amp;\u2060lt;'
    >>> escaped("@team see octo/repo#3, www.example.org :tada:").count("\u2060")
    4
    """
    return _LINKS_BY_ITSELF.sub("\\g<0>\u2060", visible(words)).translate(_MARKED)
