"""Examples as each way to learn sees them, made once for all ways that see them alike."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from rosenblatt import core
from rosenblatt.features.combinations import FeatureCombinations
from rosenblatt.features.examples import Bags, Records
from rosenblatt.features.text import TextVectorizer
from rosenblatt.features.text_engine import Words
from rosenblatt.tuning.search_space import WEIGHTINGS, Configuration

MOST_BYTES = 1 << 29
"""Of rows that are kept for ways to come, beside those in use."""

MOST_PAIRS, MOST_PAIRS_IN_ALL = 200, 50_000_000
"""Pairs of features, in a row on average and in all rows, that are still worth a try."""

AS_COUNTED: dict[str, Any] = {
    "binary": False, "use_idf": False, "sublinear_tf": False, "norm": None
}  # fmt: skip


def takes_text(base: Any) -> bool:
    """Whether a vectorizer reads words."""
    if base is None:
        return False
    parameters = base.get_params(deep=False)
    return "analyzer" in parameters or "text" in (parameters.get("kinds") or {}).values()


def may_pair(examples: Any, base: Any) -> bool:
    """Whether examples have so few features each that pairs of them can be learned from, too."""
    if takes_text(base) or not (base is None or isinstance(examples, Bags | Records)):
        return False
    if isinstance(examples, Bags):
        count, filled = len(examples), len(examples.values)
    elif isinstance(examples, Records):
        count, filled = len(examples), len(examples) * len(examples.columns)
    else:
        count = examples.shape[0]
        filled = examples.nnz if sparse.issparse(examples) else examples.size
        if examples.shape[1] < 2:
            return False
    often = filled / max(1, count)
    pairs = often * (often - 1) / 2
    return bool(0 < pairs <= MOST_PAIRS and pairs * count <= MOST_PAIRS_IN_ALL)


def maker_of(base: Any, way: Configuration) -> Any:
    """What makes the features of a way, not yet fitted; None if they are made already."""
    maker = None if base is None else clone(base)
    if maker is not None and way.of_text:
        words = maker
        if "analyzer" not in maker.get_params(deep=False):
            words = TextVectorizer() if maker.text is None else maker.text
            maker.set_params(text=words)
        words.set_params(**way.of_text)
    if not way.pairs:
        return maker
    pairs = FeatureCombinations()
    return pairs if maker is None else Pipeline([("vectorizer", maker), ("pairs", pairs)])


def steps_of(maker: Any) -> list[tuple[str, Any]]:
    """The steps of a pipeline that makes features so, without the model."""
    if maker is None:
        return []
    return list(maker.steps) if isinstance(maker, Pipeline) else [("vectorizer", maker)]


@dataclass
class FeatureCache:
    """The rows of all examples of a search, by the features of each way.

    Words are cut and counted once, however the counts are then weighed.
    """

    examples: Any
    base: Any
    """A vectorizer, not fitted; None where examples are rows."""
    _kept: "OrderedDict[Configuration, Any]" = field(default_factory=OrderedDict, init=False)

    def of(self, way: Configuration) -> Any:
        """The rows that a way learns from."""
        plain = Configuration(
            run=way.run, lowercase=way.lowercase, weighting=way.weighting, pairs=way.pairs
        )
        if plain not in self._kept:
            self._keep(plain, self._made(plain))
        self._kept.move_to_end(plain)
        return self._kept[plain]

    def _made(self, way: Configuration) -> Any:
        if way.weighting is not None and "analyzer" in self.base.get_params(deep=False):
            return self._weighed(way)
        maker = maker_of(self.base, way)
        return self.examples if maker is None else maker.fit_transform(self.examples)

    def _weighed(self, way: Configuration) -> Any:
        """Rows of words, from their counts."""
        counted = replace(way, weighting=None)
        if counted not in self._kept:
            vectorizer = maker_of(self.base, way).set_params(**AS_COUNTED)
            X = vectorizer.fit_transform(self.examples)
            if vectorizer.n_hash_bits is not None:  # whose idf is known only if it was asked for
                return maker_of(self.base, way).fit_transform(self.examples)
            self._keep(counted, (X, vectorizer.words_))
        X, words = self._kept[counted]
        settings = replace(words.settings, **AS_COUNTED | WEIGHTINGS[str(way.weighting)])
        X = X.copy()
        if settings.binary:
            X.data[:] = 1.0
        weighing = settings.weighing(Words(settings, words.learned).idf)
        core.weigh(X.indptr.astype(np.int64), X.indices, X.data, weighing)
        return X

    def _keep(self, key: Configuration, rows: Any) -> None:
        """Keep them, and let go of those not used for longest where they are too many."""
        self._kept[key] = rows
        while len(self._kept) > 1 and sum(map(_bytes, self._kept.values())) > MOST_BYTES:
            self._kept.popitem(last=False)


def _bytes(kept: Any) -> int:
    X = kept[0] if isinstance(kept, tuple) else kept
    if sparse.issparse(X):
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)
    return int(getattr(X, "nbytes", 0))
