"""Public classes are the package's own, wherever they live: pickles know no module inside it."""

import doctest
import inspect
import io
import pickle

import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import rosenblatt
from data import real_numbers, separable
from members import MEMBERS
from rosenblatt import (
    AveragedPerceptron,
    CacheError,
    FeatureCombinations,
    InputError,
    InputTypeError,
    ModelFileError,
    NamedVectorizer,
    Perceptron,
    Predictor,
    ShardTrainer,
    SparkTrainer,
    TableVectorizer,
    TextVectorizer,
    Winnow,
    contributions,
    data_margin,
    feature_weights,
    made_of,
    plots,
    read_svmlight,
    save,
    separability,
    shrink,
    tune,
    why,
)

CLASSES = {
    name: value
    for name in rosenblatt.__all__
    if inspect.isclass(value := getattr(rosenblatt, name))
}
DISPLAYS = {name: value for name in plots.__all__ if inspect.isclass(value := getattr(plots, name))}
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


class Names(pickle.Unpickler):
    """Notes what a pickle names."""

    def __init__(self, contents):
        super().__init__(io.BytesIO(contents))
        self.found = set()

    def find_class(self, module, name):
        self.found.add((module, name))
        return super().find_class(module, name)


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
        names = Names(pickle.dumps(thing))
        names.load()
        found |= names.found

    assert {module for module, name in found if name in CLASSES} == {"rosenblatt"}
    named = {name for module, name in found if module == "rosenblatt"}
    assert CLASSES.keys() - OTHERS <= named <= CLASSES.keys() | rosenblatt._learned.keys()


def test_pickles_of_models_name_no_room():
    X, y = real_numbers(classes=3)
    for member in MEMBERS:
        model = clone(member.model).set_params(random_state=0, record=True).fit(X, y)
        names = Names(pickle.dumps(model))
        names.load()
        modules = {module for module, _ in names.found if module.startswith("rosenblatt")}
        assert modules == {"rosenblatt"}


@pytest.mark.parametrize("name", CLASSES | DISPLAYS)
def test_the_examples_of_a_public_class_are_true(name):
    """Their doctests, which pytest for in the module that a class says it is of."""
    for found in doctest.DocTestFinder().find((CLASSES | DISPLAYS)[name], name, module=False):
        if f"{name}.dtype" in found.name:
            continue  # NumPy's own, which a parameter has as its default
        assert doctest.DocTestRunner().run(found).failed == 0
