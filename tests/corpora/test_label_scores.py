"""The score and the probability of one label, whatever the model is."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from command_line import BLAME, NEUTRAL, PRAISE
from crawls import pages, write_lines
from rosenblatt import (
    AveragedPerceptron,
    Predictor,
    TextVectorizer,
    filter_shards,
    save,
    shrink,
)

WORDS = {"good": PRAISE, "bad": BLAME, "none": NEUTRAL}
LEARNER = {"probabilities": True, "random_state": 0, "max_iter": 3}


def labelled(count):
    """Texts of words of one or two kinds, and the names of these."""
    rng = np.random.default_rng(0)
    kinds = [[*rng.choice([*WORDS], rng.integers(1, 3), replace=False)] for _ in range(count)]
    texts = [" ".join(str(rng.choice(WORDS[name])) for name in names * 4) for names in kinds]
    return texts, [[str(name) for name in names] for names in kinds]


def two(path, **words):
    texts, kinds = labelled(200)
    model = make_pipeline(TextVectorizer(**words), AveragedPerceptron(**LEARNER))
    save(model.fit(texts, ["good" if "good" in names else "bad" for names in kinds]), path)


def three(path):
    texts, kinds = labelled(200)
    model = make_pipeline(TextVectorizer(n_hash_bits=10), AveragedPerceptron(**LEARNER))
    save(model.fit(texts, [names[0] for names in kinds]), path)


def several(path):
    texts, kinds = labelled(200)
    model = make_pipeline(TextVectorizer(), AveragedPerceptron(**LEARNER))
    save(model.fit(texts, [tuple(names) for names in kinds]), path)


def small(path):
    three(path.with_suffix(".large"))
    shrink(path.with_suffix(".large"), path, precision="int8")


MODELS = {
    "hashed words": lambda path: two(path, n_hash_bits=10),
    "words and pairs": lambda path: two(path, ngram_range=(1, 2)),
    "hashed words and pairs by tf-idf": lambda path: two(
        path, ngram_range=(1, 2), n_hash_bits=12, use_idf=True, norm="l2"
    ),
    "three classes": three,
    "several labels": several,
    "a small file": small,
}


@pytest.mark.parametrize("name", MODELS)
def test_score_and_probability_are_those_of_the_label(name, tmp_path):
    path = tmp_path / "m.rbt"
    MODELS[name](path)
    texts = pages(100) + labelled(100)[0]
    write_lines(tmp_path / "a.txt", texts)

    filter_shards(path, tmp_path / "a.txt", tmp_path / "scores", label="good", scores=True)
    kept = filter_shards(path, tmp_path / "a.txt", tmp_path / "kept", label="good", keep_top=0.1)

    predictor = Predictor.load(path)
    place = predictor.classes.tolist().index("good")
    every = predictor.scores(texts)
    expected = every if every.ndim == 1 else every[:, place]
    if every.ndim > 1 and not predictor.gives_sets:
        expected = expected - np.delete(every, place, axis=1).max(axis=1)
    found = np.loadtxt(tmp_path / "scores" / "a.txt.scores.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(found[:, 1], expected)
    np.testing.assert_array_equal(found[:, 2], predictor.predict_proba(texts)[:, place])
    order = sorted(np.argsort(-expected, kind="stable")[:20])
    assert kept.kept == 20
    assert (tmp_path / "kept" / "a.txt").read_text().splitlines() == [texts[k] for k in order]
