"""Roles and directives within Markdown: where they are text, where they stand, what is never markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from metrics_core.errors import AssayError
from site_src.authoring.directives import DIRECTIVES
from site_src.authoring.fences import places_of_roles
from site_src.authoring.prose import prose
from site_src.authoring.roles import ROLES
from tests.site.authoring.test_prose import bare, example
from tests.support import sample_site
from tests.support.sample_reports import HOSTILE
from tests.support.written_pages import page_context, site, written


def test_roles_and_directives_in_code_are_text() -> None:
    made = written(
        "`{est}` and `` {est}`x` ``\n\n    {est}`x`\n\n````\n```{figure} funnel\n```\n````\n\n\\{est}`x`"
    )
    assert made.count("{est}`x`") == 2
    assert "```{figure} funnel" in made
    assert "{est}<code>x</code>" in made


def test_the_forms_of_markdown_stand_beside_roles() -> None:
    made = written(
        '## One *two*\n\nSee.[^n]\n\nterm\n: {literal}`1 %`\n\n!!! note "Mind"\n    {literal}`2 %`\n\n'
        "> {literal}`3 %`\n\n| a |\n| --: |\n| {literal}`4 \\| 5` |\n\n[^n]: {literal}`6 %`\n\n"
        "[up](#one-two)\n"
    )
    assert '<h2 id="on-one-two">' in made
    assert '<a href="#on-one-two">up</a>' in made
    for number in ("1 %", "2 %", "3 %", "4 | 5", "6 %"):
        assert f">{number}</span>" in made
    assert 'class="admonition note"' in made
    assert 'class="footnotes"' in made
    assert '<th class="num" scope="col">' in made


def test_what_authors_and_records_write_is_never_markup() -> None:
    made = written(
        "<script>alert(1)</script> <b>x</b> {literal}`<img src=x onerror=y>` {page}`<i>a</i> <about>`"
    )
    assert not re.search(r"<(?:script|b|img|i)\b", made)
    with pytest.raises(AssayError) as raised:
        written(f"{{est}}`brownfield.{HOSTILE.splitlines()[0]}`")
    assert "\u202e" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


PREFIXES = (
    "", "> ", "- ", "1. ", "> - ", "## ", "*a* **b ", "term\n: ", "!!! note\n    ", "[^1]: ", "a\t", "> \t",
    "| a | b |\n| - | - |\n| `x` | \\| ", "- a\n\n\tb ", "`{est}` ``{est}`q` `` ",
)  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(PREFIXES), st.sampled_from(["est", "page", "nope-2"]),
                       st.sampled_from(["`", "``"])), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip
def test_a_place_is_where_the_role_is_written(parts: list[tuple[str, str, str]], end: str) -> None:
    """Whatever a role stands in, its line and column lead to its opening brace, in order."""
    text = "\n\n".join(f"{prefix}{{{name}}}{ticks}x y{ticks} end" for prefix, name, ticks in parts)
    found = places_of_roles(re.sub(r"\r\n?", "\n", text.replace("\n", end)))
    lines = text.split("\n")
    assert [re.match(r"\{([\w-]+)\}`", lines[row - 1][column - 1 :])[1] for row, column in found] == [  # type: ignore[index]
        name for prefix, name, _ in parts if not prefix.startswith("[^1]")
    ]


def test_a_page_of_prose_is_made_with_what_it_refers_to() -> None:
    """The whole way, as a page: nothing of a role is left, and every id stands once."""
    source = "\n\n".join(example(name, site()) for name in [*ROLES, *DIRECTIVES])
    made = prose(source + "\n\n" + source, page_context())
    ids = re.findall(r' id="([^"]+)"', made)
    assert len(ids) == len(set(ids))
    assert "{" not in bare(re.sub(r"<pre.*?</pre>", "", made, flags=re.DOTALL))
    assert sample_site.BUILD.version in bare(made)
