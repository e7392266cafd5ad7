"""Where everything lies in the site: file names, page paths, and links from one page to another.

Does: turn any name into a safe file name, name the page of each thing, and spell relative links that
work from a folder, an archive or any sub-path. Does not: touch a disk.
"""

from __future__ import annotations

import hashlib
import posixpath
import re

LONGEST = 40

_SAFE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_DIGEST_LIKE = re.compile(r"-(?!(?:19|20)\d{6}\Z)[0-9a-f]{8}\Z")


def slug(name: str) -> str:
    """A file name for any text: ``[a-z0-9-]``, with a digest wherever it is not the text itself.

    Args:
        name: A model, experiment, contract or heading, as someone wrote it.

    Returns:
        The name itself if it is safe already, else at most 40 safe characters, ``-`` and the first 8
        digits of the name's SHA-256. A name that itself ends like a digest (and not like a date) gets
        one too, so that no name can take the file of another.

    >>> slug("brownfield-2026-07"), slug("assay/traces"), slug("../../etc"), slug("ⅻ")
    ('brownfield-2026-07', 'assay-traces-aba8add2', 'etc-74ccf3c5', 'x-a0551ed4')
    """
    if len(name) <= LONGEST and _SAFE.match(name) and not _DIGEST_LIKE.search(name):
        return name
    safe = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST].strip("-")
    return f"{safe or 'x'}-{digest8(name)}"


