"""fastText's calls for supervised models, answered by a perceptron.

Change the import, and train anew: models of fastText itself are not read, and what is saved is a
model file of rosenblatt's own, which its other commands and `rosenblatt.load` read too::

    from rosenblatt.compat import fasttext

    model = fasttext.train_supervised(input="train.txt", epoch=5, wordNgrams=2)
    labels, probabilities = model.predict("a good film", k=2)

Words are all that stands between blanks, with their capitals, as there. The learner is an averaged
passive-aggressive classifier, and a probability is what its scores are worth on examples that it
has not learned from.
"""

import inspect
import os
import re
import warnings
from collections import Counter
from typing import Any

from rosenblatt.compat.fasttext_model import (
    MARK,
    Model,
    are_frequencies,
    front,
    labelled,
    why_absent,
)
from rosenblatt.inputs.errors import InputError, Line, Parameter, Words, wording
from rosenblatt.inputs.parameters import check_choice, check_count, wrong
from rosenblatt.inputs.parts import is_whole

IGNORED = (
    *("lr", "dim", "ws", "minCountLabel", "neg", "bucket", "thread", "lrUpdateRate", "t"),
    "verbose",
)
"""What is of a network, or only of how fast it learns."""
CHARACTERS: Words = (
    "count characters instead: TextVectorizer(",
    Parameter("analyzer", "char_wb"),
    "), or rosenblatt train --analyzer char_wb",
)
SEARCH = "search with rosenblatt.tune, or rosenblatt train --tune"
REFUSED: dict[str, Words] = {
    "minn": CHARACTERS,
    "maxn": CHARACTERS,
    "pretrainedVectors": "leave it out",
    "autotuneValidationFile": SEARCH,
    "autotuneMetric": SEARCH,
    "autotunePredictions": SEARCH,
    "autotuneDuration": SEARCH,
    "autotuneModelSize": SEARCH,
}
"""What would change the model in a way that this one does not know, and what to do instead."""
OLD_NAMES = {
    "min_count": "minCount",
    "word_ngrams": "wordNgrams",
    "lr_update_rate": "lrUpdateRate",
    "label_prefix": "label",
    "pretrained_vectors": "pretrainedVectors",
}
ONE_LABEL, SEVERAL_LABELS = ("softmax", "hs", "ns"), ("ova", "one-vs-all")
"""What a loss says of lines."""


def __getattr__(name: str) -> Any:
    raise AttributeError(why_absent(f"module {__name__!r}", name))


