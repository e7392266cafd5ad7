"""Names from records that no writer would choose: asked for, suggested, begun with, in no build's way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st
from markdown_it.token import Token
from msgspec.structs import replace

from metrics_core.results.keys import Keys
from metrics_core.results.report import Report
from metrics_core.text import visible
from site_src import decisions
from site_src.authoring.reference_page import writing_reference
from site_src.decisions import judge_decision
from site_src.lint.typed_results import naked
from site_src.pages.figure_collection import FigureCollection
from site_src.pages.site_map import SiteMap, site_map
from site_src.pages.site_state import SiteState
from site_src.project import markdown
from site_src.project.scaffolds import scaffold
from site_src.references import Index, parse_query, role_text
from site_src.references.query import quoted, spelled, words_of
from tests.site.references.test_references import MAY
from tests.support import sample_site

NAMES = (
    "al`pha", "a`", "`", "``a`` b", "al\npha", " alpha ", '<b>"x"\u202e`\\u0041\\', "\U0001f600 a", "\\",
    "\x00", "a=b", "?", "/", "${x}", "a\r\tb", "\u2028", "{est}`x`", ":::", "```",
)  # fmt: skip
ANY = st.text(max_size=12) | st.text(st.sampled_from('`"\\ \n\t=u0aU/?\u202e\x00:'), max_size=12)


# ---------------------------------------------------------------------------------- references


@given(st.dictionaries(st.sampled_from(["model", "agent", "condition", "kind"]), ANY), ANY.filter(bool))
def test_every_name_can_be_asked_for(names: dict[str, str], experiment: str) -> None:
    words = spelled(experiment, "attempts", "security", Keys(names))
    assert parse_query(words, "a.md:1:1").keys == Keys({"experiment": experiment, **names})
    assert len(words.splitlines()) == 1
    assert not {"`", "\u202e", "\x00"} & set(words)


@given(st.lists(ANY, max_size=4))
def test_every_arm_of_a_directive_is_one_word(names: list[str]) -> None:
    assert words_of(" ".join(quoted(name) if name else '""' for name in names), "a.md:1:1") == tuple(names)


def test_an_escape_is_the_character_it_names() -> None:
    words = r'a.b model="\u0041\U0001f600\n\t\q\"\\ \u12 \U0011ffff"'
    assert dict(parse_query(words, "a.md:1:1").keys)["model"] == 'A\U0001f600\n\tq"\\ u12 \\U0011ffff'


# ---------------------------------------------------------------------------------- roles


def contents(text: str) -> list[str]:
    def within(tokens: list[Token]) -> list[Token]:
        return [found for token in tokens for found in (token, *within(token.children or []))]

    return [role_text.content(t.content) for t in within(markdown.parse(text)) if t.type == markdown.ROLE]


@given(st.text(st.sampled_from("a` {}\\*<"), min_size=1, max_size=12).filter(str.strip))
def test_a_role_holds_whatever_is_put_into_it(content: str) -> None:
    assert contents(f"A {role_text.role('literal', content)} b") == [content]


def test_a_number_between_back_quotes_can_be_marked_as_meant() -> None:
    text = "It had \\`86 % again."
    (finding,) = naked(text, "a.md")
    marked = finding.suggestion.rpartition("or mark it ")[2]
    assert naked(text.replace(finding.words, marked), "a.md") == ()


# ---------------------------------------------------------------------------------- the page of examples


def named(report: Report, name: str) -> Report:
    """A report whose first arm bears this name throughout."""

    def turned(group: Keys) -> Keys:
        return Keys((key, name if value == "alpha" else value) for key, value in group)

    return replace(
        report,
        estimates=tuple(replace(e, group=turned(e.group)) for e in report.estimates),
        funnels=tuple(replace(f, group=turned(f.group)) for f in report.funnels),
        comparisons=tuple(
            replace(c, a=name if c.a == "alpha" else c.a, b=name if c.b == "alpha" else c.b)
            for c in report.comparisons
        ),
    )


def site(name: str) -> SiteMap:
    every = [replace(x, report=named(x.report, name)) for x in sample_site.experiments()]
    made = site_map(every, sample_site.AUTHORED, sample_site.BUILD, ())
    return replace(made, site_state=SiteState(index=made.index))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_an_arm_stops_the_page_of_examples(name: str) -> None:
    where = site(name)
    made = writing_reference(where, FigureCollection(where, "writing.html", "Writing"))
    shown = {form.id: form for part in made.parts for form in part.forms}
    for form in ("role-est", "directive-compare", "directive-table", "directive-figure"):
        assert shown[form].source, form
        assert shown[form].result, form
    assert "{est}" not in re.sub(r"<[^>]*>", "", str(shown["role-est"].result))


# ---------------------------------------------------------------------------------- what is begun


@pytest.mark.parametrize("name", [*NAMES, "a\u00a0b", "\x7f", "'", "#", "$title", "- a"])
def test_what_is_begun_holds_any_name(name: str) -> None:
    index = Index((named(MAY, name),))
    ((path, page),) = scaffold("page", "about-us", taken=(), today="2026-07-20", index=index)
    (words,) = contents(next(line for line in page.decode().split("\n") if line.startswith("#   {est}")))
    assert dict(index.one(parse_query(words, path)).group)["model"] in (name, "beta")
    ((path, data),) = scaffold("decision", "route", taken=(), today="2026-07-20", index=index)
    claims = judge_decision(decisions.read(path, data), index).claims
    assert [c.claim.of for c in claims] == ([name] if role_text.one_line(name) else [])


UNSEEN = (
    *range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0),  # controls but for tab and line feed
    0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
    *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164,
    *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFFC), *range(0xFDD0, 0xFDF0),
    *range(0xD800, 0xE000), *range(0xE0000, 0xE1000),
)  # fmt: skip
"""Unicode's Default_Ignorable_Code_Point and line and paragraph separators, controls, noncharacters of the
first plane and surrogates; of the shorthand and musical format controls no text can make use."""


def test_every_character_that_cannot_be_seen_is_spelled_out():
    assert [hex(code) for code in UNSEEN if visible(f"a{chr(code)}b") != f"a‹U+{code:04X}›b"] == []


def test_what_can_be_seen_stays():
    text = "".join(
        map(chr, (*range(0x20, 0x7F), 0x09, 0x0A, 0xA0, 0xE9, 0x2010, 0x2027, 0x202F, 0x205F, 0x2070))
    )
    assert visible(text) == text
