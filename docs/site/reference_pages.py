"""Pages of the reference: every public name, in the room that it lives in."""

from pathlib import Path

import rosenblatt
import rosenblatt.compat.fasttext
import rosenblatt.plots

ROOMS = {
    "models": ("Learners", "Estimators of the perceptron family."),
    "features": ("Features", "From texts, tables and dicts to rows."),
    "readers": ("Data files", "Reading and writing examples."),
    "persistence": ("Model files", "Saving, loading, shrinking and exporting."),
    "explain": ("Explaining", "What weights and scores are made of."),
    "theory": ("Theory", "Margins, bounds and proofs of separability."),
    "training": ("Training", "What is told of a run."),
    "corpora": ("Corpora", "Filtering more text than fits in memory."),
    "cluster": ("Several processors and machines", "Training and scoring over shards."),
    "inputs": ("Errors", "What is raised when an input will not do."),
}
"""Titles of rooms, in the order of the reference; others follow under their own names."""


def write(folder: Path) -> None:
    folder.mkdir()
    names: dict[str, list[str]] = {room: [] for room in ROOMS}
    for name, home in rosenblatt._homes.items():
        names.setdefault(home.split(".")[0], []).append(name)
    for room, of_room in names.items():
        title, about = ROOMS.get(room, (room.capitalize(), ""))
        _page(folder / f"{room}.rst", title, about, [f"rosenblatt.{name}" for name in of_room])
    plots = [f"rosenblatt.plots.{name}" for name in rosenblatt.plots.__all__]
    _page(folder / "plots.rst", "Plots", "Pictures of models and of training.", plots)
    compat = rosenblatt.compat.fasttext
    calls = [f"{compat.__name__}.{name}" for name in ("train_supervised", "load_model", "Model")]
    _page(folder / "fasttext.rst", "In place of fastText", "Its calls, answered.", calls)
    pages = "\n   ".join([*names, "plots", "fasttext"])
    (folder / "index.rst").write_text(
        f"{_headed('Reference')}\nEvery public name, by what it is for.\n\n"
        f".. toctree::\n   :maxdepth: 2\n\n   {pages}\n",
        encoding="utf-8",
    )


def _page(path: Path, title: str, about: str, names: list[str]) -> None:
    listed = "\n   ".join(sorted(names, key=str.lower))
    text = f"{_headed(title)}\n{about}\n\n.. autosummary::\n   :toctree: .\n   :nosignatures:\n\n"
    path.write_text(f"{text}   {listed}\n", encoding="utf-8")


def _headed(title: str) -> str:
    return f"{title}\n{'=' * len(title)}\n"
