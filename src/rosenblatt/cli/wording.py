"""What the package says of its parameters, in the words of the command line."""

import ast
import re
import shlex
from typing import Any

FLAGS: dict[str, str | dict[bool, str]] = {
    "C": "-C",
    "analyzer": "--analyzer",
    "binarize": "--binarize",
    "ignore": "--ignore",
    "label": "--label",
    "max_index": "--max-index",
    "max_iter": "--passes",
    "max_line": "--max-line",
    "max_size": "--max-size",
    "min_df": "--min-df",
    "n_hash_bits": "--hash",
    "n_iter_no_change": "--patience",
    "n_jobs": "--jobs",
    "ngram_range": "--ngrams",
    "random_state": "--seed",
    "rejects": "--rejects",
    "text": "--text",
    "use": "--use",
    "validation_fraction": "--holdout",
    "zero_based": {True: "--zero-based", False: "--one-based"},
}
"""The flag of each parameter that a message may name; of one that is true or false, both flags."""

_NAMES = "|".join(FLAGS)
_VALUE = r"""'[^']*'|"[^"]*"|\([^()]*\)|[^\s,;:.]+(?:[.:][^\s,;:.]+)*"""
_GIVEN = re.compile(rf"\b({_NAMES})=({_VALUE})")
_BARE = re.compile(rf"\b({'|'.join(name for name in FLAGS if '_' in name)})\b|^({_NAMES})(?= must)")


def in_flags(sentence: str) -> str:
    """The sentence with flags in place of the parameters that it names, as ``min_df=3``.

    Without a value, only names that are no words of English are replaced, and the first word of a
    sentence that says what it must be.
    """
    sentence = _GIVEN.sub(lambda found: _flag(found[1], _value(found[2])), sentence)
    return _BARE.sub(lambda found: _flag(found[1] or found[2]), sentence)


def _value(text: str) -> Any:
    """What stands behind the equals sign; a word if it is no value of Python's."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _flag(name: str, *value: Any) -> str:
    flag = FLAGS[name]
    if isinstance(flag, dict):
        return flag[value[0]] if value else "/".join(flag.values())
    return " ".join([flag, *map(_told, value)])


def _told(value: Any) -> str:
    """A value as it would be typed."""
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return shlex.quote(str(value))
