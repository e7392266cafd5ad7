"""Writes the shipped example: nine experiment folders of illustrative data, always the same bytes.

    python content/generate.py [--output FOLDER]

The data are made up, by this script, so that every state a report can be in occurs at least once. No
agent was run and no real model stands behind the names alpha, beta, gamma and delta; each folder's
`experiment.yaml` says so. Nothing is drawn from the clock or from the platform's random numbers: each
draw is a digest of what it is for (`example/draws.py`), so two runs agree to the byte on any machine.

It does not compute a result, and it imports nothing of the packages that do: what a report says about
these folders has to be found in the records.

| folder | family | what it is there to show |
| --- | --- | --- |
| `brownfield-2026-07` | brownfield | a control that holds; weekly batches; an ablation; every blemish |
| `brownfield-2026-07b` | brownfield | a control that fails, so that nothing may be quoted |
| `brownfield-2026-05` | brownfield | no control was recorded at all; an older price table |
| `patches-2026` | traces | a frozen pack, a contract that was replaced, an arm with too few runs |
| `pairs-2026-07` | matrix | three chat and three coder models; two kinds of check, and one unmapped |
| `gh-2026` | attempts | a log as recorded; folders whose evidence decides otherwise; one of each oddity |
| `answers-2026` | traces, judges | one log under two scorers that disagree; a judge beside raters |
| `layered-2026-07` | layered | each layer alone and in three pipelines; failures that no rule attributes |
| `layered-2026-08` | layered | a grader that was replaced between two batches; a control that is optional |

The negative control, `controls/sanity.json`, is the harness's own record of its graders tried on the
pristine application: `control` ("sanity"), `stamp`, `regression` (`total`, `passed`, `misses`),
`fix_graders` and `refactor_checks` (lists of `id`, `name`, `passed`, `detail`). It holds when the whole
regression set passed, every fix grader failed and every refactor check failed.

The attribution self-test, `controls/attribution_selftest.json`, is the record of a layered harness that its
attribution fires: `control`, `stamp`, `fired` (`router`, `planner`, `coder`, each true or false). It holds
when all three fired.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from example import (
    answers_2026,
    brownfield_2026_05,
    brownfield_2026_07,
    brownfield_2026_07b,
    gh_2026,
    layered_2026_07,
    layered_2026_08,
    pairs_2026_07,
    patches_2026,
)

HERE = Path(__file__).resolve().parent
EXPERIMENTS = {
    "answers-2026": answers_2026.files,
    "brownfield-2026-05": brownfield_2026_05.files,
    "brownfield-2026-07": brownfield_2026_07.files,
    "brownfield-2026-07b": brownfield_2026_07b.files,
    "gh-2026": gh_2026.files,
    "layered-2026-07": layered_2026_07.files,
    "layered-2026-08": layered_2026_08.files,
    "pairs-2026-07": pairs_2026_07.files,
    "patches-2026": patches_2026.files,
}


def write(output: Path) -> int:
    """Write every experiment below `output`, replacing the folders of the same names.

    Args:
        output: Folder that holds the experiment folders; made when it is not there.

    Returns:
        How many files were written.
    """
    written = 0
    for slug, files in EXPERIMENTS.items():
        folder = output / slug
        if folder.exists():
            shutil.rmtree(folder)
        for name, text in sorted(files().items()):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))  # bytes: no platform may turn the line ends
            written += 1
    return written


def main() -> None:
    """Read the command line, write, and say what was written."""
    parser = argparse.ArgumentParser(description="Write the illustrative experiment folders of the example.")
    parser.add_argument(
        "--output",
        type=Path,
        default=HERE / "experiments",
        metavar="FOLDER",
        help="where the experiment folders go (default: experiments/ beside this script)",
    )
    print(f"{write(parser.parse_args().output)} files in {len(EXPERIMENTS)} experiments")


if __name__ == "__main__":
    main()
