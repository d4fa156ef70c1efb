"""``tune``: a search whose choice is fitted, measured by examples that had no say, repeatable."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

from command_line import reviews
from interrupts import EachLine
from rosenblatt import InputError, NamedVectorizer, TableVectorizer, Texts, TextVectorizer, tune
from rosenblatt.training.validation import fold_numbers
from rosenblatt.tuning.feature_cache import FeatureCache, maker_of
from rosenblatt.tuning.search_space import TUNED, WEIGHTINGS, Configuration


def xor(count=300, seed=0):
    """Numbers whose signs tell the label only together."""
    X = np.random.default_rng(seed).uniform(-1, 1, (count, 4))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "same", "unlike")


def without_times(tuned):
    return tuned.choice, tuned.held_out, tuned.tried, tuned.runs


@pytest.fixture(scope="module")
def films():
    return reviews(300)


@pytest.fixture(scope="module")
def tuned(films):
    return tune(*films, runs=12)


def test_the_choice_is_fitted_to_all_examples(films, tuned):
    texts, opinions = films

    again = clone(tuned.best).fit(texts, opinions)

    assert_array_equal(again[-1].coef_, tuned.best[-1].coef_)
    assert tuned.best[-1].t_ == 1 + 300 * len(tuned.best[-1].history_)
    assert tuned.best[-1].max_iter == tuned.choice["passes"]
    assert tuned.best.score(texts, opinions) > 0.8


def test_what_was_tried_is_told_run_by_run(films):
    rows = []

    tuned = tune(*films, runs=9, run_done=rows.append)

    assert rows == tuned.tried
    assert [row["run"] for row in rows] == [*range(1, 10)]
    assert {"examples", "learner", "analyzer", "ngram_range", "weighting", "passes", "error"} <= {
        *rows[0]
    }
    best = min(row["error"] for row in rows)
    assert best in [row["error"] for row in rows if row["learner"] == tuned.choice["learner"]]


def test_the_same_runs_come_to_the_same_bits_whatever_the_threads(films, tuned):
    again = tune(*films, runs=12, n_jobs=3)

    assert without_times(again) == without_times(tuned)
    assert again.best[-1].coef_.tobytes() == tuned.best[-1].coef_.tobytes()


def test_a_budget_of_time_makes_the_choice_of_as_many_runs(films):
    by_time = tune(*films, seconds=0.3)

    by_runs = tune(*films, runs=by_time.runs)

    assert without_times(by_runs) == without_times(by_time)


def test_the_worth_of_the_choice_is_that_on_examples_that_had_no_say(films, tuned):
    """What stands in the held-out tenth changes nothing but what is told of it."""
    texts, opinions = films
    codes = np.unique(opinions, return_inverse=True)[1]
    outside = np.flatnonzero(fold_numbers(codes, 10, seed=0) == 0)
    inside = np.setdiff1d(np.arange(300), outside)
    others = np.array(texts, dtype=object)
    others[outside] = "nothing that was ever read"

    blind = tune(list(others), opinions, runs=12)
    model = clone(tuned.best).fit(np.array(texts)[inside], np.array(opinions)[inside])

    assert (blind.tried, blind.choice) == (tuned.tried, tuned.choice)
    assert blind.held_out["error"] > tuned.held_out["error"]
    assert tuned.held_out["examples"] == len(outside) == 30
    wrong = model.predict(np.array(texts)[outside]) != np.array(opinions)[outside]
    assert tuned.held_out["error"] == wrong.mean()


def test_of_many_examples_the_better_half_goes_on_to_twice_as_many():
    texts, opinions = reviews(5000)

    tuned = tune(texts, opinions, runs=6)

    sizes = [row["examples"] for row in tuned.tried]
    assert sizes == [2250, 2250, 4500, 2250, 2250, 4500]
    first, second = tuned.tried[:2]
    better = min((first, second), key=lambda row: row["error"])
    assert tuned.tried[2]["learner"] == better["learner"]
    assert tuned.held_out["examples"] == 500


def test_pairs_of_features_are_found_where_single_ones_tell_nothing():
    tuned = tune(*xor(), runs=12)

    assert tuned.choice["pairs"] is True
    assert tuned.held_out["error"] < 0.2 < 0.35 < tuned.held_out["first_error"]
    X, y = xor(200, seed=1)
    assert tuned.best.score(X, y) > 0.8
    assert tune(sparse.csr_matrix(xor()[0]), xor()[1], runs=12).choice == tuned.choice


def test_characters_are_found_where_words_tell_nothing():
    rng = np.random.default_rng(0)
    stems = ["".join(rng.choice([*"bdfgklmnprstvz"], 5)) for _ in range(240)]
    names = [stem + ("ova" if k % 2 else "sen") for k, stem in enumerate(stems)]

    tuned = tune(names, [k % 2 for k in range(240)], runs=10)

    assert tuned.choice["analyzer"].startswith("char")
    assert tuned.held_out["error"] < 0.05 < tuned.held_out["first_error"]


def test_tables_and_named_values_are_read_by_their_vectorizers(films):
    texts, opinions = films
    table = {"review": texts, "stars": [1.0 + (k % 5) for k in range(300)]}
    bags = [dict.fromkeys(text.split(), 1) for text in texts]

    of_table = tune(table, opinions, runs=3)
    of_bags = tune(bags, opinions, runs=3)

    assert isinstance(of_table.best[0], TableVectorizer)
    assert of_table.best[0].kinds_ == {"review": "text", "stars": "number"}
    assert of_table.choice["analyzer"] in ("word", "char", "char_wb")
    assert isinstance(of_bags.best[0], NamedVectorizer)
    assert of_table.best.score(table, opinions) > 0.8 < of_bags.best.score(bags, opinions)


def test_several_labels_are_chosen_by_their_f1():
    texts, opinions = reviews(200)
    sets = [{opinion, "long"} if len(text) > 36 else {opinion} for text, opinion in zip(
        texts, opinions, strict=True
    )]  # fmt: skip

    tuned = tune(texts, sets, runs=4, select="f1")

    assert 0.5 < tuned.held_out["f1"] <= 1
    assert {*tuned.best.predict(texts[:1])[0]} <= {"good", "bad", "long"}


def test_a_model_that_must_be_small_is(films):
    texts, opinions = films
    texts = [f"{text} seat{k} row{k % 50}" for k, text in enumerate(texts)]
    whole = tune(texts, opinions, runs=8)

    small = tune(texts, opinions, runs=8, max_size=6000)

    assert small.shrunk.bytes <= 6000
    assert small.shrunk.weights < small.shrunk.weights_before
    assert small.tried == whole.tried
    assert {"error", "whole_error"} <= {*small.held_out}
    assert small.best.score(texts, opinions) > 0.7
    assert tune(texts, opinions, runs=2, precision="int8").shrunk.weights > 0
    with pytest.raises(InputError, match="No part of this model fits into 50 bytes"):
        tune(texts, opinions, runs=2, max_size=50)


def test_weights_of_classes_and_of_examples_count_in_learning_and_choosing(films):
    texts, opinions = reviews(200, wrong=0.3)

    for_good = tune(texts, opinions, runs=3, class_weight={"good": 20.0})
    alone = tune(texts, opinions, runs=3, sample_weight=[float(k >= 100) for k in range(200)]).best[
        -1
    ]

    assert np.mean(for_good.best.predict(texts) == "good") > 0.6
    assert alone.t_ == 1 + 200 * len(alone.history_)


def test_the_model_knows_probabilities_if_wanted(films):
    texts, opinions = films

    best = tune(texts, opinions, runs=2, probabilities=True).best

    assert_array_equal(best.classes_[best.predict_proba(texts).argmax(axis=1)], best.predict(texts))


def test_ctrl_c_ends_the_search_and_the_best_so_far_is_fitted(films):
    texts, opinions = films

    def interrupt(row):
        if row["run"] == 5:
            raise KeyboardInterrupt

    tuned = tune(texts, opinions, runs=40, run_done=interrupt)

    assert (tuned.interrupted, tuned.runs) == (True, 5)
    assert without_times(tuned) == without_times(tune(texts, opinions, runs=5))


def test_ctrl_c_before_the_first_run_ends_the_call(films):
    class Stop(EachLine):
        def __init__(self):
            super().__init__(self.stop)

        def stop(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Stop():
        tune(*films, runs=3)


def test_what_was_found_can_be_pickled(films, tuned):
    again = pickle.loads(pickle.dumps(tuned))

    assert without_times(again) == without_times(tuned)
    assert_array_equal(again.best.predict(films[0]), tuned.best.predict(films[0]))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("run", [("word", (1, 2)), ("char_wb", (2, 4))])
def test_rows_weighed_from_counts_are_those_of_the_vectorizer(films, weighting, run):
    texts, way = Texts.of(films[0]), Configuration(TUNED[0], run, True, weighting)
    rows = FeatureCache(texts, TextVectorizer())

    rows.of(Configuration(TUNED[0], run, True, "tf-idf"))
    made = rows.of(way)

    right = maker_of(TextVectorizer(), way).fit_transform(texts)
    assert_array_equal(made.toarray(), right.toarray())


def test_rows_of_plain_tf_idf_are_scikit_learns(films):
    way = Configuration(TUNED[0], ("word", (1, 1)), True, "plain tf-idf")

    made = FeatureCache(Texts.of(films[0]), TextVectorizer()).of(way)

    np.testing.assert_allclose(made.toarray(), TfidfVectorizer().fit_transform(films[0]).toarray())


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"runs": 0}, "runs must be a whole number of at least 1, got runs=0."),
        ({"seconds": -1}, "seconds must be a positive number, got seconds=-1."),
        ({"max_size": 1.5}, "max_size must be a whole number of at least 1, got max_size=1.5."),
        ({"random_state": -1}, "random_state must be a whole number of at least 0, got"),
        ({"precision": "int4"}, "precision must be 'float64', 'float16' or 'int8', got"),
        ({"select": "auc"}, "select must be 'error', 'f1', 'macro-f1' or 'log-loss', got"),
    ],
)
def test_what_is_said_must_make_sense(films, said, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.")):
        tune(*films, **said)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        ("a text", ["x"], "X must be a list of texts, got one str"),
        ([1, 2, 3], [0, 1, 0], "X must be a list of texts, a table, a list of dicts, or a matrix"),
        (["a b", "c d"], ["x"], "X has 2 rows but y has 1 labels"),
        (["a b", "c d"], ["x", "x"], "y must hold two labels or more, got"),
        (["a b", "c d"], ["x", "z"], "No label has two examples, so that none can be held out"),
        (["a b", None], ["x", "z"], "Row 1 of the documents must be a string, got None"),
        ([None, "a b"], ["x", "z"], "Row 0 of the documents must be a string, got None"),
    ],
)
def test_examples_must_be_of_a_kind_that_can_be_learned_from(X, y, sentence):
    with pytest.raises(ValueError, match="^" + sentence) as caught:
        tune(X, y, runs=1)

    assert str(caught.value).count(".") == 1


def test_a_way_by_which_nothing_can_be_learned_is_the_worst_and_tells_why():
    """Texts of one letter have no words, but characters; products of large numbers overflow."""
    letters = tune(["x", "y"] * 20, ["a", "b"] * 20, runs=9)
    X, y = xor(100)
    large = tune(X * 1e40, y, runs=9)

    assert letters.choice["analyzer"] != "word"
    assert letters.held_out["error"] == 0
    failed = [row for row in letters.tried if "failed" in row]
    assert {row["analyzer"] for row in failed} == {"word"}
    assert {row["error"] for row in failed} == {None}
    assert "hold nothing to count" in failed[0]["failed"]
    assert {row.get("pairs") for row in large.tried if "failed" in row} == {True}
    assert len(letters.tried) == len(large.tried) == 9


def test_a_way_that_fails_does_not_go_on_to_more_examples():
    texts = [f"{word} {word}" for word in "xy"] * 4500
    found = tune(texts, ["a", "b"] * 4500, runs=14)

    assert {row["examples"] for row in found.tried if "failed" in row} == {2025}
    assert max(row["examples"] for row in found.tried) == 8100


def test_where_nothing_can_be_learned_in_any_way_the_reason_ends_the_call():
    rows = []

    with pytest.raises(InputError, match="X contains NaN"):
        tune([[0.0, np.nan], [1.0, 2.0]] * 20, ["a", "b"] * 20, run_done=rows.append)

    assert 0 < len(rows) < 10


def test_f1_of_a_label_of_which_none_is_held_out_is_not_known():
    texts, labels = ["good film", "good plot"] * 49 + ["bad x", "bad y"], ["a"] * 98 + ["b"] * 2

    found = tune(texts, labels, runs=2, select="f1")

    assert (found.held_out["f1"], found.held_out["none_held_out"]) == (None, "b")
    assert "none_held_out" not in tune(texts * 10, labels * 10, runs=2, select="f1").held_out


def test_bytes_are_told_by_their_row_and_identifiers_by_their_name():
    with pytest.raises(InputError, match="Row 0 of the documents must be a string, got bytes"):
        tune([b"a b", b"c"], ["x", "z"], runs=1)
    with pytest.raises(InputError, match=r"it has n \(taken for: identifier\): say what they hold"):
        tune({"n": range(100, 130)}, ["x", "z"] * 15, runs=1)


def test_three_labels_have_no_rarer_one():
    with pytest.raises(InputError, match="is for two labels, and 3 were found: set select='macro"):
        tune(["a b", "c d", "e f"] * 5, ["x", "y", "z"] * 5, runs=1, select="f1")
