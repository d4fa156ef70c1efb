"""All that a fitted model holds, laid out flat, to compare one model with another."""

from dataclasses import is_dataclass

import numpy as np
from scipy import sparse

from rosenblatt.inputs.names import Names
from rosenblatt.training.history import Pass
from rosenblatt.training.mistakes import Mistakes

WORKED_OUT = {"_scoring", "_voters", "_sklearn_version"}
"""What is kept only to be quick."""


def state_of(thing, place=""):
    """Every array, number and word that it holds, by where it is held; not what passes took."""
    if isinstance(thing, Pass):
        thing = thing._replace(seconds=0.0)
    if isinstance(thing, Mistakes):
        thing = thing.arrays() if thing.keeps_rows else {}
    if isinstance(thing, Names):
        thing = thing.array()
    if sparse.issparse(thing):
        thing = {"data": thing.data, "indices": thing.indices, "indptr": thing.indptr}
    if hasattr(thing, "get_params"):
        thing = thing.__getstate__() | {"mistakes_": getattr(thing, "mistakes_", None)}
    if is_dataclass(thing):
        thing = thing.__getstate__()
    if isinstance(thing, dict):
        thing = {key: value for key, value in thing.items() if key not in WORKED_OUT}
    elif isinstance(thing, list | tuple):
        thing = dict(enumerate(thing))
    else:
        return {place: thing}
    parts = [state_of(value, f"{place}.{key}") for key, value in thing.items()]
    return {place: len(parts)} | {key: value for part in parts for key, value in part.items()}


def assert_same_state(model, other):
    mine, its = state_of(model), state_of(other)
    assert type(model) is type(other)
    assert mine.keys() == its.keys()
    for place, value in mine.items():
        if isinstance(value, np.ndarray):
            assert value.dtype == its[place].dtype, place
            assert its[place].flags.writeable or not value.flags.writeable, place
        np.testing.assert_array_equal(value, its[place], err_msg=place)
