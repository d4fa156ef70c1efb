"""fastText's calls for supervised models, answered by a perceptron.

Change the import, and train anew: models of fastText itself are not read, and what is saved is a
model file of rosenblatt's own, which its other commands and `rosenblatt.load` read too::

    from rosenblatt.compat import fasttext

    model = fasttext.train_supervised(input="train.txt", epoch=5, wordNgrams=2)
    labels, probabilities = model.predict("a good film", k=2)

Words are runs of two or more letters, digits and underscores, with their capitals, where fastText
cuts at white space. The learner is an averaged passive-aggressive classifier, and a probability is
what its scores are worth on examples that it has not learned from.
"""

import os
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputError, Parameter, Thing, wording
from rosenblatt.inputs.parameters import check_choice, check_count, is_integer, is_share, wrong
from rosenblatt.readers.data import Batch, label_list
from rosenblatt.readers.lines import TextLines

MARK = "__label__"
IGNORED = {
    "lr": 0.1,
    "dim": 100,
    "ws": 5,
    "neg": 5,
    "bucket": 2_000_000,
    "lrUpdateRate": 100,
    "t": 1e-4,
    "thread": None,
    "verbose": 2,
    "minCountLabel": 0,
}
"""What is of a network, or only of how fast it learns, with fastText's defaults."""
REFUSED = {
    "pretrainedVectors": "",
    "minn": 0,
    "maxn": 0,
    "autotuneValidationFile": "",
    "autotuneMetric": "f1",
    "autotunePredictions": 1,
    "autotuneDuration": 300,
    "autotuneModelSize": "",
    "label": MARK,
}
"""What would change the model in a way that this one does not know."""
OLD_NAMES = {
    "lr_update_rate": "lrUpdateRate",
    "label_prefix": "label",
    "pretrained_vectors": "pretrainedVectors",
}
ONE_LABEL, SEVERAL_LABELS = ("softmax", "hs", "ns"), ("ova", "one-vs-all")
"""What a loss says of lines."""

Prediction = tuple[tuple[str, ...], NDArray[np.float64]]


def train_supervised(
    input: str | os.PathLike[str],  # noqa: A002
    *,
    epoch: int = 5,
    wordNgrams: int = 1,
    minCount: int = 1,
    loss: str = "softmax",
    seed: int = 0,
    **others: Any,
) -> "Model":
    """Learn from a file of lines, labels and a text each: ``__label__good A fine film``.

    Parameters
    ----------
    input : str or path-like

    epoch : int, default=5
        Passes over the lines.

    wordNgrams : int, default=1
        The most words that count together as one feature.

    minCount : int, default=1
        The least number of lines that a word or a run of words stands on.

    loss : str, default="softmax"
        With "ova" or "one-vs-all" a line may have several labels, and each its own probability;
        with "softmax", "hs" and "ns", which are all the same here, it has one.

    seed : int, default=0
        Of the order of the lines.

    **others
        ``lr``, ``dim`` and other parameters of fastText's network are ignored, and a warning says
        so; what would change the model otherwise is refused.

    Returns
    -------
    Model
    """
    from sklearn.pipeline import make_pipeline

    from rosenblatt.features.text import TextVectorizer
    from rosenblatt.models.passive_aggressive import PassiveAggressiveClassifier

    wordNgrams = others.pop("word_ngrams", wordNgrams)
    minCount = others.pop("min_count", minCount)
    for name, value in (("epoch", epoch), ("wordNgrams", wordNgrams), ("minCount", minCount)):
        check_count(name, value)
    check_choice("loss", loss, [*ONE_LABEL, *SEVERAL_LABELS])
    _look_over({OLD_NAMES.get(name, name): value for name, value in others.items()})
    with wording(by=_front):
        batch = _lines(input, several=loss in SEVERAL_LABELS).whole()
    if batch is None:
        raise InputError(f"{os.fspath(input)} is empty: it holds no example")
    vectorizer = TextVectorizer(lowercase=False, ngram_range=(1, wordNgrams), min_df=minCount)
    learner = PassiveAggressiveClassifier(
        average=True,
        unit_length=True,
        max_iter=epoch,
        shuffle="blocks",
        probabilities=True,
        random_state=seed,
    )
    pipeline = make_pipeline(vectorizer, learner)
    labels = batch.known_labels()
    frequencies = dict(Counter(chain.from_iterable(_each_labels(labels))).most_common())
    return Model(pipeline.fit(batch.examples, labels), frequencies)


