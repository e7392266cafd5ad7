"""What was meant as a role or a directive: told before it is printed; and links that lead nowhere."""

from __future__ import annotations

import pytest

from metrics_core.errors import ConfigError
from site_src.lint.suggestions import near_misses
from site_src.project import markdown


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("Solved {est} `traces.score model=alpha`.", "1:8", "{est} would be printed as it stands"),
        ("Solved {est}'traces.score'.", "1:8", "no space before the back-quote"),
        ("Solved { est}`traces.score`.", "1:8", "{est} would be printed"),
        ("One.\n\n{table}\n:experiment: e\n", "3:1", "a directive begins a fence: ```{table}"),
        ("One.\n\n```figure funnel\n:experiment: e\n```\n", "3:1", "without braces would be printed as code"),
        ("- a\n  > b {compare} c\n", "2:7", "{compare} would be printed"),
    ],
)
def test_a_near_miss_is_told_with_its_place(text: str, where: str, said: str) -> None:
    (told,) = near_misses(text, "pages/a.md")
    assert told.where == f"pages/a.md:{where}"
    assert said in str(told)


@pytest.mark.parametrize(
    "text",
    [
        "Solved {est}`traces.score model=alpha`.",
        "Write `{est}` and a back-quote.",
        "A set {a, b} and {estimate} and {page 3}.",
        "```{figure} funnel\n:experiment: e\n```\n",
        "```python\n:est: 1\n```\n",
        "```figure\nprint(1)\n```\n",
        "    {est} `in code`\n",
    ],
)
def test_what_is_meant_as_it_stands_is_left_alone(text: str) -> None:
    assert list(near_misses(text, "a.md")) == []


def linked(text: str) -> str:
    tokens = markdown.parse(text)
    known = {"index.md", "pages/results.md", "decisions/use-alpha.md"}
    markdown.link(tokens, source="pages/results.md", page="pages/results.html", known=known)
    return str(markdown.render(tokens))


def test_links_to_pages_decisions_and_headings_are_made() -> None:
    text = "# Here\n\n[a](../index.md) [b](../decisions/use-alpha.md#history) [c](#here) [d](#main)\n"
    made = linked(text)
    assert 'href="../index.html"' in made
    assert 'href="../decisions/use-alpha/index.html#history"' in made
    assert 'href="#on-here"' in made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n\n[a](findings.md)", r"results\.md:3: a link to 'findings\.md', and there is no pages/"),
        ("[a](result.md)", r"nearest: pages/results\.md"),
        ("[a](../decisions/none.md)", r"there is no decisions/none\.md \(nearest: decisions/use-alpha\.md"),
        ("# Results of May\n\n[a](#results-of-june)", r"no heading '#results-of-june'.*: results-of-may"),
    ],
)
def test_a_link_that_leads_nowhere_is_an_error_with_the_nearest(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        linked(text)
