"""rosenblatt: the perceptron family for Python.

Every name below is imported on first use, so that a program that only predicts from a model
file need not wait for scikit-learn.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.arow import AROW
    from rosenblatt.bounds import mistake_bound, share_of_bound
    from rosenblatt.bracket import Bracket
    from rosenblatt.cache import Cache, cached
    from rosenblatt.cache_files import CacheError
    from rosenblatt.combinations import FeatureCombinations
    from rosenblatt.explain import contributions, feature_weights
    from rosenblatt.files import ModelFileError, load, read_notes, save
    from rosenblatt.formats.lines import TextLines
    from rosenblatt.formats.opening import open_data
    from rosenblatt.formats.svmlight import read_svmlight
    from rosenblatt.formats.vw import VW
    from rosenblatt.formats.writing import write_data, write_svmlight
    from rosenblatt.kernel import KernelPerceptron
    from rosenblatt.margins import DataMargin, data_margin, margin, radius
    from rosenblatt.mistakes import made_of, why
    from rosenblatt.named import NamedVectorizer
    from rosenblatt.onnx_export import export_onnx
    from rosenblatt.passive_aggressive import PassiveAggressiveClassifier
    from rosenblatt.perceptron import AveragedPerceptron, Perceptron
    from rosenblatt.predictor import Predictor
    from rosenblatt.separation import separability
    from rosenblatt.table import TableVectorizer
    from rosenblatt.text import TextVectorizer
    from rosenblatt.verdicts import Verdict
    from rosenblatt.voted import VotedPerceptron
    from rosenblatt.winnow import Winnow, winnow_bound

__version__ = "0.1.0"

_homes = {
    "AROW": "arow",
    "AveragedPerceptron": "perceptron",
    "Bracket": "bracket",
    "Cache": "cache",
    "CacheError": "cache_files",
    "DataMargin": "margins",
    "FeatureCombinations": "combinations",
    "KernelPerceptron": "kernel",
    "ModelFileError": "files",
    "NamedVectorizer": "named",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "Perceptron": "perceptron",
    "Predictor": "predictor",
    "TableVectorizer": "table",
    "TextLines": "formats.lines",
    "TextVectorizer": "text",
    "VW": "formats.vw",
    "Verdict": "verdicts",
    "VotedPerceptron": "voted",
    "Winnow": "winnow",
    "cached": "cache",
    "contributions": "explain",
    "data_margin": "margins",
    "export_onnx": "onnx_export",
    "feature_weights": "explain",
    "load": "files",
    "made_of": "mistakes",
    "margin": "margins",
    "mistake_bound": "bounds",
    "open_data": "formats.opening",
    "radius": "margins",
    "read_notes": "files",
    "read_svmlight": "formats.svmlight",
    "save": "files",
    "separability": "separation",
    "share_of_bound": "bounds",
    "why": "mistakes",
    "winnow_bound": "winnow",
    "write_data": "formats.writing",
    "write_svmlight": "formats.writing",
}

__all__ = [
    "AROW",
    "VW",
    "AveragedPerceptron",
    "Bracket",
    "Cache",
    "CacheError",
    "DataMargin",
    "FeatureCombinations",
    "KernelPerceptron",
    "ModelFileError",
    "NamedVectorizer",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "Predictor",
    "TableVectorizer",
    "TextLines",
    "TextVectorizer",
    "Verdict",
    "VotedPerceptron",
    "Winnow",
    "__version__",
    "cached",
    "contributions",
    "data_margin",
    "export_onnx",
    "feature_weights",
    "load",
    "made_of",
    "margin",
    "mistake_bound",
    "open_data",
    "radius",
    "read_notes",
    "read_svmlight",
    "save",
    "separability",
    "share_of_bound",
    "why",
    "winnow_bound",
    "write_data",
    "write_svmlight",
]


def __getattr__(name: str) -> Any:
    if name not in _homes:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rosenblatt.{_homes[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
