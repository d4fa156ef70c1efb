"""Model files: save and load, so that a loaded model predicts and learns on exactly."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

import rosenblatt
from rosenblatt.inputs.errors import InputError
from rosenblatt.inputs.parts import (
    STRANGE,
    Arrays,
    Facts,
    Part,
    Parts,
    Unfitted,
    from_json,
    require,
    to_json,
    within,
)
from rosenblatt.persistence.container import PACKED, ModelFileError, seal, unseal
from rosenblatt.persistence.scalers import SCALERS, restore_scaler, scaler_parts
from rosenblatt.readers.atomic_write import write_whole
from rosenblatt.readers.settings import data_settings

__all__ = ["ModelFileError", "load", "read_notes", "save"]

FORMAT = 1
REGRESSORS = {"PassiveAggressiveRegressor"}
MODELS = REGRESSORS | {
    *("AROW", "AveragedPerceptron", "KernelPerceptron", "PassiveAggressiveClassifier"),
    *("Perceptron", "VotedPerceptron", "Winnow"),
}
LINEAR = sorted(MODELS - {"KernelPerceptron", "VotedPerceptron"})
"""Those that score by one vector of weights for each class."""
TRANSFORMERS = {"FeatureCombinations", "NamedVectorizer", "TableVectorizer", "TextVectorizer"}
LATER = {
    "covariance": "diagonal",
    "half_life": None,
    "probabilities": False,
    "input": "content",
    "encoding": "utf-8",
    "decode_error": "strict",
    "strip_accents": None,
    "preprocessor": None,
    "tokenizer": None,
    "vocabulary": None,
    "token_pattern": r"(?u)\b\w\w+\b",
}
"""Parameters that the first files did not have: written only where they differ from these."""

OF_THE_CALLER = {"n_jobs", "verbose"}
"""Parameters that are the choice of who loads a model, and are left as if they were not given."""

ESTIMATORS = MODELS | TRANSFORMERS
"""Those that a file may name: nothing else is ever imported for a file.

Each says in ``_parts()`` what a file is to hold of it, and takes that back in ``_restore(parts)``.
"""

BEFORE = {*TRANSFORMERS, *SCALERS}
"""What may stand before the last step of a pipeline."""


@dataclass
class Step:
    """An estimator as a file describes it."""

    name: str | None
    """In its pipeline; None if it stands alone."""
    estimator: str
    parameters: dict[str, Any]
    parts: Parts


def save(model: Any, path: str | os.PathLike[str], notes: dict[str, Any] | None = None) -> None:
    """Write a fitted model to a file, by custom ``*.rbt``.

    The file holds all that is needed to predict and to go on learning exactly. Until it is
    complete and on the disk, a file that was there before stays as it is. The same training gives
    the same bytes, so the seconds that passes took are not kept.

    Parameters
    ----------
    model : estimator or Pipeline
        Fitted, and one of rosenblatt's own classes, or a scikit-learn pipeline of them, in which
        StandardScaler, MinMaxScaler, MaxAbsScaler and Normalizer may stand before a model too.

    path : str or path-like
        Where to. The format is safetensors, which other programs can read too.

    notes : dict, optional
        Whatever else is to be known of the model, as JSON can say it; see `read_notes`. A dict
        called "data" is what `Data.settings` gives.

    Examples
    --------
    >>> import os, tempfile
    >>> from rosenblatt import Perceptron, load, save
    >>> model = Perceptron(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, os.path.join(folder, "mail.rbt"))
    ...     same = load(os.path.join(folder, "mail.rbt"))
    >>> same
    Perceptron(random_state=0)
    >>> same.predict([[0.9, 0.2]])
    array(['spam'], dtype='<U4')
    """
    write_whole(os.fspath(path), seal(*contents_of(model, notes)))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that save wrote, and nothing else: a file changed in any byte is refused.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    model : estimator or Pipeline
        As it was when saved, but for ``n_jobs`` and ``verbose``, which are for who loads it to set.

    Raises
    ------
    ModelFileError
        If the file is not a model file, is damaged, or is of a newer format.
    """
    path = os.fspath(path)
    steps, _ = open_file(path)
    with said_of(path):
        estimators = [built(step) for step in steps]
        if steps[0].name is None:
            return estimators[0]
        from sklearn.pipeline import Pipeline

        names = [step.name for step in steps]
        return Pipeline(list(zip(names, estimators, strict=True)))


