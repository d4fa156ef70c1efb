"""What is wrong is a value, which each front says in its own words."""

import ast
import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import rosenblatt
from rosenblatt import InputError, InputTypeError, Perceptron, cached
from rosenblatt.inputs.errors import Blank, Line, Name, OfFile, Parameter, Row, wording

GAP = InputError(Name("X"), " contains NaN", where=Row(7, 3), remedy="drop it first")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InputError("There is nothing to learn"), "There is nothing to learn."),
        (
            InputError(Name("C"), must="be a positive number", got=Parameter("C", -1.0)),
            "C must be a positive number, got C=-1.0.",
        ),
        (GAP, "X contains NaN in row 7, column 3: drop it first."),
        (
            InputError(
                "expected index:value", got="'a'", where=Line(2, 4, "a.svm"), remedy="mend it"
            ),
            "a.svm, line 2, column 4: expected index:value, got 'a'; mend it.",
        ),
        (InputError("It is wrong", where=Line(3)), "It is wrong on line 3."),
        (InputError(Row(3), " of ", Name("y"), " is empty"), "Row 3 of y is empty."),
        (
            InputError("There is none", remedy=("set ", Parameter("rejects", Blank("FILE")))),
            "There is none: set rejects=FILE.",
        ),
        (
            InputError(("It is ", ("both ", Name("a"))), remedy=((Name("b"), " or "), "c")),
            "It is both a: b or c.",
        ),
    ],
)
def test_str_says_it_in_a_sentence_of_pythons_words(error, said):
    assert str(error) == said


def test_a_front_puts_its_words_wherever_there_are_things():
    error = InputError(
        ("of ", Name("a")),
        must=("be ", Name("a")),
        got=Name("a"),
        where=Row(0),
        remedy=(Name("a"),),
    )

    told = error.worded(by=lambda thing: "b" if thing == Name("a") else thing)

    assert str(told) == "of b must be b, got b in row 0: b."
    assert str(error) == "of a must be a, got a in row 0: a."


def test_rows_become_lines_of_a_file():
    lines = np.array([2, 4, 5, 6, 9, 10, 11, 12])

    assert (
        str(GAP.worded(by=OfFile("a.csv", lines)))
        == "a.csv contains NaN on line 12: drop it first."
    )
    assert str(GAP.worded(by=OfFile(lines=lines))) == "X contains NaN on line 12: drop it first."
    assert str(GAP.worded(by=OfFile("a.csv"))).startswith("a.csv contains NaN in row 7, column 3:")


def test_wording_leaves_the_kind_of_error_and_other_errors_alone():
    with pytest.raises(InputTypeError, match=r"^b is none\.$") as caught, wording(lambda _: "b"):
        raise InputTypeError(Name("a"), " is none")
    with pytest.raises(KeyError), wording(lambda _: "b"):
        raise KeyError(Name("a"))

    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
@pytest.mark.parametrize("kind", [InputError, InputTypeError])
def test_errors_can_be_copied_and_pickled(kind, again):
    error = kind(
        *(Name("X"), " is odd"), must="be even", got=Parameter("n", 3), where=Row(1), remedy="add 1"
    )

    same = again(error)

    assert type(same) is kind
    assert str(same) == str(error)
    assert (same.what, same.must, same.got, same.where, same.remedy) == (
        *(error.what, error.must, error.got, error.where, error.remedy),
    )


def test_a_caller_can_read_what_is_wrong_and_where():
    X = np.ones((4, 3))
    X[2, 1] = np.nan

    with pytest.raises(InputError) as gap:
        Perceptron().fit(X, [0, 1, 0, 1])
    with pytest.raises(InputError) as wrong:
        Perceptron(max_iter=0).fit(X, [0, 1, 0, 1])

    assert gap.value.where == Row(2, 1)
    assert gap.value.remedy == "fill in or drop missing values first"
    assert wrong.value.got == Parameter("max_iter", 0)
    assert wrong.value.must == "be a whole number of at least 1"


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, sparse.csr_array])
def test_a_validation_set_is_called_by_its_own_names(form):
    fit = Perceptron().fit
    X, y = np.eye(3), [0, 1, 0]

    for arguments, said in {
        "narrow": ({"X_val": form(np.ones((2, 2))), "y_val": [0, 1]}, "^X_val has 2 features, but"),
        "square": (
            {"X_val": form(X), "y_val": [[0, 1]] * 3},
            "has learned one label for each example, but y_val holds sets of labels",
        ),
        "missing": (
            {"X_val": form(X), "y_val": [0, None, 1]},
            "objects in y_val, that in row 0 is no string",
        ),
        "short": (
            {"X_val": form(X), "y_val": y, "sample_weight_val": [1.0]},
            "^X_val has 3 rows but sample_weight_val has 1 entries",
        ),
    }.values():
        with pytest.raises(InputError, match=said):
            fit(X, y, **arguments)


def test_what_scikit_learn_refuses_of_a_validation_set_is_said_of_it():
    with pytest.raises(ValueError, match=r"^X_val: Found array with dim 3"):
        Perceptron().fit(np.eye(2), [0, 1], X_val=[[[1.0, 2.0]]], y_val=[0])


def test_a_cache_names_the_file_and_the_line(tmp_path):
    (tmp_path / "gap.svm").write_text("# first\n1 1:0.5\n-1 2:1\n1 2:nan\n")

    with pytest.raises(InputError, match=r"gap\.svm contains NaN on line 4: fill in"):
        cached(tmp_path / "gap.svm")


def test_no_error_brings_a_full_stop_of_its_own():
    for path in sorted(Path(rosenblatt.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                texts = [*node.args, *(keyword.value for keyword in node.keywords)]
                if node.func.id in ("InputError", "InputTypeError", "require", "wrong") and texts:
                    assert not ast.unparse(texts[-1]).rstrip("'\"").endswith("."), path
