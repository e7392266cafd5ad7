"""What is answered to a request: which file an address means, who may ask, and in which form it is given.

Does: judge host and path, name content types, and put the preview's own script into a page. Does not: open a
socket, or make a page.
"""

from __future__ import annotations

import html
import ipaddress
import json
import posixpath
from urllib.parse import quote, unquote, urlsplit

from site_src.preview.error_report import ErrorReport
from site_src.preview.page_cache import PreviewState, RenderedFile

OWN = "/-/"
"""Where the preview's own files lie: no file of a site can have such a path."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The policy of every page, as its own meta element says it."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".py": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".yaml": "text/plain; charset=utf-8",
    ".yml": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
}

SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · preview</title>
</head>
<body data-assay-shell>
<main class="assay-live-shell">
<h1>{title}</h1>
<p>{text}</p>
</main>
</body>
</html>
"""
"""A page where the site has none to show; it gives way by itself."""


def is_loopback(name: str) -> bool:
    """Whether a host's name can only mean this machine.

    >>> [is_loopback(n) for n in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if name.lower() in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def host_may_ask(header: str | None) -> bool:
    """Whether a ``Host`` header names this machine: a page elsewhere that points its name here does not.

    >>> [host_may_ask(h) for h in ("127.0.0.1:8000", "localhost", "[::1]:8000", "evil.example:8000", None)]
    [True, True, True, False, False]
    """
    try:
        name = urlsplit(f"//{header or ''}").hostname
    except ValueError:
        return False
    return name is not None and is_loopback(name)


def path_of(target: str) -> str | None:
    r"""The file of the site that an address means; None for an address that leaves it.

    >>> path_of("/"), path_of("/models/?x#y"), path_of("/a%20b.html")
    ('index.html', 'models/index.html', 'a b.html')
    >>> [path_of(t) for t in ("/../etc/passwd", "/%2e%2e/x", "//x", "/a%00", "http://x/", "/a\\b")]
    [None, None, None, None, None, None]
    """
    try:
        path = unquote(target.partition("#")[0].partition("?")[0], errors="strict")
    except UnicodeDecodeError:
        return None
    if not path.startswith("/") or "\\" in path or not path.isprintable():
        return None
    parts = path[1:].split("/")
    if parts[-1] == "":
        parts[-1] = "index.html"
    if any(part in ("", ".", "..") for part in parts):
        return None
    return "/".join(parts)


def content_type(path: str) -> str:
    """By the ending of a path; bytes that nothing is said of where it is none of ours.

    >>> content_type("a/b.html"), content_type("x.parquet")
    ('text/html; charset=utf-8', 'application/octet-stream')
    """
    return TYPES.get(posixpath.splitext(path)[1].lower(), "application/octet-stream")


def with_scripts(page: bytes, path: str, rendered: RenderedFile, state: PreviewState) -> bytes:
    """A page with the preview's script and style in its head; its other bytes are those of the build.

    Args:
        page: HTML.
        path: Its path within the site.
        rendered: The same page, as it was made; its digest is what the script compares.
        state: The state that is shown.
    """
    tags = (
        f'<link rel="stylesheet" href="{OWN}reload.css">\n'
        f'<script src="{OWN}idiomorph.js" defer></script>\n'
        f'<script src="{OWN}overlay.js" defer></script>\n'
        f'<script src="{OWN}reload.js" defer data-page="{html.escape(path)}" data-digest="{rendered.digest}" '
        f'data-style="{state.style}" data-rest="{state.rest}"></script>\n'
    )
    return page.replace(b"</head>", tags.encode() + b"</head>", 1)


def shell(rendered: RenderedFile, path: str, state: PreviewState) -> bytes:
    """The page that is shown where there is none, and why there is none."""
    name = html.escape(path)
    if rendered.waiting:
        title, text = "Measuring", "The experiments are being measured. This page opens when that is done."
    elif rendered.fault is not None or state.site is None:
        title, text = "Not made yet", "This page could not be made. It opens by itself once that is mended."
    elif path in state.gone:
        title, text = "This page is no more", f"The site has no {name} any more."
        if (new := state.gone[path]) != "":
            text += f' It has a new page: <a href="/{html.escape(quote(new))}">{html.escape(new)}</a>.'
    else:
        title, text = "No such page", f"The site has no {name}. If it comes to have one, it opens by itself."
    return SHELL.format(title=title, text=text).encode()


def event(rendered: RenderedFile, state: PreviewState) -> bytes:
    """The event that an open page is sent: which bytes it should show, and what is wrong."""
    own = () if rendered.fault is None else (rendered.fault,)
    faults: dict[ErrorReport, None] = dict.fromkeys((*state.faults, *own, *state.background_faults))
    message = {
        "waiting": rendered.waiting,
        "digest": rendered.digest,
        "style": state.style,
        "rest": state.rest,
        "notes": state.notes,
        "faults": [fault.to_json() for fault in faults],
    }
    return f"data: {json.dumps(message, ensure_ascii=False)}\n\n".encode()
