"""Serves the preview on loopback: pages as they are made, the preview's own script, and events of changes.

Does: answer GET and HEAD from memory, for this machine only, and send open pages what changed. Does not:
read the project, build, or write anything.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from metrics_core.errors import ConfigError
from site_src.preview import http
from site_src.preview.http import OWN
from site_src.preview.page_cache import PageCache

OWN_FILES = {
    "reload.js": "js/reload.js",
    "overlay.js": "js/overlay.js",
    "reload.css": "reload.css",
    "idiomorph.js": "vendor/idiomorph.min.js",
}
"""The preview's own files, by their place among the assets."""

HEARTBEAT = 5.0
"""Seconds after which a silent connection is written to, so that a closed page is noticed."""
HIGHEST_PORT = 65_535
NEXT_PORTS = 20
"""Ports that are tried after one that is taken."""


class Server(ThreadingHTTPServer):
    """A server of one cache of pages.

    Args:
        page_cache: What is shown.
        assets: Folder of the assets.
        host: A name or address of this machine.
        port: 0 for any that is free.

    Raises:
        ConfigError: The host is not this machine, or no port is free.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, page_cache: PageCache, assets: Path, host: str, port: int) -> None:
        self.page_cache, self.assets = page_cache, assets
        if not http.is_loopback(host):
            raise ConfigError(
                "a preview is served to this machine only",
                where=f"--host {host}",
                hint="127.0.0.1, localhost or ::1; from elsewhere, forward the port",
            )
        if not 0 <= port <= HIGHEST_PORT:
            raise ConfigError("there is no such port", where=f"--port {port}", hint=f"0 to {HIGHEST_PORT}")
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), Handler, bind_and_activate=False)
        self._bind(host, port)
        self.server_activate()

    def _bind(self, host: str, port: int) -> None:
        last = port if port == 0 else min(port + NEXT_PORTS, HIGHEST_PORT)
        for candidate in range(port, last + 1):
            self.server_address = (host, candidate)
            try:
                self.server_bind()
            except OSError as taken:
                if taken.errno not in (errno.EADDRINUSE, errno.EACCES) or candidate == last:
                    self.server_close()
                    raise ConfigError(
                        f"cannot be served there: {taken.strerror}",
                        where=f"--port {port}",
                        hint="--port 0 takes any port that is free",
                    ) from taken
            else:
                return

    @property
    def address(self) -> str:
        """The address of the first page."""
        host, port = self.server_address[:2]
        name = f"[{host!s}]" if ":" in str(host) else str(host)
        return f"http://{name}:{port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that went away is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as it was handed in


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 120

    def do_GET(self) -> None:
        """A file, one of our own files, or events."""
        if not http.host_may_ask(self.headers.get("Host")):
            self._give(HTTPStatus.MISDIRECTED_REQUEST, b"this preview answers to localhost only\n")
        elif self.path.startswith(f"{OWN}events"):
            self._send_events()
        elif self.path.startswith(OWN):
            self._own(self.path.removeprefix(OWN).partition("?")[0])
        elif (path := http.path_of(self.path)) is None:
            self._give(HTTPStatus.NOT_FOUND, b"no such file\n")
        else:
            self._file(path)

    def do_HEAD(self) -> None:
        """The same, without its body."""
        self.do_GET()

    def send_error(self, code: int, *_: object, **__: object) -> None:
        """What the library itself refuses is told with our headers, and nothing of it is quoted."""
        status = HTTPStatus(code)
        self.request_version = self.protocol_version  # of a line that was not understood there is none
        self.close_connection = True
        self._give(status, f"{status.value} {status.phrase}\n".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name it has there)
        """Requests are not printed: the page itself shows what came of them."""

    def version_string(self) -> str:
        """Without the version of anything."""
        return "assay"

    # ------------------------------------------------------------------------------ files

    def _file(self, path: str) -> None:
        page_cache = self.server.page_cache
        state = page_cache.state
        rendered = page_cache.make(path, state)
        if rendered.data is not None:
            data = rendered.data
            if path.endswith(".html"):
                data = http.with_scripts(data, path, rendered, state)
            self._give(HTTPStatus.OK, data, http.content_type(path), rendered.digest)
        elif path.endswith(".html") or "." not in path.rpartition("/")[2]:
            soon = rendered.waiting or rendered.fault is not None or state.site is None
            status = HTTPStatus.SERVICE_UNAVAILABLE if soon else HTTPStatus.NOT_FOUND
            page = http.with_scripts(http.shell(rendered, path, state), path, rendered, state)
            self._give(status, page, http.content_type("a.html"))
        else:
            self._give(HTTPStatus.NOT_FOUND, b"no such file\n")

    def _own(self, name: str) -> None:
        place = OWN_FILES.get(name)
        if place is None:
            self._give(HTTPStatus.NOT_FOUND, b"no such file\n")
        else:
            self._give(HTTPStatus.OK, (self.server.assets / place).read_bytes(), http.content_type(name))

    def _give(
        self, status: HTTPStatus, data: bytes, kind: str = "text/plain; charset=utf-8", digest: str = ""
    ) -> None:
        self.send_response(status)
        self._head(kind)
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        if digest:
            self.send_header("Assay-Digest", digest)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _head(self, kind: str) -> None:
        for name, value in (
            ("Content-Type", kind),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", f"{http.CSP}; frame-ancestors 'none'"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)

    # ------------------------------------------------------------------------------ events

    def _send_events(self) -> None:
        """Send a page what it should show, at once and after each change, until it is closed."""
        asked = parse_qs(urlsplit(self.path).query).get("page", [""])[0]
        path = http.path_of("/" + asked) or "index.html"
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self._head("text/event-stream")
        self.end_headers()
        if self.command == "HEAD":
            return
        page_cache, sent, seen = self.server.page_cache, b"", -1
        with page_cache.opened(path):
            self._write(b"retry: 400\n\n")
            while not page_cache.closed:
                state, now = page_cache.state, page_cache.number
                fresh = http.event(page_cache.make(path, state), state)
                if fresh != sent:
                    sent = fresh
                    if not self._write(fresh):
                        return
                elif seen == now and not self._write(b": still here\n\n"):
                    return
                seen = now
                page_cache.wait(seen, HEARTBEAT)

    def _write(self, data: bytes) -> bool:
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            return False
        return True


def serve(page_cache: PageCache, assets: Path, host: str, port: int, notify: Callable[[str], None]) -> Server:
    """A server that is bound; another port than the one that was asked for is reported."""
    server = Server(page_cache, assets, host, port)
    if port not in (0, server.server_address[1]):
        notify(f"port {port} is taken: using {server.server_address[1]}")
    return server
