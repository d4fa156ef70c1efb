"""Pictures of models and of how they learn, in the manner of scikit-learn's displays.

A display is made by ``from_estimator`` (or ``from_data``, ``from_weights``), which draws it on the
``ax`` given or on a new figure and returns it; ``ax_`` and ``figure_`` are where it was drawn, and
``plot`` draws it again. Colours are told apart by colour-blind eyes, and shapes and dashes say
the same; text and lines take the colours of the axes, light or dark.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.plots.animation import Replay as Replay
    from rosenblatt.plots.animation import replay as replay
    from rosenblatt.plots.boundary import BoundaryDisplay as BoundaryDisplay
    from rosenblatt.plots.examples import ExamplesDisplay as ExamplesDisplay
    from rosenblatt.plots.mistakes import MistakesDisplay as MistakesDisplay
    from rosenblatt.plots.neuron import NeuronDisplay as NeuronDisplay
    from rosenblatt.plots.passes import PassesDisplay as PassesDisplay
    from rosenblatt.plots.plane import PlaneDisplay as PlaneDisplay
    from rosenblatt.plots.projection import ProjectionDisplay as ProjectionDisplay
    from rosenblatt.plots.reliability import ReliabilityDisplay as ReliabilityDisplay
    from rosenblatt.plots.update import UpdateDisplay as UpdateDisplay
    from rosenblatt.plots.weights import PrototypesDisplay as PrototypesDisplay
    from rosenblatt.plots.weights import WeightsDisplay as WeightsDisplay

_homes = {
    "BoundaryDisplay": "boundary",
    "ExamplesDisplay": "examples",
    "MistakesDisplay": "mistakes",
    "NeuronDisplay": "neuron",
    "PassesDisplay": "passes",
    "PlaneDisplay": "plane",
    "ProjectionDisplay": "projection",
    "PrototypesDisplay": "weights",
    "ReliabilityDisplay": "reliability",
    "Replay": "animation",
    "UpdateDisplay": "update",
    "WeightsDisplay": "weights",
    "replay": "animation",
}

_in_pickles = {
    "Errors": "passes",
    "Formula": "drawing",
    "Hyperplane": "hyperplane",
    "LabelledPoints": "examples",
}
"""What pickles of displays name besides, so that its modules may change."""

__all__ = [*_homes]


def __getattr__(name: str) -> Any:
    home = _homes.get(name) or _in_pickles.get(name)
    if home is None:
        raise AttributeError(f"module 'rosenblatt.plots' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"rosenblatt.plots.{home}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != "matplotlib":
            raise
        raise ImportError("Plots need matplotlib: pip install 'rosenblatt[plots]'.") from error
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
