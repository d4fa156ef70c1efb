"""Files that Spark reads, as DataFrames whose rows a model takes."""

import os
from collections.abc import Mapping
from typing import Any

from rosenblatt.cluster.arrow_columns import Named, check_columns
from rosenblatt.cluster.frame_rows import Cells, FeatureColumns, FileLines, FrameRows
from rosenblatt.features.column_kinds import as_cell
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.readers.lines import guess_style
from rosenblatt.readers.sniffing import by_name
from rosenblatt.readers.table_layout import SAMPLE, LayoutSample, Wishes, understood

LINES = ("text", "svmlight", "vw")
"""Formats with an example on each line."""
TABLES = ("parquet", "csv", "tsv", "jsonl")


def frame_of(
    spark: Any, source: str, predictor: Predictor, said: Mapping[str, Any]
) -> tuple[Any, FrameRows]:
    """A file or a folder of files as a DataFrame, and how a model reads its rows.

    What is ``said`` about it is called as `open_data` calls it.
    """
    path, format_ = _where(source), said.get("format") or format_of(source)
    if format_ in LINES:
        return _lines_of(spark, path, source, format_, said)
    if format_ not in TABLES:
        kinds = ", ".join((*LINES, *TABLES))
        raise InputError(Name("format"), must=f"be one of {kinds} on Spark", got=repr(format_))
    frame = _table_of(spark, path, format_, said)
    return frame, _rows_in_files(frame, source, format_, predictor, said)


def _where(source: str) -> str:
    """The address of a file as Spark calls it; one of this machine has none in its name."""
    if "://" in source:
        return source
    if not os.path.exists(source):
        raise InputError(f"There is no file or folder {source}")
    return f"file://{os.path.abspath(source)}"


def format_of(source: str) -> str:
    """As the name tells, or of a folder the names of the files in it."""
    if os.path.isdir(source):
        names = sorted(name for name in os.listdir(source) if name[0] not in "._")
        found = {format_ for format_ in map(by_name, names) if format_ is not None}
        if len(found) > 1:
            formats = ", ".join(sorted(found))
            remedy = ("choose one with ", Name("format"))
            raise InputError(f"{source} has files of several formats, {formats}", remedy=remedy)
        return found.pop() if found else "parquet"
    return by_name(source) or ("text" if os.path.splitext(source)[1] else "parquet")


def _lines_of(
    spark: Any, path: str, source: str, format_: str, said: Mapping[str, Any]
) -> tuple[Any, FrameRows]:
    frame = spark.read.text(path)
    settings: dict[str, Any] = {"format": format_}
    if format_ == "text":
        first = "\n".join(row.value for row in frame.limit(1).collect())
        settings["style"] = guess_style(first.encode())
    else:
        frame = frame.where("trim(value) <> '' and trim(value) not like '#%'")
    if format_ == "svmlight":
        if "zero_based" not in said:
            raise InputError(
                f"{source} is svmlight, and the model does not tell where its indices begin",
                remedy=("say ", Parameter("zero_based", True)),
            )
        settings["zero_based"] = said["zero_based"]
    if "target" in said:
        settings["target"] = said["target"]
    return frame, FileLines("value", source, settings)


def _table_of(spark: Any, path: str, format_: str, said: Mapping[str, Any]) -> Any:
    reader = spark.read
    if format_ == "parquet":
        return reader.parquet(path)
    if format_ == "jsonl":
        return reader.option("mode", "FAILFAST").option("primitivesAsString", True).json(path)
    names = said.get("columns")
    header = said.get("header", names is None)
    options = {"header": header, "quote": '"', "escape": '"', "multiLine": True}
    options |= {"sep": said.get("delimiter") or ("\t" if format_ == "tsv" else ",")}
    options |= {"mode": "FAILFAST", "encoding": said.get("encoding", "utf-8")}
    frame = reader.options(**options).csv(path)
    if not header and names is None:
        names = [f"c{k}" for k in range(1, 1 + len(frame.columns))]
    if names is None:
        return frame
    if len(names) != len(frame.columns):
        got = f"{len(names)} for {len(frame.columns)} of the file"
        raise InputError(Name("columns"), must="name each column", got=got)
    return frame.toDF(*names)


def _rows_in_files(
    frame: Any, source: str, format_: str, predictor: Predictor, said: Mapping[str, Any]
) -> FrameRows:
    """How the columns of a table are read."""
    there = tuple(frame.columns)
    if predictor.takes_numbers:
        return FeatureColumns(Named(_numbers_in(there, source, predictor, said)))
    if not (predictor.takes_text or predictor.kinds):
        raise InputError("The model reads named values, which no table holds")
    kinds = said.get("kinds") or predictor.kinds or None
    rows: list[list[str]] = []
    if kinds is None:
        found = frame.limit(SAMPLE).toArrow().to_pylist()
        rows = [[as_cell(row[name]) for name in there] for row in found]
    text, use = (said.get(name) for name in ("text", "use"))
    wishes = Wishes(
        label=said.get("label"),
        text=[text] if isinstance(text, str) else text or (),
        use=use,
        ignore=said.get("ignore", ()),
        kinds=kinds,
        header=None,
        columns=None,
        delimiter=None,
        labelled=False,
    )
    return Cells(understood(source, format_, LayoutSample(there, rows), wishes))


def _numbers_in(
    there: tuple[str, ...], source: str, predictor: Predictor, said: Mapping[str, Any]
) -> str | tuple[str, ...]:
    """The column of vectors, or the columns of numbers, that a model of numbers reads."""
    wanted = said.get("use")
    if wanted is None and "features" in there:
        return "features"
    if wanted is None:
        names = map(predictor.name, range(min(predictor.n_features, len(there) + 1)))
        wanted = list(names)
        if not set(wanted) <= set(there):
            raise InputError(
                f"{source} has no column features, nor all that the model has learned from",
                remedy=("say which to read with ", Name("use")),
            )
    check_columns(wanted, there, source)
    return wanted[0] if len(wanted) == 1 else tuple(wanted)
