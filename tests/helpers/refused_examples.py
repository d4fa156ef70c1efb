"""Single examples that models of the names a, b and c refuse, and with which words."""

import numpy as np
from scipy import sparse

NAMED_REFUSALS = [
    ({"a": float("nan")}, "x holds NaN for 'a'"),
    ({"a": 1.0, "new": float("inf")}, "x holds infinity for 'new'"),
    ({"b": -1e76}, "x holds -1e\\+76 for 'b', beyond 1e\\+75"),
    ({"b": 10**400}, "x holds infinity for 'b'"),
    ({"new": "red"}, "x holds 'red' for 'new', which is not a number: .*'new=red': 1.0"),
    ({"a": None}, "x holds None for 'a', which is not a number"),
    ({"a": [1.0]}, r"x holds \[1.0\] for 'a'"),
    ({"a": 1j}, "not a number"),
    ([("a", 1.0, 2.0)], "x must be"),
    ([("a", 1.0), "b"], "x must be"),
    ([1.0, 2.0], "x has 2 features, but {model} is expecting 3"),
    (np.array([1.0, np.nan, 0.0]), "x holds NaN for 'b'"),
    (np.ones((1, 3)), r"one row of numbers, got shape \(1, 3\)"),
    (([0, 1], [1.0]), "x has 2 column numbers but 1 values"),
    (([0.5], [1.0]), "whole numbers"),
    (([-1], [1.0]), "x names column -1, but columns are numbered from 0"),
    (([3], [1.0]), "x names column 3, but this {model} has 3 columns, which have names"),
    (sparse.csr_array((1, 4)), "x has 4 features"),
    (sparse.csr_array((2, 3)), r"one row, got shape \(2, 3\)"),
    (np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0]), "x has masked values: fill them in"),
    (([0, 1], np.ma.masked_array([1.0, 2.0], mask=[0, 1])), "x has masked values"),
    ((np.ma.masked_array([0, 1], mask=[0, 1]), [1.0, 2.0]), "x has masked values"),
    ({"a": np.ma.masked}, "x has masked values"),
    ("a sentence", "x must be"),
    (b"bytes", "x must be"),
    (None, "x must be"),
    (3.0, "one row of numbers|x must be"),
    ({"a"}, "x must be"),
]
