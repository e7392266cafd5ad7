"""What a site is, in the words that catalogues of data read: schema.org's Dataset.

Does: say of the site's tables what its settings and its records say. Does not: name a licence or an author
that nobody stated.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from metrics_core.text import visible
from site_src.pages.render import data_block
from site_src.pages.site_map import SiteMap

MEDIA = {"csv": "text/csv", "json": "application/json", "parquet": "application/vnd.apache.parquet"}
"""Ending of a file -> its media type."""


def dataset(site: SiteMap) -> dict[str, Any]:
    """The site as a Dataset, without its context; what is not known is left out.

    Args:
        site: Everything that has a page.
    """
    config, build = site.build.site, site.build
    title = f"{config.title}: {config.subtitle}" if config.subtitle else config.title
    told = [config.description or title, config.notice]
    known = {
        "@type": "Dataset",
        "name": visible(title),
        "description": visible(". ".join(filter(None, told))),
        "url": config.url,
        "identifier": build.digest,
        "version": version(site),
        "inLanguage": config.language,
        "datePublished": published(site),
        "temporalCoverage": "/".join(stamp[:10] for stamp in site.stamps or ()),
        "keywords": ["evaluation", "AI agents", *(x.title for x in site.experiments)],
        "variableMeasured": sorted({e.metric for x in site.experiments for e in x.report.estimates}),
        "distribution": [
            {
                "@type": "DataDownload",
                "name": f"{download.title} ({download.form})",
                "contentUrl": f"{config.url}{download.at}",
                "encodingFormat": MEDIA[download.at.rpartition(".")[2]],
            }
            for download in build.downloads
            if config.url and download.at.rpartition(".")[2] in MEDIA
        ],
    }
    return {name: value for name, value in known.items() if value}


def version(site: SiteMap) -> str:
    """Number of the edition as a version that orders, or of the edition that this build comes after.

    >>> from types import SimpleNamespace as S
    >>> from site_src.editions import History
    >>> version(S(site_state=S(history=History()), build=S(digest="")))
    '0.0.0'
    """
    history = site.site_state.history
    number = history.last.number if history.last else 0
    return f"{number}.0.0" if history.published_as(site.build.digest) else f"{number}.0.{bool(number):d}"


def published(site: SiteMap) -> str:
    """The day of the edition; empty for a build that nobody published, though two formats ask for a day."""
    edition = site.site_state.history.published_as(site.build.digest)
    return "" if edition is None else edition.date


def script(site: SiteMap) -> Markup:
    """The Dataset as the text of a ``script`` that no browser runs: see `data_block`."""
    document = {"@context": "https://schema.org/", **dataset(site)}
    return data_block(document)
