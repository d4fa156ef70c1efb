"""How long a search lasts, and how large the file of its model may be."""

import os
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rosenblatt.persistence.shrinking import Shrunk


@dataclass(frozen=True)
class Budget:
    """When a search ends: after so many runs, or after the run in which so much time was over."""

    runs: int | None = None
    seconds: float | None = None

    def allows(self, runs: int, since: float) -> bool:
        """Whether there is to be another run; there is one in any case."""
        if runs == 0:
            return True
        if self.seconds is not None and time.monotonic() - since >= self.seconds:
            return False
        return self.runs is None or runs < self.runs

    def share(self, runs: int, since: float) -> float:
        """How much of it is used up."""
        used = 0.0 if self.runs is None else runs / self.runs
        if self.seconds is not None:
            used = max(used, (time.monotonic() - since) / self.seconds)
        return min(1.0, used)

    def __str__(self) -> str:
        said = [] if self.runs is None else [f"{self.runs} run{'s' * (self.runs > 1)}"]
        return " or ".join(said + ([] if self.seconds is None else [f"{self.seconds:g} seconds"]))


class Smallness(NamedTuple):
    """What the file of a model may take; see `shrink`."""

    max_size: int | None = None
    precision: str = "float64"

    @property
    def asked_for(self) -> bool:
        """Whether it may take less than all."""
        return self.max_size is not None or self.precision != "float64"

    def made(self, model: Any) -> "tuple[Any, Shrunk]":
        """The model as a file of such a size holds it, and what is left of it."""
        from rosenblatt.persistence.model_files import load
        from rosenblatt.persistence.shrinking import shrink

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "small.rbt")
            made = shrink(model, path, max_size=self.max_size, precision=self.precision)
            return load(path), made
