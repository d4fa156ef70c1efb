"""A model with the methods that fastText's has, and the lines of its files."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.inputs.errors import InputTypeError, Name, Parameter, Thing, wording
from rosenblatt.inputs.parameters import is_integer, is_real, wrong
from rosenblatt.inputs.parts import has_shape
from rosenblatt.persistence.row_sources import Vectorized
from rosenblatt.readers.lines import TextLines

MARK = "__label__"
NO_VECTORS = "words have no vectors here"
ABSENT = {
    **dict.fromkeys(
        (
            *("get_word_vector", "get_sentence_vector", "get_input_vector", "get_input_matrix"),
            *("get_output_matrix", "get_nearest_neighbors", "get_analogies", "get_dimension"),
            *("set_matrices", "train_unsupervised", "cbow", "skipgram"),
        ),
        NO_VECTORS,
    ),
    "get_subwords": "words have no subwords here",
    "get_subword_id": "words have no subwords here",
    "get_word_id": "the number of a word is its place in words",
    "get_label_id": "the number of a label is its place in labels",
    "get_line": "str.split cuts a line as predict does",
    "get_meter": "test_label tells the precision and recall of each label",
    "quantize": "rosenblatt.shrink makes a smaller file of a model",
    "supervised": "its name is train_supervised",
    "tokenize": "str.split cuts a line as predict does",
    "FastText": "the class of its models is Model",
}
"""What fastText has, and why it is not here."""
TOGETHER = 1_000
"""Lines of a file that are predicted together."""

Prediction = tuple[tuple[str, ...], NDArray[np.float64]]


class Model:
    """A supervised model, with the methods that fastText's has.

    Parameters
    ----------
    pipeline : Pipeline
        A TextVectorizer and a learner, fitted: scikit-learn's way to the same model.
    frequencies : dict of str to int
        How many lines had each label, the most frequent first.
    label : str, default="__label__"
        How labels begin.
    """

    def __init__(self, pipeline: Any, frequencies: dict[str, int], label: str = MARK) -> None:
        self.pipeline = pipeline
        self._frequencies = frequencies
        self._label = label
        self._rows = Vectorized(pipeline[0].words_)
        self._marked = [label + str(each) for each in pipeline.classes_.tolist()]

    @property
    def labels(self) -> list[str]:
        """The most frequent first."""
        return [self._label + each for each in self._frequencies]

    @property
    def words(self) -> list[str]:
        """The one that stands on most lines first; runs of words are none."""
        return [*self._words]

    @cached_property
    def _words(self) -> dict[str, int]:
        """On how many lines each stands."""
        counts = zip(
            self.pipeline[0].get_feature_names_out().tolist(),
            self.pipeline[0].document_counts_.tolist(),
            strict=True,
        )
        single = [(word, count) for word, count in counts if " " not in word]
        return dict(sorted(single, key=lambda one: -one[1]))

    def get_labels(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """The labels; if asked for, an array of how many lines had each, too."""
        counts = np.array([*self._frequencies.values()], np.int64)
        return (self.labels, counts) if include_freq else self.labels

    def get_words(self, include_freq: bool = False, on_unicode_error: str = "strict") -> Any:
        """The words; if asked for, an array of how many lines each stands on, too."""
        counts = np.array([*self._words.values()], np.int64)
        return (self.words, counts) if include_freq else self.words

    def is_quantized(self) -> bool:
        return False

    def __contains__(self, word: str) -> bool:
        return word in self._words

    def __getitem__(self, word: str) -> Any:
        raise TypeError(why_absent("The model", "get_word_vector"))

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
            (labels,), (probabilities,) = self._best([text], k, threshold)
            return tuple(labels), probabilities
        if isinstance(text, bytes) or not isinstance(text, Iterable):
            got = type(text).__name__
            raise InputTypeError(Name("text"), must="be a string or a list of strings", got=got)
        return self._best(list(text), k, threshold)

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
        """The labels of each line that are known, and those that are predicted.

        As there, lines without a label that is known do not count.
        """
        known = (
            ({self._label + label for label in labels if label in self._frequencies}, text)
            for _, labels, text in labelled(path, self._label)
        )
        counted = (line for line in known if line[0])
        while batch := list(islice(counted, TOGETHER)):
            labels, _ = self._best([text for _, text in batch], k, threshold)
            yield from ((truth, {*some}) for (truth, _), some in zip(batch, labels, strict=True))

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file of rosenblatt's own."""
        from rosenblatt.persistence.model_files import save

        frequencies = [[label, count] for label, count in self._frequencies.items()]
        notes: dict[str, Any] = {"fasttext": frequencies, "data": {"format": "text"}}
        if self._label != MARK:
            notes["fasttext_label"] = self._label
        save(self.pipeline, path, notes=notes)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(why_absent(f"{type(self).__name__!r} object", name))

    def _best(
        self, lines: list[str], k: int, threshold: float
    ) -> tuple[list[list[str]], list[NDArray[np.float64]]]:
        if not is_integer(k) or not (k == -1 or k >= 1):
            raise wrong("k", k, "be a whole number of at least 1, or -1 for all")
        if not is_real(threshold):
            raise wrong("threshold", threshold, "be a number")
        other = next((place for place, line in enumerate(lines) if not isinstance(line, str)), None)
        if other is not None:
            got = repr(lines[other])
            raise InputTypeError(f"Line {other} of the text", must="be a string", got=got)
        if any("\n" in line for line in lines):
            raise ValueError("predict processes one line at a time (remove '\\n')")
        labels, numbers = [], []
        each = self._probabilities(lines)
        for row, order in zip(each, np.argsort(-each, axis=1, kind="stable"), strict=True):
            best = [place for place in order[: None if k == -1 else k] if row[place] >= threshold]
            labels.append([self._marked[place] for place in best])
            numbers.append(row[best])
        return labels, numbers

    def _probabilities(self, lines: list[str]) -> NDArray[np.float64]:
        """What ``pipeline.predict_proba`` gives, without scikit-learn on the way."""
        from rosenblatt.models.probabilities import known_calibration

        if not lines:
            return np.zeros((0, 1))
        learner = self.pipeline[-1]
        scores = learner._scorer(learner._learned).scores(self._rows.matrix(lines))
        return known_calibration(learner).probabilities(scores, len(self._marked))


