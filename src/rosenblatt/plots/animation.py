"""A training run played again, update by update."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.animation import AbstractMovieWriter, FFMpegWriter, FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.utils.validation import check_is_fitted

from rosenblatt.explain.replay import Update, retrace
from rosenblatt.inputs.parameters import check_count, wrong
from rosenblatt.plots.scenes import MarginsScene, PicturesScene, PlaneScene, Scene
from rosenblatt.readers.atomic_write import write_whole


@dataclass
class Replay:
    """Frames of a training run; `replay` makes it. A notebook shows it with buttons to step.

    Parameters
    ----------
    scene : Scene
        What is drawn.

    updates : list of Update
        The update that each frame shows.

    numbers : ndarray of int
        The place of each of them in ``mistakes_``, counted from one.

    total : int
        How many updates the model made.

    fps : int
        Frames per second.

    Attributes
    ----------
    figure_ : matplotlib Figure

    ax_ : matplotlib Axes
    """

    __module__ = "rosenblatt.plots"

    scene: Scene
    updates: list[Update]
    numbers: Any
    total: int
    fps: int
    figure_: Figure = field(init=False, repr=False)
    ax_: Axes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.figure_ = Figure(figsize=(6.4, 4.6), layout="constrained")
        self.ax_ = self.figure_.add_subplot()
        self.scene.start(self.ax_, self.updates)
        self.draw(0)

    def __len__(self) -> int:
        return len(self.updates)

    def draw(self, frame: int) -> None:
        """Bring the figure to this frame."""
        update = self.updates[frame]
        said = self.scene.show(update)
        self.ax_.set_title(f"update {self.numbers[frame]} of {self.total}: {said}", fontsize=10)

    def save(self, path: str | Path) -> None:
        """Write a .gif, .mp4 or .html file, as the name says.

        For .mp4 ffmpeg is used, the one on the PATH or that of the package imageio-ffmpeg.
        """
        path = Path(path)
        kind = path.suffix.lower()
        if kind == ".html":
            page = f"<!doctype html>\n<meta charset='utf-8'>\n{self._repr_html_()}"
            content = page.encode()
        elif kind == ".gif":
            content = self._written(f"run{kind}", PillowWriter(fps=self.fps))
        elif kind == ".mp4":
            with rc_context({"animation.ffmpeg_path": _ffmpeg()}):
                content = self._written(f"run{kind}", FFMpegWriter(fps=self.fps))
        else:
            raise wrong("path", str(path), "end in .gif, .mp4 or .html")
        write_whole(str(path), [content])

    def _written(self, name: str, writer: AbstractMovieWriter) -> bytes:
        """What a writer makes of it, which it writes to a file of this name."""
        with TemporaryDirectory() as folder:
            draft = Path(folder, name)
            self._animation().save(draft, writer=writer)
            return draft.read_bytes()

    def _repr_html_(self) -> str:
        with rc_context({"animation.embed_limit": 100}):  # megabytes
            return self._animation().to_jshtml(fps=self.fps)

    def _animation(self) -> FuncAnimation:
        def show(frame: int) -> list[Any]:
            self.draw(frame)
            return []

        return FuncAnimation(self.figure_, show, frames=len(self), interval=1000 / self.fps)


def _ffmpeg() -> str:
    """The path of ffmpeg."""
    if FFMpegWriter.isAvailable():
        return str(rcParams["animation.ffmpeg_path"])
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise RuntimeError(
            "MP4 needs ffmpeg, which was not found: pip install imageio-ffmpeg, or save as .gif or "
            ".html."
        ) from error


def replay(
    model: Any,
    X: Any,
    y: Any,
    *,
    most: int = 200,
    fps: int = 3,
    shape: tuple[int, int] | None = None,
) -> Replay:
    """Play again how a model learned, a frame for each update.

    Two features show the boundary moving among the examples, the one learned from circled. Any
    other number shows the margin of every example, over the length of the weights: those left of
    zero are wrong. With ``shape`` the weights of each class are pictures. An averaging model is
    shown with the averages that predicted at that moment.

    Parameters
    ----------
    model : fitted member of the family
        Fitted with ``record=True`` in one call, on X and y.

    X : array-like or sparse matrix of shape (n_samples, n_features)

    y : array-like of shape (n_samples,)

    most : int, default=200
        Frames at most; of more updates, so many spread evenly from the first to the last.

    fps : int, default=3
        Frames per second.

    shape : (height, width), optional
        For features that are pixels.

    Returns
    -------
    replay : Replay
        Shows itself in a notebook; ``save("run.gif")`` writes it, also as .mp4 and .html.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plots import replay
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = Perceptron(shuffle=False, record=True).fit(X, y)
    >>> run = replay(model, X, y)
    >>> len(run) == model.n_updates_
    True
    """
    check_is_fitted(model)
    check_count("most", most)
    check_count("fps", fps)
    total = getattr(model, "n_updates_", 0)
    chosen = np.unique(np.linspace(0, total - 1, min(most, total)).round().astype(int))
    kept = set(chosen.tolist())
    updates = [one for number, one in enumerate(retrace(model, X, y)) if number in kept]
    if not updates:
        raise ValueError(f"This {type(model).__name__} made no update, so there is none to show.")
    scene: Scene
    if shape is not None:
        scene = PicturesScene(model, X, y, shape)
    elif model.n_features_in_ == 2:
        scene = PlaneScene(model, X, y)
    else:
        scene = MarginsScene(model, X, y)
    return Replay(scene, updates, chosen + 1, total, fps)
