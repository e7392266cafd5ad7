"""Where a link may lead: in prose, in price tables and in `site.yaml`, and on every page that is made."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest

from metrics_core.errors import ConfigError, PublishError
from metrics_core.pricing import Rate
from site_src.link_policy import external, refusal
from site_src.pages.instruments import prices
from site_src.project import SiteFile, content, markdown, site_config
from site_src.publishing import hosting
from tests.support.written_pages import SOURCE, written

SCHEMES = (
    "javascript", "data", "vbscript", "blob", "filesystem", "intent", "jar", "view-source", "file", "ftp",
    "ws", "wss", "about", "chrome", "chrome-extension", "moz-extension", "resource", "mhtml",
    "livescript", "mocha", "feed", "tel", "sms", "callto", "skype", "magnet", "ssh", "git", "git+ssh",
    "ldap", "gopher", "news", "irc", "urn", "cid", "mid", "android-app", "ms-word", "ms-settings",
    "search-ms", "steam", "vscode", "x", "web+x", "httpx", "mailtos",
)  # fmt: skip
"""Whatever may stand before a colon and is not http, https or mailto."""

ODD_FORMS = (
    "{s}:alert(1)", "{S}:alert(1)", "{T}:alert(1)", "{s}://h/x", "{s}:", " {s}:x", "\t{s}:x", "\n{s}:x",
    "\x01{s}:x", "\x00{s}:x", "\x1f{s}:x", "\x7f{s}:x", "\u200b{s}:x", "\ufeff{s}:x", "\u00a0{s}:x",
    "\u202e{s}:x", "{s}\t:x", "{s}\n:x", "{a}\t{b}:x", "{a}\n{b}:x", "{a}\r\n{b}:x", "{a}\x00{b}:x",
    "{a}\u200d{b}:x", "{a}\u00ad{b}:x", "{s}%3ax", "{s}%3Ax", "{s}%253ax", "{s}%25253ax", "%09{s}:x",
    "{a}%0a{b}:x", "{a}%09{b}%3ax", "%01{s}%3ax", "{s}&colon;x", "{s}&#58;x", "{s}&#x3a;x",
    "{s}&#x0003A;x", "{s}&#058x", "{s}&amp;colon;x", "{s}%26colon;x", "{a}&Tab;{b}:x",
    "{a}&NewLine;{b}:x", "&#1;{s}:x", "{s}\uff1ax", "{s}\ufe55x", "{s}\u2236:x", "{s}\\:x", "{s}%5c:x",
)  # fmt: skip
"""How a scheme is spelled so that a list of refused schemes does not meet it, and a browser may."""

ODD_ADDRESSES = (
    "//host", "//host/x", "///host", "////host", "\\\\host", "/\\host", "\\/host", "\\host", "a\\b",
    "%5c%5chost", "https:host", "https:/host", "https:\\\\host", "http:\\\\host\\x", "https://",
    "http://", "https:///x", "https://u:p@host", "https://u@host/", "https://host\\@evil/",
    "https://ho st/", "https://host/a b", "https://host/\u202ex", "ht\ttps://host/", "mailto:",
    "mailto:nobody", "mailto://a@b.org", "mailto:a@b.org\\x", "mailto:a@b.org/x", "mailto:javascript:x@y",
    ":", ":x", "a:b", "a:b/c.html", "%3a", "a%3ab.html", "&colon;x", "\x00", "\u2028#x", "#\u202ex",
    "?\tx",
)  # fmt: skip
"""Addresses of no scheme, or of an allowed one, that lead where nobody would say they do."""

ALLOWED = (
    "", "#", "#heading", "#a:b", "?a=b:c", "a.html", "a.md#b", "./a:b.html", "../a/b.html", "a/b:c.html",
    "a%20b.pdf", "r%C3%A9sum%C3%A9.html", "R&D.html", "a/", "a?b=https://c", "a#javascript:x",
    "http://host", "https://host", "HTTPS://Host/", "https://host/@user", "https://host:8443/a?b=c#d",
    "https://host/a%3Ab%5C", "https://[2001:db8::1]/x", "https://host?q#f", "mailto:a@b.org",
    "MAILTO:a.b+c@d.org", "mailto:a@b.org?subject=c%20d", "mailto:a@b.org,c@d.org",
)  # fmt: skip
"""What authors link to."""


def spelled(scheme: str) -> list[str]:
    half = max(1, len(scheme) // 2)
    parts = {"s": scheme, "S": scheme.upper(), "T": scheme.title(), "a": scheme[:half], "b": scheme[half:]}
    return [form.format(**parts) for form in ODD_FORMS]


REFUSED = (*ODD_ADDRESSES, *(form for scheme in SCHEMES for form in spelled(scheme)))


def browser_address(address: str) -> str:
    """What a browser reads first: ends stripped, tabs and line ends gone, slashes turned (WHATWG URL)."""
    return re.sub(r"[\t\r\n]", "", address.strip("".join(map(chr, range(33))))).replace("\\", "/")


@pytest.mark.parametrize("address", ALLOWED)
def test_what_authors_link_to_is_allowed(address: str) -> None:
    assert refusal(address) == ""


def test_every_scheme_but_three_is_refused_in_every_form() -> None:
    assert [address for address in REFUSED if not refusal(address)] == []
    assert [address for address in REFUSED if external(address)] == []


def leads_elsewhere(link: str) -> bool:
    """Whether a browser would leave the site by a link, other than to the web or to a mailbox."""
    read = browser_address(link).lower()
    named = ":" in re.split("[/?#]", read, maxsplit=1)[0] or read.startswith("//")
    return named and not re.match(r"https?://\w|mailto:\w", read)


@pytest.mark.parametrize("encoded", [False, True], ids=["as written", "in entities"])
def test_no_form_becomes_a_link_of_a_page(encoded: bool) -> None:
    """In each way that Markdown has of writing a link; what it takes as none stays text."""
    through, links = [], 0
    for address in (*ODD_ADDRESSES, *spelled("javascript"), *spelled("view-source")):
        spelling = "".join(f"&#{ord(c)};" for c in address) if encoded else address
        for way in ("[a](<{}>)", "[a]({})", "<{}>", "[a]\n\n[a]: {}", "[a]\n\n[a]: <{}>"):
            tokens = markdown.parse(way.format(spelling))
            try:
                markdown.link(tokens, source="a.md", page="a.html")
            except ConfigError:
                continue
            found = [unescape(each) for each in re.findall(r'href="([^"]*)"', markdown.render(tokens))]
            through += [(way, address) for each in found if leads_elsewhere(each)]
            links += len(found)
    assert through == []
    assert links > 0


@pytest.mark.parametrize(
    "way",
    [
        "[a](blob:x)", "[a](<blob:x>)", "<blob:x>", "[a]\n\n[a]: blob:x", "*[a](blob&colon;x)*",
        "- [a](blob:x)", "| [a](BLOB:x) |\n| - |", "[^1]: [a](blob:x) [^1]",
    ],
)  # fmt: skip
def test_it_is_told_with_its_line_what_was_expected_and_what_stood_there(way: str) -> None:
    with pytest.raises(ConfigError, match=r'expected http://, .*, got "(?:blob|BLOB):x"') as raised:
        written(f"First.\n\n{way}\n", first_line=7)
    assert raised.value.where == f"{SOURCE}:9"


def test_a_page_is_refused_when_it_is_read() -> None:
    with pytest.raises(ConfigError, match=r'got "jar:https://a!/b"') as raised:
        content.authored("a.md", b"---\ntitle: A\n---\n\nSee [it](jar:https://a!/b).\n")
    assert raised.value.where == "a.md:5"


def test_what_stands_in_code_or_as_text_is_no_link() -> None:
    made = written("`<blob:x>` and blob:x, javascript:alert(1)\n\n    [a](data:x)\n")
    assert "href" not in made


def test_the_web_is_linked_without_a_referrer_and_a_mailbox_is_linked() -> None:
    made = written("[a](HTTPS://host/) [b](mailto:a@b.org) <https://host/c> <a@b.org>")
    assert made.count('rel="nofollow noreferrer noopener"') == 2
    assert made.count('href="mailto:a@b.org"') == 2


@pytest.mark.parametrize(
    "address", ["//host", "blob:https://host", "javascript:x", "https://u:p@host", "mailto:a@b.org"]
)
def test_the_sites_own_address_is_one_of_the_web(address: str) -> None:
    with pytest.raises(ConfigError, match=r"site\.yaml:1#/url"):
        site_config.read(f"url: {address!r}\n".encode())


def test_a_source_of_prices_is_linked_where_it_is_of_the_web() -> None:
    def source(address: str) -> str:
        return prices._source(Rate(input=1, output=1, cached=1, source=address)).href

    assert source("https://host/prices") == "https://host/prices"
    assert [address for address in REFUSED if source(address)] == []


def test_no_page_is_published_with_a_link_that_leads_elsewhere() -> None:
    for address in ("blob:x", "java\tscript:x", "//host", "data:text/html,x"):
        page = SiteFile("a.html", f'<a href="{escape(address)}">a</a>'.encode())
        with pytest.raises(PublishError, match=r"a\.html: expected http://"):
            list(hosting.linked([page]))
    page = SiteFile(
        "a.html", b'<a href="https://host/">a</a> <a href="mailto:a@b.org">b</a> <a href="a.html">c</a>'
    )
    assert list(hosting.linked([page])) == [page]
