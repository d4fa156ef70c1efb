"""How long a search lasts."""

import time
from dataclasses import dataclass


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
