"""The ways to learn among which a search goes: features and learners, by their settings."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "pa": ("PassiveAggressiveClassifier", {"average": True}),
    "averaged": ("AveragedPerceptron", {}),
    "perceptron": ("Perceptron", {}),
    "arow": ("AROW", {}),
    "winnow": ("Winnow", {"balanced": True, "binarize": None}),
    "voted": ("VotedPerceptron", {}),
}
"""What each is called for short, in the package, and with which parameters."""

WORDS = {"use_idf": True, "sublinear_tf": True, "norm": "l2"}
"""How words are weighed unless a learner needs them as they are."""

WEIGHTINGS: dict[str, dict[str, Any]] = {
    "tf-idf": WORDS,
    "binary idf": {"use_idf": True, "binary": True, "norm": "l2"},
    "counts": {"sublinear_tf": True, "norm": "l2"},
    "binary": {"binary": True, "norm": "l2"},
    "plain tf-idf": {"use_idf": True, "norm": "l2"},
    "binary, unscaled": {"binary": True},
}
"""How words are weighed: by idf or not, with logarithms of counts, presence, or counts."""

RUNS = (
    ("word", (1, 2)),
    ("word", (1, 1)),
    ("word", (1, 3)),
    ("char_wb", (1, 4)),
    ("char_wb", (2, 4)),
    ("char_wb", (3, 5)),
    ("char", (2, 6)),
)
"""Words or characters, and how many of them make a feature."""

Setting = tuple[tuple[str, Any], ...]
"""The parameters of a learner and their values."""

TUNED: tuple[tuple[str, Setting], ...] = (
    ("pa", (("C", 1.0),)),
    ("arow", (("r", 1.0),)),
    ("pa", (("C", 0.1),)),
    ("pa", (("C", 0.01),)),
    ("arow", (("r", 0.1),)),
    ("arow", (("r", 10.0),)),
    ("pa", (("C", 1.0), ("variant", "PA-II"))),
    ("pa", (("C", 0.1), ("variant", "PA-II"))),
    ("averaged", ()),
)
"""The learners, of all that there are, that are worth a search."""


def setting_text(name: str, setting: Mapping[str, Any]) -> str:
    """A learner and its parameters, in words."""
    said = [v if isinstance(v, str) else f"{key}={v:g}" for key, v in setting.items()]
    return ", ".join([name, *said])


@dataclass(frozen=True)
class Configuration:
    """One way to learn: a learner with its setting, and the features it learns from."""

    learner: tuple[str, Setting] = TUNED[0]
    run: tuple[str, tuple[int, int]] | None = None
    """Words or characters, and how many make a feature; None where there is no text."""
    lowercase: bool | None = None
    weighting: str | None = None
    pairs: bool = False
    """Whether products of two features are features of their own."""

    @property
    def name(self) -> str:
        """Of the learner."""
        return self.learner[0]

    @property
    def setting(self) -> dict[str, Any]:
        """Of the learner."""
        return dict(self.learner[1])

    @property
    def of_text(self) -> dict[str, Any]:
        """The parameters of a `TextVectorizer`."""
        if self.run is None or self.weighting is None:
            return {}
        analyzer, ngram_range = self.run
        cut = {"analyzer": analyzer, "ngram_range": ngram_range, "lowercase": self.lowercase}
        return cut | WEIGHTINGS[self.weighting]

    @property
    def features(self) -> str:
        """What it learns from, in words."""
        said = []
        if self.run is not None:
            analyzer, (first, last) = self.run
            kind = "words" if analyzer == "word" else analyzer
            said.append(f"{kind} {first}-{last}" if last > 1 else kind)
            said += [] if self.lowercase else ["case kept"]
            said.append(str(self.weighting))
        return ", ".join(said + ["pairs of features"] * self.pairs) or "as they are"

    def facts(self) -> dict[str, Any]:
        """All of it, for programs."""
        facts: dict[str, Any] = {"learner": self.name, **self.setting}
        if self.run is not None:
            facts |= {"analyzer": self.run[0], "ngram_range": list(self.run[1])}
            facts |= {"lowercase": self.lowercase, "weighting": self.weighting}
        return facts | ({"pairs": True} if self.pairs else {})

    def __str__(self) -> str:
        return f"{setting_text(self.name, self.setting)}; {self.features}"

    def model(self, shared: Mapping[str, Any]) -> Any:
        """The learner, not yet fitted, with parameters that all ways share."""
        import rosenblatt

        estimator, parameters = LEARNERS[self.name]
        return getattr(rosenblatt, estimator)(**parameters | dict(shared) | self.setting)


@dataclass(frozen=True)
class Space:
    """All ways that may be taken: each of the values that a way may have of each kind."""

    learner: tuple[tuple[str, Setting], ...] = TUNED
    run: tuple[tuple[str, tuple[int, int]] | None, ...] = (None,)
    lowercase: tuple[bool | None, ...] = (None,)
    weighting: tuple[str | None, ...] = (None,)
    pairs: tuple[bool, ...] = (False,)

    @classmethod
    def of(cls, *, text: bool, pairs: bool) -> "Space":
        """That of texts, or of other features, whose pairs are features of their own or not."""
        if not text:
            return cls(pairs=(False, True) if pairs else (False,))
        return cls(run=RUNS, lowercase=(True, False), weighting=tuple(WEIGHTINGS))

    def only(self, **said: Any) -> "Space":
        """The ways that have, of some kinds, one of these values alone."""
        return replace(self, **said)

    def ways(self) -> list[Configuration]:
        """All of them."""
        kinds = [getattr(self, field.name) for field in fields(self)]
        return [Configuration(*values) for values in product(*kinds)]

    def first(self) -> list[Configuration]:
        """Those to begin with: each learner of the default, then each run of words."""
        plain = Configuration(self.learner[0], self.run[0], self.lowercase[0], self.weighting[0])
        learners = [replace(plain, learner=learner) for learner in self.learner[:4]]
        surest = replace(plain, learner=self.learner[min(1, len(self.learner) - 1)])
        runs = [replace(surest, run=run) for run in self.run[1:]]
        pairs = [replace(plain, learner=one, pairs=True) for one in self.learner[:2]]
        return list(dict.fromkeys(learners + runs + pairs * (len(self.pairs) > 1)))

    def beside(self, way: Configuration) -> list[Configuration]:
        """Those that differ from one in a single value."""
        return [
            replace(way, **{field.name: value})
            for field in fields(self)
            for value in getattr(self, field.name)
            if value != getattr(way, field.name)
        ]
