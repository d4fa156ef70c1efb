"""Small files of models that only predict: the same bits, or a part of the weights."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from data import real_numbers
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    InputError,
    KernelPerceptron,
    NamedVectorizer,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    Perceptron,
    Predictor,
    TextVectorizer,
    VotedPerceptron,
    Winnow,
    load,
    read_notes,
    save,
    shrink,
)
from rosenblatt.persistence.container import unseal
from rosenblatt.persistence.shrinking import PRECISIONS

WORDS = np.array([f"{first}{second}" for first in "abcdef" for second in range(200)])


def posts(classes, count=300):
    rng = np.random.default_rng(0)
    y = np.arange(count) % classes
    texts = []
    for label in y:
        own = WORDS[200 * label :][:200]
        texts.append(" ".join([*rng.choice(own, 6), *rng.choice(WORDS, 6)]))
    return texts, np.array([f"group {label}" for label in y])


def fitted(vectorizer, model, classes=4):
    texts, y = posts(classes)
    model.set_params(random_state=0, max_iter=3)
    return make_pipeline(vectorizer, model).fit(texts, y), texts, y


@pytest.fixture
def path(tmp_path):
    return tmp_path / "small.rbt"


LINEAR = {
    "averaged": AveragedPerceptron(),
    "averaged, forgetting": AveragedPerceptron(half_life=50.0),
    "averaged, recorded": AveragedPerceptron(record=True),
    "averaged, stopped early": AveragedPerceptron(early_stopping=True),
    "averaged, probabilities": AveragedPerceptron(probabilities=True),
    "perceptron": Perceptron(),
    "PA-I, averaged": PassiveAggressiveClassifier(average=True),
    "AROW": AROW(),
    "Winnow": Winnow(binarize=0.0),
    "Winnow, averaged": Winnow(binarize=0.0, average=True),
}


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("kind", LINEAR)
def test_a_model_that_only_predicts_does_so_with_the_same_bits(kind, classes, path):
    model, texts, _ = fitted(TextVectorizer(use_idf=True, norm="l2"), LINEAR[kind], classes)

    made = shrink(model, path)

    assert made.bytes == path.stat().st_size
    assert (made.weights, made.columns) == (made.weights_before, made.columns_before)
    assert made.square == 1.0
    for small in (load(path), Predictor.load(path)):
        scores = getattr(small, "decision_function", getattr(small, "scores", None))
        for some in (texts, texts[:1], ["", "unknown"]):
            np.testing.assert_array_equal(small.predict(some), model.predict(some))
            np.testing.assert_array_equal(scores(some), model.decision_function(some))
        if model[-1].probabilities:
            found = small.predict_proba(texts)
            np.testing.assert_array_equal(found, model.predict_proba(texts))
    vectorizer, small = load(path)
    one = vectorizer.transform(texts[:1])[0]
    assert small.predict_one((one.indices, one.data)) == model.predict(texts[:1])[0]
    expected = model[-1].score_one((one.indices, one.data))
    assert small.score_one((one.indices, one.data)) == expected
    np.testing.assert_array_equal(small.coef_, model[-1].coef_)
    np.testing.assert_array_equal(load(path)[-1].intercept_, model[-1].intercept_)


def test_what_only_learning_needs_is_left_out(path, tmp_path):
    model, _, _ = fitted(TextVectorizer(), AROW(average=True, record=True))
    save(model, tmp_path / "whole.rbt")

    shrink(model, path)

    _, arrays = unseal(str(path))
    assert {name for name in arrays if name.startswith("1.")} == {
        f"1.weights.{name}" for name in ("values", "constant", "counts", "measures")
    }
    assert 2 * path.stat().st_size < (tmp_path / "whole.rbt").stat().st_size
    assert load(path)[-1].history_ == load(tmp_path / "whole.rbt")[-1].history_


@pytest.mark.parametrize("kind", LINEAR)
def test_learning_on_is_refused_in_a_sentence(kind, path):
    model, texts, y = fitted(TextVectorizer(), LINEAR[kind])
    shrink(model, path)
    vectorizer, small = load(path)
    X = vectorizer.transform(texts)
    before = small.decision_function(X)

    for learn in (
        lambda: small.partial_fit(X, y),
        lambda: small.partial_fit(X[:1], y[:1]),
        lambda: small.set_params(warm_start=True, probabilities=False).fit(X, y),
        lambda: small.learn_one({"a0": 1.0}, y[0]),
        lambda: small.learn_one((X[0].indices, X[0].data), y[0]),
    ):
        with pytest.raises(InputError, match=r"This model only predicts: .* that it was made of\."):
            learn()

    np.testing.assert_array_equal(small.decision_function(X), before)


def test_what_was_left_out_is_not_to_be_had(path):
    model, _, _ = fitted(TextVectorizer(), AROW(record=True))
    shrink(model, path)
    small = load(path)[-1]

    with pytest.raises(AttributeError, match="variances_ was left out"):
        _ = small.variances_
    with pytest.raises(AttributeError, match="mistakes_ is kept only with record=True"):
        _ = small.mistakes_
    with pytest.raises(AttributeError, match="not a sum of steps"):
        _ = small.bracket_


def test_a_model_fitted_anew_learns_as_ever(path):
    model, texts, y = fitted(TextVectorizer(), AveragedPerceptron())
    shrink(model, path)

    again = load(path).fit(texts, y)

    np.testing.assert_array_equal(again[-1].coef_, model[-1].coef_)


@pytest.mark.parametrize("source", ["model", "file", "small file"])
def test_a_file_can_be_made_small_as_well(source, path, tmp_path):
    model, texts, _ = fitted(TextVectorizer(), AveragedPerceptron())
    notes = {"held_out": 0.25}
    save(model, tmp_path / "whole.rbt", notes=notes)
    shrink(model, tmp_path / "one.rbt", notes=notes)
    sources = {
        "model": model,
        "file": tmp_path / "whole.rbt",
        "small file": tmp_path / "one.rbt",
    }

    shrink(sources[source], path, notes=notes if source == "model" else None)

    assert path.read_bytes() == (tmp_path / "one.rbt").read_bytes()
    assert read_notes(path) == notes
    save(load(path), tmp_path / "again.rbt", notes=notes)
    assert path.read_bytes() == (tmp_path / "again.rbt").read_bytes()
    assert Predictor.load(path).predict(texts[:3]).tolist() == model.predict(texts[:3]).tolist()


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", LINEAR)
def test_rounded_weights_are_near(precision, kind, path):
    model, texts, _ = fitted(TextVectorizer(use_idf=True, norm="l2"), LINEAR[kind])
    step = {"float64": 0.0, "float16": 2.0**-11, "int8": 0.5 / 127}[precision]

    shrink(model, path, precision=precision)

    small, coef = load(path), model[-1].coef_
    tolerance = step * (np.abs(coef) if precision == "float16" else np.abs(coef).max())
    assert (np.abs(small[-1].coef_ - coef) <= tolerance * 1.0001 + 1e-9).all()
    np.testing.assert_allclose(small[-1].intercept_, model[-1].intercept_, rtol=1e-12)
    if "Winnow" not in kind:
        assert (small.predict(texts) == model.predict(texts)).mean() > 0.95


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("bits", [None, 12])
@pytest.mark.parametrize("budget", [6_000, 9_000, 12_000])
def test_a_budget_is_kept_with_the_weights_of_most_effect(precision, bits, budget, path):
    vectorizer = TextVectorizer(ngram_range=(1, 2), n_hash_bits=bits, use_idf=True)
    model, texts, _ = fitted(vectorizer, AveragedPerceptron())
    whole = shrink(model, path, precision=precision)
    rounded = load(path)

    made = shrink(model, path, precision=precision, max_size=budget)

    assert whole.bytes > budget
    assert 0.9 * budget < made.bytes == path.stat().st_size <= budget
    assert made.weights < whole.weights
    small = load(path)
    names = small[0].get_feature_names_out()
    assert made.columns == len(names) == small[-1].n_features_in_
    every = dict(zip(rounded[0].get_feature_names_out(), rounded[1].coef_.T, strict=True))
    worth = rounded[0].words_.idf * np.sqrt(np.maximum(model[0].words_.learned.counts, 1))
    worth_of = dict(zip(rounded[0].get_feature_names_out(), worth, strict=True))
    if bits is not None:  # columns that lost all weights have lost their names
        assert names[0] in every or names[0].startswith("#")
        columns = zip(worth, rounded[1].coef_.T, small[1].coef_.T, strict=True)
    else:
        columns = [
            (worth_of[name], every[name], few)
            for name, few in zip(names, small[1].coef_.T, strict=True)
        ]
        dropped = [name for name in every if name not in set(names)]
        columns += [(worth_of[name], every[name], np.zeros(4)) for name in dropped]
    kept, gone = [], []
    for weight, all_of_it, few in columns:
        assert set(few[few != 0]) <= set(all_of_it)
        kept += np.abs(weight * few[few != 0]).tolist()
        gone += np.abs(weight * all_of_it[few == 0]).tolist()
    assert len(kept) == made.weights
    assert max(gone) <= min(kept) * (1 + 1e-12)
    assert small.predict(texts[:5]).shape == (5,)


def spam(count, seed):
    """A word in half of the spam, others that each stand in one text alone, and noise."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(count) < 0.5, "spam", "ham")
    telling = np.where((y == "spam") & (rng.random(count) < 0.5), "winner prize", "hello dear")
    noise = [" ".join(rng.choice(WORDS, 5)) for _ in range(count)]
    return [
        f"{a} {b} own{seed}x{k}" for k, (a, b) in enumerate(zip(telling, noise, strict=True))
    ], y


