"""Options that several commands have."""

import functools
import math
import os
import re
from collections.abc import Callable
from typing import Any

import click

from rosenblatt.cli.failures import check_free, reading_data, reading_model
from rosenblatt.cli.output import Output, percent
from rosenblatt.inputs.errors import InputError
from rosenblatt.readers.settings import data_settings
from rosenblatt.readers.sniffing import FORMATS, by_name

Command = Callable[..., Any]

PRECISIONS = ("float64", "float16", "int8")

seed = click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0)


READING = (
    *("label", "text", "use", "ignore", "columns", "header", "format", "encoding", "rejects"),
    *("zero_based", "max_line", "max_unpacked", "max_index", "label_separator"),
    *("several_labels", "regression"),
)
"""What may be said about a file of examples."""
OF_ANY_FORMAT = ("label", "kinds", "text", "target")
"""What holds for files of other formats, too."""
FORETOLD = {"labels": "--several-labels", "number": "--regression"}


def speaking(command: Command) -> Command:
    """Adds --json and --quiet, and passes on the output that they ask for as ``out``."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    @click.option("-q", "--quiet", is_flag=True, help="Print nothing but what was asked for.")
    @functools.wraps(command)
    def with_output(*arguments: Any, as_json: bool, quiet: bool, **others: Any) -> Any:
        return command(*arguments, out=Output(as_json=as_json, quiet=quiet), **others)

    return with_output


class Number(click.FloatRange):
    """A number of a range, in which NaN never is."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


class Size(click.ParamType[int]):
    """Bytes, as 2MB, 500kB or 100000."""

    name = "SIZE"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        said = re.fullmatch(r"([0-9.]+) ?([kMG]?)B?", str(value))
        try:
            size = int(float(said[1]) * 1000 ** " kMG".index(said[2] or " ")) if said else 0
        except (ValueError, OverflowError):
            size = 0
        if size < 1:
            self.fail(f"expected bytes, as 2MB, 500kB or 100000, got {value!r}.", param, ctx)
        return size


precision = click.option(
    "--precision",
    type=click.Choice(PRECISIONS),
    default=PRECISIONS[0],
    help="How weights are rounded in a small model.",
)


def _limit(flag: str, unit: str, meaning: str) -> Callable[[Command], Command]:
    return click.option(flag, type=click.IntRange(1), metavar=unit, help=meaning)


def reading(command: Command) -> Command:
    """Adds what may be said about a file of examples, and passes it on as ``reading``."""

    @click.option("--label", metavar="COLUMN", help="The column of the labels, by name or number.")
    @click.option(
        "--several-labels",
        is_flag=True,
        default=None,
        help="Learn and foretell sets: an example may have several labels, or none.",
    )
    @click.option(
        "--label-separator",
        metavar="TEXT",
        help="What stands between the labels in a cell that has several, such as ';'.",
    )
    @click.option(
        "--regression",
        is_flag=True,
        default=None,
        help="Learn and foretell numbers instead of labels.",
    )
    @click.option("--text", metavar="COLUMNS", help="Read words from here; a,b reads both as one.")
    @click.option("--use", metavar="COLUMNS", help="The only columns to use, as a,b,c.")
    @click.option("--ignore", metavar="COLUMNS", help="Columns to leave out, as a,b,c.")
    @click.option("--columns", metavar="NAMES", help="What columns without a header are called.")
    @click.option("--header/--no-header", default=None, help="Whether the first row has names.")
    @click.option(
        "--format",
        type=click.Choice(FORMATS),
        help="The format, where name and content do not tell.",
    )
    @click.option(
        "--encoding",
        metavar="NAME",
        help="Of the text, such as latin-1; guessed from its beginning if not given.",
    )
    @click.option(
        "--rejects",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Set lines that cannot be read aside in this file, and go on.",
    )
    @click.option(
        "--zero-based/--one-based",
        default=None,
        help="Where indices of svmlight begin; as the first lines tell if not given.",
    )
    @_limit("--max-line", "BYTES", "Longest line that is read.")
    @_limit("--max-unpacked", "BYTES", "Most that a packed file may unpack to.")
    @_limit("--max-index", "NUMBER", "Highest index of svmlight that is read.")
    @functools.wraps(command)
    def with_reading(*arguments: Any, **others: Any) -> Any:
        given = {name: others.pop(name) for name in READING}
        given = {name: value for name, value in given.items() if value is not None}
        several, regression = (given.pop(name, None) for name in ("several_labels", "regression"))
        if several and regression:
            raise click.UsageError("--several-labels and --regression are for different data.")
        if several or regression:
            given["target"] = "labels" if several else "number"
        for name in ("text", "use", "ignore", "columns"):
            if name in given:
                given[name] = given[name].split(",")
        if "max_unpacked" in given:  # --max-size is that of a model
            given["max_size"] = given.pop("max_unpacked")
        if "rejects" in given:
            check_free(given["rejects"], force=True, name="rejects")
        return command(*arguments, reading=given, **others)

    return with_reading