def read_notes(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the notes that were saved with a model, without building it.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    notes : dict
        Empty if there are none.
    """
    return open_file(os.fspath(path))[1]


def contents_of(model: Any, notes: dict[str, Any] | None) -> tuple[Facts, Arrays]:
    """What a file is to hold of a fitted model."""
    facts: Facts = {"format": FORMAT, "notes": sound_notes(notes), "steps": []}
    arrays: Arrays = {}
    for number, (name, estimator) in enumerate(_steps_of(model)):
        described, parts = _described(estimator)
        facts["steps"].append(described | {"name": name})
        arrays |= {f"{number}.{key}": array for key, array in parts.arrays.items()}
    return facts, arrays


def open_file(path: str) -> tuple[list[Step], dict[str, Any]]:
    """The estimators that a file describes, none of them built, and the notes."""
    facts, arrays = unseal(path)
    form = facts.get("format")
    if type(form) is not int or form > PACKED:
        raise ModelFileError(
            f"{path} has format {form!r} and this version of rosenblatt reads formats up to "
            f"{PACKED}: install a newer one."
        )
    with said_of(path):
        notes = facts["notes"]
        require(isinstance(notes, dict), "its notes are none")
        data_settings(notes)  # refuses what no file may tell
        steps = [
            Step(
                step.pop("name"),
                step.pop("estimator"),
                {key: from_json(value) for key, value in step.pop("parameters").items()},
                Parts(step, within(str(number), arrays)),
            )
            for number, step in enumerate(facts["steps"])
        ]
        *before, last = [step.estimator for step in steps]
        names = [step.name for step in steps]
        require(
            all(name in BEFORE for name in before) and last in ESTIMATORS,
            "it names an estimator that is not known",
        )
        require(
            names == [None] or all(type(name) is str for name in names),
            "the steps of its pipeline have no names",
        )
        count = sum(len(step.parts.arrays) for step in steps)
        require(count == len(arrays), "it has arrays that belong to nothing")
    return steps, notes


@contextmanager
def said_of(path: str) -> Iterator[None]:
    """Whatever is wrong with what a file describes, said of the file in a sentence."""
    try:
        yield
    except STRANGE as error:
        ours = isinstance(error, InputError)  # or else NumPy's
        what = error if ours else "something is missing or out of place."
        raise ModelFileError(f"{path} does not describe a model: {what}") from error
    except MemoryError as error:
        raise ModelFileError(f"{path} describes a model that no memory here can hold.") from error


def sound_notes(notes: Any) -> dict[str, Any]:
    try:
        if notes is not None and json.loads(json.dumps(notes, allow_nan=False)) != notes:
            raise ValueError("what JSON makes of it is not the same")
        sound = dict(notes or {})
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"notes must be a dict of what JSON can hold, with strings as keys: {error}."
        ) from error
    data_settings(sound)  # refuses what no file may tell
    return sound


def _class_of(name: str) -> Any:
    if name in SCALERS:
        import sklearn.preprocessing

        return getattr(sklearn.preprocessing, name)
    assert name in ESTIMATORS
    return getattr(rosenblatt, name)


def _steps_of(model: Any) -> list[tuple[str | None, Any]]:
    """The steps of a pipeline with their names, or the model alone."""
    kind = type(model)
    steps: list[tuple[str | None, Any]] = [(None, model)]
    if (kind.__module__, kind.__name__) == ("sklearn.pipeline", "Pipeline"):
        steps = model.steps
        if model.memory is not None:
            raise ValueError(
                f"A pipeline with memory={model.memory!r} cannot be saved: set memory=None first."
            )
    for place, (_, estimator) in enumerate(steps):
        allowed = {*ESTIMATORS} if place == len(steps) - 1 else BEFORE
        name = type(estimator).__name__
        if name not in allowed or type(estimator) is not _class_of(name):
            given = repr(estimator) if isinstance(estimator, str) else name
            raise TypeError(
                "save takes rosenblatt's own models, alone or in a pipeline behind its own "
                f"transformers and {', '.join(SCALERS)}, got {given}: pickle others."
            )
    return steps


def _described(estimator: Any) -> tuple[Facts, Parts]:
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    parts = Parts.of(_parts_of(estimator))
    parameters = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name not in LATER or (value is not LATER[name] and value != LATER[name])
    }
    if not isinstance(parameters.get("random_state"), int | np.integer | None):
        parameters["random_state"] = estimator._state.run.seed
    written = {
        key: to_json(_unfitted(value), f"{key}={value!r}") for key, value in parameters.items()
    }
    return {"estimator": type(estimator).__name__, "parameters": written} | parts.facts, parts


def _parts_of(estimator: Any) -> Mapping[str, Part | None]:
    own = type(estimator).__name__ not in SCALERS
    return estimator._parts() if own else scaler_parts(estimator)


def _unfitted(value: Any) -> Any:
    """An estimator among parameters by its name, anything else as it is."""
    name = type(value).__name__
    if name in TRANSFORMERS and type(value) is _class_of(name):
        return Unfitted(name, value.get_params(deep=False))
    return value


def _new(estimator: str, parameters: dict[str, Any]) -> Any:
    """An estimator of the list, before it is fitted."""
    require(
        estimator in ESTIMATORS or estimator in SCALERS, "it names an estimator that is not known"
    )
    made = {
        key: _new(*value) if isinstance(value, Unfitted) else value
        for key, value in parameters.items()
        if key not in OF_THE_CALLER
    }
    return _class_of(estimator)(**made)


def built(step: Step) -> Any:
    """The estimator that a step describes."""
    estimator = _new(step.estimator, step.parameters)
    if step.estimator in SCALERS:
        restore_scaler(estimator, step.parts)
    else:
        estimator._restore(step.parts)
    step.parts.require_no_others(*_parts_of(estimator))
    return estimator
