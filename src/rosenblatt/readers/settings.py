"""How a file of examples is read, as far as a model or a checkpoint may say it for other files.

A file that someone else wrote says what its columns are and how cells are told apart, nothing
more: no path, no limit and nothing that is the choice of who reads.
"""

from typing import Any

from rosenblatt.features.column_kinds import KINDS
from rosenblatt.inputs.parts import has_shape, require
from rosenblatt.readers.encodings import is_encoding
from rosenblatt.readers.sniffing import FORMATS
from rosenblatt.readers.targets import TARGETS, is_separator


def _is_name(value: Any) -> bool:
    return isinstance(value, str)


def _are_kinds(value: Any) -> bool:
    return isinstance(value, dict) and all(kind in KINDS for kind in value.values())


SETTINGS: dict[str, Any] = {
    "columns": [_is_name],
    "delimiter": lambda value: _is_name(value) and len(value) == 1 and value not in '"\r\n',
    "encoding": is_encoding,
    "format": lambda value: value in FORMATS,
    "header": bool,
    "ignore": [_is_name],
    "kinds": _are_kinds,
    "label_separator": is_separator,
    "label": lambda value: value is None or _is_name(value),
    "target": lambda value: value in TARGETS,
    "text": lambda value: _is_name(value) or has_shape(value, [_is_name]),
    "use": [_is_name],
    "zero_based": bool,
}
"""The arguments of `open_data` that may come from a file, and the shape that each may have."""


def read_settings(given: Any) -> dict[str, Any]:
    """What a file tells, once it is found to be settings; refused if anything else is among it."""
    require(isinstance(given, dict), "how its data was read is not told")
    for name, value in given.items():
        sound = name in SETTINGS and has_shape(value, SETTINGS[name])
        require(sound, f"it tells {name!r} of how its data was read, which no file may")
    return dict(given)


def data_settings(notes: dict[str, Any]) -> dict[str, Any]:
    """How to read further files like the one that a model with these notes learned from."""
    settings = notes.get("data")
    return read_settings(settings) if isinstance(settings, dict) else {}
