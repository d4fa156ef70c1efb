"""How ``train`` learns: which model, and which features."""

from dataclasses import dataclass
from typing import Any

from rosenblatt.readers.data import Data

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "pa": ("PassiveAggressiveClassifier", {"average": True}),
    "averaged": ("AveragedPerceptron", {}),
    "perceptron": ("Perceptron", {}),
    "arow": ("AROW", {}),
    "winnow": ("Winnow", {"balanced": True, "binarize": None}),
    "voted": ("VotedPerceptron", {}),
}
"""What each is called here, in the package, and with which parameters."""

WORDS = {"use_idf": True, "sublinear_tf": True, "norm": "l2"}
"""How words are weighed unless a learner needs them as they are."""

MARKS = {"binary": True}
"""How words are given to learners of 0/1 features."""


@dataclass(frozen=True)
class Plan:
    """How to learn: what the options of ``train`` say."""

    learner: str
    passes: int
    patience: int
    holdout: float
    seed: int
    aggressiveness: float | None
    binarize: float | None
    analyzer: str
    ngrams: tuple[int, int]
    hash_bits: int | None
    min_df: int
    jobs: int | None
    """Threads, one on each processor if not given."""
    stream: bool

    def model(self) -> Any:
        """The estimator, not yet fitted."""
        import rosenblatt

        name, parameters = LEARNERS[self.learner]
        if self.aggressiveness is not None:
            parameters = parameters | {"C": self.aggressiveness}
        if self.binarize is not None:
            parameters = parameters | {"binarize": self.binarize}
        if self.holdout > 0:
            parameters = parameters | {
                "early_stopping": True,
                "n_iter_no_change": self.patience,
            }
        return getattr(rosenblatt, name)(
            max_iter=self.passes, shuffle="blocks", random_state=self.seed, **parameters
        )

    def vectorizer(self, data: Data) -> Any:
        """What makes features of the examples, not yet fitted; None if they are features."""
        vectorizer = data.vectorizer()
        if vectorizer is None:
            return None
        parameters = vectorizer.get_params(deep=False)
        if "analyzer" in parameters:
            return vectorizer.set_params(**self._words())
        if "text" in parameters:  # of the columns of a table
            from rosenblatt.features.text import TextVectorizer

            vectorizer.set_params(text=TextVectorizer(**self._words()))
            if self.learner == "winnow":  # 0 and 1 are to stay what they are
                vectorizer.set_params(scale=None)
        return vectorizer

    def _words(self) -> dict[str, Any]:
        """How text is read."""
        return {
            "analyzer": self.analyzer,
            "ngram_range": self.ngrams,
            "n_hash_bits": self.hash_bits,
            "min_df": self.min_df,
            "n_jobs": self.jobs or -1,
        } | (MARKS if self.learner == "winnow" else WORDS)
