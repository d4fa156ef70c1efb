"""One side of equal_bits.py: learns, predicts and explains in many ways, and prints digests.

Each line is JSON: the name of a combination, and a digest of each thing that came of it.
"""

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, is_dataclass
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import make_pipeline
from text import documents

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    FeatureCombinations,
    KernelPerceptron,
    NamedVectorizer,
    PassiveAggressiveClassifier,
    Perceptron,
    Predictor,
    TableVectorizer,
    TextVectorizer,
    VotedPerceptron,
    Winnow,
    save,
)

Found = dict[str, Any]
Make = Callable[..., Any]

LINEAR: dict[str, Make] = {
    "Perceptron": Perceptron,
    "AveragedPerceptron": AveragedPerceptron,
    "VotedPerceptron": VotedPerceptron,
    "PA": partial(PassiveAggressiveClassifier, variant="PA"),
    "PA-I": partial(PassiveAggressiveClassifier, 0.1),
    "PA-II": partial(PassiveAggressiveClassifier, variant="PA-II"),
    "PA-I, averaged": partial(PassiveAggressiveClassifier, 0.1, average=True),
    "AROW": AROW,
    "AROW, averaged": partial(AROW, average=True),
    "Winnow": partial(Winnow, binarize=0.0),
    "Winnow, balanced": partial(Winnow, binarize=0.0, balanced=True),
    "Winnow, averaged": partial(Winnow, binarize=0.0, average=True),
}
KERNELS: dict[str, Make] = {
    "kernel, rbf": KernelPerceptron,
    "kernel, linear": partial(KernelPerceptron, kernel="linear"),
    "kernel, poly": partial(KernelPerceptron, kernel="poly", degree=2),
    "kernel, averaged": partial(KernelPerceptron, average=True),
    "kernel, voted": partial(KernelPerceptron, kernel="linear", vote=True),
    "kernel, budget": partial(KernelPerceptron, budget=20),
}
KERNEL_FORMS = ("float64, int32", "dense float32")

SETTINGS: dict[str, Found] = {
    "as it comes": {},
    "once": {"shuffle": "once"},
    "blocks": {"shuffle": "blocks"},
    "stored order": {"shuffle": False},
    "ties": {"ties": "predict"},
    "unit length": {"unit_length": True},
    "no intercept": {"fit_intercept": False},
    "balanced classes": {"class_weight": "balanced"},
    "early stopping": {"early_stopping": True, "max_iter": 8, "n_iter_no_change": 2},
    "recorded": {"record": True},
    "recorded, blocks, balanced": {"record": True, "shuffle": "blocks", "class_weight": "balanced"},
}
USUAL = ("as it comes", "blocks", "recorded")
"""Settings for data of every size."""

CLASSES = {"few": (2, 5, 20), "long": (2, 5, 20), "wide": (2, 5)}
"""How many there are in rows of each kind: wide models of many would take most of the time."""


# Data


def rows(kind: str, classes: int) -> tuple[Any, Any]:
    """Sparse rows and labels: a few of few columns, many of many, and few of very many."""
    count, columns, stored = {
        "few": (120, 15, 6),
        "long": (4_000, 20_000, 25),
        "wide": (300, 2**17, 12),
    }[kind]
    rng = np.random.default_rng(classes)
    used = min(columns, 5_000) if kind == "long" else min(columns, 200)
    known = np.sort(rng.choice(columns, used, replace=False))
    of_row = known[(used * rng.random((count, stored)) ** 2).astype(int)]
    values = rng.standard_normal(count * stored)
    indptr = np.arange(0, count * stored + 1, stored)
    X = sparse.csr_matrix((values, of_row.ravel(), indptr), shape=(count, columns))
    X.sum_duplicates()
    scores = X @ rng.standard_normal((columns, classes))
    y = scores.argmax(axis=1)
    y[: 2 * classes] = np.repeat(np.arange(classes), 2)  # also for a part held out
    noisy = rng.random(count) < 0.1
    y[noisy] = rng.integers(classes, size=noisy.sum())
    return X, y


def csr(value: Any, index: Any) -> Callable[[Any], Any]:
    def convert(X: Any) -> Any:
        parts = X.data.astype(value), X.indices.astype(index), X.indptr.astype(index)
        return sparse.csr_matrix(parts, shape=X.shape)

    return convert


FORMS: dict[str, Callable[[Any], Any]] = {
    "float64, int32": csr(np.float64, np.int32),
    "float32, int32": csr(np.float32, np.int32),
    "float64, int64": csr(np.float64, np.int64),
    "float32, int64": csr(np.float32, np.int64),
    "dense float64": lambda X: X.toarray(),
    "dense float32": lambda X: X.toarray().astype(np.float32),
    "ones": lambda X: (X != 0).astype(np.float64).tocsr(),
}


# What came of it


