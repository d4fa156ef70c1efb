"""What the package says of its parameters, in the words of the command line."""

import shlex
from typing import Any

from rosenblatt.inputs.errors import Name, Parameter, Thing

CALLED_SO = (
    *("analyzer", "binarize", "class_weight", "columns", "encoding", "epsilon", "format"),
    *("half_life", "ignore", "keep_top", "label", "label_separator", "max_index", "max_line"),
    *("max_size", "min_df", "min_probability", "min_score", "rejects", "scores", "select", "text"),
    *("text_column", "use"),
)
"""Parameters whose flags are their names with dashes."""

FLAGS: dict[str, str | dict[bool | str, str]] = {
    **{name: f"--{name.replace('_', '-')}" for name in CALLED_SO},
    "C": "-C",
    "max_iter": "--passes",
    "n_hash_bits": "--hash",
    "n_jobs": "--jobs",
    "n_shards": "--shards",
    "ngram_range": "--ngrams",
    "r": "-r",
    "random_state": "--seed",
    "target": {"labels": "--several-labels", "number": "--regression"},
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