@pytest.mark.parametrize("use_idf", [False, True])
def test_words_of_many_documents_stay_before_those_of_one(use_idf, path):
    (texts, y), (new, right) = spam(600, seed=0), spam(400, seed=1)
    model = make_pipeline(TextVectorizer(use_idf=use_idf, norm="l2"), AROW(random_state=0))
    model.fit(texts, y)

    made = shrink(model, path, max_size=4_000)

    small = load(path)
    assert made.weights < 200
    assert {"winner", "prize"} <= set(small[0].get_feature_names_out())
    assert (small.predict(new) == right).mean() > (model.predict(new) == right).mean() - 0.03


@pytest.mark.parametrize("class_weight", [None, {"spam": 9.0}])
def test_probabilities_are_found_out_anew_where_weights_are_left_out(class_weight, path):
    (texts, y), (held, its), (new, right) = (spam(600, seed) for seed in range(3))
    model = AROW(random_state=0, probabilities=True, class_weight=class_weight)
    model = make_pipeline(TextVectorizer(use_idf=True, norm="l2"), model).fit(texts, y)
    shrink(model, path, max_size=4_000)
    as_before = log_loss(right, load(path).predict_proba(new))

    made = shrink(model, path, max_size=4_000, X_val=held, y_val=its)

    small = load(path)
    assert made.bytes == path.stat().st_size <= 4_000
    assert log_loss(right, small.predict_proba(new)) < as_before
    expected = Predictor.load(path).predict_proba(new)
    np.testing.assert_array_equal(small.predict_proba(new), expected)
    small[-1].calibrate(small[0].transform(held), its)
    np.testing.assert_array_equal(small.predict_proba(new), expected)


