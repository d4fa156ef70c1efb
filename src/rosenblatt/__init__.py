"""rosenblatt: the perceptron family for Python.

Every name below is imported on first use, so that a program that only predicts from a model
file need not wait for scikit-learn.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.arow import AROW
    from rosenblatt.files import ModelFileError, load, save
    from rosenblatt.passive_aggressive import PassiveAggressiveClassifier
    from rosenblatt.perceptron import AveragedPerceptron, Perceptron
    from rosenblatt.svmlight import read_svmlight
    from rosenblatt.winnow import Winnow

__version__ = "0.1.0"

_homes = {
    "AROW": "arow",
    "AveragedPerceptron": "perceptron",
    "ModelFileError": "files",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "Perceptron": "perceptron",
    "Winnow": "winnow",
    "load": "files",
    "read_svmlight": "svmlight",
    "save": "files",
}

__all__ = [
    "AROW",
    "AveragedPerceptron",
    "ModelFileError",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "Winnow",
    "__version__",
    "load",
    "read_svmlight",
    "save",
]


def __getattr__(name: str) -> Any:
    if name not in _homes:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rosenblatt.{_homes[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
