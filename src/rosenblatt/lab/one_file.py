"""A page as one file, which a browser opens from a disk, a mail or any web space."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from rosenblatt.lab.serving import CORE, PAGE

UNPACKED = """\
const unpacked = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(whole).arrayBuffer();
};
"""
POLICY = (
    "default-src 'none'; script-src {scripts} data: 'wasm-unsafe-eval'; style-src {style}; "
    "img-src blob: data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
)


def the_lab() -> str:
    """The whole lab."""
    start = f"""\
import {{ load }} from "lab/core.js";
{UNPACKED}await load(await unpacked("{packed(CORE.read_bytes())}"));
await import("lab/app.js");
"""
    return as_one_file(PAGE / "index.html", PAGE.glob("*.js"), start)


def as_one_file(index: Path, modules: Iterable[Path], start: str) -> str:
    """A page with all that it names in it, without a server behind it.

    Browsers give modules of a disk to no page, not even one beside them, so each is a data URL in
    an import map, where it is found by its name.

    Parameters
    ----------
    index : path
        Its HTML; the style sheet and the icon are those of the lab.

    modules : paths
        Found by scripts as "lab/NAME.js".

    start : str
        The script that is run, in place of the one that the HTML names.
    """
    found = json.dumps({"imports": {f"lab/{file.name}": _module(file) for file in sorted(modules)}})
    style, icon = ((PAGE / name).read_text(encoding="utf-8") for name in ("style.css", "icon.svg"))
    policy = POLICY.format(scripts=f"{_hash(found)} {_hash(start)}", style=_hash(style))
    parts = {
        r' *<link rel="modulepreload".*>\n': "",
        r"default-src 'none';[^\"]*": policy,
        r'<link rel="stylesheet".*>': f"<style>{style}</style>",
        r'(?<=href=")icon\.svg': _data_url("image/svg+xml", icon),
        r'<script type="module".*</script>': f'<script type="importmap">{found}</script>\n'
        f'<script type="module">{start}</script>',
    }
    page = index.read_text(encoding="utf-8")
    for old, new in parts.items():
        page = _with(new, old, page)
    return page


def _with(new: str, old: str, page: str) -> str:
    """The page with a text, as it is, in place of a pattern."""
    return re.sub(old, lambda _: new, page)


def packed(content: bytes) -> str:
    """As `UNPACKED` takes it."""
    return _in_base64(gzip.compress(content, mtime=0))


def _module(file: Path) -> str:
    text = file.read_text(encoding="utf-8").replace('from "./', 'from "lab/')
    return _data_url("text/javascript", text)


def _in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _data_url(kind: str, text: str) -> str:
    return f"data:{kind};base64,{_in_base64(text.encode())}"


def _hash(text: str) -> str:
    """What a policy calls the one script or style that it lets in."""
    return f"'sha256-{_in_base64(hashlib.sha256(text.encode()).digest())}'"
