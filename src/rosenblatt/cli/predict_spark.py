"""``rosenblatt predict --spark``: the same labels, given where Spark has the rows."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from rosenblatt.cli.decision_options import Deciding
from rosenblatt.cli.failures import DATA, STORAGE, Failure, check_apart, check_free, reading_data
from rosenblatt.cli.options import reading_for
from rosenblatt.cli.output import Output, counted, put
from rosenblatt.cli.predicted_lines import OutputFields, Pairs
from rosenblatt.cli.wording import FLAGS
from rosenblatt.cluster.frame_schemas import quoted
from rosenblatt.readers.atomic_write import marked, written_whole

REFUSED = ("rejects", "max_line", "max_size", "max_index")
"""What only a reader can do that goes over a file line by line."""
WRITERS = {".csv": "csv", ".tsv": "csv", ".jsonl": "json"}
"""How Spark calls the format of a folder whose name ends so; the others are Parquet."""
ITS_OWN = re.compile(r"(_SUCCESS|part-.*|\._SUCCESS\.crc|\.part-.*\.crc)", re.DOTALL)
"""The names of the files that Spark writes into a folder."""
LARGEST = 1 << 16
"""Rows of which lines are made at a time."""


class SparkOptions(NamedTuple):
    """What is asked for."""

    master: str
    model: str
    file: str
    output: str | None
    beside: bool
    force: bool
    unknown: bool
    reading: dict[str, Any]

    @property
    def ending(self) -> str:
        """Of the name of the output."""
        return os.path.splitext((self.output or "").rstrip("/"))[1]

    @property
    def as_table(self) -> bool:
        """Whether the workers write the rows themselves, with the labels beside them."""
        return self.beside or self.ending == ".parquet"


def predict_on_spark(
    asked: SparkOptions, predictor: Any, decide: Deciding, fields: OutputFields, out: Output
) -> None:
    """Print a line for each row, or have the workers write a folder."""
    from rosenblatt.cluster.frame_files import format_of, frame_of
    from rosenblatt.cluster.sessions import session_on

    if asked.output is not None:
        asked = asked._replace(output=asked.output.removeprefix("file://"))
    _check(asked, out)
    with reading_data():
        known = asked.reading.get("format") or format_of(asked.file)
    said = reading_for(predictor, os.path.join(asked.file, f"rows.{known}"), asked.reading)
    with contextlib.ExitStack() as until_done:
        until_done.enter_context(reading_data(file=asked.file))
        with out.bar("starting Spark"):
            spark = until_done.enter_context(session_on(asked.master))
        until_done.enter_context(out.bar(f"predicting {os.path.basename(asked.file)} on Spark"))
        until_done.enter_context(_said_by_spark())
        frame, rows = frame_of(spark, asked.file, predictor, said | {"format": known})
        predicting = Predicting(asked, predictor, decide, fields)
        if asked.as_table:
            predicting.write(frame, rows)
            out.say("wrote", f"{asked.output}, a folder")
            return
        lines = predicting.lines(frame, rows, as_json=out.as_json)
        if asked.output is None:
            for text in lines:
                put(text, exact=True)
        else:
            with written_whole(asked.output) as target:
                target.writelines(text.encode() for text in lines)
            out.say("wrote", f"{asked.output}, {counted(predicting.examples, 'example')}")
    decide.tell(predicting.examples, out)


def _check(asked: SparkOptions, out: Output) -> None:
    """Refuse what cannot be done there."""
    for name in REFUSED:
        if name in asked.reading:
            raise click.UsageError(f"{FLAGS[name]} is not for Spark's own readers.")
    if asked.file == "-":
        raise click.UsageError("--spark needs a FILE that its workers see.")
    output = asked.output
    if asked.as_table and output is None:
        raise click.UsageError("With --spark, --beside writes a folder: add -o FOLDER.")
    if asked.as_table and out.as_json:
        raise click.UsageError("--json is for lines, not for a table: leave it out.")
    if output is None:
        return
    if not asked.as_table:
        check_free(output, force=asked.force)
    elif "://" in output:
        if asked.force:
            raise click.UsageError("--force is for folders of this machine: choose another name.")
    else:
        check_apart(output, "output", holds=True)
        if os.path.isfile(output):
            raise Failure(STORAGE, f"{output} is a file, and Spark writes folders: choose another.")
        _check_replaceable(output, force=asked.force)


def _check_replaceable(folder: str, *, force: bool) -> None:
    """Refuse to take the place of anything but a folder of Spark's."""
    if not os.path.lexists(folder):
        return
    if not force:
        raise Failure(STORAGE, f"{folder} exists: choose another name, or add --force.")
    for entry in list(os.scandir(folder)):
        if not (ITS_OWN.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)):
            held = f"{folder} holds {entry.name}, which Spark has not written"
            raise Failure(STORAGE, f"{held}: choose another name.")


