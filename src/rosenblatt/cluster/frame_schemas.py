"""What the columns of a DataFrame may be, which is known before any row of it is."""

from collections.abc import Callable
from typing import Any

from rosenblatt.cluster.arrow_columns import VECTOR, Named, check_columns
from rosenblatt.inputs.errors import InputError, InputTypeError, Name


def check_frame(name: str, data: Any, *, or_else: str = "") -> None:
    """Refuse what is no DataFrame of Spark's."""
    if not hasattr(data, "mapInArrow"):
        must = f"be a Spark DataFrame{or_else}"
        raise InputTypeError(Name(name), must=must, got=type(data).__name__)


def check_schema(data: Any, columns: Named, *, text: bool) -> None:
    """Refuse columns that a DataFrame lacks or that cannot be what they are to be."""
    from pyspark.sql import types as spark_types

    check_columns(columns.all, data.columns, "The DataFrame", same=same_case(data.sparkSession))
    kinds = {field.name: field.dataType for field in data.schema.fields}
    number, text_kind = spark_types.NumericType, spark_types.StringType

    def check(name: str | None, fits: Callable[[Any], bool], must: str) -> None:
        if name is None or fits(kinds[name]):
            return
        remedy = None
        if name == columns.features and isinstance(kinds[name], text_kind):
            remedy = "put a TextVectorizer before the model"
        got = kinds[name].simpleString()
        raise InputError(f"column {name}", must=must, got=got, remedy=remedy)

    def is_number(kind: Any) -> bool:
        return isinstance(kind, number)

    def holds_rows(kind: Any) -> bool:
        of_numbers = isinstance(kind, spark_types.ArrayType) and is_number(kind.elementType)
        return of_numbers or is_number(kind) or _is_vector(kind)

    plain = (number, text_kind, spark_types.BooleanType)
    check(columns.label, lambda kind: isinstance(kind, plain), "be numbers, strings or booleans")
    check(columns.weight, is_number, "be numbers")
    if not isinstance(columns.features, str):
        for name in columns.features:
            check(name, is_number, "be numbers")
    elif text:
        check(columns.features, lambda kind: isinstance(kind, text_kind), "be text")
    else:
        check(columns.features, holds_rows, "be vectors, lists of numbers or numbers")


def _is_vector(kind: Any) -> bool:
    return hasattr(kind, "sqlType") and {*getattr(kind.sqlType(), "names", ())} == VECTOR


def same_case(spark: Any) -> Callable[[str], str]:
    """What is the same of two names that Spark takes for one."""
    return str if spark.conf.get("spark.sql.caseSensitive") == "true" else str.lower


def quoted(name: str) -> str:
    """The name of a column as Spark's expressions have it."""
    return f"`{name.replace('`', '``')}`"
