"""The frozen pack's thirty cards: six made-up repositories, four eval tasks and one probe in each."""

from __future__ import annotations

from msgspec import Struct


class Card(Struct, frozen=True):
    """One task card, with what its digest has to cover and the line a patch changes.

    Args:
        id: Task id, repository and number.
        kind: Cluster key `class`: `bug`, `feature` or `cleanup`.
        issue: What the agent is asked, one sentence.
        files: Files that a sound patch touches, the oracle.
        before: The line a patch takes out.
        after: The line it puts in.
        timeout_s: Seconds after which the run is cut off, and recorded as such.
    """

    id: str
    kind: str
    issue: str
    files: tuple[str, ...]
    before: str
    after: str
    timeout_s: int = 600

    @property
    def repo(self) -> str:
        """The repository, a cluster key."""
        return self.id.rpartition("-")[0]

    @property
    def language(self) -> str:
        """The language, a cluster key."""
        return "php" if self.files[0].endswith(".php") else "python"

    @property
    def split(self) -> str:
        """`probe` for the fifth card of each repository, else `eval`."""
        return "probe" if self.id.endswith("-05") else "eval"


CARDS: tuple[Card, ...] = (
    Card(
        "till-01",
        "bug",
        "Change is rounded up in favour of the shop.",
        ("src/Change.php",),
        "return ceil($due * 20) / 20;",
        "return round($due * 20) / 20;",
    ),
    Card(
        "till-02",
        "bug",
        "The drawer opens on a card payment.",
        ("src/Drawer.php",),
        "$this->open();",
        "if ($payment->isCash()) { $this->open(); }",
    ),
    Card(
        "till-03",
        "feature",
        "Print the VAT number on the receipt.",
        ("src/Receipt.php", "templates/receipt.php"),
        "$lines[] = $shop->name;",
        "array_push($lines, $shop->name, $shop->vatNumber);",
        900,
    ),
    Card(
        "till-04",
        "cleanup",
        "Two classes parse bar codes; keep one.",
        ("src/Barcode.php",),
        "$code = trim($raw);",
        "$code = Barcode::parse($raw);",
    ),
    Card(
        "till-05",
        "bug",
        "A voided line still counts in the day's total.",
        ("src/DayTotal.php",),
        "$sum += $line->amount;",
        "$sum += $line->isVoid() ? 0 : $line->amount;",
    ),
    Card(
        "storefront-01",
        "bug",
        "A product name with an ampersand breaks the page title.",
        ("src/Title.php",),
        "echo $name;",
        "echo htmlspecialchars($name);",
    ),
    Card(
        "storefront-02",
        "bug",
        "The second page of a category repeats its first product.",
        ("src/Category.php",),
        "$offset = $page * $size - 1;",
        "$offset = ($page - 1) * $size;",
    ),
    Card(
        "storefront-03",
        "feature",
        "Offer the search in two languages.",
        ("src/Search.php", "lang/search.php"),
        "$words = explode(' ', $query);",
        "$words = Words::of($query, $language);",
        900,
    ),
    Card(
        "storefront-04",
        "cleanup",
        "Prices are formatted in four templates; do it in one helper.",
        ("src/PriceTag.php",),
        "number_format($p, 2)",
        "PriceTag::of($p)",
    ),
    Card(
        "storefront-05",
        "bug",
        "The wish list forgets its order.",
        ("src/WishList.php",),
        "sort($items);",
        "usort($items, WishList::byPlace(...));",
    ),
    Card(
        "backoffice-01",
        "bug",
        "A supplier without address cannot be saved.",
        ("src/Supplier.php",),
        "private Address $address;",
        "private ?Address $address = null;",
    ),
    Card(
        "backoffice-02",
        "bug",
        "The audit log shows the server's time zone.",
        ("src/AuditLog.php",),
        "date('c', $at)",
        "$clock->local($at)->format('c')",
    ),
    Card(
        "backoffice-03",
        "feature",
        "Let a clerk undo the last import.",
        ("src/Import.php",),
        "$this->commit();",
        "$this->commitWithUndo($clerk);",
        900,
    ),
    Card(
        "backoffice-04",
        "cleanup",
        "Remove the unused discount engine.",
        ("src/Discounts.php",),
        "use Legacy\\DiscountEngine;",
        "",
    ),
    Card(
        "backoffice-05",
        "bug",
        "Closing a month twice adds its totals twice.",
        ("src/MonthEnd.php",),
        "$this->post($totals);",
        "$this->isClosed($month) || $this->post($totals);",
    ),
    Card(
        "stockroom-01",
        "bug",
        "Stock may fall below zero when two orders arrive together.",
        ("stockroom/reserve.py",),
        "stock.units -= wanted",
        "stock.take(wanted)",
    ),
    Card(
        "stockroom-02",
        "bug",
        "Shelf labels cut the last digit.",
        ("stockroom/labels.py",),
        "text[:11]",
        "text[:12]",
    ),
    Card(
        "stockroom-03",
        "feature",
        "Warn when a batch expires within a week.",
        ("stockroom/batches.py",),
        "return []",
        "return [b for b in batches if b.expires - today <= WEEK]",
        900,
    ),
    Card(
        "stockroom-04",
        "cleanup",
        "Units are converted in five places; keep one table.",
        ("stockroom/units.py",),
        "grams = kilos * 1000",
        "grams = convert(kilos, 'kg', 'g')",
    ),
    Card(
        "stockroom-05",
        "bug",
        "Counting a shelf locks the whole hall.",
        ("stockroom/locks.py",),
        "lock(hall)",
        "lock(hall, shelf)",
    ),
    Card(
        "mailroom-01",
        "bug",
        "A mail with an empty subject is never sent.",
        ("mailroom/queue.py",),
        "if not mail.subject: return",
        "subject = mail.subject or DEFAULT_SUBJECT",
    ),
    Card(
        "mailroom-02",
        "bug",
        "Addresses with a plus sign are refused.",
        ("mailroom/address.py",),
        "PATTERN = r'[a-z.]+@'",
        "PATTERN = r'[a-z.+]+@'",
    ),
    Card(
        "mailroom-03",
        "feature",
        "Pause all mail of one campaign.",
        ("mailroom/campaign.py", "mailroom/schedule.py"),
        "send(batch)",
        "campaign.is_paused or send(batch)",
        900,
    ),
    Card(
        "mailroom-04",
        "cleanup",
        "Drop the second template engine.",
        ("mailroom/render.py",),
        "return old_engine(text)",
        "return engine(text)",
    ),
    Card(
        "mailroom-05",
        "bug",
        "Bounces are counted for the wrong campaign.",
        ("mailroom/bounces.py",),
        "campaigns[-1].bounces += 1",
        "campaigns[mail.campaign].bounces += 1",
    ),
    Card(
        "press-01",
        "bug",
        "A report over a year end misses one day.",
        ("press/period.py",),
        "range(first, last)",
        "range(first, last + 1)",
    ),
    Card(
        "press-02",
        "bug",
        "Charts start at the smallest value.",
        ("press/chart.py",),
        "axis(min(values), max(values))",
        "axis(0, max(values))",
    ),
    Card(
        "press-03",
        "feature",
        "Export a report as a spreadsheet.",
        ("press/export.py",),
        "FORMATS = ('pdf',)",
        "FORMATS = ('pdf', 'ods')",
        900,
    ),
    Card(
        "press-04",
        "cleanup",
        "Footnotes are numbered by two counters.",
        ("press/footnotes.py",),
        "number = next(other_counter)",
        "number = next(counter)",
    ),
    Card(
        "press-05",
        "bug",
        "Tables lose their last column in print.",
        ("press/table.py",),
        "columns[:-1]",
        "columns",
    ),
)