def why_absent(whose: str, name: str) -> str:
    if name in ABSENT:
        return f"{whose} has no {name}: {ABSENT[name]}."
    return f"{whose} has no attribute {name!r}"


def are_frequencies(frequencies: Any, pipeline: Any) -> bool:
    """Whether a file tells how many lines had each label of a model such as train_supervised's."""
    steps = [type(step).__name__ for step in getattr(pipeline, "named_steps", {}).values()]
    return (
        has_shape(frequencies, [(str, int)])
        and steps == ["TextVectorizer", "PassiveAggressiveClassifier"]
        and hasattr(pipeline, "predict_proba")
        and sorted(label for label, _ in frequencies)
        == sorted(map(str, pipeline.classes_.tolist()))
    )


def labelled(path: str | os.PathLike[str], mark: str) -> Iterator[tuple[int, list[str], str]]:
    """The lines of a file that have a label: their numbers, their labels, each once, and texts."""
    labels = re.compile(rf"(?<!\S){re.escape(mark)}\S*")
    with wording(by=front):
        for batch in TextLines(path, style="plain").batches():
            for number, line in zip(batch.lines.tolist(), batch.examples, strict=True):
                if found := labels.findall(line):
                    own = dict.fromkeys(label.removeprefix(mark) for label in found)
                    yield number, [*own], labels.sub("", line)


def front(thing: Thing) -> Thing | str:
    """What to say here about lines and parameters."""
    if not isinstance(thing, Name | Parameter):
        return thing
    words = {"encoding": "iconv -t utf-8 -f NAME", "rejects": "rosenblatt train --rejects FILE"}
    if thing.name == "random_state":
        return Parameter("seed", thing.value) if isinstance(thing, Parameter) else Name("seed")
    return words.get(thing.name, thing)
