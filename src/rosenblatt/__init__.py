"""rosenblatt: the perceptron family for Python.

Every name below is imported on first use, so that a program that only predicts from a model
file need not wait for scikit-learn.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.arow import AROW
    from rosenblatt.passive_aggressive import PassiveAggressiveClassifier
    from rosenblatt.perceptron import AveragedPerceptron, Perceptron
    from rosenblatt.text import TextVectorizer
    from rosenblatt.winnow import Winnow

__version__ = "0.1.0"

_homes = {
    "AROW": "arow",
    "AveragedPerceptron": "perceptron",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "Perceptron": "perceptron",
    "TextVectorizer": "text",
    "Winnow": "winnow",
}

__all__ = [
    "AROW",
    "AveragedPerceptron",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "TextVectorizer",
    "Winnow",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _homes:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rosenblatt.{_homes[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