def test_thresholds_of_labels_are_found_out_anew_likewise(path):
    texts, y = posts(4)
    sets = [{label, "odd"} if k % 3 else {label} for k, label in enumerate(y)]
    model = make_pipeline(TextVectorizer(use_idf=True), AveragedPerceptron(random_state=0))
    model.fit(texts, sets)
    few = {"max_size": 8_000}

    shrink(model, path, **few, X_val=texts, y_val=sets)

    small = load(path)
    expected = small.predict(texts)
    assert (
        small[-1].calibrate(small[0].transform(texts), sets).predict(small[0].transform(texts))
        == expected
    )
    shrink(model, path, **few)
    assert load(path).predict(texts) != expected


def test_a_model_that_keeps_all_keeps_its_probabilities(path):
    model, texts, y = fitted(TextVectorizer(), AveragedPerceptron(probabilities=True))

    shrink(model, path, X_val=texts[:20], y_val=y[:20])

    np.testing.assert_array_equal(load(path).predict_proba(texts), model.predict_proba(texts))


def test_the_share_that_is_kept_is_told(path):
    X, y = real_numbers(count=60, width=3000, classes=3)
    model = Perceptron(random_state=0).fit(X, y)

    made = shrink(model, path, max_size=20_000)

    small, coef = load(path), model.coef_
    kept = small.coef_ != 0
    np.testing.assert_array_equal(small.coef_[kept], coef[kept])
    assert made.weights == kept.sum() < made.weights_before == coef.size
    assert made.square == pytest.approx(np.square(coef[kept]).sum() / np.square(coef).sum())
    assert made.columns == made.columns_before == 3000  # as rows are of 3,000 numbers


def test_a_model_that_fits_keeps_all(path):
    model, texts, _ = fitted(TextVectorizer(norm="l2"), AveragedPerceptron())

    made = shrink(model, path, max_size=10**6)

    assert made.weights == made.weights_before
    np.testing.assert_array_equal(
        load(path).decision_function(texts), model.decision_function(texts)
    )


@pytest.mark.parametrize("max_size", [None, 30_000])
def test_steps_between_words_and_model_keep_all_columns(max_size, path):
    texts, y = posts(4)
    words = TextVectorizer(ngram_range=(1, 2))
    model = make_pipeline(words, MaxAbsScaler(), AveragedPerceptron(random_state=0)).fit(texts, y)

    made = shrink(model, path, max_size=max_size)

    assert made.columns == model[-1].n_features_in_
    assert (load(path).predict(texts) == model.predict(texts)).mean() > 0.9


