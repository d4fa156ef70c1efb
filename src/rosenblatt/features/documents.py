"""The documents that the caller passed, and checks of what is said about them."""

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt import core
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputTypeError, Row
from rosenblatt.inputs.parameters import is_integer, is_share, wrong


def as_documents(raw_documents: Iterable[str]) -> tuple[str, ...] | core.Pieces:
    """All documents at once, each a string; those that lie in one array stay there."""
    if isinstance(raw_documents, Texts):
        return core.Pieces(raw_documents.data, raw_documents.begins, raw_documents.ends)
    documents = all_documents(raw_documents)
    row = core.first_other(documents)
    if row >= 0:
        got, remedy = described(documents[row])
        what = (Row(row), " of the documents")
        raise InputTypeError(*what, must="be a string", got=got, remedy=remedy)
    return documents


def as_tokens(analyzed: Iterable[Iterable[Any]]) -> core.Tokens:
    """Documents that Python's functions have cut, each into strings."""
    documents = core.Tokens()
    for row, given in enumerate(analyzed):
        try:
            tokens = list(given)
        except TypeError:
            raise _no_token(row, given) from None
        other = documents.add(tokens)
        if other >= 0:
            raise _no_token(row, tokens[other])
    return documents


def _no_token(row: int, got: Any) -> InputTypeError:
    what = ("What the analyzer or tokenizer makes of ", Row(row), " of the documents")
    return InputTypeError(*what, must="be a list of strings", got=repr(got))


def all_documents(raw_documents: Iterable[Any]) -> tuple[Any, ...]:
    """All documents at once, whatever they are."""
    if isinstance(raw_documents, str | bytes):
        raise ValueError(
            f"The documents must be a list of strings, got one {type(raw_documents).__name__}: "
            f"put it in a list."
        )
    if getattr(raw_documents, "ndim", 1) != 1:
        raise ValueError(
            f"The documents must be one column of strings, got {type(raw_documents).__name__} of "
            f"shape {getattr(raw_documents, 'shape', None)}: choose the column that holds them."
        )
    try:
        return tuple(raw_documents)
    except TypeError:
        raise TypeError(
            f"The documents must be a list of strings, got {type(raw_documents).__name__}."
        ) from None


def described(value: Any) -> tuple[str, str | None]:
    """The value in a few words, and what to do about it if that is known."""
    if isinstance(value, bytes):
        return "bytes", "decode them first, as with .decode('utf-8')"
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return f"{value}", "leave the row out, or put '' in its place"
    return type(value).__name__, None


def limits(min_df: float, max_df: float, documents: int) -> tuple[float, float]:
    """The least and the greatest number of documents that a word may occur in."""
    low = min_df if isinstance(min_df, numbers.Integral) else min_df * documents
    high = max_df if isinstance(max_df, numbers.Integral) else max_df * documents
    return max(1, low), high


def check_runs(ngram_range: Any) -> None:
    """Two whole numbers, the first not above the second."""
    sound = isinstance(ngram_range, tuple | list) and len(ngram_range) == 2
    sound = sound and all(map(is_integer, ngram_range))
    if not sound or not 1 <= ngram_range[0] <= ngram_range[1] < 2**31:
        allowed = "be two whole numbers, 1 <= shortest <= longest"
        raise wrong("ngram_range", ngram_range, allowed)


def check_share(name: str, value: Any) -> None:
    """A number of documents, or a share of them."""
    sound = int(value) >= 0 if is_integer(value) else is_share(value)
    if not sound:
        allowed = "be a whole number of documents or a share of them from 0.0 to 1.0"
        raise wrong(name, value, allowed)


def check_stop_words(stop_words: Any) -> None:
    """None, "english", or a list of strings."""
    if stop_words is None or (isinstance(stop_words, str) and stop_words == "english"):
        return
    if (
        isinstance(stop_words, str | bytes)
        or not isinstance(stop_words, Iterable)
        or not all(isinstance(word, str) for word in stop_words)
    ):
        raise wrong("stop_words", stop_words, "be a list of strings, 'english' or None")
