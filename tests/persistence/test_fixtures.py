"""Model files written long ago: they load, predict and learn on to the same bits."""

import json
from pathlib import Path

import numpy as np
import pytest

from fixtures.make import CASES, NOTES, hexadecimal
from rosenblatt import Predictor, load, read_notes, save

FOLDER = Path(__file__).parents[1] / "fixtures" / "models"
SAYINGS = {
    said.pop("name"): said
    for said in map(json.loads, (FOLDER / "sayings.jsonl").read_text().splitlines())
}


@pytest.fixture(params=SAYINGS)
def name(request):
    """Each file in turn."""
    return request.param


def path_of(name):
    return FOLDER / f"{name}.rbt"


def assert_same_scores(found, expected, *, exact):
    if exact:
        assert found == expected
    else:
        found, expected = (
            [list(map(float.fromhex, row)) for row in each] for each in (found, expected)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def assert_says(model, case, expected):
    said = case.said(model)
    assert said["labels"] == expected["labels"]
    assert_same_scores(said["scores"], expected["scores"], exact=case.exact)
    counts = said["learned"] if case.exact else {"counts": said["learned"]["counts"]}
    assert counts == {key: expected["learned"][key] for key in counts}


def test_every_case_is_kept_in_a_file():
    kept = {path.stem for path in FOLDER.glob("*.rbt")}

    assert set(CASES) == set(SAYINGS) == kept


def test_a_file_says_what_its_model_said(name):
    assert_says(load(path_of(name)), CASES[name], SAYINGS[name]["first"])
    assert read_notes(path_of(name)) == NOTES


def test_a_model_from_a_file_learns_on_as_it_did(name):
    case, model = CASES[name], load(path_of(name))

    case.learn_on(model)

    assert_says(model, case, SAYINGS[name]["later"])


def test_the_predictor_says_the_same(name):
    case, expected = CASES[name], SAYINGS[name]["first"]
    predictor = Predictor.load(path_of(name))

    if case.single:
        labels = [predictor.predict(x).tolist()[0] for x in case.examples]
        scores = [predictor.scores(x)[0] for x in case.examples]
    else:
        labels = predictor.predict(case.examples).tolist()
        scores = predictor.scores(case.examples)

    assert labels == expected["labels"]
    # It may read a dict as a row with zeros, which is summed in another order.
    exact = case.exact and not case.single
    assert_same_scores(list(map(hexadecimal, scores)), expected["scores"], exact=exact)


def test_a_file_saved_again_has_the_same_bytes(name, tmp_path):
    save(load(path_of(name)), tmp_path / "again.rbt", NOTES)

    assert (tmp_path / "again.rbt").read_bytes() == path_of(name).read_bytes()