def load_model(path: str | os.PathLike[str]) -> "Model":
    """A model that ``save_model`` wrote."""
    from rosenblatt.persistence.model_files import load, read_notes

    frequencies: Any = read_notes(path).get("fasttext")
    pipeline = load(path)
    if not _are_frequencies(frequencies, pipeline):
        remedy = "read it with rosenblatt.load"
        raise InputError(
            f"{os.fspath(path)} is a model, but not one of train_supervised", remedy=remedy
        )
    return Model(pipeline, dict(frequencies))


class Model:
    """A supervised model, with the methods that fastText's has.

    Parameters
    ----------
    pipeline : Pipeline
        A TextVectorizer and a learner, fitted: scikit-learn's way to the same model.
    frequencies : dict of str to int
        How many lines had each label, the most frequent first.
    """

    def __init__(self, pipeline: Any, frequencies: dict[str, int]) -> None:
        self.pipeline = pipeline
        self._frequencies = frequencies

    @property
    def labels(self) -> list[str]:
        """The most frequent first."""
        return [MARK + label for label in self._frequencies]

    @property
    def words(self) -> list[str]:
        """The one that stands on most lines first; runs of words are none."""
        return self._words()[0]

    def _words(self) -> tuple[list[str], NDArray[np.int64]]:
        names = self.pipeline[0].get_feature_names_out()
        single = np.flatnonzero([" " not in name for name in names.tolist()])
        counts = np.asarray(self.pipeline[0].document_counts_)[single]
        order = np.argsort(-counts, kind="stable")
        return names[single][order].tolist(), counts[order].astype(np.int64)

    def get_labels(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """The labels; if asked for, an array of how many lines had each, too."""
        counts = np.array([*self._frequencies.values()], np.int64)
        return (self.labels, counts) if include_freq else self.labels

    def get_words(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """The words; if asked for, an array of how many lines each stands on, too."""
        words, counts = self._words()
        return (words, counts) if include_freq else words

    def is_quantized(self) -> bool:
        return False

    def __contains__(self, word: str) -> bool:
        return word in self.words

    def predict(
        self,
        text: str | list[str],
        k: int = 1,
        threshold: float = 0.0,
        on_unicode_error: str = "strict",
    ) -> Any:
        """The most probable labels of a line, and their probabilities; of a list, a list of each.

        Parameters
        ----------
        text : str or list of str
            Lines, without the end of the line.

        k : int, default=1
            How many labels; -1 gives all.

        threshold : float, default=0.0
            Labels that are less probable are left out.

        on_unicode_error : str
            Ignored: strings are characters already.

        Returns
        -------
        labels, probabilities
            For a string a tuple and an array; for a list two lists of as many lists and arrays.
        """
        if isinstance(text, str):
            (labels,), (probabilities,) = self._predicted([text], k, threshold)
            return tuple(labels), probabilities
        return self._predicted(text, k, threshold)

    def test(
        self, path: str | os.PathLike[str], k: int = 1, threshold: float = 0.0
    ) -> tuple[int, float, float]:
        """The number of lines in a file, and the precision and recall of the best k labels."""
        lines = found = there = right = 0
        for truth, labels in self._tested(path, k, threshold):
            lines += 1
            found += len(labels)
            there += len(truth)
            right += len(truth & labels)
        return lines, right / found if found else np.nan, right / there if there else np.nan

    def test_label(
        self, path: str | os.PathLike[str], k: int = 1, threshold: float = 0.0
    ) -> dict[str, dict[str, float]]:
        """Precision, recall and F1 of each label, by the best k labels of each line in a file."""
        found: Counter[str] = Counter()
        there: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for truth, labels in self._tested(path, k, threshold):
            found.update(labels)
            there.update(truth)
            right.update(truth & labels)
        return {
            label: {
                "precision": right[label] / found[label] if found[label] else np.nan,
                "recall": right[label] / there[label] if there[label] else np.nan,
                "f1score": 2 * right[label] / (found[label] + there[label])
                if found[label] + there[label]
                else np.nan,
            }
            for label in self.labels
        }

    def _tested(
        self, path: str | os.PathLike[str], k: int, threshold: float
    ) -> Iterator[tuple[set[str], set[str]]]:
        """The labels of each line, and those that are predicted."""
        for batch in _lines(path, several=True).batches():
            labels, _ = self._best(batch, k, threshold)
            for truth, some in zip(_each_labels(batch.known_labels()), labels, strict=True):
                if truth:
                    yield {MARK + label for label in truth}, {*some}

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file of rosenblatt's own."""
        from rosenblatt.persistence.model_files import save

        frequencies = [[label, count] for label, count in self._frequencies.items()]
        save(self.pipeline, path, notes={"fasttext": frequencies, "data": {"format": "text"}})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("get_") or name == "quantize":
            why = "words have no vectors here, and files are small as they are"
            raise AttributeError(f"The model has no {name}: {why}.")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _predicted(
        self, lines: list[str], k: int, threshold: float
    ) -> tuple[list[list[str]], list[NDArray[np.float64]]]:
        if any("\n" in line for line in lines):
            raise ValueError("predict processes one line at a time (remove '\\n')")
        return self._best(lines, k, threshold)

    def _best(
        self, lines: list[str] | Batch, k: int, threshold: float
    ) -> tuple[list[list[str]], list[NDArray[np.float64]]]:
        if not is_integer(k) or not (k == -1 or k >= 1):
            raise wrong("k", k, "be a whole number of at least 1, or -1 for all")
        if not is_share(threshold):
            raise wrong("threshold", threshold, "lie between 0 and 1")
        examples = lines.examples if isinstance(lines, Batch) else lines
        each = self.pipeline.predict_proba(examples) if len(lines) else np.zeros((0, 1))
        marked = [MARK + str(label) for label in self.pipeline.classes_.tolist()]
        labels, numbers = [], []
        for row, order in zip(each, np.argsort(-each, axis=1, kind="stable"), strict=True):
            best = [place for place in order[: None if k == -1 else k] if row[place] >= threshold]
            labels.append([marked[place] for place in best])
            numbers.append(row[best])
        return labels, numbers


def _are_frequencies(frequencies: Any, pipeline: Any) -> bool:
    """Whether a file tells how many lines had each label of a model such as train_supervised's."""
    steps = [type(step).__name__ for step in getattr(pipeline, "named_steps", {}).values()]
    pairs = isinstance(frequencies, list) and all(
        isinstance(pair, list) and [type(part) for part in pair] == [str, int]
        for pair in frequencies
    )
    return (
        pairs
        and steps == ["TextVectorizer", "PassiveAggressiveClassifier"]
        and hasattr(pipeline, "predict_proba")
        and sorted(label for label, _ in frequencies)
        == sorted(map(str, pipeline.classes_.tolist()))
    )


def _lines(path: str | os.PathLike[str], *, several: bool) -> TextLines:
    return TextLines(path, style="fasttext", target="labels" if several else None)


def _front(thing: Thing) -> Thing | str:
    """What to say here about lines that cannot be read."""
    if isinstance(thing, Parameter):
        words = {"target": "loss='ova'", "rejects": "rosenblatt train --rejects FILE"}
        return words.get(thing.name, thing)
    return thing


def _each_labels(labels: Any) -> list[tuple[str, ...]]:
    """Those of each line, also where it has one."""
    return [one if isinstance(one, tuple) else (one,) for one in label_list(labels)]


def _look_over(others: dict[str, Any]) -> None:
    """Refuse what is not known, and say what is ignored."""
    for name, value in others.items():
        if name in REFUSED and value != REFUSED[name]:
            what = (Parameter(name, value), " is of what a linear model of words does not know")
            raise InputError(*what, remedy="leave it out")
        if name not in IGNORED and name not in REFUSED:
            raise TypeError(f"train_supervised() got an unexpected keyword argument {name!r}")
    ignored = [name for name, value in others.items() if name in IGNORED and value != IGNORED[name]]
    if ignored:
        message = f"{', '.join(ignored)} of fastText's network: ignored, as there is none here."
        warnings.warn(message, UserWarning, stacklevel=3)
