"""Checkpoints of ``train``: what an interrupted run keeps, and how another goes on from there.

A checkpoint says how to learn and how the data is read. Where data and model are is said on the
command line alone, so that a checkpoint from a stranger cannot name a file.
"""

import os
import shlex
from dataclasses import asdict, fields
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from rosenblatt.cli.failures import DATA, Failure, reading_model
from rosenblatt.cli.train_plan import Plan
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import require
from rosenblatt.readers.settings import SETTINGS, read_settings

ENDING = ".part"
OF_THE_CALL = frozenset({
    "as_json", "file", "force", "jobs", "max_index", "max_line", "max_size", "max_unpacked",
    "output", "precision", "quiet", "rejects", "resume", "spark", "stream", "validation",
})  # fmt: skip
"""The parameters of ``train`` that say where, how fast and within which limits, not what to learn:
no checkpoint holds them, and they may be said anew."""


class Checkpoint(NamedTuple):
    """A run that was interrupted."""

    options: dict[str, Any]
    """How to learn, by the names of the parameters of ``train``."""
    settings: dict[str, Any]
    """How the data is read."""
    model: Any
    """What it had learned."""

    @classmethod
    def read(cls, context: click.Context, path: str, file: str) -> "Checkpoint":
        """What the file at ``path`` keeps of a run over the data in ``file``."""
        from rosenblatt.persistence.model_files import load, read_notes, said_of

        with reading_model(path):
            told = read_notes(path).get("checkpoint")
            if told is None:
                raise ValueError(f"{path} is a finished model, not a checkpoint.")
            with said_of(path):
                require(told.keys() == {"options", "reading", "stamp"}, "it is no checkpoint")
                options = _read_options(context, told["options"])
                settings = read_settings(told["reading"])
            model = load(path)
        if stamp(file) != told["stamp"]:
            raise Failure(
                DATA, f"{file} is not what it was when training was interrupted: start anew."
            )
        return cls(options, settings, model)


def write_checkpoint(path: str, file: str, plan: Plan, reading: dict[str, Any], model: Any) -> None:
    """Keep a run over the data in ``file``."""
    from rosenblatt.persistence.model_files import save

    planned = {name: value for name, value in asdict(plan).items() if name not in OF_THE_CALL}
    told = {
        "options": {name: _typed(value) for name, value in planned.items()},
        "reading": {name: value for name, value in reading.items() if name in SETTINGS},
        "stamp": stamp(file),
    }
    save(model, path, notes={"checkpoint": told})


def free_path(output: str) -> str:
    """Where the checkpoint of a run goes that writes to ``output``: never over another file."""
    path, number = output + ENDING, 2
    while os.path.lexists(path):
        path, number = f"{output}.{number}{ENDING}", number + 1
    return path


def output_of(checkpoint: str) -> str:
    """Where a run that goes on from here writes to, unless it is told."""
    stem = checkpoint.removesuffix(ENDING)
    if stem == checkpoint:
        raise click.UsageError("Say where the model goes: -o MODEL.")
    before, _, number = stem.rpartition(".")
    return before if before and number.isdecimal() else stem


def check_alone(context: click.Context, sentence: str, allowed: frozenset[str]) -> None:
    """Refuse options that would change what goes on."""
    refused = [
        option.opts[0]
        for option in context.command.params
        if option.name in given(context) and option.name not in allowed
    ]
    if refused:
        raise click.UsageError(f"{sentence}: leave out {', '.join(refused)}.")


def command_to_resume(context: click.Context, checkpoint: str, output: str) -> str:
    """What to type so that the run goes on, with all that was said of this call."""
    file = str(context.params["file"])
    words = ["rosenblatt", "train", file, "--resume", checkpoint]
    if output_of(checkpoint) != output:
        words += ["-o", output]
    said_before = {"file", "output", "resume"}
    for option in context.command.params:
        name, value = str(option.name), context.params.get(str(option.name))
        if name in given(context) and name in OF_THE_CALL - said_before:
            flags = option.opts if value is not False else option.secondary_opts
            words += [flags[-1], *([] if isinstance(value, bool) else [str(value)])]
    return shlex.join(words)


def stamp(file: str) -> list[int] | None:
    """What tells whether a file has been changed since."""
    if not os.path.exists(file):
        return None
    found = os.stat(file)
    return [found.st_size, found.st_mtime_ns]


def given(context: click.Context) -> list[str]:
    """The parameters that were typed."""
    typed = ParameterSource.COMMANDLINE
    return [name for name in context.params if context.get_parameter_source(name) is typed]


def _typed(value: Any) -> str | None:
    """The value of an option as it would be typed."""
    if value is None:
        return None
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _read_options(context: click.Context, told: Any) -> dict[str, Any]:
    """What was typed, read as if it were typed again: all options, and nothing else."""
    planned = {field.name for field in fields(Plan)} - OF_THE_CALL
    known = {str(each.name): each for each in context.command.params if each.name in planned}
    require(isinstance(told, dict) and told.keys() == known.keys(), "how it learned is not told")
    read: dict[str, Any] = {}
    for name, option in known.items():
        value = told[name]
        if value is None:
            require(context.params[name] is None, f"its {name} is not told")
            read[name] = None
            continue
        try:
            require(isinstance(value, str), f"its {name} is not told")
            read[name] = option.type.convert(value, option, context)
        except click.BadParameter as error:
            raise InputError(error.format_message().rstrip(".")) from error
    return read
