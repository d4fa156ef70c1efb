"""Public classes are the package's own, wherever they live: pickles know no module inside it."""

import doctest
import inspect
from itertools import chain

import pyarrow.parquet
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt
from data import real_numbers, separable
from members import MEMBERS
from pickles import named_in_pickle
from rosenblatt import (
    AveragedPerceptron,
    CacheError,
    FeatureCombinations,
    InputError,
    InputTypeError,
    ModelFileError,
    NamedVectorizer,
    PassiveAggressiveRegressor,
    Perceptron,
    Predictor,
    ShardTrainer,
    SparkTrainer,
    TableVectorizer,
    TextVectorizer,
    Winnow,
    cached,
    contributions,
    data_margin,
    feature_weights,
    filter_shards,
    made_of,
    open_data,
    plots,
    read_svmlight,
    save,
    separability,
    shrink,
    tune,
    why,
)
from rosenblatt.inputs.errors import Blank, Line, Name, Parameter, Row

CLASSES = {
    name: value
    for name in rosenblatt.__all__
    if inspect.isclass(value := getattr(rosenblatt, name))
}
DISPLAYS = {name: value for name in plots.__all__ if inspect.isclass(value := getattr(plots, name))}
EXAMPLES = CLASSES | DISPLAYS | {name: getattr(rosenblatt, name) for name in rosenblatt._hidden}
OTHERS = {"PassiveAggressiveRegressor", "Bags", "Batch", "Cache", "TextLines", "Texts", "VW"} | {
    "FilterProgress", "FilterSummary",
    "Contradiction", "EnclosedContradiction", "Undecided", "Verdict"
}  # fmt: skip
"""Those of data in files, and verdicts that are seldom or never given."""
TEXTS, LABELS = ["a good film", "a bad film", "a good plot", "bad"], ["+", "-", "+", "-"]


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_class_says_that_it_is_the_packages(name):
    assert (CLASSES[name].__module__, CLASSES[name].__qualname__) == ("rosenblatt", name)


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_says_that_it_is_of_the_plots(name):
    assert (DISPLAYS[name].__module__, DISPLAYS[name].__qualname__) == ("rosenblatt.plots", name)


def one_of_each(folder):
    """Something of every public class that can be pickled."""
    X, y = real_numbers(classes=3)
    for model in [member.model for member in MEMBERS] + [Winnow(binarize=0.0)]:
        yield clone(model).set_params(random_state=0, max_iter=2, record=True).fit(X, y)
    apart, sides, _, _ = separable()
    recorded = Perceptron(random_state=0, record=True).fit(apart, sides)
    yield from (recorded.bracket_, recorded.history_, data_margin(apart, sides))
    yield from (separability(apart, sides), separability(X, y))
    pulls = why(recorded, apart[:1], apart, sides)
    yield from (pulls, pulls.by_example(), made_of(recorded, 0, apart, sides))
    yield from (contributions(recorded, apart[:1]), feature_weights(recorded))
    words = make_pipeline(TextVectorizer(), FeatureCombinations(), AveragedPerceptron())
    yield words.fit(TEXTS, LABELS)
    save(words, folder / "words.rbt")
    yield Predictor.load(folder / "words.rbt")
    yield shrink(folder / "words.rbt", folder / "small.rbt")
    yield tune(TEXTS * 5, LABELS * 5, runs=1)
    yield NamedVectorizer().fit([{"a": 1.0}])
    yield TableVectorizer(kinds={"pet": "category"}).fit({"pet": ["cat", "dog"]})
    (folder / "some.svm").write_text("1 1:2\n-1 2:1\nx y\n1 1:1\n")
    rejects = []
    read_svmlight(folder / "some.svm", rejects=rejects)
    yield rejects
    yield from (ModelFileError("damaged"), CacheError("damaged"))
    yield from (InputError("wrong"), InputTypeError("wrong"))
    yield from (ShardTrainer(AveragedPerceptron()), SparkTrainer(AveragedPerceptron()))


def test_pickles_name_public_classes_by_the_package_alone(tmp_path):
    found = set()
    for thing in one_of_each(tmp_path):
        found |= named_in_pickle(thing)

    assert {module for module, name in found if name in CLASSES} == {"rosenblatt"}
    named = {name for module, name in found if module == "rosenblatt"}
    assert CLASSES.keys() - OTHERS <= named <= CLASSES.keys() | rosenblatt._hidden.keys()


def kinds_of_each(folder):
    """What differs inside objects of one public class."""
    X, y = real_numbers(classes=3)
    for member in MEMBERS:
        model = clone(member.model).set_params(random_state=0, max_iter=2, record=True).fit(X, y)
        save(model, folder / "model.rbt")
        yield from (model, Predictor.load(folder / "model.rbt"))
    scaled = make_pipeline(StandardScaler(), Winnow(binarize=0.0)).fit(X, y)
    save(scaled, folder / "model.rbt")
    yield from (scaled, Predictor.load(folder / "model.rbt"))
    yield PassiveAggressiveRegressor().fit(X, X[:, 0])
    for options in ({"n_hash_bits": 6}, {"vocabulary": ["film", "plot"], "use_idf": True}):
        yield TextVectorizer(**options).fit(TEXTS)
    mixed = {"pet": ["cat", "dog"], "name": ["a good film", "bad"], "age": [1.0, 2.0]}
    yield TableVectorizer(kinds={"pet": "category", "name": "text", "age": "number"}).fit(mixed)
    (folder / "some.txt").write_text("__label__+ good film\n__label__- bad film\n")
    (folder / "some.csv").write_text("age,label\n1,+\n2,-\n")
    (folder / "some.vw").write_text("1 | good\n-1 | bad\n")
    (folder / "some.svm").write_text("1 1:2\n-1 2:1\n")
    for file in ("some.txt", "some.csv", "some.vw", "some.svm"):
        data = open_data(folder / file)
        yield from (data, next(iter(data.batches())))
    pyarrow.parquet.write_table(
        pyarrow.table({"age": [1], "label": ["+"]}), folder / "some.parquet"
    )
    yield open_data(folder / "some.parquet")
    yield cached(folder / "some.txt", folder / "cache")
    words = make_pipeline(TextVectorizer(), AveragedPerceptron(probabilities=True))
    save(words.fit(TEXTS * 5, LABELS * 5), folder / "words.rbt")
    (folder / "shard.jsonl").write_text(
        "".join(f'{{"text": "{text}"}}\n' for text in TEXTS) + "?\n"
    )
    asked = folder / "words.rbt", [folder / "shard.jsonl"], folder / "kept"
    yield filter_shards(*asked, label="+", keep_top=0.5)
    yield InputError(Name("X"), must="be", got=Parameter("C", Blank("FILE")), where=Row(1))
    yield InputError("no number", where=Line(1))


def test_pickles_name_no_room(tmp_path):
    for thing in chain(one_of_each(tmp_path), kinds_of_each(tmp_path)):
        modules = {module for module, _ in named_in_pickle(thing) if "rosenblatt" in module}
        assert modules <= {"rosenblatt"}, thing


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_class_are_true(name):
    """Their doctests, which pytest looks for in the module that a class says it is of."""
    for found in doctest.DocTestFinder().find(EXAMPLES[name], name, module=False):
        if f"{name}.dtype" in found.name:
            continue  # NumPy's own, which a parameter has as its default
        assert doctest.DocTestRunner().run(found).failed == 0
