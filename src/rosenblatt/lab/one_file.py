"""The page as one file, which a browser opens from a disk, a mail or any web space."""

import base64
import gzip
import hashlib
import json

from rosenblatt.lab.serving import CORE, PAGE

START = """\
import {{ load }} from "lab/core.js";
const packed = Uint8Array.from(atob("{core}"), (letter) => letter.charCodeAt(0));
const whole = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
await load(await new Response(whole).arrayBuffer());
await import("lab/app.js");
"""


def as_one_file() -> str:
    """All files of the page as one, without a server behind it.

    Browsers give modules of a disk to no page, not even one beside them, so each is a data URL in
    an import map, where it is found by its name.
    """
    read = {file.name: file.read_text(encoding="utf-8") for file in PAGE.iterdir() if file != CORE}
    modules = {
        f"lab/{name}": _data_url("text/javascript", text.replace('from "./', 'from "lab/'))
        for name, text in sorted(read.items())
        if name.endswith(".js")
    }
    found = json.dumps({"imports": modules})
    start = START.format(core=_in_base64(gzip.compress(CORE.read_bytes(), mtime=0)))
    parts = {
        '<link rel="stylesheet" href="style.css">': f"<style>{read['style.css']}</style>",
        'href="icon.svg"': f'href="{_data_url("image/svg+xml", read["icon.svg"])}"',
        '<script type="module" src="app.js"></script>': f'<script type="importmap">{found}</script>'
        f'\n<script type="module">{start}</script>',
        "script-src 'self'": f"script-src {_hash(found)} {_hash(start)} data:",
        "style-src 'self'": f"style-src {_hash(read['style.css'])}",
        "img-src 'self' ": "img-src ",
        "connect-src 'self'": "connect-src 'none'",
    }
    lines = read["index.html"].splitlines(keepends=True)
    page = "".join(line for line in lines if "modulepreload" not in line)
    for old, new in parts.items():
        page = page.replace(old, new)
    return page


def _in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _data_url(kind: str, text: str) -> str:
    return f"data:{kind};base64,{_in_base64(text.encode())}"


def _hash(text: str) -> str:
    """What a policy calls the one script or style that it lets in."""
    return f"'sha256-{_in_base64(hashlib.sha256(text.encode()).digest())}'"
