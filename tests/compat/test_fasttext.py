"""fastText's calls, beside fastText itself."""

import json
from pathlib import Path

import fasttext as theirs
import numpy as np
import pytest

from command_line import BLAME, NEUTRAL, PRAISE, Program
from crawls import save_model
from rosenblatt import AveragedPerceptron, InputError, load, save
from rosenblatt.compat import fasttext as ours

LABELS = {"praise": PRAISE, "blame": BLAME, "none": NEUTRAL}


def lines(count, seed=0):
    rng = np.random.default_rng(seed)
    names = rng.choice([*LABELS], count, p=[0.5, 0.3, 0.2])
    words = ([*rng.choice(LABELS[name], 2), *rng.choice(NEUTRAL, 4)] for name in names)
    return [
        f"__label__{name} {' '.join(map(str, some))}"
        for name, some in zip(names, words, strict=True)
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    for name, count, seed in (("train", 600, 0), ("test", 200, 1)):
        text = "\n".join(lines(count, seed)) + "\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder / "train.txt"), str(folder / "test.txt")


@pytest.fixture(scope="module")
def both(files):
    how = {"epoch": 25, "wordNgrams": 2, "seed": 1}
    with pytest.warns(UserWarning, match="lr, dim of fastText's network: ignored"):
        mine = ours.train_supervised(input=files[0], lr=0.5, dim=10, **how)
    return mine, theirs.train_supervised(
        input=files[0], lr=0.5, dim=10, bucket=1000, thread=1, verbose=0, **how
    )


def test_both_know_the_same_labels_and_words(both):
    mine, other = both

    assert mine.labels == other.labels == mine.get_labels()
    assert {*mine.words} == {*other.words} - {"</s>"}


def test_words_come_in_the_order_of_their_frequency(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a two one\n__label__b two\n__label__a two one six\n")

    model = ours.train_supervised(tmp_path / "t.txt", wordNgrams=2)

    assert model.words == ["two", "one", "six"]
    assert model.labels == ["__label__a", "__label__b"]


def test_both_are_right_about_as_often(both, files):
    count, precision, recall = both[0].test(files[1])
    expected = both[1].test(files[1])

    assert count == expected[0]
    assert precision == recall
    assert precision > expected[1] - 0.03


@pytest.mark.parametrize("k", [1, 2, 3])
def test_precision_and_recall_of_the_best_labels_are_as_fasttext_counts_them(both, files, k):
    mine, other = both
    count, precision, recall = mine.test(files[1], k)

    assert (count, round(precision * k * count)) == (200, round(recall * count))
    assert other.test(files[1], k)[1] * k == pytest.approx(other.test(files[1], k)[2])


@pytest.mark.parametrize(("k", "threshold"), [(1, 0.0), (2, 0.0), (3, 0.9), (-1, 0.0), (1, 1.0)])
def test_predictions_have_the_same_form(both, k, threshold):
    mine, other = both
    text = "a superb and moving film"

    labels, probabilities = mine.predict(text, k=k, threshold=threshold)
    # Their wrapper does not run with NumPy 2; what it calls does.
    expected = other.f.predict(text + "\n", k, threshold, "strict")

    assert type(labels) is tuple
    assert isinstance(probabilities, np.ndarray)
    assert len(labels) == len(probabilities)
    if threshold == 0.0:
        assert len(labels) == len(expected)
        assert {*labels} <= {*other.labels}
        assert labels[0] == expected[0][1] == "__label__praise"
    assert all(probability >= threshold for probability in probabilities)
    assert sorted(probabilities, reverse=True) == probabilities.tolist()


def test_a_list_gives_a_list_of_each(both):
    mine, other = both
    texts = ["superb film", "dull plot", ""]

    labels, probabilities = mine.predict(texts, k=2)
    expected, _ = other.f.multilinePredict([f"{text}\n" for text in texts], 2, 0.0, "strict")

    assert type(labels) is type(expected) is list
    assert labels == [[*mine.predict(text, k=2)[0]] for text in texts]
    assert [some[0] for some in labels[:2]] == [some[0] for some in expected[:2]]
    assert [len(row) for row in probabilities] == [2, 2, 2]
    assert mine.predict([]) == ([], [])


def test_a_saved_model_comes_back_the_same(both, files, tmp_path):
    path = tmp_path / "model.rbt"

    both[0].save_model(str(path))
    again = ours.load_model(str(path))

    assert (again.labels, again.words) == (both[0].labels, both[0].words)
    assert again.test(files[1], 2) == both[0].test(files[1], 2)
    np.testing.assert_array_equal(again.predict("dull", 3)[1], both[0].predict("dull", 3)[1])
    again.save_model(tmp_path / "again.rbt")
    assert (tmp_path / "again.rbt").read_bytes() == path.read_bytes()


def test_the_program_reads_such_a_model(both, files, tmp_path, capsys):
    both[0].save_model(tmp_path / "model.rbt")

    said = Program(capsys, tmp_path).json("evaluate", tmp_path / "model.rbt", files[1])

    assert json.dumps(said)
    assert said["error"] == pytest.approx(1 - both[0].test(files[1])[1])


def test_the_same_seed_gives_the_same_model(files):
    first, second = (ours.train_supervised(files[0], seed=7) for _ in range(2))

    np.testing.assert_array_equal(first.pipeline[-1].coef_, second.pipeline[-1].coef_)


def test_rare_words_are_left_out(files):
    assert {*ours.train_supervised(files[0], minCount=150).words} < {
        *ours.train_supervised(files[0]).words
    }


REFUSED = {
    "no file": ({"input": "none.txt"}, FileNotFoundError, "none.txt"),
    "no passes": ({"epoch": 0}, InputError, "epoch must be a whole number of at least 1"),
    "no such loss": ({"loss": "hinge"}, InputError, "loss must be 'softmax', 'hs', 'ns', 'ova' or"),
    "autotune": (
        {"autotuneDuration": 60},
        InputError,
        "does not know: search with rosenblatt",
    ),
    "subwords": ({"maxn": 4}, InputError, r"count characters instead: TextVectorizer\(analyzer='c"),
    "vectors": ({"pretrainedVectors": "v"}, InputError, "does not know: leave it out"),
    "no count": ({"minCount": -1}, InputError, "minCount must be a whole number of at least 0"),
    "no seed": ({"seed": -1}, InputError, "seed must lie between 0 and .*, got seed=-1"),
    "no mark": ({"label": "a b"}, InputError, "label must be a string without blanks"),
    "other mark": ({"label": "@"}, InputError, "holds no line with a label: let each have one, as"),
    "no such thing": ({"dims": 4}, TypeError, "unexpected keyword argument 'dims'"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_training_does_not_know_is_told(fault, files):
    given, error, message = REFUSED[fault]

    with pytest.raises(error, match=message):
        ours.train_supervised(**({"input": files[0]} | given))


def test_lines_of_several_labels_are_refused_where_each_has_one(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a __label__b text\n")

    with pytest.raises(
        InputError, match="got also '__label__b'; to learn all of them, say loss='ova'"
    ):
        ours.train_supervised(tmp_path / "t.txt")


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """Lines of two kinds of words, and the models of both that give each its labels."""
    path = tmp_path_factory.mktemp("several") / "lines.txt"
    rng = np.random.default_rng(3)
    kept = []
    for _ in range(600):
        some = [name for name in LABELS if rng.random() < 0.5] or ["none"]
        words = [str(word) for name in some for word in rng.choice(LABELS[name], 2)]
        kept.append(" ".join([*(f"__label__{name}" for name in some), *words]))
    path.write_text("\n".join(kept) + "\n")
    theirs_how = {"lr": 0.5, "dim": 10, "bucket": 1000, "thread": 1, "verbose": 0}
    mine = ours.train_supervised(input=path, loss="ova", epoch=25)
    return path, mine, theirs.train_supervised(str(path), loss="ova", epoch=25, **theirs_how)


def test_with_ova_a_line_has_several_labels_each_with_its_own_probability(several):
    _, mine, other = several
    text = f"{PRAISE[0]} {BLAME[0]}"

    labels, probabilities = mine.predict(text, k=-1, threshold=0.5)
    expected = {label for _, label in other.f.predict(text + "\n", -1, 0.5, "strict")}

    assert {*labels} == expected == {"__label__praise", "__label__blame"}
    assert probabilities.sum() > 1


@pytest.mark.parametrize(("k", "threshold"), [(1, 0.0), (3, 0.0), (-1, 0.5)])
def test_several_labels_are_counted_as_fasttext_counts_them(several, k, threshold):
    path, mine, other = several

    found, expected = mine.test(path, k, threshold), other.test(str(path), k, threshold)

    assert found[0] == expected[0]
    assert found[1:] == pytest.approx(expected[1:], abs=0.05)


def test_each_label_has_a_precision_and_a_recall(both, files, several):
    """The wheel counts no label that is there, so its recall is no number; its precision is."""
    for mine, other, path in ((*both, files[1]), (*several[1:], str(several[0]))):
        found, expected = mine.test_label(path), other.test_label(path)

        assert found.keys() == expected.keys()
        rows = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
        for label, numbers in found.items():
            there = [row for row in rows if label in row]
            texts = [" ".join(word for word in row if word[:2] != "__") for row in there]
            right = sum(best == [label] for best in mine.predict(texts)[0])
            assert numbers["recall"] == right / len(there)
            assert numbers["precision"] == pytest.approx(expected[label]["precision"], abs=0.06)


def test_a_label_that_is_never_predicted_has_no_precision(both, files):
    found = both[0].test_label(files[1], threshold=1.0)["__label__none"]

    assert np.isnan(found["precision"])
    assert found["recall"] == found["f1score"] == 0


def test_a_saved_model_of_several_labels_comes_back_the_same(several, tmp_path):
    path, mine, _ = several

    mine.save_model(tmp_path / "m.rbt")

    assert ours.load_model(tmp_path / "m.rbt").test(path, 3) == mine.test(path, 3)


def test_frequencies_are_told_when_asked_for(both):
    mine, other = both
    labels, counts = mine.get_labels(include_freq=True)
    words, numbers = mine.get_words(include_freq=True)

    expected = dict(zip(*other.get_labels(include_freq=True), strict=True))
    assert dict(zip(labels, counts.tolist(), strict=True)) == expected
    assert sorted(numbers.tolist(), reverse=True) == numbers.tolist()
    assert (len(words), words[0] in mine, "nowhere" in mine) == (len(numbers), True, False)
    assert not mine.is_quantized()


ANYWHERE = [
    *("__label__good fine __label__bad film", "dull plot __label__bad", "no label at all"),
    *("a b __label__good", "__label__bad , 我 爱 你 , !", "x-y __label__good don't", ""),
]


def test_labels_stand_anywhere_words_between_blanks_and_lines_without_a_label_are_skipped(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("\n".join(ANYWHERE * 10) + "\n", encoding="utf-8")

    mine = ours.train_supervised(path, loss="ova", epoch=20)
    other = theirs.train_supervised(
        str(path), loss="ova", epoch=20, lr=0.5, dim=10, bucket=1000, thread=1, verbose=0
    )

    expected = dict(zip(*other.get_labels(include_freq=True), strict=True))
    assert dict(zip(*mine.get_labels(include_freq=True), strict=True)) == expected
    learned = {*other.words} - {"</s>", "no", "label", "at", "all"}  # which only their list has
    assert {*mine.words} == learned >= {"我", "x-y", "don't", ",", "!"}
    assert mine.test(path, -1, 0.5) == pytest.approx(other.test(str(path), -1, 0.5), abs=0.1)


@pytest.mark.parametrize(
    "line",
    [
        "superb film __label__praise",
        "__label__praise superb film\n__label__unseen superb film",
        "superb film\n__label__blame dull plot",
        "__label__unseen superb",
    ],
)
def test_lines_and_labels_count_in_a_test_as_they_do_there(both, tmp_path, line):
    (tmp_path / "t.txt").write_text(line + "\n")

    found, expected = (model.test(str(tmp_path / "t.txt")) for model in both)

    np.testing.assert_equal(found, expected)


def test_a_label_that_stands_twice_on_a_line_is_one(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a x __label__a\n__label__b y\n" * 9)

    assert ours.train_supervised(tmp_path / "t.txt").labels == ["__label__a", "__label__b"]


def test_labels_may_begin_otherwise(files, tmp_path):
    text = Path(files[0]).read_text(encoding="utf-8").replace("__label__", "@")
    (tmp_path / "t.txt").write_text(text, encoding="utf-8")

    model = ours.train_supervised(tmp_path / "t.txt", label="@", seed=3)
    model.save_model(tmp_path / "m.rbt")
    again = ours.load_model(tmp_path / "m.rbt")

    assert again.labels == ["@praise", "@blame", "@none"]
    assert again.test(tmp_path / "t.txt") == model.test(tmp_path / "t.txt")
    like = ours.train_supervised(files[0], label_prefix="__label__", seed=3)
    assert like.test(files[0]) == model.test(tmp_path / "t.txt")


def test_parameters_may_be_told_by_their_places(files):
    with pytest.warns(UserWarning, match="dim of fastText's network"):
        placed = ours.train_supervised(files[0], 0.1, 10, 5, 3, 0)
    named = ours.train_supervised(files[0], epoch=3, minCount=1)

    np.testing.assert_array_equal(placed.pipeline[-1].coef_, named.pipeline[-1].coef_)


def test_a_line_is_predicted_as_the_pipeline_does(both, several):
    texts = ["a superb and moving film", "dull", ""]

    for model in (both[0], several[1]):
        expected = model.pipeline.predict_proba(texts)
        for text, row in zip(texts, expected, strict=True):
            np.testing.assert_array_equal(model.predict(text, k=-1)[1], sorted(row)[::-1])


def test_parameters_go_by_their_old_names_too(files):
    old = ours.train_supervised(files[0], word_ngrams=2, min_count=5)
    new = ours.train_supervised(files[0], wordNgrams=2, minCount=5)

    np.testing.assert_array_equal(old.pipeline[-1].coef_, new.pipeline[-1].coef_)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("a\nb",), "predict processes one line at a time"),
        (("a", 0), "k must be a whole number of at least 1, or -1 for all"),
        (("a", 1, "high"), "threshold must be a number"),
        ((None,), "text must be a string or a list of strings, got NoneType"),
        ((b"a",), "text must be a string or a list of strings, got bytes"),
        ((["a", 3],), "Line 1 of the text must be a string, got 3"),
    ],
)
def test_what_predicting_does_not_take_is_told(both, given, message):
    with pytest.raises(ValueError, match=message):
        both[0].predict(*given)


def test_vectors_of_words_are_told_to_be_none(both):
    for name in ("get_word_vector", "get_line", "get_meter", "get_word_id", "quantize"):
        with pytest.raises(AttributeError, match=rf"'Model' object has no {name}: "):
            getattr(both[0], name)
    with pytest.raises(TypeError, match="has no get_word_vector: words have no vectors here"):
        both[0]["film"]
    for name in ("train_unsupervised", "tokenize", "FastText"):
        with pytest.raises(AttributeError, match=rf"has no {name}: "):
            getattr(ours, name)
    assert not hasattr(ours, "anything")
    assert not hasattr(both[0], "anything")


def test_other_models_are_told_apart(files, tmp_path):
    path = save_model(tmp_path / "m.rbt")

    assert load(path)
    with pytest.raises(InputError, match=r"m\.rbt is a model, but not one of train_supervised"):
        ours.load_model(path)


@pytest.mark.parametrize(
    "told",
    [5, {"praise": 1}, [5], [["praise", 1, 2]], [["praise", "x"]], [["praise", 1]], [[[], 1]]],
    ids=str,
)
def test_frequencies_that_no_training_writes_are_refused(files, tmp_path, told):
    model = ours.train_supervised(files[1])
    save(model.pipeline, tmp_path / "m.rbt", notes={"fasttext": told})

    with pytest.raises(InputError, match="is a model, but not one of train_supervised"):
        ours.load_model(tmp_path / "m.rbt")


def test_a_model_of_another_kind_is_refused_whatever_its_notes_say(files, tmp_path):
    bare = AveragedPerceptron(random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    save(bare, tmp_path / "m.rbt", notes={"fasttext": [["a", 1], ["b", 1]]})

    with pytest.raises(InputError, match="is a model, but not one of train_supervised"):
        ours.load_model(tmp_path / "m.rbt")
