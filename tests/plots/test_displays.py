"""What holds for every display: where it draws, on which background, and what it refuses."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from data import XOR
from pickles import named_in_pickle
from pictures import LIFTED, XOR_LABELS, fitted
from rosenblatt import (
    AveragedPerceptron,
    PassiveAggressiveRegressor,
    Perceptron,
    VotedPerceptron,
    Winnow,
)
from rosenblatt.plots import (
    BoundaryDisplay,
    ExamplesDisplay,
    MistakesDisplay,
    NeuronDisplay,
    PassesDisplay,
    PlaneDisplay,
    ProjectionDisplay,
    PrototypesDisplay,
    ReliabilityDisplay,
    UpdateDisplay,
    WeightsDisplay,
)
from rosenblatt.plots.hyperplane import main_direction
from subprocesses import printed_by_python

pytestmark = pytest.mark.usefixtures("no_figures_stay")


def fitted_to_sets():
    X, y = fitted(2, classes=3)[1:]
    sets = [{label, 0} for label in np.asarray(y).tolist()]
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, sets)
    return model, X, sets


ALL = {
    "boundary": lambda ax=None: BoundaryDisplay.from_estimator(*fitted(2), bias=True, ax=ax),
    "regions": lambda ax=None: BoundaryDisplay.from_estimator(*fitted(2, classes=3), ax=ax),
    "wide": lambda ax=None: BoundaryDisplay.from_estimator(*fitted(5), ax=ax),
    "weights given": lambda ax=None: BoundaryDisplay.from_weights(
        [2, 2], 0, XOR, XOR_LABELS, ax=ax
    ),
    "examples": lambda ax=None: ExamplesDisplay.from_data(XOR, XOR_LABELS, highlight=[0], ax=ax),
    "projection": lambda ax=None: ProjectionDisplay.from_estimator(*fitted(2), ax=ax),
    "update": lambda ax=None: UpdateDisplay.from_estimator(*fitted(2), ax=ax),
    "neuron": lambda ax=None: NeuronDisplay.from_estimator(fitted(12)[0], np.ones(12), ax=ax),
    "passes": lambda ax=None: PassesDisplay.from_estimator(*fitted(2), *fitted(2)[1:], ax=ax),
    "mistakes": lambda ax=None: MistakesDisplay.from_estimator(fitted(2)[0], bound=1e4, ax=ax),
    "reliability": lambda ax=None: ReliabilityDisplay.from_estimator(
        fitted(2)[0].calibrate(*fitted(2)[1:]), *fitted(2)[1:], ax=ax
    ),
    "reliability of sets": lambda ax=None: ReliabilityDisplay.from_estimator(
        *fitted_to_sets(), ax=ax
    ),
    "weights": lambda ax=None: WeightsDisplay.from_estimator(fitted(5)[0], ax=ax),
    "prototypes": lambda ax=None: PrototypesDisplay.from_estimator(fitted(9)[0], ax=ax),
}
"""Every display that draws on flat axes."""


@pytest.mark.parametrize("name", ALL)
def test_the_axes_given_are_drawn_on_and_no_figure_is_made(name):
    figure, axes = plt.subplots()

    display = ALL[name](axes)

    assert display.ax_ is axes
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize("name", sorted(ALL.keys() - {"regions"}))  # regions ask their model
def test_a_pickled_display_names_the_plots_and_no_module_of_theirs(name):
    found = named_in_pickle(ALL[name]())

    modules = {module for module, _ in found if "rosenblatt" in module}
    assert modules - {"rosenblatt"} == {"rosenblatt.plots"}


@pytest.mark.parametrize("name", ALL)
def test_one_figure_is_made_if_no_axes_are_given(name):
    display = ALL[name]()

    assert [plt.figure(number) for number in plt.get_fignums()] == [display.figure_]


@pytest.mark.parametrize("name", ALL)
def test_pictures_are_written_and_leave_the_settings_alone(name, tmp_path):
    plt.get_backend()  # is else chosen by the first figure, which the settings then say
    before = plt.rcParams.copy()

    display = ALL[name]()
    display.figure_.savefig(tmp_path / "picture.svg")
    display.figure_.set_layout_engine("none")  # as laid out for the first file
    display.figure_.savefig(tmp_path / "picture.png", dpi=40)

    assert plt.rcParams == before
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8").count("<path") > 5
    assert len(np.unique(plt.imread(tmp_path / "picture.png").reshape(-1, 4), axis=0)) > 20


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_drawn_in_the_colour_of_the_paper(name):
    """Legible on a dark background: text has the ink of the axes, not a fixed colour."""
    with plt.style.context("dark_background"):
        display = ALL[name]()

        texts = [text for text in display.ax_.texts if text.get_text()]
        assert all(np.mean(to_rgb(text.get_color())) > 0.4 for text in texts)
        assert all(np.mean(to_rgb(line.get_color())) > 0.2 for line in display.ax_.lines)


# Refusals


def test_pictures_that_cannot_be_drawn_say_so_in_one_sentence():
    model, X, y = fitted(5)
    three, _, y3 = fitted(5, classes=3)
    steps, voted = Winnow(binarize=0.5).fit(X, y), VotedPerceptron().fit(X, y)
    cases = [
        (lambda: ExamplesDisplay.from_data(X, y), "draws two features, X has 5"),
        (lambda: BoundaryDisplay.from_estimator(three, X, y3), "draws two features, or a linear"),
        (lambda: BoundaryDisplay.from_estimator(LinearRegression().fit(X, y), X, y), "classifiers"),
        (lambda: BoundaryDisplay.from_weights([1, 2], 0, X, y), "w must hold a weight for each"),
        (lambda: ProjectionDisplay.from_estimator(three, X, y3), "needs a linear model of two"),
        (lambda: ProjectionDisplay.from_estimator(steps, X, y), "needs a linear model of two"),
        (lambda: PlaneDisplay.from_estimator(model, X, y), "three features"),
        (lambda: UpdateDisplay.from_estimator(model, X, y, update=999), "asks for one of"),
        (lambda: UpdateDisplay.from_estimator(model, -X, y), "do not add up to its weights"),
        (lambda: UpdateDisplay.from_estimator(Perceptron().fit(X, y), X, y), "with record=True"),
        (lambda: NeuronDisplay.from_estimator(model, X[0, :3]), "one example of 5 features"),
        (lambda: NeuronDisplay.from_estimator(model, X[0], most=0), "most must be a whole number"),
        (lambda: NeuronDisplay.from_estimator(voted, X[0]), "scores by the votes of many weights"),
        (lambda: WeightsDisplay.from_estimator(three), "label must be the class"),
        (lambda: WeightsDisplay.from_estimator(model, feature_names=["a"]), "got 1 names"),
        (lambda: WeightsDisplay.from_estimator(KNeighborsClassifier().fit(X, y)), "no weights"),
        (lambda: PrototypesDisplay.from_estimator(model), "pictures of 5 pixels"),
        (lambda: ReliabilityDisplay.from_estimator(model, X, y), "with probabilities=True"),
        (lambda: PassesDisplay.from_estimator(KNeighborsClassifier(), X, y), "warm_start=True"),
        (lambda: PassesDisplay.from_history({"m": model.history_}), "holds no errors"),
    ]

    for draw, message in cases:
        with pytest.raises((ValueError, TypeError), match=message) as refusal:
            draw()
        assert str(refusal.value).count(". ") == 0
    assert plt.get_fignums() == []


def test_probabilities_are_drawn_of_what_a_model_learned():
    (model, X, y), (of_sets, *_) = fitted(2), fitted_to_sets()
    model.calibrate(X, y)
    numbers = PassiveAggressiveRegressor().fit(X, y)
    draw = ReliabilityDisplay.from_estimator
    cases = [
        (lambda: draw(model, X, y, bins=0), "bins must be"),
        (lambda: draw(model, X, ["new"] * len(y)), "leave out the rows of labels"),
        (lambda: draw(of_sets, X, y), "has learned sets of labels"),
        (lambda: draw(model, X, [{each} for each in y]), "has learned one label for each"),
        (lambda: draw(numbers, X, y), "predicts numbers, which have no probabilities"),
    ]

    for look, message in cases:
        with pytest.raises(ValueError, match=message):
            look()
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    "draw",
    [
        lambda: BoundaryDisplay.from_estimator(Perceptron(), XOR, XOR_LABELS),
        lambda: UpdateDisplay.from_estimator(Perceptron(record=True), XOR, XOR_LABELS),
        lambda: WeightsDisplay.from_estimator(Perceptron()),
        lambda: MistakesDisplay.from_estimator(Perceptron()),
    ],
)
def test_a_model_must_be_fitted(draw):
    with pytest.raises(NotFittedError):
        draw()


def test_a_plane_needs_axes_in_space():
    model = Perceptron(random_state=0).fit(LIFTED, XOR_LABELS)
    flat = plt.figure().subplots()

    with pytest.raises(TypeError, match="projection='3d'"):
        PlaneDisplay.from_estimator(model, LIFTED, XOR_LABELS, ax=flat)


def test_without_matplotlib_the_extra_is_named():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import rosenblatt.plots\n"
        "try: rosenblatt.plots.BoundaryDisplay\n"
        "except ImportError as error: print(error)"
    )

    assert printed_by_python(program) == "Plots need matplotlib: pip install 'rosenblatt[plots]'.\n"


AWKWARD = ["$5 to $10", "a\tb", "\U000f0000x", "x_1^2"]
"""Labels with the marks of formulas, with a tab, and with a letter that no font has."""


def texts_of(figure):
    return {text.get_text() for text in figure.findobj(Text)}


@pytest.mark.filterwarnings("error:Glyph")
@pytest.mark.parametrize("name", ["regions", "weights", "neuron", "passes", "update"])
def test_labels_and_names_of_the_caller_are_drawn_as_they_stand(name, tmp_path):
    X, y = np.eye(4)[:, :4], np.array(AWKWARD)
    model = Perceptron(record=True, max_iter=20).fit(X, y, X_val=X, y_val=y)
    flat = Perceptron(max_iter=20).fit(X[:, :2], y)
    draw = {
        "regions": lambda: BoundaryDisplay.from_estimator(flat, X[:, :2], y),
        "weights": lambda: WeightsDisplay.from_estimator(
            model, label=AWKWARD[0], feature_names=AWKWARD
        ),
        "neuron": lambda: NeuronDisplay.from_estimator(model, np.ones(4), feature_names=AWKWARD),
        "passes": lambda: PassesDisplay.from_history(dict.fromkeys(AWKWARD, model.history_)),
        "update": lambda: UpdateDisplay.from_estimator(model, X, y),
    }

    figure = draw[name]().figure_
    figure.savefig(tmp_path / "picture.png")

    said = " ".join(texts_of(figure))
    assert r"\$" in said or r"a\tb" in said or r"\U000f0000x" in said


def test_only_the_names_that_are_drawn_are_asked_for():
    class Names:
        asked = 0

        def __len__(self):
            return 1000

        def __getitem__(self, column):
            self.asked += 1
            return f"word {column}"

    model, names = Perceptron().fit(np.eye(1000), np.arange(1000) % 2), Names()

    WeightsDisplay.from_estimator(model, n=5, feature_names=names)

    assert names.asked == 10


@pytest.mark.parametrize("shape", [(500, 400), (400, 500)])
def test_the_main_direction_of_many_features_is_that_of_all_directions(shape):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) + 9 * np.outer(rng.normal(size=shape[0]), rng.normal(size=shape[1]))

    found, expected = main_direction(X), np.linalg.svd(X, full_matrices=False)[2][0]

    assert abs(found @ expected) > 0.999
