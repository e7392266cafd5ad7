"""The reference bootstrap, word for word from seed 004 ("Sign the Metric Before You Publish an Agent Score").

`test_bootstrap` holds the fast one against it, bit for bit, and this copy against the seed's text.
"""

from __future__ import annotations

import random


def valid_scores(rows: list[float]) -> list[float]:
    return [x for x in rows if x == x]


def bootstrap_mean_ci(rows: list[float], n: int = 2000, alpha: float = 0.05, seed: int = 7) -> dict:
    rng = random.Random(seed)
    xs = valid_scores(rows)
    if len(xs) < 8:
        return {"n_valid": len(xs), "mean": None, "ci95": None, "note": "too few valid runs"}
    means = []
    for _ in range(n):
        sample = [xs[rng.randrange(len(xs))] for _ in xs]
        means.append(sum(sample) / len(sample))
    means.sort()
    lo = means[int(alpha / 2 * n)]
    hi = means[int((1 - alpha / 2) * n)]
    return {
        "n_valid": len(xs),
        "n_invalid": len(rows) - len(xs),
        "mean": sum(xs) / len(xs),
        "ci95": [lo, hi],
        "seed": seed,
        "resamples": n,
    }