def digest(thing: Any) -> str:
    """Of all bits of a value."""
    if sparse.issparse(thing):
        thing = [thing.shape, thing.indptr, thing.indices, thing.data]
    if is_dataclass(thing) and not isinstance(thing, type):
        thing = asdict(thing)
    if isinstance(thing, dict):
        thing = list(thing.items())
    if isinstance(thing, list | tuple):
        text = ",".join(map(digest, thing))
    elif isinstance(thing, np.ndarray) and thing.dtype != object:
        array = np.ascontiguousarray(thing)
        text = f"{array.dtype.str} {array.shape} {hashlib.md5(array.tobytes()).hexdigest()}"
    elif isinstance(thing, np.ndarray):
        text = digest(thing.tolist())
    elif isinstance(thing, float):
        text = thing.hex()
    else:
        text = repr(thing)
    return hashlib.md5(text.encode()).hexdigest()


def found_in(model: Any, X: Any) -> Found:
    """All that a fitted model tells, and its file."""
    told: Found = {}
    kernel = isinstance(model, KernelPerceptron)
    arrays = ["dual_coef_", "support_"] if kernel else ["coef_", "intercept_"]
    for name in (*arrays, "classes_", "t_", "n_updates_", "n_mistakes_", "n_iter_", "converged_"):
        told[name] = getattr(model, name)
    told["history"] = [done._replace(seconds=0.0) for done in model.history_]
    for name in ("mistakes_", "bracket_", "best_iter_"):
        if hasattr(model, name):
            told[name] = getattr(model, name)
    told["predict"] = model.predict(X)
    told["decision_function"] = model.decision_function(X)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.rbt"
        save(model, path)
        told["file"] = path.read_bytes() if path.stat().st_size < 1e6 else ""
        told["predictor"] = Predictor.load(path).scores(X)
    return told


# Combinations


def fits() -> Iterator[tuple[str, Callable[[], Found]]]:
    """Whole fits of every member."""
    for kind, classes in ((kind, count) for kind, counts in CLASSES.items() for count in counts):
        X, y = rows(kind, classes)
        settings = SETTINGS if kind == "few" else {name: SETTINGS[name] for name in USUAL}
        forms = [form for form in FORMS if kind == "few" or not form.startswith("dense")]
        for form in forms:
            table = FORMS[form](X)
            members = KERNELS if kind == "few" and form in KERNEL_FORMS else {}
            for (member, make), (setting, given) in product(
                (LINEAR | members).items(), settings.items()
            ):
                if given.keys() <= make().get_params().keys():
                    name = f"{member}; {kind}, {form}; {classes} classes; {setting}"
                    yield name, partial(fit, make, given, table, y)


def fit(make: Make, given: Found, X: Any, y: Any) -> Found:
    model = make(**{"max_iter": 3, "random_state": 7} | given)
    return found_in(model.fit(X, y), X)


def other_ways() -> Iterator[tuple[str, Callable[[], Found]]]:
    """Weights of examples, held-out rows, going on, batches, single rows and dicts."""
    for classes in (2, 5, 20):
        X, y = rows("few", classes)
        for form in ("float64, int32", "float32, int64", "dense float64", "dense float32"):
            table = FORMS[form](X)
            for (member, make), way in product((LINEAR | KERNELS).items(), WAYS):
                if member not in KERNELS or (form in KERNEL_FORMS and way not in ONE_AT_A_TIME):
                    name = f"{member}; {form}; {classes} classes; {way.__name__}"
                    yield name, partial(way, make, table, y)


def weighted(make: Make, X: Any, y: Any) -> Found:
    weights = np.random.default_rng(1).integers(0, 4, len(y)) / 2
    model = make(max_iter=3, random_state=7)
    return found_in(model.fit(X, y, sample_weight=weights), X)


def held_out(make: Make, X: Any, y: Any) -> Found:
    model = make(max_iter=4, random_state=7, early_stopping=True, n_iter_no_change=2)
    return found_in(model.fit(X[:80], y[:80], X_val=X[80:], y_val=y[80:]), X)


def going_on(make: Make, X: Any, y: Any) -> Found:
    model = make(max_iter=2, random_state=7, warm_start=True, record=True)
    return found_in(model.fit(X, y).fit(X[:60], y[:60]), X)


def in_batches(make: Make, X: Any, y: Any) -> Found:
    """The last class is known only with the second batch."""
    classes = np.unique(y)
    early = np.flatnonzero(y[:60] < max(2, len(classes) - 1))
    known = classes[:-1] if len(classes) > 2 else classes
    model = make(record=True, random_state=7).partial_fit(X[early], y[early], classes=known)
    for start in range(60, len(y), 7):
        model.partial_fit(X[start : start + 7], y[start : start + 7], classes=classes)
    return found_in(model, X)


def one_by_one(make: Make, X: Any, y: Any) -> Found:
    model = make(record=True, random_state=7).declare(classes=np.unique(y))
    for k in range(len(y)):
        model.learn_one(X[k], y[k])
    return found_in(model, X) | {"score_one": [model.score_one(X[k]) for k in range(20)]}