def train_supervised(
    input: str | os.PathLike[str],  # noqa: A002
    lr: float = 0.1,
    dim: int = 100,
    ws: int = 5,
    epoch: int = 5,
    minCount: int = 1,
    minCountLabel: int = 0,
    minn: int = 0,
    maxn: int = 0,
    neg: int = 5,
    wordNgrams: int = 1,
    loss: str = "softmax",
    bucket: int = 2_000_000,
    thread: int | None = None,
    lrUpdateRate: int = 100,
    t: float = 1e-4,
    label: str = MARK,
    verbose: int = 2,
    pretrainedVectors: str = "",
    seed: int = 0,
    autotuneValidationFile: str = "",
    autotuneMetric: str = "f1",
    autotunePredictions: int = 1,
    autotuneDuration: int = 300,
    autotuneModelSize: str = "",
    **old_names: Any,
) -> Model:
    """Learn from a file of lines, labels and a text each: ``__label__good A fine film``.

    Every word that begins with ``__label__`` is a label, wherever it stands; lines without one are
    skipped.

    Parameters
    ----------
    input : str or path-like

    epoch : int, default=5
        Passes over the lines.

    minCount : int, default=1
        The least number of lines that a word or a run of words stands on.

    wordNgrams : int, default=1
        The most words that count together as one feature.

    loss : str, default="softmax"
        With "ova" or "one-vs-all" a line may have several labels, and each its own probability;
        with "softmax", "hs" and "ns", which are all the same here, it has one.

    label : str, default="__label__"
        How labels begin.

    seed : int, default=0
        Of the order of the lines.

    minn, maxn, pretrainedVectors, and all that begin with autotune
        Refused, since they would change the model in ways that this one does not know.

    lr, dim, and all others
        Of fastText's network: ignored, and a warning says so.

    **old_names
        ``word_ngrams``, ``min_count``, ``lr_update_rate``, ``label_prefix`` and
        ``pretrained_vectors``, which are the same.

    Returns
    -------
    Model
    """
    said = {name: value for name, value in locals().items() if name != "old_names"}
    for name, value in old_names.items():
        if name not in OLD_NAMES:
            raise TypeError(f"train_supervised() got an unexpected keyword argument {name!r}")
        said[OLD_NAMES[name]] = value
    _look_over(said)
    mark, several = said["label"], said["loss"] in SEVERAL_LABELS
    lines = list(labelled(input, mark))
    if not lines:
        raise InputError(
            f"{os.fspath(input)} holds no line with a label",
            remedy=f"let each have one, as in {mark}good A fine film",
        )
    for number, labels, _ in lines:
        if len(labels) > 1 and not several:
            raise InputError(
                f"expected one label, got also {mark + labels[1]!r}",
                where=Line(number, file=os.fspath(input)),
                remedy="to learn all of them, say loss='ova'",
            )
    frequencies = Counter(label for _, labels, _ in lines for label in labels)
    answers = [tuple(labels) if several else labels[0] for _, labels, _ in lines]
    with wording(by=front):
        pipeline = _pipeline(said).fit([text for *_, text in lines], answers)
    return Model(pipeline, dict(frequencies.most_common()), mark)


def _pipeline(said: dict[str, Any]) -> Any:
    """What is to be fitted."""
    from sklearn.pipeline import make_pipeline

    from rosenblatt.features.text import TextVectorizer
    from rosenblatt.models.passive_aggressive import PassiveAggressiveClassifier

    vectorizer = TextVectorizer(
        token_pattern=r"\S+",
        lowercase=False,
        ngram_range=(1, said["wordNgrams"]),
        min_df=max(1, said["minCount"]),
    )
    learner = PassiveAggressiveClassifier(
        average=True,
        unit_length=True,
        max_iter=said["epoch"],
        shuffle="blocks",
        probabilities=True,
        random_state=said["seed"],
    )
    return make_pipeline(vectorizer, learner)


def load_model(path: str | os.PathLike[str]) -> Model:
    """A model that ``save_model`` wrote."""
    from rosenblatt.persistence.model_files import load, read_notes

    notes: Any = read_notes(path)
    frequencies, mark = notes.get("fasttext"), notes.get("fasttext_label", MARK)
    pipeline = load(path)
    if not are_frequencies(frequencies, pipeline) or not isinstance(mark, str):
        remedy = "read it with rosenblatt.load"
        raise InputError(
            f"{os.fspath(path)} is a model, but not one of train_supervised", remedy=remedy
        )
    return Model(pipeline, dict(frequencies), mark)


def _look_over(said: dict[str, Any]) -> None:
    """Refuse what is not known, and say what is ignored."""
    for name in ("epoch", "wordNgrams"):
        check_count(name, said[name])
    if not is_whole(said["minCount"]):
        raise wrong("minCount", said["minCount"], "be a whole number of at least 0")
    check_choice("loss", said["loss"], [*ONE_LABEL, *SEVERAL_LABELS])
    if not isinstance(said["label"], str) or not said["label"] or re.search(r"\s", said["label"]):
        raise wrong("label", said["label"], "be a string without blanks")
    known = inspect.signature(train_supervised).parameters
    others = [name for name in said if name != "input" and said[name] != known[name].default]
    for name in others:
        if name in REFUSED:
            what = (
                Parameter(name, said[name]),
                " is of what a linear model of words does not know",
            )
            raise InputError(*what, remedy=REFUSED[name])
    if ignored := [name for name in others if name in IGNORED]:
        message = f"{', '.join(ignored)} of fastText's network: ignored, as there is none here."
        warnings.warn(message, UserWarning, stacklevel=3)
