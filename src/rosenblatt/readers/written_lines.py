"""Examples as lines of svmlight, of fastText and of Vowpal Wabbit."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rosenblatt.features.examples import Bags, Records, Texts
from rosenblatt.inputs.errors import Blank, InputError, Parameter
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.readers.data import Batch, label_list
from rosenblatt.readers.written_svmlight import index_pairs, label_text, number_text, numbered_lines

_BREAKS = re.compile(r"[\r\n]+")
_BLANKS = re.compile(r"\s")
_MARKS = re.compile(r"[\s:|]+")


def svmlight_lines(batches: Iterable[Batch]) -> Iterator[bytes]:
    """Lines ``label index:value``; the first column has the index 1."""
    for batch in batches:
        yield from numbered_lines(_numbers(batch, "svmlight"), batch.examples, 1)


def _numbers(batch: Batch, kind: str) -> list[str]:
    """Labels as numbers, all empty if there are none."""
    if batch.labels is None:
        return [""] * len(batch)
    several = isinstance(batch.labels, LabelSets)
    if several and kind == "vw":
        raise ValueError("vw has one label for an example: choose another format.")
    texts = []
    for label, line in zip(label_list(batch.labels), batch.lines.tolist(), strict=True):
        own = [*map(label_text, label)] if several else [label_text(label)]
        if None in own:
            raise ValueError(
                f"{kind} needs numbers as labels, but the example of line {line} has {label!r}: "
                "choose another format."
            )
        texts.append(",".join(map(str, own)))
    return texts


def text_lines(batches: Iterable[Batch]) -> Iterator[bytes]:
    """Lines ``__label__label text``."""
    for batch in batches:
        if not isinstance(batch.examples, Texts):
            column = Parameter("use", Blank("NAME"))
            raise InputError(
                "Lines of text need examples that are one text each",
                remedy=("choose its column with ", column, ", or another format"),
            )
        texts = [_BREAKS.sub(" ", text) for text in batch.examples]
        if batch.labels is not None:
            labelled = zip(_words(batch), texts, strict=True)
            texts = [f"{label} {text}".lstrip() for label, text in labelled]
        yield "".join(f"{text}\n" for text in texts).encode()


def vw_lines(batches: Iterable[Batch]) -> Iterator[bytes]:
    """Lines ``label | feature:value``; a column of text is a namespace of its words."""
    for batch in batches:
        examples = batch.examples
        if isinstance(examples, Texts):
            features = [f"| {_marked(text, ' ')}" for text in examples]
        elif isinstance(examples, Records):
            features = [_vw_row(row) for row in examples]
        elif isinstance(examples, Bags):
            features = [_vw_bag(bag) for bag in examples]
        else:
            features = [f"| {' '.join(own)}" for own in index_pairs(examples, 1)]
        labels = _numbers(batch, "vw")
        if batch.labels is not None and batch.weights is not None:
            weights = batch.weights.tolist()
            labels = [
                label if weight == 1 else f"{label} {number_text(weight)}"
                for label, weight in zip(labels, weights, strict=True)
            ]
        lines = zip(labels, features, strict=True)
        yield "".join(f"{label} {own}".strip() + "\n" for label, own in lines).encode()


def _vw_bag(bag: list[tuple[str, float]]) -> str:
    """Named values, each in the namespace that its name begins with."""
    spaces: dict[str, list[str]] = {}
    for name, value in bag:
        cut = name.find("^", 1)
        space, feature = (name[:cut], name[cut + 1 :]) if cut > 0 else ("", name)
        spaces.setdefault(space, []).append(
            feature if value == 1 else f"{feature}:{number_text(value)}"
        )
    return " ".join(f"|{space} {' '.join(own)}" for space, own in spaces.items()) or "|"


def _vw_row(row: dict[str, Any]) -> str:
    """Numbers and categories, then a namespace of words for each cell with blanks."""
    plain, spaces = [], []
    for name, cell in row.items():
        name = _marked(name, "_")
        if isinstance(cell, str) and len(cell.split()) > 1:
            spaces.append(f" |{name} {_marked(cell, ' ')}")
        elif isinstance(cell, str):
            plain.append(f"{name}={_marked(cell, '_')}")
        elif not np.isnan(cell):
            plain.append(f"{name}:{number_text(float(cell))}")
    return f"| {' '.join(plain)}{''.join(spaces)}"


def _marked(text: str, by: str) -> str:
    """The text with what Vowpal Wabbit reads as a mark replaced."""
    return _MARKS.sub(by, text).strip()


def _words(batch: Batch) -> list[str]:
    """Labels that are one word each, marked."""
    several = isinstance(batch.labels, LabelSets)
    texts = []
    for given, line in zip(label_list(batch.labels), batch.lines.tolist(), strict=True):
        own = list(map(str, given)) if several else [str(given)]
        for label in own:
            if not label or _BLANKS.search(label):
                raise ValueError(
                    f"The format text needs labels without blanks, but the example of line {line} "
                    f"has {label!r}: choose another format."
                )
        texts.append(" ".join(f"__label__{label}" for label in own))
    return texts