def test_records_and_numbers_are_made_small_too(path):
    records = [{f"f{k % 7}": 1.0, f"g{k % 3}": 2.0} for k in range(40)]
    y = np.arange(40) % 7
    model = make_pipeline(NamedVectorizer(), AveragedPerceptron(random_state=0)).fit(records, y)
    shrink(model, path, precision="float16")
    assert load(path).predict(records).tolist() == model.predict(records).tolist()

    X, y = real_numbers(count=40, width=5, classes=2)
    numbers = PassiveAggressiveRegressor(random_state=0).fit(X, X[:, 0])
    shrink(numbers, path)
    np.testing.assert_array_equal(load(path).predict(X), numbers.predict(X))

    sets = [["a", "b"], ["b"], ["a"], []] * 10
    labels = AveragedPerceptron(random_state=0).fit(X, sets)
    shrink(labels, path)
    assert list(load(path).predict(X)) == list(labels.predict(X))


@pytest.mark.parametrize("max_size", [None, 40_000])
@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_rounded_weights_stay_narrow_and_score_with_the_bits_of_wide_ones(
    precision, max_size, path, tmp_path
):
    vectorizer = TextVectorizer(n_hash_bits=17, use_idf=True, norm="l2")
    model, texts, _ = fitted(vectorizer, AveragedPerceptron(probabilities=True))
    shrink(model, path, precision=precision, max_size=max_size)
    wide = load(path)
    assert wide[-1].coef_.shape == (4, 2**17)  # of which all are wide from here on

    tracemalloc.start()
    narrow = Predictor.load(path)
    for some in (texts, texts[:1], ["", "unknown"]):
        np.testing.assert_array_equal(narrow.predict(some), wide.predict(some))
        np.testing.assert_array_equal(narrow.scores(some), wide.decision_function(some))
        np.testing.assert_array_equal(narrow.predict_proba(some), wide.predict_proba(some))
    before, _ = tracemalloc.get_traced_memory()
    narrow.feature_weights(3)  # for which all are turned into float64
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert after - before > 8 * 4 * 2**17 * 0.99
    whole = load(path)
    np.testing.assert_array_equal(whole.decision_function(texts), wide.decision_function(texts))
    row = whole[0].transform(texts[:1])[0]
    one = row.indices, row.data
    assert whole[-1].score_one(one) == wide[-1].score_one(one)
    save(load(path), tmp_path / "again.rbt")
    assert (tmp_path / "again.rbt").read_bytes() == path.read_bytes()


def test_narrow_weights_look_at_rows_as_wide_ones_do(path):
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, 50_000), density=0.001, format="csr", rng=rng)
    model = AveragedPerceptron(random_state=0).fit(X, np.arange(60) % 3)
    shrink(model, path, precision="int8")
    bad = X.copy()
    bad.data[7] = np.nan
    beyond = X.copy()
    beyond.indices[3] = 50_000
    beyond.has_sorted_indices = True

    small = load(path)

    np.testing.assert_array_equal(small.predict(X.toarray()), load(path).predict(X))
    for rows, what in ((bad, "X contains NaN"), (beyond, "column"), (X[:, :9], "9 features")):
        with pytest.raises(ValueError, match=what):
            load(path).predict(rows)
        with pytest.raises(ValueError, match=what):
            load(path).decision_function(rows)


def test_the_same_model_gives_the_same_bytes(path, tmp_path):
    for name in ("one", "two"):
        model, _, _ = fitted(TextVectorizer(), AveragedPerceptron())
        shrink(model, tmp_path / name, max_size=5_000, precision="int8")

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("model", "options", "sentence"),
    [
        (VotedPerceptron(), {}, "and this is VotedPerceptron"),
        (KernelPerceptron(), {}, "and this is KernelPerceptron"),
        (Winnow(binarize=0.0), {"max_size": 3000}, "weights of Winnow start at one"),
        (Perceptron(), {"max_size": 500}, "No part of this model fits into 500 bytes"),
        (Perceptron(), {"max_size": 0}, "max_size must be a whole number of at least 1"),
        (Perceptron(), {"precision": "int4"}, "precision must be 'float64', 'float16' or 'int8'"),
    ],
)
def test_what_cannot_be_made_small_gets_a_sentence(model, options, sentence, path):
    whole, _, _ = fitted(TextVectorizer(), model)

    with pytest.raises(ValueError, match=sentence):
        shrink(whole, path, **options)

    assert not path.exists()


def test_the_least_size_is_told(path):
    model, _, _ = fitted(TextVectorizer(), AveragedPerceptron())
    with pytest.raises(InputError, match=r"set max_size=\d+ or more") as caught:
        shrink(model, path, max_size=100)
    least = int(str(caught.value).split("max_size=")[1].split()[0])

    made = shrink(model, path, max_size=least)

    assert made.bytes <= least
