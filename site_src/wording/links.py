"""What a figure takes from the page it will stand on: where links lead, and the site's build.

Does: name the places that captions and marks link to. Does not: know paths; the page builder hands
in functions that give an address relative to the page, or an empty text where there is no such page.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from metrics_core.memo import Memo
from metrics_core.results import NO_KEYS, ContractRef, Estimate, Gap, Keys, RunLoss
from site_src.wording.reading import TermName
from site_src.wording.spans import Line, MetricSpan, Named, Span


class ReviewFilter(Struct, frozen=True, kw_only=True):
    """Which runs a mark stands for, so that the list of reviews can show just those.

    Attributes:
        group: Keys that are fixed, as in an estimate: ``(("model", "alpha"),)``.
        lost: How they were lost in the funnel of a stratum; None for any.
        facet: Word a run is filtered by ("done, but broken"); empty for any.
        assertion: Name of an assertion that they failed; empty for any.
        gap: Metric of which they have no known value, in the stratum of an estimate; its state is ``known``
            for any that is not known. None for any run.
    """

    experiment: str
    family: str
    group: Keys = NO_KEYS
    stratum: Keys = NO_KEYS
    lost: RunLoss | None = None
    facet: str = ""
    assertion: str = ""
    gap: Gap | None = None


class Definition(Struct, frozen=True):
    """What a word means, and where that stands.

    Attributes:
        href: Its entry on the Methods page.
        sentence: The entry's own words.
        by: Whose words they are: a contract and its version, or this site's Methods.
    """

    href: str
    sentence: str
    by: str


def _nowhere(*_: object) -> str:
    return ""


def _undefined(*_: object) -> tuple[Definition, ...]:
    return ()


class Links(Struct, frozen=True, kw_only=True):
    """Functions that give an address relative to the page, or "" for no link.

    Attributes:
        contract: Page of an instrument.
        data: Of an experiment's data: (experiment, full digest).
        pack: Page of an eval pack, by its full digest.
        prices: Page of a price table, by its date.
        reviews: List of the runs behind a mark.
        control: Of a control's findings: (experiment, the caption's words for it).
        model: Page of a model, by its name.
        estimate: Where an estimate is drawn.
        metric: What a metric counts, in its contract's own words; nothing for none.
        term: What a statistic means.
        pair: Two arms task by task: (experiment, one, the other).
        build: Page of the edition, or the manifest.
    """

    contract: Callable[[ContractRef], str] = _nowhere
    data: Callable[[str, str], str] = _nowhere
    pack: Callable[[str], str] = _nowhere
    prices: Callable[[str], str] = _nowhere
    reviews: Callable[[ReviewFilter], str] = _nowhere
    control: Callable[[str, str], str] = _nowhere
    model: Callable[[str], str] = _nowhere
    estimate: Callable[[Estimate], str] = _nowhere
    metric: Callable[[Estimate | Named], tuple[Definition, ...]] = _undefined
    term: Callable[[TermName], tuple[Definition, ...]] = _undefined
    pair: Callable[[str, str, str], str] = _nowhere
    build: Callable[[], str] = _nowhere


class FigureContext(Struct, frozen=True, kw_only=True):
    """What figures and captions take from their page.

    Attributes:
        build: The site's build version: "0.4.0+1c9e55d2".
        links: Of the page that is being made.
        memo: What was drawn before.
    """

    build: str
    links: Links = field(default_factory=Links)
    memo: Memo = field(default_factory=Memo)


class FirstUse:
    """Sentences of one page, in their order: the first naming of each metric leads to what it counts.

    Args:
        links: Of the page.

    >>> from metrics_core.results import ContractRef
    >>> metric = Named(ContractRef("f", "1", "sha256:0"), "change")
    >>> links = Links(metric=lambda _: (Definition("methods.html#m", "what holds", "f v1"),))
    >>> first_use = FirstUse(links)
    >>> [first_use((MetricSpan(text="Change", names=metric),))[0].href for _ in range(2)]
    ['methods.html#m', '']
    """

    def __init__(self, links: Links) -> None:
        self._links = links
        self._named: set[Named] = set()

    def __call__(self, line: Line) -> Line:
        """The line, with the links of what it is the first to name.

        Args:
            line: A sentence; the links that it has stay.
        """
        return tuple(map(self._led, line))

    def _led(self, span: Span) -> Span:
        if not isinstance(span, MetricSpan):
            return span
        found = () if span.names in self._named else self._links.metric(span.names)
        self._named.add(span.names)
        return Span(span.text, "defined", found[0].href) if found else Span(span.text)
