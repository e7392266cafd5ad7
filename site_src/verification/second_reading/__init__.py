"""The arithmetic of a report, read a second time: runs in, numbers out, by another hand.

Plain Python and nothing else: no numpy, and nothing of the core whose numbers it checks or of the site. It
takes runs that are already told apart, and knows no file, family or page. Its formulas were written from
their sources, by other ways than the core's where there is one: gamma functions in place of products,
bisection in place of tables. So the two agree to about ten digits, and not to the last bit.

Not read: exact bootstraps, design effects, bounds of corrected shares, of pass^k and of runs never recorded,
task-weighted means, smallest differences, recounts under other denominators, stages of funnels, and sums of
money by model.
"""

from __future__ import annotations

from site_src.verification.second_reading.clusters import Limits
from site_src.verification.second_reading.differences import difference, holm
from site_src.verification.second_reading.estimates import (
    EstimateRead,
    PlainRun,
    read_bootstrapped,
    read_context,
    read_mean,
    read_repeated,
    read_share,
)
from site_src.verification.second_reading.judges import read_corrected, read_kappa, read_powered

__all__ = [
    "EstimateRead",
    "Limits",
    "PlainRun",
    "difference",
    "holm",
    "read_bootstrapped",
    "read_context",
    "read_corrected",
    "read_kappa",
    "read_mean",
    "read_powered",
    "read_repeated",
    "read_share",
]