@contextlib.contextmanager
def _folder_whole(path: str, *, force: bool) -> Iterator[str]:
    """A new folder to write; when all is in it, it gets this name, and else it is removed."""
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.part")
    old = f"{draft}.old"
    try:
        yield draft
        _check_replaceable(path, force=force)
        with marked(path):
            if os.path.exists(path):
                os.rename(path, old)
            os.rename(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.rename(old, path)
        shutil.rmtree(draft, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _said_by_spark() -> Iterator[None]:
    """What goes wrong on Spark in a sentence: that of a worker, or Spark's first line."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
            raise
        raise Failure(DATA, cause(str(error))) from error


def cause(traces: str) -> str:
    """Of what Python and Java tell of a task that failed, the line that says why."""
    lines = traces.splitlines()
    for begin, said in (("rosenblatt.InputError: ", ""), ("Caused by: ", "Spark: ")):
        found = [line.removeprefix(begin) for line in lines if line.startswith(begin)]
        if found:
            return said + found[-1]
    java = [line.removeprefix(": ") for line in lines if line.startswith(": ")]
    return f"Spark: {[*java, *filter(str.strip, lines), 'no reason given'][0]}"


class Predicting:
    """Has a model predict the rows of a DataFrame, with what is shown beside the labels."""

    def __init__(
        self, asked: SparkOptions, predictor: Any, decide: Deciding, fields: OutputFields
    ) -> None:
        self._asked, self._predictor = asked, predictor
        self._decide, self._fields = decide, fields
        self.examples = 0

    def lines(self, frame: Any, rows: Any, *, as_json: bool) -> Iterator[str]:
        """The lines, some at a time, in the order of files by name and of rows in them."""
        from pyspark.sql import functions as spark_functions

        column, order = spark_functions.col, ["rosenblatt_file", "rosenblatt_block", "rosenblatt_k"]
        placed = frame.select(
            *(column(quoted(name)) for name in rows.columns),
            column("_metadata.file_path").alias(order[0]),
            column("_metadata.file_block_start").alias(order[1]),
            spark_functions.monotonically_increasing_id().alias(order[2]),
        )
        columns = self._columns(rows.columns, every=as_json)
        names = [quoted(name) for name in columns.names]
        found = self._scored(placed, rows, columns).select(*order, *names)
        table = found.repartition(1).sortWithinPartitions(*order).toArrow()
        for batch in table.select(columns.names).to_batches(LARGEST):
            yield "".join(self._lines_of(columns, batch.to_pydict(), as_json=as_json))

    def write(self, frame: Any, rows: Any) -> None:
        """Have the workers write the rows, with what is shown in columns after their own."""
        from rosenblatt.readers.added_columns import free_name

        asked, columns = self._asked, self._columns(frame.columns)
        names: list[str] = []
        for name in ["predicted", *self._fields.heads, *["unknown"] * asked.unknown]:
            names.append(free_name(name, [*frame.columns, *names]))
        kind = WRITERS.get(asked.ending, "parquet")
        cells = self._cells(columns, lists=kind != "csv")
        table = self._scored(frame, rows, columns).select(
            *(quoted(name) for name in frame.columns),
            *(cell.alias(name) for cell, name in zip(cells, names, strict=True)),
        )
        writer = table.write.mode("errorifexists").format(kind)
        if kind == "csv":
            sep = "\t" if asked.ending == ".tsv" else ","
            writer = writer.options(header=True, sep=sep, quote='"', escape='"')
        output = str(asked.output)
        if "://" in output:
            writer.save(output)
            return
        with _folder_whole(output, force=asked.force) as draft:
            writer.save(f"file://{draft}")

    def _columns(self, taken: list[str], *, every: bool = False) -> Any:
        """What workers are to fill in: all that is known of labels, or what is fields."""
        from rosenblatt.cluster.scored_columns import ScoredColumns
        from rosenblatt.readers.added_columns import free_name

        fields, predictor = self._fields, self._predictor
        number, ranked = predictor.foretold == "number", fields.top is not None
        wanted = {
            "prediction": True,
            "score": not number and (every or (fields.any and not ranked and not fields.probable)),
            "probability": predictor.has_probabilities
            and (every or (fields.any and not ranked and fields.probable)),
            "top": ranked,
            "unknown": self._asked.unknown,
        }
        names: dict[str, Any] = {
            word: free_name(f"its {word}", taken) for word, there in wanted.items() if there
        }
        decide = self._decide
        return ScoredColumns(
            **names,
            best=fields.top or 1,
            threshold=decide.thresholds,
            abstain_below=decide.abstain_below,
        ).of(predictor)

    def _scored(self, frame: Any, rows: Any, columns: Any) -> Any:
        from rosenblatt.cluster.score_dataframe import filed, scored

        return scored(frame, *filed(self._asked.model), rows, columns)

    def _lines_of(self, columns: Any, cells: dict[str, Any], *, as_json: bool) -> list[str]:
        """The lines of some rows, of which Spark has found what the columns hold."""
        fields, labels = self._fields, cells[columns.prediction]
        shares = cells[columns.unknown] if columns.unknown else None
        labels = [self._decide.abstain if label is None else label for label in labels]
        self._decide.abstained += sum(label in (None, []) for label in cells[columns.prediction])
        first = self.examples + 1
        self.examples += len(labels)
        tables: dict[str, Any] = {}
        if columns.score:
            tables["scores"] = [
                score if isinstance(score, list) else [-score, score]
                for score in cells[columns.score]
            ]
        if columns.probability:
            tables["probabilities"] = cells[columns.probability]
        pairs: list[Pairs] = [[] for _ in labels]
        if columns.top:
            word = "probability" if fields.probable else "score"
            pairs = [[(str(one["label"]), one[word]) for one in own] for own in cells[columns.top]]
        elif fields.any:
            numbers = tables["probabilities" if fields.probable else "scores"]
            pairs = [list(zip(fields.names, own, strict=True)) for own in numbers]
        if not as_json:
            return fields.lines(labels, pairs, shares)
        lines = range(first, first + len(labels))
        return fields.objects(lines, labels, tables, pairs, shares)

    def _cells(self, columns: Any, *, lists: bool) -> list[Any]:
        """The same as columns of Spark's, each of one value unless it may hold lists."""
        from pyspark.sql import functions as spark_functions

        fields, column = self._fields, spark_functions.col
        label: Any = column(quoted(columns.prediction))
        if self._predictor.foretold == "labels" and not lists:
            several = label.cast("array<string>")
            apart = fields.joined(fields.names) == fields.separator.join(fields.names)
            joined = spark_functions.array_join(several, fields.separator)
            label = joined if apart else spark_functions.to_json(several)
        elif self._predictor.foretold == "label" and self._decide.abstain is not None:
            instead = spark_functions.lit(self._decide.abstain)
            label = spark_functions.coalesce(label.cast("string"), instead)
        cells = [label]
        places = range(len(fields.names))
        if columns.top:
            word = "probability" if fields.probable else "score"
            for place in places[: fields.top]:
                one = column(quoted(columns.top))[place]
                cells += [one["label"].cast("string"), one[word]]
        elif columns.probability:
            cells += [column(quoted(columns.probability))[place] for place in places]
        elif columns.score and len(fields.names) == 2 and self._predictor.foretold == "label":
            cells += [-column(quoted(columns.score)), column(quoted(columns.score))]
        elif columns.score:
            cells += [column(quoted(columns.score))[place] for place in places]
        return cells + ([column(quoted(columns.unknown))] if columns.unknown else [])
