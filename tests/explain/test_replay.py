"""A training run is rebuilt from its mistakes, bit for bit, and played again."""

import subprocess
import sys
from itertools import pairwise

import imageio_ffmpeg
import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from data import real_numbers, separable, whole_numbers
from members import weights_of
from pictures import fitted
from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.explain.replay import retrace
from rosenblatt.plots import replay

pytestmark = pytest.mark.usefixtures("no_figures_stay")


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("table", [np.array, sparse.csr_array], ids=["dense", "sparse"])
def test_the_updates_lead_to_the_weights_of_the_model(flat_member, classes, table):
    X, y = flat_member.numbers(classes=classes)
    model = flat_member.new(record=True, max_iter=3, random_state=0).fit(table(X), y)

    updates = list(retrace(model, table(X), y))

    last = updates[-1]
    assert len(updates) == model.n_updates_
    assert_array_equal([update.t for update in updates], model.mistakes_["t"])
    for before, after in pairwise(updates):
        assert_array_equal(before.after, after.before)
    if not flat_member.averages:
        assert_array_equal(last.after, weights_of(model))  # the same bits


@pytest.mark.parametrize("classes", [2, 4])
def test_the_means_are_those_that_the_model_had_at_that_moment(flat_member, classes):
    """SPEC A6: after t examples, the mean of w_0 ... w_t."""
    X, y = whole_numbers(count=25, classes=classes)
    model = flat_member.new(record=True, max_iter=2, shuffle=False).fit(X, y)
    path = flat_member.path(X, y, classes, passes=2)

    for update in retrace(model, X, y):
        assert_allclose(update.after, path[update.t], rtol=1e-9, atol=1e-9)
        assert_allclose(update.mean, path[: update.t + 1].mean(axis=0), rtol=1e-9, atol=1e-9)


def test_unit_length_weights_and_no_intercept_are_retraced_too():
    X, y = real_numbers()
    model = AveragedPerceptron(
        record=True, unit_length=True, fit_intercept=False, class_weight="balanced", random_state=0
    ).fit(X, y, sample_weight=np.linspace(0.5, 2, len(y)))

    updates = list(retrace(model, X, y))

    assert len(updates) == model.n_updates_


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: (X[:5], y[:5]), "do not add up"),
        (lambda X, y: (X[:, :2], y), "do not add up"),
        (lambda X, y: (2 * X, y), "do not add up"),
        (lambda X, y: (X, y[::-1]), "do not add up"),
        (lambda X, y: (X, y[:-1]), "X has 60 rows but y has 59 labels"),
    ],
)
def test_other_examples_than_those_learned_from_are_refused(spoil, message):
    X, y = real_numbers()
    model = Perceptron(record=True, random_state=0).fit(X, y)

    with pytest.raises(ValueError, match=message):
        list(retrace(model, *spoil(X, y)))


def test_there_is_a_frame_for_each_update_and_the_line_moves_with_the_weights():
    model, X, y = fitted(2)

    run = replay(model, X, y)

    assert len(run) == model.n_updates_
    for frame, update in enumerate(retrace(model, X, y)):
        run.draw(frame)
        after, before = (line.get_xydata() for line in run.scene.lines)
        assert_allclose(after @ update.after[0, :2] + update.after[0, 2], 0, atol=1e-6)
        if update.before.any():
            assert_allclose(before @ update.before[0, :2] + update.before[0, 2], 0, atol=1e-6)
        assert_array_equal(run.scene.circle.get_offsets(), X[[update.example]])
        assert run.ax_.get_title().startswith(f"update {frame + 1} of {len(run)}: ")
    assert plt.get_fignums() == []


def test_an_averaging_model_is_shown_with_its_averages():
    X, y, _, _ = separable(count=30, width=2)
    model = AveragedPerceptron(record=True, random_state=0).fit(X, y)

    run = replay(model, X, y)

    run.draw(len(run) - 1)
    last = list(retrace(model, X, y))[-1]
    average = run.scene.lines[0].get_xydata()
    assert_allclose(average @ last.mean[0, :2] + last.mean[0, 2], 0, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_margins_of_wide_examples_move_across_zero(classes):
    model, X, y = fitted(6, classes)

    run = replay(model, X, y, most=12)

    run.draw(len(run) - 1)
    places = np.vstack([points.get_offsets() for points in run.scene.points])
    assert len(run) == min(12, model.n_updates_)
    assert run.numbers[[0, -1]].tolist() == [1, model.n_updates_]
    assert (places[:, 0] <= 0).sum() == round(len(y) * (1 - model.score(X, y)))


def test_pixels_are_shown_as_pictures():
    X, y = load_digits(return_X_y=True)
    model = Perceptron(record=True, max_iter=1, random_state=0).fit(X[:200], y[:200])

    run = replay(model, X[:200], y[:200], shape=(8, 8), most=5)

    run.draw(4)
    for image, weights in zip(run.scene.images, model.coef_, strict=True):
        assert_array_equal(image.get_array(), weights.reshape(8, 8))


def test_a_run_is_saved_as_gif_and_html_and_shown_in_a_notebook(tmp_path):
    model, X, y = fitted(2)
    run = replay(model, X, y, most=3)

    run.save(tmp_path / "run.gif")
    run.save(str(tmp_path / "run.html"))

    with Image.open(tmp_path / "run.gif") as picture:
        assert picture.n_frames == 3
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64") == 3
    assert "<script" in run._repr_html_()


def test_a_run_becomes_a_video_whose_frames_can_be_read_back(tmp_path):
    model, X, y = fitted(2)
    run = replay(model, X, y, most=4, fps=2)
    file = tmp_path / "run.mp4"

    run.save(file)

    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    read = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-i", file, *raw], capture_output=True, check=True
    )
    width, height = run.figure_.canvas.get_width_height()
    pictures = np.frombuffer(read.stdout, np.uint8).reshape(-1, height, width, 3)
    assert len(pictures) == len(run) == 4
    assert f"{width}x{height}".encode() in read.stderr
    assert b"2 fps" in read.stderr
    assert all((one != another).any() for one, another in pairwise(pictures))
    assert file.read_bytes()[4:8] == b"ftyp"


def test_without_ffmpeg_a_video_is_refused_and_the_package_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)  # as if it were not installed
    model, X, y = fitted(2)

    with pytest.raises(RuntimeError, match=r"MP4 needs ffmpeg, .* pip install imageio-ffmpeg"):
        replay(model, X, y, most=1).save(tmp_path / "run.mp4")

    assert not list(tmp_path.iterdir())


def test_replays_that_cannot_be_made_say_so():
    model, X, y = fitted(2)

    with pytest.raises(
        ValueError, match=r"path must end in \.gif, \.mp4 or \.html, got path='r\.avi'"
    ):
        replay(model, X, y, most=1).save("r.avi")
    with pytest.raises(ValueError, match="has no record of its mistakes: fit it with record=True"):
        replay(Perceptron().fit(X, y), X, y)
    with pytest.raises(TypeError, match="by the linear models of rosenblatt, got Logistic"):
        list(retrace(LogisticRegression().fit(X, y), X, y))
    with pytest.raises(ValueError, match="most must be a whole number"):
        replay(model, X, y, most=0)
    with pytest.raises(ValueError, match="pictures of 2 pixels"):
        replay(model, X, y, shape=(3, 3))
