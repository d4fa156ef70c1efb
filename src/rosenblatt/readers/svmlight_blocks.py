"""Lines of svmlight in blocks to the core's reader, and its arrays as a matrix."""

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Line, Name, Parameter, Words
from rosenblatt.inputs.parameters import check_count, check_dtype, check_flag, wrong
from rosenblatt.readers.data import check_limits
from rosenblatt.readers.rejects import LONGER, MEND, RejectSink, quoted, too_long
from rosenblatt.readers.sources import Source

BLOCK = 1 << 19
"""Bytes read at a time by one thread: they stay in the cache until they are parsed."""
BLOCK_OF_THREADS = 1 << 23
"""The same for each of several threads, so that starting them does not count."""

REMEDIES: dict[str, Words] = {
    "length": LONGER,
    "zero": ("mend the line, or say ", Parameter("zero_based", True)),
    "large": ("raise ", Name("max_index")),
}
"""What to do about some of what is wrong with a line."""
ALL_AS_TUPLES: Words = ("to read all of them, say ", Parameter("multilabel", True))
"""The way out where one label was expected and several came."""


def check_settings(
    n_features: Any,
    *,
    zero_based: Any,
    dtype: Any = np.float64,
    multilabel: Any = False,
    query_id: Any = False,
    offset: Any = 0,
    length: Any = -1,
    threads: Any = 1,
    **limits: Any,
) -> None:
    """Refuse what a caller said of a file where it can't be."""
    if n_features is not None:
        check_count("n_features", n_features)
    if zero_based != "auto":
        check_flag("zero_based", zero_based)
    check_flag("multilabel", multilabel)
    check_flag("query_id", query_id)
    for name, value, least in (("offset", offset, 0), ("length", length, -1)):
        if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
            raise wrong(name, value, f"be a whole number of at least {least}")
    check_count("threads", threads)
    check_limits(**limits)
    check_dtype(dtype)


def blocks_read(
    reader: core.SvmlightReader,
    text: Source,
    aside: RejectSink,
    threads: int,
    limits: dict[str, int],
    of_several: Words = ALL_AS_TUPLES,
) -> Iterator[None]:
    """Feed the reader to the end of the text, and stop after each block."""
    size = BLOCK if threads == 1 else BLOCK_OF_THREADS * threads
    block = np.empty(size + core.svmlight_slack, dtype=np.uint8)
    carried = 0
    while True:
        room = len(block) - core.svmlight_slack
        filled = text.fill(block, carried, room)
        last = filled < room
        used = reader.feed(block, filled, last, threads)
        tell_faults(reader, aside, limits, of_several)
        yield
        if last:
            return
        carried = filled - used
        if carried > limits["max_line"]:
            where = Line(reader.lines + 1, file=text.name)
            raise InputError(too_long(limits["max_line"]), where=where, remedy=LONGER)
        if carried > room // 2:
            block = np.concatenate([block, np.empty_like(block)])
        block[:carried] = block[used:filled]


def tell_faults(
    reader: core.SvmlightReader,
    aside: RejectSink,
    limits: dict[str, int],
    of_several: Words = ALL_AS_TUPLES,
) -> None:
    """Set aside the bad lines found since the last call; unless they are set aside, an error.

    The way out where one label was expected is ``of_several``.
    """
    for kind, line, column, word, rejected in reader.take_faults():
        remedy = REMEDIES.get(kind, MEND)
        if kind == "label" and b"," in word:
            remedy = of_several
        aside.take(line, column, _reason(kind, word, limits), rejected, remedy)


def _reason(kind: str, word: bytes, limits: dict[str, int]) -> str:
    """What is wrong with a line, in words."""
    if kind == "length":
        return too_long(limits["max_line"])
    expected = {
        "label": "a number as the label",
        "pair": "index:value",
        "order": "an index above those before it",
        "zero": "indices from 1 on",
        "large": f"an index of at most {limits['max_index']}",
        "query": "qid:number",
    }
    return f"expected {expected[kind]}, got {quoted(word)}"
