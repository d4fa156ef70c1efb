"""A fitted linear classifier of this or another package, alone or at the end of a pipeline."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rosenblatt.explain.records import Array
from rosenblatt.inputs.errors import InputError, Name
from rosenblatt.inputs.messages import refuse_masked
from rosenblatt.training.scorer import VOTES_ARE_NO_WEIGHTS


def check_scores_by_weights(model: Any) -> None:
    """Refuse a model whose coef_ is not what scores."""
    if not getattr(model, "_scores_by_weights", True):
        raise ValueError(VOTES_ARE_NO_WEIGHTS)


def as_learned(model: Any, table: Any) -> Any:
    """The table with the values that the weights of a model meet, such as Winnow's 0 and 1."""
    return model._scorer(model._state).as_learned(table) if hasattr(model, "_scorer") else table


@dataclass(frozen=True)
class FittedLinear:
    """A fitted linear model, its weights, and the steps before it in a pipeline."""

    model: Any
    before: Any
    """Turns what the caller passes into the model's features; None without a pipeline."""
    coef: Array
    intercept: Array
    classes: NDArray[Any]

    @classmethod
    def of(cls, model: Any) -> "FittedLinear":
        """The last step of a pipeline, or the model itself."""
        from sklearn.utils.validation import check_is_fitted

        steps = getattr(model, "steps", None)
        before = model[:-1] if steps and len(steps) > 1 else None
        last = model[-1] if steps else model
        if hasattr(last, "fit"):
            check_is_fitted(last)
        if not all(hasattr(last, name) for name in ("coef_", "intercept_", "classes_")):
            raise TypeError(
                "model must be a fitted linear classifier, with coef_, intercept_ and classes_, "
                f"or a pipeline that ends in one, got {type(last).__name__}."
            )
        check_scores_by_weights(last)
        coef = last.coef_.toarray() if sparse.issparse(last.coef_) else np.asarray(last.coef_)
        classes = np.asarray(last.classes_)
        rows = 1 if len(classes) == 2 else len(classes)
        if coef.shape != (rows, coef.shape[-1]):
            count = f"{len(classes)} classes (one for two classes)"
            raise InputError(
                Name("model"),
                must=f"have a row of coef_ for each of its {count}",
                got=f"coef_ of shape {coef.shape}",
            )
        return cls(last, before, coef, np.broadcast_to(last.intercept_, rows), classes)

    def names(self, given: Any = None) -> list[str]:
        """A name for each feature: given, or as the pipeline or the model knows them, or x0, x1."""
        width = self.coef.shape[1]
        if given is not None:
            try:
                named = given.get_feature_names_out() if hasattr(given, "transform") else given
                names = [str(name) for name in named]
            except TypeError as error:
                raise TypeError(
                    "feature_names must be a list of names or a fitted transformer, got "
                    f"{type(given).__name__}."
                ) from error
            if len(names) != width:
                much = f"The model has {width} features but {len(names)} "
                raise InputError(much, Name("feature_names"))
            return names
        try:
            known = self.before.get_feature_names_out()
        except AttributeError:  # no pipeline, or a step of it that cannot tell, such as hashing
            known = getattr(self.model, "feature_names_in_", [f"x{k}" for k in range(width)])
        return [str(name) for name in known]

    def table(self, X: Any) -> Any:
        """X as the model sees it."""
        return X if self.before is None else self.before.transform(X)

    def row(self, x: Any, names: list[str]) -> Any:
        """A table of one row, as the model sees it, of a row, a dict or a text."""
        refuse_masked(x, Name("x"))
        if self.before is None and isinstance(x, Mapping):
            x = np.array([[x.get(name, 0.0) for name in names]])
        elif isinstance(x, (str, Mapping)):
            x = [x]
        elif len(np.shape(x)) == 1 and not (self.before and len(x) == 1):
            x = np.asarray(x)[np.newaxis]
        row = self.table(x)
        if len(np.shape(row)) != 2 or np.shape(row)[0] != 1:
            raise InputError(Name("x"), must="be one row", got=f"shape {np.shape(row)}")
        return row

    def scores(self, row: Any) -> Array:
        """What decision_function says of one row: one score for two classes, else one each."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            scores: Array = np.ravel(self.model.decision_function(row))
        return scores

    def dense(self, row: Any) -> Array:
        """The values of one row that the weights meet, after its score has shown it to be sound."""
        table = row.toarray() if sparse.issparse(row) else row
        return as_learned(self.model, np.asarray(table, dtype=np.float64))[0]
