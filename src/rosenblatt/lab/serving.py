"""Serves the page to the browser of this machine, and one opened file beside it."""

import http.server
import os
import shutil
import sys
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.sources import open_plain

PAGE = Path(__file__).parent / "page"
CORE = PAGE / "core.wasm"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".rbt": "application/octet-stream",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
LOOPBACK = "127.0.0.1"


def is_built() -> bool:
    """Whether the core of the page has been compiled."""
    return CORE.is_file()


class PageServer(http.server.ThreadingHTTPServer):
    """On loopback, at the port given or a free one, until it is closed.

    Parameters
    ----------
    opened : path, optional
        A file that the page shows when it comes up: a model or a table of points.

    port : int, default=0
        Zero for any that is free.

    folder : path, optional
        Where the files of the page are; those of this package if not given.
    """

    daemon_threads = True

    def __init__(self, opened: Path | None = None, port: int = 0, folder: Path = PAGE) -> None:
        self.opened = opened
        # Names are bytes that need not be UTF-8; addresses are.
        self.shown = None if opened is None else os.fsencode(opened.name).decode("utf-8", "replace")
        super().__init__((LOOPBACK, port), partial(Handler, folder))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that goes away, and all of anything else."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """Where a browser finds the page, with the opened file."""
        query = "" if self.shown is None else f"?open={quote(self.shown)}"
        return f"http://{LOOPBACK}:{self.server_port}/{query}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Gives out the files of one folder, and no others."""

    server: PageServer
    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, *arguments: Any) -> None:
        self.folder = folder
        super().__init__(*arguments)

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        # Another name for this machine may be that of a stranger's page.
        if self.headers.get("Host") != f"{LOOPBACK}:{self.server.server_port}":
            self.send_error(HTTPStatus.FORBIDDEN, "The lab answers under its own address only.")
        elif self.server.opened is not None and path == f"/opened/{self.server.shown}":
            self._give(self.server.opened, "application/octet-stream")
        else:
            name = path.removeprefix("/") or "index.html"
            file = self.folder / name
            if "/" in name or file.suffix not in TYPES or not file.is_file():
                self.send_error(HTTPStatus.NOT_FOUND)
            else:
                self._give(file, TYPES[file.suffix])

    def _give(self, file: Path, kind: str) -> None:
        try:
            body = open_plain(file)
        except (OSError, InputError):  # gone, or another thing now
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        with body:
            self.send_response(HTTPStatus.OK)
            for name, value in (
                ("Content-Type", kind),
                ("Content-Length", str(os.fstat(body.fileno()).st_size)),
                ("Content-Security-Policy", POLICY),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
            ):
                self.send_header(name, value)
            self.end_headers()
            shutil.copyfileobj(body, self.wfile)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Say nothing."""