def by_names(make: Make, X: Any, y: Any) -> Found:
    model, said = make(record=True, random_state=7), []
    dense = X.toarray() if sparse.issparse(X) else X
    for row, label in zip(dense.tolist(), y.tolist(), strict=True):
        x = {f"f{k}": value for k, value in enumerate(row) if value}
        model.learn_one(x, label, 1.5)
        said.append([model.predict_one(x), model.score_one(x)])
    return {"said": said, "names": model.feature_names_in_, "coef_": model.coef_}


ONE_AT_A_TIME = (one_by_one, by_names)
WAYS = (weighted, held_out, going_on, in_batches, *ONE_AT_A_TIME)


def pipelines() -> Iterator[tuple[str, Callable[[], Found]]]:
    """Examples to rows, and a model behind them."""
    texts = documents(300, seed=4)
    bags = [dict.fromkeys(text.split()[:9], len(text)) | {"first": text[0]} for text in texts]
    table = {
        "size": [float(len(text)) if len(text) % 7 else None for text in texts],
        "first": [text[:2] for text in texts],
        "text": texts,
    }
    kinds = {"size": "number", "first": "category", "text": "text"}
    words = {
        "words": {},
        "pairs": {"ngram_range": (1, 2), "min_df": 2},
        "tf-idf": {"use_idf": True, "norm": "l2", "sublinear_tf": True},
        "float32": {"dtype": np.float32, "norm": "l1"},
        "letters": {"analyzer": "char_wb", "ngram_range": (2, 4)},
        "hashed": {"n_hash_bits": 10, "alternate_sign": True},
        "stop words": {"stop_words": ["ba", "be"], "binary": True, "max_features": 100},
    }
    steps: dict[str, tuple[list[Any], Any]] = {
        f"text, {name}": ([TextVectorizer(**given)], texts) for name, given in words.items()
    }
    steps["names"] = [NamedVectorizer()], bags
    steps["table"] = [TableVectorizer(kinds=kinds)], table
    for columns in ("seen", "hashed"):
        combined = FeatureCombinations(columns=columns, n_hash_bits=10)
        steps[f"text, combined, {columns}"] = [TextVectorizer(max_features=30), combined], texts
    for name, (vectorizers, examples) in steps.items():
        for classes in (2, 5):
            y = np.array([len(text) % classes for text in texts])
            for member in ("AveragedPerceptron", "PA-I", "Winnow, balanced"):
                yield (
                    f"{name}; {member}; {classes} classes",
                    partial(through, vectorizers, LINEAR[member], examples, y),
                )


def through(vectorizers: list[Any], make: Make, examples: Any, y: Any) -> Found:
    model = make_pipeline(*vectorizers, make(max_iter=3, random_state=0)).fit(examples, y)
    X = model[:-1].transform(examples)
    told = found_in(model[-1], X) | {"rows": X, "names": model[:-1].get_feature_names_out()}
    told["feature_weights"] = str(rosenblatt.feature_weights(model))
    return told | {"scores": model.decision_function(examples)}


def theory() -> Iterator[tuple[str, Callable[[], Found]]]:
    """Margins, proofs and explanations."""
    for classes in (2, 5):
        for form in ("float64, int32", "dense float64"):
            X, y = rows("few", classes)
            X = FORMS[form](X)
            teacher = np.random.default_rng(3).standard_normal((X.shape[1], classes))
            for data, labels in (("noisy", y), ("separable", (X @ teacher).argmax(axis=1))):
                name = f"{data}; {form}; {classes} classes"
                yield f"theory; {name}", partial(margins_of, X, labels)
                yield f"explained; {name}", partial(explained, X, labels)


def margins_of(X: Any, y: Any) -> Found:
    verdict = rosenblatt.separability(X, y)
    told = {"verdict": repr(verdict), "radius": rosenblatt.radius(X)}
    if verdict.separable:
        widest = rosenblatt.data_margin(X, y)
        told["data_margin"] = widest
        told["margin"] = rosenblatt.margin(X, y, widest.w, widest.b)
        told["bound"] = rosenblatt.mistake_bound(X, y)
    return told


def explained(X: Any, y: Any) -> Found:
    model = AveragedPerceptron(max_iter=3, random_state=0, record=True).fit(X, y)
    return {
        "contributions": str(rosenblatt.contributions(model, X[:1])),
        "feature_weights": str(rosenblatt.feature_weights(model)),
        "why": str(rosenblatt.why(model, X[:1], X, y)),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    for combinations in (fits, other_ways, pipelines, theory):
        for name, work in combinations():
            try:
                told = work()
            except Exception as error:  # which must come in both, of the same kind of Python's own
                kinds = [
                    kind.__name__ for kind in type(error).mro() if kind.__module__ == "builtins"
                ]
                told = {"raised": kinds[0]}
                print(f"{name}: {error}", file=sys.stderr)
            digests = {part: digest(thing) for part, thing in told.items()}
            print(json.dumps([name, digests]), flush=True)


if __name__ == "__main__":
    main()
