"""Awareness questions: the arm names the files that matter, and the claim is graded by F1.

Nothing is built and nothing is run, so there is no regression set: `regress` is null.
"""

from __future__ import annotations

from example.arms import Arm, Row
from example.brownfield_runs import Record, usage
from example.draws import chance, pick

DECOYS: tuple[str, ...] = (
    "src/Support/Money.php",
    "src/Support/Db.php",
    "templates/layout.php",
    "src/Account/Profile.php",
    "config/routes.php",
)
QUESTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "A1": (
        "which files decide the price in the basket",
        ("src/Pricing/BulkPrice.php", "src/Cart/Totals.php", "src/Cart/Coupons.php", "src/Tax/Vat.php"),
    ),
    "A2": (
        "what runs when an order is refunded",
        ("src/Orders/Refund.php", "src/Orders/Stock.php", "src/Payment/Gateway.php", "admin/refund.php"),
    ),
    "A3": (
        "where are addresses validated",
        ("src/Account/AddressForm.php", "checkout/address.php", "account/addresses.php"),
    ),
    "A4": (
        "which reports read the order table",
        (
            "src/Reports/Monthly.php",
            "src/Reports/BySupplier.php",
            "reports/sales.php",
            "reports/tax.php",
            "src/Orders/OpenOrders.php",
        ),
    ),
    "A5": (
        "what does a change of postage touch",
        (
            "src/Shipping/Rates.php",
            "src/Shipping/Parcels.php",
            "checkout/shipping.php",
            "checkout/review.php",
        ),
    ),
    "A6": (
        "which pages need a login",
        ("src/Account/Login.php", "account/profile.php", "account/orders.php", "account/addresses.php"),
    ),
}


def f1(answer: list[str], truth: tuple[str, ...]) -> float:
    """F1 of the files named against the truth set; 0 when they share none.

    >>> f1(["a", "b", "x"], ("a", "b", "c"))
    0.667
    """
    common = len(set(answer) & set(truth))
    return round(2 * common / (len(answer) + len(truth)), 3)


def answer(experiment: str, arm: Arm, question: str, *, stamp: str, rep: int, row: Row | None) -> Record:
    """The record of one answer; the arguments are those of `brownfield_runs.run`."""
    name, truth = QUESTIONS[question]
    key = (experiment, arm.name, question, rep)
    named = [file for file in truth if chance(arm.recall, *key, file)]
    named += [file for file in DECOYS if chance(arm.noise, *key, file)]
    if not named:  # an answer without any file is no answer to such a question
        named = [pick(DECOYS, *key, "guess")]
    return {
        "id": question,
        "name": name,
        "kind": "awareness",
        "difficulty": 2,
        "model": arm.name,
        "with_brain": True,
        "with_plan": True,
        "rep": rep,
        "change": f1(named, truth),
        "change_detail": [],
        "regress": None,
        "regress_misses": [],
        "changed_files": [],
        "answer_files": sorted(named),
        "truth_files": sorted(truth),
        **usage(arm, key, row, short=True),
        "error": None,
        "stamp": stamp,
    }