def loaded(model: str, out: Output) -> Any:
    """The model in a file, ready to predict, or the end of the program if it cannot be read."""
    # Threads of NumPy's that would multiply matrices take a third of the time to start, and none
    # is multiplied here; this says so before NumPy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rosenblatt.persistence.predictor import Predictor

    with reading_model(model), out.bar(f"loading {os.path.basename(model)}"):
        return Predictor.load(model)


def opened(source: str, **settings: Any) -> Any:
    """The data in a file, or the end of the program if it cannot be read."""
    from rosenblatt.readers.opening import open_data

    with reading_data():
        return open_data(source, **settings)


def opened_for(model: Any, source: str, reading: dict[str, Any], *, labelled: bool) -> Any:
    """New data for a model, read the way its own was."""
    from rosenblatt.readers.opening import open_data

    said = reading_for(model, source, reading)
    with reading_data():
        try:
            return open_data(source, labelled=labelled, **said)
        except InputError as error:
            if model.takes_text and "format" not in reading and by_name(source) is None:
                hint = "if each line is a text, add --format text"
                error.remedy = hint if error.remedy is None else (error.remedy, "; ", hint)
            raise


def tell_rejects(
    count: int, examples: int, out: Output, rows: str = "rows", were: str = "set aside"
) -> dict[str, int]:
    """Say how many rows were set aside beside so many that were read; the same for programs."""
    if count:
        share = percent(count / (count + examples))
        said = f"{count:,} of {count + examples:,} {rows} ({share}) could not be read"
        out.warn("rejects", f"{said} and were {were}")
    return {"rejected": count}


def tell_unknown(count: int, examples: int, out: Output) -> dict[str, int]:
    """Say how many examples a model knows nothing of; the same for programs."""
    if count:
        share = f"{count:,} of {examples:,} examples ({percent(count / examples)})"
        out.warn("unknown", f"{share} have no feature that the model knows: its intercept decides")
    return {"unknown": count}


def reading_for(model: Any, source: str, reading: dict[str, Any]) -> dict[str, Any]:
    """How to read new data for a model: as its own; of another format, with the same columns."""
    known = data_settings(model.notes)
    if os.path.isdir(source):
        known = {name: known[name] for name in ("encoding", "target") if name in known}
    if (reading.get("format") or by_name(source)) not in (None, known.get("format")):
        known = {name: known[name] for name in OF_ANY_FORMAT if name in known}
    if "columns" in reading:
        known.pop("header", None)
    said = reading.get("target", "labels" if "label_separator" in reading else model.foretold)
    if said != model.foretold:
        raise click.UsageError(f"{FORETOLD[said]} is not what the model foretells.")
    if model.foretold != "label":
        known["target"] = model.foretold
    if model.takes_text and "text" in reading:
        known.setdefault("kinds", {"text": "text"})
    return known | reading
