"""scikit-learn's scalers in model files: of each, what it has learned, by a closed list."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.inputs.names import Features
from rosenblatt.inputs.parts import Arrays, Facts, Part, Parts, check_array, require
from rosenblatt.inputs.sparse import FLOATS

SCALERS = {
    "MaxAbsScaler": ("max_abs_", "scale_"),
    "MinMaxScaler": ("data_max_", "data_min_", "data_range_", "min_", "scale_"),
    "Normalizer": (),
    "StandardScaler": ("mean_", "scale_", "var_"),
}
"""Those that a file may name, and what each knows of every column."""

SEEN = "n_samples_seen_"


@dataclass(frozen=True)
class Scaling:
    """What a scaler has learned, under scikit-learn's names, without what it has no use for."""

    by_name: Arrays

    def facts(self) -> Facts:
        return {}

    def arrays(self) -> Arrays:
        return self.by_name

    @classmethod
    def build(cls, facts: Facts, arrays: Arrays) -> "Scaling":
        require(facts == {}, "its scaler is not described")
        for array in arrays.values():
            require(array.dtype in (*FLOATS, np.int64), "its scaler has learned no numbers")
            require(bool(np.isfinite(array).all()), "its scaler has numbers that are not finite")
        return cls(arrays)


def scaler_parts(scaler: Any) -> dict[str, Part]:
    """What a file is to hold of a fitted scaler."""
    found = {name: getattr(scaler, name, None) for name in (*SCALERS[type(scaler).__name__], SEEN)}
    arrays = {name: np.atleast_1d(value) for name, value in found.items() if value is not None}
    return {"features": Features.of(scaler), "learned": Scaling.build({}, arrays)}


def restore_scaler(scaler: Any, parts: Parts) -> None:
    """Give a new scaler what a file says that it has learned."""
    kind, features = type(scaler).__name__, parts.build("features", Features)
    arrays = parts.build("learned", Scaling).arrays()
    scaler._validate_params()  # which scikit-learn does in fit alone
    low, high = getattr(scaler, "feature_range", (0, 1))
    require(bool(np.isfinite([low, high]).all()) and low < high, "its scaler has no range")
    seen = arrays.pop(SEEN, None)
    require((seen is None) == (kind == "Normalizer"), "its scaler has seen nothing")
    require(features.width is not None and arrays.keys() <= {*SCALERS[kind]}, "its scaler is odd")
    for name in SCALERS[kind]:
        array = arrays.get(name)
        if array is not None:
            check_array(array, array.dtype, (features.width or 0,))
            require(array.dtype in FLOATS, "its scaler has learned no numbers")
        else:
            unused = kind == "StandardScaler" and not (
                scaler.with_mean if name == "mean_" else scaler.with_std
            )
            require(unused, "its scaler lacks what it has learned")
        setattr(scaler, name, array)
    if seen is not None:
        require(len(seen) in (1, features.width), "its scaler has seen nothing")
        setattr(scaler, SEEN, seen[0] if len(seen) == 1 else seen)
    scaler.n_features_in_ = features.width
    if features.names is not None:
        scaler.feature_names_in_ = features.called
