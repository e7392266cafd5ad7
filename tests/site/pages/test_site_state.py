"""What a project stands by: decisions held against the editions in which they stood before."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from msgspec.structs import replace

from metrics_core.errors import ClaimError, FormatError
from site_src import pipeline
from site_src.decisions.model import Decision
from site_src.editions import store
from site_src.editions.edition import Edition
from site_src.pages.site_state import site_state
from site_src.project import content
from site_src.project.site_config import SiteConfig
from site_src.project.sources import Sources
from tests.support.edition_samples import decision, edition


def told(status: str, date: str) -> dict[str, Any]:
    return {**decision(status=status), "date": date, "claims": []}


def stands(text: str, *published: Edition) -> Decision:
    sources = Sources(
        config=SiteConfig(),
        authored=(),
        tables=(),
        experiments=(),
        ledger=None,
        decisions=(("route-to-alpha.md", text.encode()),),
        editions=tuple((store.file_name(e.number), store.to_bytes(e)) for e in published),
    )
    (judged,) = site_state(sources, []).decisions
    return judged.decision


def written(status: str, date: str, more: str = "") -> str:
    return f"---\ntitle: Route to alpha\nstatus: {status}\ndate: {date}\n{more}---\n"


PROPOSED = edition(decisions=(told("proposed", "2026-07-01"),), date="2026-07-02", name="b1")
ACCEPTED = edition(decisions=(told("accepted", "2026-07-20"),), date="2026-07-21", before=PROPOSED, name="b2")
SUPERSEDED = edition(
    decisions=(told("superseded", "2026-07-20"),), date="2026-07-30", before=ACCEPTED, name="b3"
)


def test_a_proposal_may_stay_one() -> None:
    assert stands(written("proposed", "2026-07-01"), PROPOSED).status == "proposed"


@pytest.mark.parametrize("date", ["2026-07-01", "2026-07-02"])
def test_what_was_accepted_does_not_become_a_proposal_again_whatever_its_date(date: str) -> None:
    with pytest.raises(ClaimError, match="accepted in an earlier edition, and now proposed"):
        stands(written("proposed", date), PROPOSED, ACCEPTED)


def test_what_was_superseded_is_not_accepted_again_with_its_old_date() -> None:
    claim = "deciders: [x]\nclaims:\n  - {control: sanity, experiment: shop}\n"
    with pytest.raises(ClaimError, match="superseded in an earlier edition, and now accepted"):
        stands(written("accepted", "2026-07-20", claim), PROPOSED, ACCEPTED, SUPERSEDED)


def test_what_was_accepted_may_be_reopened() -> None:
    why = "reopened:\n  - {date: 2026-07-25, why: the pack changed}\n"
    assert stands(written("reopened", "2026-07-20", why), PROPOSED, ACCEPTED).status == "reopened"


def test_an_edition_that_was_edited_is_refused_with_its_name() -> None:
    forged = store.to_bytes(ACCEPTED).replace(b"2026-07-21", b"2026-07-22")
    sources = Sources(
        config=SiteConfig(),
        authored=(),
        tables=(),
        experiments=(),
        ledger=None,
        editions=(
            ("0001.json", store.to_bytes(PROPOSED)),
            ("0002.json", forged),
            ("0003.json", store.to_bytes(SUPERSEDED)),
        ),
    )
    with pytest.raises(FormatError, match=r"0003\.json#/previous.*0002\.json was changed"):
        site_state(sources, [])


def test_what_a_proposal_supersedes_has_not_been_superseded() -> None:
    old = written("superseded", "2026-07-20", "superseded_by: other\n")
    sources = Sources(
        config=SiteConfig(),
        authored=(),
        tables=(),
        experiments=(),
        ledger=None,
        decisions=(("other.md", written("proposed", "2026-07-21").encode()), ("old.md", old.encode())),
    )
    with pytest.raises(ClaimError, match=r"decisions/old\.md:3: superseded by other, which is only proposed"):
        site_state(sources, [])


def test_a_build_is_another_once_anything_that_a_reader_sees_is() -> None:
    page = content.authored("a.md", b"# A\n\n![p](p.png)\n", folder_of_one_picture(b"1"))
    others = (
        content.authored("a.md", b"# A\n\n![p](p.png)\n", folder_of_one_picture(b"2")),
        replace(page, order=3),
        replace(page, menu=False),
    )
    digests = {pipeline.build_info(of(p), []).digest for p in (page, *others)}
    assert len(digests) == 4
    assert pipeline.build_info(of(page), []).digest in digests


def of(page: content.Authored) -> Sources:
    return Sources(config=SiteConfig(), authored=(page,), tables=(), experiments=(), ledger=None)


def folder_of_one_picture(data: bytes) -> Path:
    folder = Path(mkdtemp())
    (folder / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n" + data)
    return folder
