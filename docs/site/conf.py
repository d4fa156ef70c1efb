"""What Sphinx is to make of the gathered pages; see build.py."""

from pathlib import Path
from typing import Any

import rosenblatt

project = "rosenblatt"
author = "the rosenblatt developers"
release = version = rosenblatt.__version__
html_title = "rosenblatt"
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
]
templates_path = [str(Path(__file__).parent / "templates")]
html_static_path = ["static"]
html_css_files = ["site.css"]
default_role = "py:obj"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

highlight_language = "none"

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_prev_next": False,
    "footer_start": [],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "lab": []}


def is_told_elsewhere(
    app: Any, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out of a class what scikit-learn put there, parameters, and what fit learns.

    Docstrings of classes tell the latter two.
    """
    if isinstance(obj, property):
        return skip or name.endswith("_") or None
    return skip or not str(getattr(obj, "__module__", "")).startswith("rosenblatt") or None


def setup(app: Any) -> None:
    app.connect("autodoc-skip-member", is_told_elsewhere)
