"""What the publisher says of the site as a whole: `content/site.yaml`.

Does: read it strictly, with a default for each setting. Does not: look for the experiments that it
names, or read the content.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from metrics_core.errors import ConfigError
from metrics_core.formats import OneLine, OneOrMore, Prose, decode, read_with, says, strict_yaml
from site_src.link_policy import external


def _address(url: Any) -> Any:
    if not isinstance(url, str) or not url.strip():
        return url
    url = url.strip()
    parts = urlsplit(url)  # half an IPv6 address, or a port beyond the last one, is a ValueError of its own
    if not parts.hostname or parts.port == 0 or parts.query or parts.fragment or not external(url):
        raise ValueError(url)
    if set(url) & set('"<>'):
        raise ValueError(url)
    return url.rstrip("/") + "/"


class SeriesSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Experiments that follow upon one another, such as those of every night."""

    name: Annotated[OneLine, says("Name of the series; its page is called by it.")]
    experiments: Annotated[OneOrMore, says("Patterns of the names of its experiments, such as nightly-*.")]
    baseline: Annotated[
        Prose, says("Name of the experiment that the newest is compared with, beside the one before it.")
    ] = ""


class SiteConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a site; each may be left out, and says what it does."""

    title: Annotated[OneLine, says("Name of the site, in the head of every page.")] = "Assay"
    subtitle: Annotated[
        Prose, says("Whose evaluations they are, beside the name of the site on every page.")
    ] = ""
    description: Annotated[
        Prose,
        says("One sentence for search engines, on pages that have none of their own, and for the feed."),
    ] = ""
    language: Annotated[
        Prose,
        Meta(
            pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", description="a language tag such as en or pt-BR"
        ),
        says("Language of the prose, for browsers and readers aloud."),
    ] = "en"
    url: Annotated[
        str,
        Meta(description="an address such as https://example.org/evals/"),
        read_with(_address),
        says("Where it will be published; without it no page and no feed states its own address."),
    ] = ""
    experiments: Annotated[
        OneOrMore,
        says(
            "Globs of experiment folders, relative to the content folder; or addresses, such as "
            "s3://bucket/july."
        ),
    ] = ("experiments/*",)
    pricing: Annotated[OneOrMore, says("Globs of price tables, relative to the content folder.")] = (
        "pricing/*",
    )
    separation: Annotated[
        Literal["overlap", "paired"],
        says(
            "The rule of separation of experiments that state none themselves: overlap, the strict one, or "
            "paired, by which the difference on the same tasks decides alone."
        ),
    ] = "overlap"
    headline: Annotated[
        Prose,
        says("METRIC or METRIC key=value: which metric leads the first page, where it is compared."),
    ] = ""
    series: Annotated[
        tuple[SeriesSetting, ...],
        says(
            "Experiments that follow upon one another and have a page together; those whose names differ in "
            "a date alone are a series by themselves."
        ),
    ] = ()
    keep: Annotated[
        OneOrMore,
        says(
            "Patterns of files in the site's folder that no build makes, such as CNAME or .well-known/*: "
            "each build carries them over. Others stop it, and a page is never kept."
        ),
    ] = ()
    run_pages: Annotated[
        bool,
        says(
            "Whether each run and each task has a page; without them a site is small, and its records are "
            "published all the same."
        ),
    ] = True
    notice: Annotated[Prose, says('A few words on every page, such as "Illustrative data".')] = ""


def read(data: bytes, name: str = "site.yaml") -> SiteConfig:
    """Settings from the bytes of a `site.yaml`.

    Args:
        data: YAML; an empty file means the defaults.
        name: Its name, for errors.

    Raises:
        ConfigError: ``name:line#/pointer``, what was expected and what stood there.
        FormatError: It is not YAML, or not plain YAML.

    >>> read(b"title: Halden").title
    'Halden'
    """
    return decode(strict_yaml.parse(data, name), SiteConfig, ConfigError)
