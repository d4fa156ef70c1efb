"""Sessions of Spark's: the one that is there, or one for as long as it is needed."""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from rosenblatt.inputs.errors import InputError


def session() -> Any:
    """The active session of Spark's."""
    found = _sessions().getActiveSession()
    if found is None:
        raise InputError("There is no active Spark session", remedy="make one, or pass spark=")
    return found


def master_of(spark: Any) -> str:
    """Where a session runs, whatever later builders have asked for, which its settings tell."""
    context = getattr(spark, "sparkContext", None)  # that of Connect has none
    return str(spark.conf.get("spark.master", "") if context is None else context.master)


def _sessions() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        remedy = "pip install 'rosenblatt[spark]'"
        raise InputError("Training on Spark needs pyspark", remedy=remedy) from error
    return SparkSession


def _first_line(told: str) -> str:
    """Of what Java tells, without its trace."""
    return next(filter(str.strip, told.splitlines()), "no reason was given").rstrip(".")


@contextlib.contextmanager
def session_on(master: str) -> Iterator[Any]:
    """A session on this master, or on a Connect server by its sc:// URL, for as long as needed.

    One of this process on the same master is used as it is, and left to those who made it.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    found = _sessions().getActiveSession()
    if found is not None and master_of(found) == master:
        yield found
        return
    remote = master.startswith("sc://")
    making = _sessions().builder.config("spark.ui.showConsoleProgress", "false")
    try:
        spark = (making.remote(master) if remote else making.master(master)).getOrCreate()
    except Exception as error:
        raise InputError(
            f"Spark cannot be started on {master}: {_first_line(str(error))}",
            remedy="it needs Java 17 or later, and a master that can be reached",
        ) from error
    if not remote:
        spark.sparkContext.setLogLevel("OFF")  # what goes wrong is raised
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
            yield spark
    finally:
        spark.stop()
