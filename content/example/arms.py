"""The made-up arms: how often each finishes, breaks, errs, and what it costs.

The rates are the author's choice, so that a report has something to tell: alpha finishes a little more
than beta and breaks far more; gamma finishes much less than either; delta was hardly run.
"""

from __future__ import annotations

from msgspec import Struct


class Row(Struct, frozen=True):
    """A row of a price table, USD for a million tokens."""

    input: float
    output: float
    cached: float

    def cost(self, prompt: int, completion: int, cached: int) -> float:
        """What one run cost in USD, rounded to six decimals as the harness does."""
        exact = (prompt - cached) * self.input + cached * self.cached + completion * self.output
        return round(exact / 1_000_000, 6)


class Arm(Struct, frozen=True):
    """One arm. Rates are probabilities, 0..1.

    Args:
        name: The arm's name in the records.
        done: That a task of middling difficulty is finished in full, with brain and plan on.
        partial: That a single assertion passes in a run that is not finished.
        breaks: That a run which edits leaves a page broken.
        brain: What is lost of `done` without the project-knowledge pass.
        plan: What is lost of `done` without the planning step.
        recall: That an awareness answer names a given file of the truth set.
        noise: That it names a given file outside it.
        tokens: Prompt tokens of a usual run.
        pace: Seconds of a usual run.
        patch: That a patch of the trace pack makes its tests pass.
        strays: That a patch touches a file that its card does not name.
    """

    name: str
    done: float
    partial: float
    breaks: float
    brain: float
    plan: float
    recall: float
    noise: float
    tokens: int
    pace: float
    patch: float
    strays: float


ALPHA = Arm("alpha", 0.84, 0.50, 0.34, 0.36, 0.03, 0.88, 0.16, 41_000, 74.0, 0.76, 0.26)
BETA = Arm("beta", 0.66, 0.58, 0.05, 0.20, 0.05, 0.84, 0.18, 52_000, 96.0, 0.64, 0.08)
GAMMA = Arm("gamma", 0.20, 0.34, 0.14, 0.20, 0.05, 0.60, 0.40, 29_000, 41.0, 0.40, 0.20)
DELTA = Arm("delta", 0.60, 0.50, 0.10, 0.20, 0.05, 0.70, 0.30, 36_000, 58.0, 0.60, 0.20)

# What the harness had in its own price list when the runs were made; it had none for delta. Beta's row of
# 2026-07-05 was wrong, and is corrected on the record in the price table of that date.
HARNESS_2026_05 = {"alpha": Row(3.5, 14.0, 0.35), "beta": Row(1.6, 6.4, 0.16), "gamma": Row(0.3, 1.2, 0.03)}
HARNESS_2026_07 = {"alpha": Row(3.0, 12.0, 0.3), "beta": Row(1.6, 6.4, 0.16), "gamma": Row(0.25, 1.0, 0.025)}
