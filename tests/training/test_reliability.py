"""What probabilities were worth: measures that others define, and a curve of abstentions."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

from rosenblatt.training.reliability import Reliability


def said(classes=3, count=500):
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(classes), size=count)
    codes = np.array([rng.choice(classes, p=row) for row in probabilities])
    return probabilities, codes


@pytest.mark.parametrize("classes", [2, 5])
def test_losses_are_those_of_scikit_learn(classes):
    """Another library."""
    probabilities, codes = said(classes)

    found = Reliability.of(probabilities, codes)

    assert found.log_loss == pytest.approx(log_loss(codes, probabilities))
    truth = np.eye(classes)[codes]
    assert found.brier == pytest.approx(((probabilities - truth) ** 2).sum(axis=1).mean())
    if classes == 2:
        assert found.brier == pytest.approx(2 * brier_score_loss(codes, probabilities[:, 1]))
    assert found.right.mean() == accuracy_score(codes, probabilities.argmax(axis=1))


def test_probabilities_from_which_labels_were_drawn_are_calibrated():
    found = Reliability.of(*said(count=50_000))

    assert found.error < 0.01
    assert [each.examples for each in found.bins()] == [5000] * 10


def test_a_model_that_is_always_sure_and_half_the_time_right_is_half_wrong():
    codes = np.arange(100) % 2

    found = Reliability.of(np.tile([1.0, 0.0], (100, 1)), codes)

    assert found.error == pytest.approx(0.5)
    assert np.isfinite(found.log_loss)


def test_of_equally_probable_labels_the_one_that_scores_highest_counts():
    codes = np.arange(10) % 2

    found = Reliability.of(np.full((10, 2), 0.5), codes, codes)

    assert found.right.all()


def test_abstaining_below_more_leaves_fewer_labels():
    found = Reliability.of(*said())

    none, some, all_of_them = found.abstentions(np.array([0.0, 0.6, 1.1]))

    assert (none.abstained, none.error) == (0.0, pytest.approx(1 - found.right.mean()))
    kept = found.confidence >= 0.6
    assert some.abstained == pytest.approx(1 - kept.mean())
    assert some.error == pytest.approx(1 - found.right[kept].mean())
    assert (all_of_them.abstained, all_of_them.error) == (1.0, None)


def test_batches_joined_are_one():
    probabilities, codes = said()
    parts = [Reliability.of(probabilities[k::3], codes[k::3]) for k in range(3)]

    joined, whole = Reliability.joined(parts), Reliability.of(probabilities, codes)

    assert joined.log_loss == pytest.approx(whole.log_loss)
    assert joined.error == pytest.approx(whole.error)


def test_labels_of_sets_are_each_one_and_bins_have_as_many_likely_ones():
    rng = np.random.default_rng(0)
    probabilities = rng.beta(0.1, 1.0, size=(4000, 6))
    right = rng.random(probabilities.shape) < probabilities

    found = Reliability.of_each_label(probabilities, right)

    bins = found.bins()
    likely = np.array([each.said * each.examples for each in bins])
    assert sum(each.examples for each in bins) == probabilities.size
    np.testing.assert_allclose(likely, likely.mean(), rtol=0.05)
    assert max(abs(each.said - each.right) for each in bins) < 0.1
    losses = -np.log(np.maximum(np.where(right, probabilities, 1 - probabilities), 1e-15))
    assert found.log_loss == pytest.approx(losses.mean())
    assert Reliability.joined([found, found]).bins()[0].said == pytest.approx(bins[0].said)


def test_bins_are_one_or_more():
    with pytest.raises(ValueError, match="bins must be"):
        Reliability.of(*said()).bins(0)