def digest8(text: str) -> str:
    """The first 8 hex digits of a text's SHA-256; lone surrogates count as what they are.

    >>> digest8("")
    'e3b0c442'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def anchor(prefix: str, text: str) -> str:
    """An element id made from a digest, never from the text itself.

    >>> anchor("row", "a<b")
    'row-4a826aac'
    """
    return f"{prefix}-{digest8(text)}"


def relative(source: str, target: str) -> str:
    """The link from page ``source`` to ``target``, both as paths within the site; a fragment is kept.

    >>> relative("models/alpha/index.html", "index.html"), relative("index.html", "data/index.html#cite")
    ('../../index.html', 'data/index.html#cite')
    >>> relative("a/b.html", "a/b.html#top"), relative("a/b.html", "a/c.html")
    ('#top', 'c.html')
    """
    path, hash_, fragment = target.partition("#")
    if path in ("", source):
        return f"#{fragment}" if hash_ else posixpath.basename(source)
    room = source[: source.find("/") + 1]
    if room and not path.startswith(room):  # most links of a page lead to another room
        return root(source) + target
    here, there = source.split("/")[:-1], path.split("/")
    shared = 0
    for mine, its in zip(here, there[:-1], strict=False):
        if mine != its:
            break
        shared += 1
    return "../" * (len(here) - shared) + "/".join(there[shared:]) + hash_ + fragment


def root(source: str) -> str:
    """The way from a page up to the site's top, ending in a slash, or nothing.

    >>> root("models/alpha/index.html"), root("index.html")
    ('../../', '')
    """
    return "../" * source.count("/")


# ------------------------------------------------------------------------------------- where things lie

OVERVIEW = "index.html"
MODELS = "models/index.html"
EXPERIMENTS = "experiments/index.html"
REVIEWS = "reviews/index.html"
COMPARE = "compare/index.html"
DECISIONS = "decisions/index.html"
EDITIONS = "editions/index.html"
FEED = "feed.xml"
SITE_INDEX = "site.json"
FIGURES = "data/figures/"
CONTRACTS = "contracts/index.html"
PACKS = "packs/index.html"
GRADERS = "graders.html"
PRICES = "prices/index.html"
DATA = "data/index.html"
METHODS = "methods.html"
DICTIONARY = "dictionary.html"
WRITING = "writing.html"
SEARCH = "search.html"
SEARCH_INDEX = "search-index.js"
NOT_FOUND = "404.html"


def model(name: str) -> str:
    """Page of a model.

    >>> model("alpha")
    'models/alpha/index.html'
    """
    return f"models/{slug(name)}/index.html"


def experiment(name: str) -> str:
    """Page of an experiment.

    >>> experiment("gh-2026")
    'experiments/gh-2026/index.html'
    """
    return f"experiments/{slug(name)}/index.html"


def compare_experiment(name: str) -> str:
    """Every metric on which arms of an experiment are compared.

    >>> compare_experiment("gh-2026")
    'compare/gh-2026/index.html'
    """
    return f"compare/{slug(name)}/index.html"


def compare_pair(experiment_name: str, a: str, b: str) -> str:
    """Two arms of an experiment, task by task; the same page whichever is named first.

    >>> compare_pair("gh-2026", "beta", "alpha")
    'compare/gh-2026/alpha/beta/index.html'
    """
    first, second = sorted((a, b))
    return f"compare/{slug(experiment_name)}/{slug(first)}/{slug(second)}/index.html"


def series(name: str) -> str:
    """Page of a series of experiments.

    >>> series("nightly")
    'series/nightly/index.html'
    """
    return f"series/{slug(name)}/index.html"


def decision(name: str) -> str:
    """Page of a decision.

    >>> decision("route-hostile-repositories")
    'decisions/route-hostile-repositories/index.html'
    """
    return f"decisions/{slug(name)}/index.html"


def contract(contract_id: str) -> str:
    """Page of a contract, all its versions side by side.

    >>> contract("repair")
    'contracts/repair/index.html'
    """
    return f"contracts/{slug(contract_id)}/index.html"


def pack(digest: str) -> str:
    """Page of a frozen pack, by its digest: one that moved is another.

    >>> pack("sha256:2ed4915c00000000")
    'packs/2ed4915c0000/index.html'
    """
    return f"packs/{digest.removeprefix('sha256:')[:12]}/index.html"


def reviews(experiment_name: str, page: int = 1) -> str:
    """One page of an experiment's list of reviews; the first is page 1.

    >>> reviews("gh-2026"), reviews("gh-2026", 3)
    ('reviews/gh-2026/index.html', 'reviews/gh-2026/page-3.html')
    """
    name = "index" if page == 1 else f"page-{page}"
    return f"reviews/{slug(experiment_name)}/{name}.html"


def review(experiment_name: str, run: str) -> str:
    """Page of one run, by the digest that names it.

    >>> review("gh-2026", "0f1e2d3c4b5a")
    'reviews/gh-2026/0f1e2d3c4b5a/index.html'
    """
    return f"reviews/{slug(experiment_name)}/{run}/index.html"


def review_index(experiment_name: str) -> str:
    """The compact index that an experiment's list is filtered by.

    >>> review_index("gh-2026")
    'reviews/gh-2026/runs.js'
    """
    return f"reviews/{slug(experiment_name)}/runs.js"


def tasks(experiment_name: str) -> str:
    """List of an experiment's tasks.

    >>> tasks("gh-2026")
    'tasks/gh-2026/index.html'
    """
    return f"tasks/{slug(experiment_name)}/index.html"


def task(experiment_name: str, name: str) -> str:
    """Page of one task: the runs of every arm side by side.

    >>> task("gh-2026", "B8")
    'tasks/gh-2026/b8-0e1ef516/index.html'
    """
    return f"tasks/{slug(experiment_name)}/{slug(name)}/index.html"


def contract_source(digest: str, number: int, name: str) -> str:
    """A file of an instrument's source, as it is published.

    Args:
        digest: Of the contract.
        number: Place of the file among those of the instrument, sorted by name, from 0.
        name: Its path where the instrument was read.

    >>> contract_source("sha256:3f9a2c1d77b0", 2, "scorer.py")
    'data/contracts/3f9a2c1d/002-scorer.py'
    """
    return f"{contract_sources(digest)}/{number:03}-{slug(name.removesuffix('.py'))}.py"


def contract_sources(digest: str) -> str:
    """Folder of an instrument's source.

    >>> contract_sources("sha256:3f9a2c1d77b0")
    'data/contracts/3f9a2c1d'
    """
    return f"data/contracts/{digest.removeprefix('sha256:')[:8]}"


def figure_data(figure: str, suffix: str) -> str:
    """A figure's data file: ``csv``, ``json`` or ``vl.json``.

    >>> figure_data("f-0a1b2c3d", "csv")
    'data/figures/f-0a1b2c3d.csv'
    """
    return f"{FIGURES}{figure}.{suffix}"


def on_the_web(url: str, path: str) -> str:
    """Address of a page under the site's own; empty where the site states none.

    Args:
        url: Of the site, ending in a slash; empty for none.
        path: Of the page, with a place on it or without.

    >>> on_the_web("https://example.org/e/", "models/alpha/index.html#x")
    'https://example.org/e/models/alpha/#x'
    """
    return f"{url}{shortened(path)}" if url else ""


def shortened(path: str) -> str:
    """The path of a page as an address on the web has it.

    >>> shortened("index.html"), shortened("compare/index.html#x"), shortened("a-index.html")
    ('', 'compare/#x', 'a-index.html')
    """
    page, mark, place = path.partition("#")
    folder, slash, name = page.rpartition("/")
    return f"{folder}{slash}{'' if name == 'index.html' else name}{mark}{place}"


def report(experiment_name: str) -> str:
    """An experiment's report, as `compute --json` prints it.

    The name is the experiment's own, as outside programs expect it, wherever that is a safe file name.

    >>> report("gh-2026")
    'data/reports/gh-2026.json'
    """
    return f"data/reports/{slug(experiment_name)}.json"
