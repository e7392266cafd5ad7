"""Numbers read back from a page: counts and decimals of an estimate, and none where it is withheld."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st

from site_src.verification.page_numbers import ShownNumber, faults, shown

WITHHELD = {"e": {"withheld": "a control failed"}}


@pytest.mark.parametrize(("text", "shows"), [("withheld", False), ("9/12", True), ("0.75", True)])
def test_a_withheld_estimate_shows_neither_counts_nor_decimals(text: str, shows: bool) -> None:
    assert bool(list(faults(ShownNumber("e", text), WITHHELD, "p.html"))) is shows


def test_an_estimate_that_is_not_published_is_a_fault() -> None:
    assert list(faults(ShownNumber("x", "9/12"), {}, "p.html")) == ["p.html: x is not published"]


PIECES = (
    *("<p>", "</p>", "<b>", "</b>", "<br>", "<br/>", "<p/>", "<P>", "</P>", "<svg viewBox='0'>", "</svg>"),
    *('<b data-estimate="a">', '<i data-estimate="b&amp;c">', "</i>", "<b data-estimate=d>", "</p >"),
    *('<b DATA-ESTIMATE="e">', '<b data-estimate="">', '<br data-estimate="f">', '<b title="data-estimate">'),
    *('<b title=" data-estimate=" x="y">', '<script x="></script><b data-estimate="g">', "<script>"),
    *("</script>", '<script src="x.js"></script>', "<style>", "</style>", "<title>", "</title>"),
    *("\n", "<title>1/2</title>", '<title data-estimate="h">3</title>', "1/2", " of ", "&lt;", "&amp;lt;"),
    *("&#60;p>", "<", ">", '"', "a < b", "<!-- ", " -->", "<!doctype html>"),
)  # fmt: skip


class Reader(HTMLParser):
    """Text of each element with an estimate, read with Python's own parser and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, str, list[str]]] = []
        self.found: list[ShownNumber] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.opened.append((tag, dict(attrs).get("data-estimate") or "", []))

    def handle_data(self, data: str) -> None:
        for _, _, text in self.opened:
            text.append(data)

    def handle_endtag(self, tag: str) -> None:
        places = [at for at, (name, _, _) in enumerate(self.opened) if name == tag]
        if places:
            closed, self.opened = self.opened[places[-1] :], self.opened[: places[-1]]
            self.found += [ShownNumber(estimate, "".join(text)) for _, estimate, text in closed if estimate]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_page_is_read_as_a_parser_reads_it_whatever_it_is_made_of(html: str) -> None:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert list(shown(html)) == reader.found


@given(st.recursive(
    st.sampled_from(("1/2", " &lt; ", "<br>", '<img alt=">">', '<script src="a"></script>', "<br/>")),
    lambda inner: st.builds(
        lambda tag, estimate, parts: f'<{tag} class="x"{estimate}>{"".join(parts)}</{tag}>',
        st.sampled_from(("p", "b", "td")),
        st.sampled_from(("", ' data-estimate="a"', ' data-estimate="b&quot;"')),
        st.lists(inner, max_size=4),
    ),
))  # fmt: skip
def test_a_page_of_well_nested_elements_is_read_as_a_parser_reads_it(html: str) -> None:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert list(shown(html)) == reader.found
