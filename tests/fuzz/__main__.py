"""Altered bytes for every reader, for as long as is asked; what is found is written down.

    python -m tests.fuzz                      a minute for all of them together
    python -m tests.fuzz --seconds 600        ten
    python -m tests.fuzz prose --seed 7       those whose name holds a word, with other bytes

Ends with 1 where a target failed: the input lies in `tests/fuzz/corpus`, in base64, and `test_fuzz.py` tries
it from then on. An input that takes over `SLOWEST` seconds is found, too.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import random
import sys
import time
import traceback

from tests.fuzz.mutation import altered
from tests.fuzz.targets import CORPUS, TARGETS, Target

SLOWEST = 10.0
"""Seconds of processor time that 64 kB may take."""


def main() -> int:
    """Try each target for its share of the time; 1 where one failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    wanted = [t for t in TARGETS if not asked.words or any(word in t.name for word in asked.words)]
    failed = tried = 0
    for target in wanted:
        share = asked.seconds / len(wanted)
        many, kinds = fuzzed(target, share, random.Random(f"{target.name} {asked.seed}"))
        tried, failed = tried + many, failed + len(kinds)
        print(f"{target.name:34} {many:8,} inputs, {len(kinds)} failures", flush=True)
    print(f"{tried:,} inputs of {len(wanted)} readers, {failed} failures")
    return bool(failed)


def fuzzed(target: Target, seconds: float, rng: random.Random) -> tuple[int, set[str]]:
    """How many inputs were tried, and the kinds of failure among them."""
    seeds, ends, tried = target.every_seed(), time.monotonic() + seconds, 0
    kinds: set[str] = set()
    while time.monotonic() < ends:
        data = altered(rng, seeds)
        tried += 1
        kind = failure(target, data)
        if kind and kind not in kinds:
            kinds.add(kind)
            kept(target, data)
            print(f"{target.name}: {kind}", flush=True)
    return tried, kinds


def failure(target: Target, data: bytes) -> str:
    """What kind of failure an input is; empty where it is none."""
    began = time.process_time()
    try:
        target.try_on(data)
    except Exception as error:  # noqa: BLE001 (which kind is what is looked for)
        last = traceback.extract_tb(error.__traceback__)[-1]
        return (
            f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename.rpartition('/')[2]}"
        )
    return "slow" if time.process_time() - began > SLOWEST else ""


def kept(target: Target, data: bytes) -> None:
    """Write an input down beside those that found something before."""
    folder = CORPUS / target.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(base64.encodebytes(data))


if __name__ == "__main__":
    sys.exit(main())
