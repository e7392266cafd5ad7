"""What catalogues, archives and search engines read: Croissant 1.0, an RO-Crate 1.1, citations, a sitemap.

Each says again what the site says, in another's format. Does not: state a licence or an author that nobody
gave; the day is that of the edition, else of the newest run, never that of a clock.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from site_src import paths
from site_src.pages import SiteMap, citations, dataset
from site_src.project import Download, SiteFile, indented

CROISSANT: Final = "data/croissant.json"
CRATE: Final = "ro-crate-metadata.json"
SITEMAP: Final = "sitemap.xml"

MOST: Final = 50_000
"""Addresses that one sitemap may hold; of more, several are listed by one."""

LISTED: Final = (
    Download(
        at=CROISSANT,
        title="Croissant",
        form="JSON",
        about="What the tables hold, column by column, in the format Croissant 1.0 of MLCommons.",
    ),
    Download(
        at=CRATE,
        title="RO-Crate",
        form="JSON",
        about="What this folder is and holds, for archives, in the format RO-Crate 1.1.",
    ),
)
"""What the Data page offers of them."""

_UNSEEN = ("404", "redirect", "tombstone")
_CROISSANT = "http://mlcommons.org/croissant/"
_CONTEXT: Final[Mapping[str, Any]] = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": _CROISSANT, "rai": f"{_CROISSANT}RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip


def files(site: SiteMap, tables: Sequence[SiteFile], reports: Sequence[str]) -> Iterator[SiteFile]:
    """Croissant, RO-Crate and citations.

    Args:
        site: Everything that has a page.
        tables: The site's tables in every form, as they are published.
        reports: Paths of the reports of its experiments.
    """
    told = [*citations.citations(site)]
    yield SiteFile(citations.BIBTEX, "\n\n".join((*(each.bibtex for each in told), "")).encode())
    yield SiteFile(citations.CSL, indented([each.csl for each in told], 1) + b"\n")
    yield SiteFile(CROISSANT, lambda: indented(croissant(site, tables), 1) + b"\n")
    parts = [file.path for file in tables]
    yield SiteFile(CRATE, lambda: indented(crate(site, parts, reports), 1) + b"\n")


def croissant(site: SiteMap, tables: Sequence[SiteFile]) -> dict[str, Any]:
    """The tables as a Croissant dataset: each file by its digest, each column by its type.

    Args:
        site: Everything that has a page.
        tables: The site's tables; types are those of the Parquet file, cells those of the CSV file.
    """
    url = site.build.site.url
    about = dict(dataset.dataset(site))
    about.pop("distribution", None)
    forms = {file.path: file for file in tables}
    names = [path.removesuffix(".csv") for path in forms if path.endswith(".csv")]
    return {
        "@context": _CONTEXT,
        **about,
        "@type": "sc:Dataset",
        "conformsTo": f"{_CROISSANT}1.0",
        "citeAs": citations.citation(site).bibtex,
        "distribution": [_file(forms[f"{name}.csv"], url) for name in names],
        "recordSet": [
            _records(name.rpartition("/")[2], columns)
            for name in names
            if (columns := _columns(forms[f"{name}.parquet"].data))
        ],
    }


def _file(file: SiteFile, url: str) -> dict[str, Any]:
    name = file.path.rpartition("/")[2]
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": f"{url}{file.path}" if url else file.path.removeprefix("data/"),
        "contentSize": f"{len(file.data)} B",
        "encodingFormat": dataset.MEDIA["csv"],
        "sha256": hashlib.sha256(file.data).hexdigest(),
    }


def _records(name: str, columns: Mapping[str, str]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "description": f"Column {column} of {name}.csv.",
                "dataType": kind,
                "source": {"fileObject": {"@id": f"{name}.csv"}, "extract": {"column": column}},
            }
            for column, kind in columns.items()
        ],
    }


def _columns(data: bytes) -> dict[str, str]:
    """Column -> its type in the words of schema.org, from the end of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    def kind(of: Any) -> str:
        if pa.types.is_boolean(of):
            return "sc:Boolean"
        return (
            "sc:Integer" if pa.types.is_integer(of) else "sc:Float" if pa.types.is_floating(of) else "sc:Text"
        )

    return {field.name: kind(field.type) for field in parquet.read_schema(io.BytesIO(data))}


def crate(site: SiteMap, tables: Sequence[str], reports: Sequence[str]) -> dict[str, Any]:
    """The site as an RO-Crate: what it is, and the files that an archive looks for.

    Args:
        site: Everything that has a page.
        tables: Paths of the site's tables.
        reports: Paths of the reports of its experiments.
    """
    named = {
        "index.html": ("Results", "text/html"),
        "manifest.json": ("Every file with its digest", "application/json"),
        "data/estimates.json": ("Every estimate", "application/json"),
        CROISSANT: ("What the tables hold", "application/json"),
        citations.BIBTEX: ("How to cite it", "application/x-bibtex"),
        citations.CSL: ("How to cite it", "application/vnd.citationstyles.csl+json"),
    }
    for path in (*tables, *reports):
        stem, _, ending = path.rpartition("/")[2].rpartition(".")
        named[path] = (f"{'Report' if path in reports else 'Table'} {stem}", dataset.MEDIA[ending])
    about = {
        name: value
        for name, value in dataset.dataset(site).items()
        if name not in ("distribution", "variableMeasured")
    }
    return {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [
            {
                "@id": CRATE,
                "@type": "CreativeWork",
                "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
                "about": {"@id": "./"},
            },
            {"@id": "./", **about, "hasPart": [{"@id": path} for path in named]},
            *(
                {"@id": path, "@type": "File", "name": name, "encodingFormat": form}
                for path, (name, form) in named.items()
            ),
        ],
    }


def sitemaps(pages: Sequence[Mapping[str, Any]], url: str) -> Iterator[SiteFile]:
    """The addresses of all pages; nothing where the site states no address of its own.

    Args:
        pages: As `site.json` lists them; what only says that a page is gone is left out.
        url: Address of the site, ending in a slash; empty for none.
    """
    if not url:
        return
    found = [
        escape(paths.on_the_web(url, page["path"]))
        for page in pages
        if page["kind"] not in _UNSEEN and page["path"] != paths.SEARCH
    ]
    parts = [found[at : at + MOST] for at in range(0, len(found), MOST)]
    if len(parts) <= 1:
        yield _sitemap(SITEMAP, "urlset", "url", found)
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    yield _sitemap(SITEMAP, "sitemapindex", "sitemap", [escape(f"{url}{name}") for name in names])
    for name, part in zip(names, parts, strict=True):
        yield _sitemap(name, "urlset", "url", part)


def _sitemap(path: str, whole: str, each: str, addresses: Sequence[str]) -> SiteFile:
    rows = "".join(f"<{each}><loc>{address}</loc></{each}>\n" for address in addresses)
    return SiteFile(
        path,
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{whole} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{rows}</{whole}>\n".encode(),
    )
