"""The made-up shop application that the brownfield scenarios are set in: pages and files.

Thirty-two PHP pages in six areas are the regression set: after each run all of them are rendered, and
one that no longer renders as before is a miss.
"""

from __future__ import annotations

AREAS: dict[str, tuple[str, ...]] = {
    "catalogue": (
        "catalogue/index.php",
        "catalogue/category.php",
        "catalogue/product.php",
        "catalogue/search.php",
        "catalogue/reviews.php",
        "catalogue/compare.php",
    ),
    "cart": ("cart/view.php", "cart/add.php", "cart/update.php", "cart/coupon.php", "cart/saved.php"),
    "checkout": (
        "checkout/address.php",
        "checkout/shipping.php",
        "checkout/payment.php",
        "checkout/review.php",
        "checkout/confirm.php",
        "checkout/invoice.php",
    ),
    "account": (
        "account/login.php",
        "account/register.php",
        "account/profile.php",
        "account/orders.php",
        "account/addresses.php",
        "account/password.php",
    ),
    "orders": (
        "admin/orders.php",
        "admin/order.php",
        "admin/refund.php",
        "admin/stock.php",
        "admin/customers.php",
    ),
    "reports": ("reports/sales.php", "reports/stock.php", "reports/export.php", "reports/tax.php"),
}
PAGES: tuple[str, ...] = tuple(page for pages in AREAS.values() for page in pages)

# An edit that goes wrong is rarely alone: the pages of these areas share includes with the first one's.
NEIGHBOURS: dict[str, str] = {
    "catalogue": "cart",
    "cart": "checkout",
    "checkout": "account",
    "account": "checkout",
    "orders": "reports",
    "reports": "orders",
}
SHARED_FILES: tuple[str, ...] = ("src/Support/Money.php", "src/Support/Db.php", "templates/layout.php")
