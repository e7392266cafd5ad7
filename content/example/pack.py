"""The frozen pack as files, with its sums and its tree digest beside it.

The sums are what `find eval_pack -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum` prints, and the
tree digest is `sha256sum eval_pack.sums`: sorted by the bytes of the path, two spaces, a line feed.
"""

from __future__ import annotations

import hashlib
import json

from example.pack_cards import CARDS, Card


def files() -> dict[str, str]:
    """`eval_pack/`, `eval_pack.sums` and `eval_pack.tree.sha256`, by path."""
    pack = {f"eval_pack/inputs/{card.id}.md": _issue(card) for card in CARDS}
    pack["eval_pack/tasks.json"] = json.dumps([_card(card) for card in CARDS], indent=2) + "\n"
    sums = "".join(f"{_sha256(pack[path])}  {path}\n" for path in sorted(pack, key=str.encode))
    return {**pack, "eval_pack.sums": sums, "eval_pack.tree.sha256": f"{_sha256(sums)}  eval_pack.sums\n"}


def _card(card: Card) -> dict[str, object]:
    return {
        "id": card.id,
        "split": card.split,
        "repo": card.repo,
        "language": card.language,
        "class": card.kind,
        "inputs": [f"inputs/{card.id}.md"],
        "oracle_files": list(card.files),
        "timeout_s": card.timeout_s,
    }


def _issue(card: Card) -> str:
    return (
        f"# {card.id}\n\n{card.issue}\n\nRepository `{card.repo}` (illustrative). Hand in one patch; the "
        "repository's tests are run on it.\n"
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
