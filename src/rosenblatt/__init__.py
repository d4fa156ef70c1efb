"""rosenblatt: the perceptron family for Python.

Every name below is imported on first use, so that a program that only predicts from a model
file need not wait for scikit-learn.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.cluster.executors import ShardTrainer as ShardTrainer
    from rosenblatt.cluster.score_dataframe import score_dataframe as score_dataframe
    from rosenblatt.cluster.spark import SparkTrainer as SparkTrainer
    from rosenblatt.corpora.documents import keep as keep
    from rosenblatt.corpora.documents import score_documents as score_documents
    from rosenblatt.corpora.filtering import FilterProgress as FilterProgress
    from rosenblatt.corpora.filtering import filter_shards as filter_shards
    from rosenblatt.corpora.tallies import FilterSummary as FilterSummary
    from rosenblatt.explain.contributions import contributions as contributions
    from rosenblatt.explain.contributions import feature_weights as feature_weights
    from rosenblatt.explain.provenance import ExamplePull as ExamplePull
    from rosenblatt.explain.provenance import Pull as Pull
    from rosenblatt.explain.provenance import Pulls as Pulls
    from rosenblatt.explain.provenance import made_of as made_of
    from rosenblatt.explain.provenance import why as why
    from rosenblatt.explain.records import Contributions as Contributions
    from rosenblatt.explain.records import FeatureWeights as FeatureWeights
    from rosenblatt.explain.records import Push as Push
    from rosenblatt.explain.records import Weight as Weight
    from rosenblatt.features.combinations import FeatureCombinations as FeatureCombinations
    from rosenblatt.features.examples import Bags as Bags
    from rosenblatt.features.examples import Texts as Texts
    from rosenblatt.features.named import NamedVectorizer as NamedVectorizer
    from rosenblatt.features.table import TableVectorizer as TableVectorizer
    from rosenblatt.features.text import TextVectorizer as TextVectorizer
    from rosenblatt.inputs.errors import InputError as InputError
    from rosenblatt.inputs.errors import InputTypeError as InputTypeError
    from rosenblatt.models.arow import AROW as AROW
    from rosenblatt.models.kernel import KernelPerceptron as KernelPerceptron
    from rosenblatt.models.passive_aggressive import (
        PassiveAggressiveClassifier as PassiveAggressiveClassifier,
    )
    from rosenblatt.models.perceptron import AveragedPerceptron as AveragedPerceptron
    from rosenblatt.models.perceptron import Perceptron as Perceptron
    from rosenblatt.models.regression import (
        PassiveAggressiveRegressor as PassiveAggressiveRegressor,
    )
    from rosenblatt.models.voted import VotedPerceptron as VotedPerceptron
    from rosenblatt.models.winnow import Winnow as Winnow
    from rosenblatt.models.winnow import winnow_bound as winnow_bound
    from rosenblatt.persistence.model_files import ModelFileError as ModelFileError
    from rosenblatt.persistence.model_files import load as load
    from rosenblatt.persistence.model_files import read_notes as read_notes
    from rosenblatt.persistence.model_files import save as save
    from rosenblatt.persistence.onnx import export_onnx as export_onnx
    from rosenblatt.persistence.onnx_converter import (
        register_onnx_converters as register_onnx_converters,
    )
    from rosenblatt.persistence.predictor import Predictor as Predictor
    from rosenblatt.persistence.shrinking import Shrunk as Shrunk
    from rosenblatt.persistence.shrinking import shrink as shrink
    from rosenblatt.readers.cache import Cache as Cache
    from rosenblatt.readers.cache import cached as cached
    from rosenblatt.readers.cache_files import CacheError as CacheError
    from rosenblatt.readers.data import Batch as Batch
    from rosenblatt.readers.lines import TextLines as TextLines
    from rosenblatt.readers.opening import open_data as open_data
    from rosenblatt.readers.rejects import Reject as Reject
    from rosenblatt.readers.svmlight import read_svmlight as read_svmlight
    from rosenblatt.readers.svmlight import read_svmlights as read_svmlights
    from rosenblatt.readers.vw import VW as VW
    from rosenblatt.readers.writing import write_data as write_data
    from rosenblatt.readers.writing import write_svmlight as write_svmlight
    from rosenblatt.theory.bounds import mistake_bound as mistake_bound
    from rosenblatt.theory.bounds import share_of_bound as share_of_bound
    from rosenblatt.theory.margins import DataMargin as DataMargin
    from rosenblatt.theory.margins import data_margin as data_margin
    from rosenblatt.theory.margins import margin as margin
    from rosenblatt.theory.margins import radius as radius
    from rosenblatt.theory.separability import separability as separability
    from rosenblatt.theory.verdicts import Contradiction as Contradiction
    from rosenblatt.theory.verdicts import CountedContradiction as CountedContradiction
    from rosenblatt.theory.verdicts import EnclosedContradiction as EnclosedContradiction
    from rosenblatt.theory.verdicts import Separable as Separable
    from rosenblatt.theory.verdicts import Undecided as Undecided
    from rosenblatt.theory.verdicts import Verdict as Verdict
    from rosenblatt.training.bracket import Bracket as Bracket
    from rosenblatt.training.history import Pass as Pass
    from rosenblatt.tuning.tune import Tuned as Tuned
    from rosenblatt.tuning.tune import tune as tune

__version__ = "0.1.0"

_modules = {
    "cluster.executors": "ShardTrainer",
    "cluster.score_dataframe": "score_dataframe",
    "cluster.spark": "SparkTrainer",
    "corpora.documents": "keep score_documents",
    "corpora.filtering": "FilterProgress filter_shards",
    "corpora.tallies": "FilterSummary",
    "explain.contributions": "contributions feature_weights",
    "explain.provenance": "ExamplePull Pull Pulls made_of why",
    "explain.records": "Contributions FeatureWeights Push Weight",
    "features.combinations": "FeatureCombinations",
    "features.examples": "Bags Texts",
    "features.named": "NamedVectorizer",
    "features.table": "TableVectorizer",
    "features.text": "TextVectorizer",
    "inputs.errors": "InputError InputTypeError",
    "models.arow": "AROW",
    "models.kernel": "KernelPerceptron",
    "models.passive_aggressive": "PassiveAggressiveClassifier",
    "models.perceptron": "AveragedPerceptron Perceptron",
    "models.regression": "PassiveAggressiveRegressor",
    "models.voted": "VotedPerceptron",
    "models.winnow": "Winnow winnow_bound",
    "persistence.model_files": "ModelFileError load read_notes save",
    "persistence.onnx": "export_onnx",
    "persistence.onnx_converter": "register_onnx_converters",
    "persistence.predictor": "Predictor",
    "persistence.shrinking": "Shrunk shrink",
    "readers.cache": "Cache cached",
    "readers.cache_files": "CacheError",
    "readers.data": "Batch",
    "readers.lines": "TextLines",
    "readers.opening": "open_data",
    "readers.rejects": "Reject",
    "readers.svmlight": "read_svmlight read_svmlights",
    "readers.vw": "VW",
    "readers.writing": "write_data write_svmlight",
    "theory.bounds": "mistake_bound share_of_bound",
    "theory.margins": "DataMargin data_margin margin radius",
    "theory.separability": "separability",
    "theory.verdicts": "Contradiction CountedContradiction EnclosedContradiction Separable "
    "Undecided Verdict",
    "training.bracket": "Bracket",
    "training.history": "Pass",
    "tuning.tune": "Tuned tune",
}
"""The public names of each module."""

_in_pickles = {
    "core": "Ties",
    "corpora.samples": "Sample",
    "corpora.shards": "MalformedRow",
    "corpora.tallies": "Tally",
    "corpora.top_share": "Cut",
    "features.combination_columns": "CombinationColumns",
    "features.examples": "Records",
    "features.table_engine": "NumberColumn TableColumns",
    "features.text_engine": "WordSettings Words",
    "features.vocabularies": "GivenVocabulary GrowingVocabulary HashedColumns",
    "inputs.errors": "Blank Line Name Parameter Row",
    "inputs.labels": "CodedLabels",
    "inputs.names": "Names",
    "models.kernels": "Similarity",
    "models.supports": "Expansion KernelScorer",
    "persistence.row_sources": "Combined NumberRows Scaled Vectorized",
    "readers.encodings": "Encoding",
    "readers.folders": "Folder",
    "readers.parquet": "ParquetTable",
    "readers.rejects": "Walks",
    "readers.svmlight_batches": "Svmlight",
    "readers.tables": "Layout TextTable",
    "readers.targets": "Target",
    "training.calibration": "Calibration Recent",
    "training.mistakes": "Mistakes",
    "training.reliability": "Abstention Bin Reliability",
    "training.run": "Run",
    "training.scorer": "PresenceScorer Scorer VoteScorer",
    "training.state": "State",
    "training.storage": "Form WeightArrays Whole",
    "training.thresholds": "Sigmoids Thresholds",
    "training.weights": "Weights",
}
"""What pickles name besides, so that its modules may change."""

_homes, _hidden = (
    {name: module for module, names in modules.items() for name in names.split()}
    for modules in (_modules, _in_pickles)
)

__all__ = ["__version__", *sorted(_homes)]


def __getattr__(name: str) -> Any:
    home = _homes.get(name) or _hidden.get(name)
    if home is None:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rosenblatt.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
