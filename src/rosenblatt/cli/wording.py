"""What the package says of its parameters, in the words of the command line."""

import shlex
from typing import Any

from rosenblatt.inputs.errors import Name, Parameter, Thing

FLAGS: dict[str, str | dict[bool | str, str]] = {
    "C": "-C",
    "analyzer": "--analyzer",
    "binarize": "--binarize",
    "class_weight": "--class-weight",
    "columns": "--columns",
    "encoding": "--encoding",
    "epsilon": "--epsilon",
    "format": "--format",
    "half_life": "--half-life",
    "ignore": "--ignore",
    "keep_top": "--keep-top",
    "label": "--label",
    "label_separator": "--label-separator",
    "max_index": "--max-index",
    "max_iter": "--passes",
    "max_line": "--max-line",
    "max_size": "--max-size",
    "min_df": "--min-df",
    "min_probability": "--min-probability",
    "min_score": "--min-score",
    "n_hash_bits": "--hash",
    "n_jobs": "--jobs",
    "n_shards": "--shards",
    "ngram_range": "--ngrams",
    "r": "-r",
    "random_state": "--seed",
    "rejects": "--rejects",
    "scores": "--scores",
    "select": "--select",
    "target": {"labels": "--several-labels", "number": "--regression"},
    "text": "--text",
    "text_column": "--text-column",
    "use": "--use",
    "zero_based": {True: "--zero-based", False: "--one-based"},
}
"""The flag of each parameter that a message may name; of one that is true or false, both flags."""


def in_flags_of_data(thing: Thing) -> str | Thing:
    """The same about files of examples, where a limit has another flag than that of models."""
    if isinstance(thing, Name | Parameter) and thing.name == "max_size":
        said = f" {_typed(thing.value)}" if isinstance(thing, Parameter) else ""
        return f"--max-unpacked{said}"
    return in_flags(thing)


def in_flags(thing: Thing) -> str | Thing:
    """The front of the command line: a parameter is its flag, if it has one."""
    flag = FLAGS.get(thing.name) if isinstance(thing, Name | Parameter) else None
    if flag is None:
        return thing
    if isinstance(flag, dict):
        return flag[thing.value] if isinstance(thing, Parameter) else "/".join(flag.values())
    return f"{flag} {_typed(thing.value)}" if isinstance(thing, Parameter) else flag


def _typed(value: Any) -> str:
    """A value as it would be typed."""
    return "-".join(map(str, value)) if isinstance(value, tuple) else shlex.quote(str(value))
