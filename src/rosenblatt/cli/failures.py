"""How commands fail: one sentence, and a code that says whose fault it is."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import click

from rosenblatt.cli.wording import FLAGS, in_flags, in_flags_of_data
from rosenblatt.inputs.errors import InputError, Name, OfFile, Thing
from rosenblatt.readers.atomic_write import WriteError, check_plain

DATA, USAGE, MODEL, STORAGE, INTERRUPTED, UNREAD = 1, 2, 3, 4, 130, 141


class Failure(click.ClickException):
    """Ends the program with this sentence and code."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class UnreadError(Exception):
    """Whoever read our output has seen enough."""


def sentence(
    error: Exception,
    lines: Any = None,
    file: str | None = None,
    by: Callable[[Thing], str | Thing] = in_flags,
) -> str:
    """The error in the words of the command line, if it can be put so."""
    if not isinstance(error, InputError):
        return str(error)
    return str(error.worded(by=OfFile(file or "the data", lines)).worded(by=by))


@contextlib.contextmanager
def reading_data(lines: Any = None, file: str | None = None) -> Iterator[None]:
    """What goes wrong in here is wrong with the data, whose rows begin on these lines of a file.

    Unless it is said of an option: that is wrong whatever the data are.
    """
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        name = error.filename or file or "the data"
        raise Failure(DATA, f"Cannot read {name}: {reason(error)}.") from error
    except ValueError as error:
        code = USAGE if _of_an_option(error) else DATA
        raise Failure(code, sentence(error, lines, file, in_flags_of_data)) from error


def _of_an_option(error: Exception) -> bool:
    """Whether the subject of the sentence is an option."""
    if not isinstance(error, InputError):
        return False
    subject = error.what[0]
    return isinstance(subject, Name) and subject.name in FLAGS


@contextlib.contextmanager
def asked_for() -> Iterator[None]:
    """What goes wrong in here is wrong with the options."""
    try:
        yield
    except InputError as error:
        raise Failure(USAGE, sentence(error)) from error


@contextlib.contextmanager
def reading_model(path: str) -> Iterator[None]:
    """What goes wrong in here is wrong with the model file."""
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        raise Failure(MODEL, f"Cannot read the model {path}: {reason(error)}.") from error
    except ValueError as error:  # ModelFileError is one
        raise Failure(MODEL, sentence(error)) from error


def not_written(error: WriteError) -> str:
    """The sentence about a file that could not be written."""
    if error.filename is None:
        return str(error)
    return f"Cannot write {error.filename}: {reason(error)}; nothing was changed."


def check_apart(path: str, name: str, *, holds: bool = False) -> None:
    """Refuse to write what another option of this call names, too, even if that is forced.

    ``name`` is the option that says what is written; a folder ``holds`` all that lies in it.
    """
    context = click.get_current_context()
    own = (name, "onward") if name == "output" else (name,)  # a model may learn on in its place
    for option in context.command.params:
        other = context.params.get(str(option.name))
        if option.name in own or not isinstance(option.type, click.Path):
            continue
        for each in (other,) if isinstance(other, str) else other or ():
            if each != "-" and _meet(path, each.removeprefix("file://"), holds=holds):
                said = option.opts[-1] if option.opts[-1][0] == "-" else option.human_readable_name
                raise Failure(STORAGE, f"{path} is {said}, too: choose another name.")


def _meet(path: str, other: str, *, holds: bool) -> bool:
    """Whether both are one file, under whatever names, or one lies in the other."""
    if os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other):
        return True
    both = [os.path.realpath(each) for each in (path, other)]
    return both[0] == both[1] or (holds and os.path.commonpath(both) in both)


def check_free(path: str, *, force: bool, name: str = "output") -> None:
    """Refuse to write over a file that the caller may want to keep, before any work is done."""
    check_apart(path, name)
    if os.path.isdir(path):
        raise Failure(STORAGE, f"{path} is a folder: name a file in it.")
    if os.path.exists(path) and not force:
        raise Failure(STORAGE, f"{path} exists: choose another name, or add --force.")
    check_plain(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise Failure(STORAGE, f"There is no folder {folder}: make it first.")
    if not os.access(folder, os.W_OK):
        raise Failure(STORAGE, f"Nothing can be written in the folder {folder}: choose another.")


def reason(error: OSError) -> str:
    """What the system says, as part of a sentence."""
    words = error.strerror or str(error)
    return words[:1].lower() + words[1:]
