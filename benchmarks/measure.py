"""Clocks, memory and the limits of the machine.

Times are CPU times: steadier than wall time where others use the machine as well, and the same on
an idle core, since almost everything here runs on one thread. Where several do the work, wall time
counts, on cores that should be idle.
"""

import ctypes
import gc
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

SHORT = 1.0
"""Seconds: works that are done sooner are repeated more often, for a steadier minimum."""

MOST_ROUNDS = 40

Work = Callable[[], Any]

spent = {"CPU": 0.0, "wall": 0.0}
"""Seconds in all works timed so far: the core was shared if they differ."""


@dataclass
class Times:
    """Seconds of the same work done several times, and what it returned the last time."""

    seconds: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    result: Any = None

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def noise(self) -> float:
        """How far the median lies above the minimum, as a share of it."""
        return statistics.median(self.seconds) / self.best - 1.0

    def by_the_wall(self) -> "Times":
        """The same by the clock on the wall."""
        return Times(self.wall, self.wall, self.result)

    def take(self, work: Work, *, told: str = "") -> None:
        """Do the work once more; one that measures itself returns a figure of the unit ``told``."""
        self.result = None
        gc.collect()
        gc.disable()
        wall, begin = time.perf_counter(), time.process_time()
        result = work()
        self.seconds.append(result if told else time.process_time() - begin)
        self.wall.append(time.perf_counter() - wall)
        gc.enable()
        self.result = result


def rounds(repeat: int) -> Iterator[int]:
    """So many rounds of works, and more if they are short."""
    start = time.perf_counter()
    for done in range(max(repeat, MOST_ROUNDS)):
        if done >= repeat and time.perf_counter() - start > SHORT:
            break
        yield done


def alternate(works: dict[str, Work], repeat: int, *, told: str = "") -> dict[str, Times]:
    """Do all works in turn, again and again, so that a busy minute hits them all alike."""
    times = {name: Times() for name in works}
    gc.freeze()  # what was there before need not be looked through every time
    for _ in rounds(repeat):
        for name, work in works.items():
            times[name].take(work, told=told)
            if not told:
                spent["wall"] += times[name].wall[-1]
                spent["CPU"] += times[name].seconds[-1]
    return times


def peak_memory(work: Work) -> int:
    """Bytes by which resident memory rose above where it stood, at the worst moment of the work."""
    gc.collect()
    give_back_free_memory()
    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    work()
    return _memory("VmHWM") - before


def give_back_free_memory() -> None:
    """Return to the system what was freed, lest the work reuse it and seem to need none."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only the GNU C library has it
    if trim is not None:
        trim(0)


def _memory(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status does not tell {name}.")


def read(arrays: Iterable[np.ndarray]) -> None:
    """Merely read the arrays, as fast as NumPy can: the largest of their bits taken as numbers."""
    for array in arrays:
        array.reshape(-1).view(np.int32).max()


def bandwidth(repeat: int) -> float:
    """Bytes that one core reads from memory in a second."""
    block = np.ones(1 << 27, dtype=np.int32)
    return float(block.nbytes / alternate({"read": lambda: read([block])}, repeat)["read"].best)


def one_thread_one_core(core: int | None) -> int | None:
    """Keep this process and its children to one thread on one core; the core's number if known."""
    if any(os.environ.get(name) != "1" for name in THREADS):
        # NumPy has already been imported: begin again with libraries that read these variables.
        os.environ.update(dict.fromkeys(THREADS, "1"))
        os.execv(sys.executable, [sys.executable, *sys.argv])
    if not hasattr(os, "sched_setaffinity"):
        return None
    chosen = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen})
    return chosen


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
