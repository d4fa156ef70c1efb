"""One thread at a time learns with a model; others that would learn, or save it, wait for it."""

import os
import threading
from typing import Any

LONGEST_WAIT = 0.1
"""Seconds after which it is asked whether there is anything to wait for."""


class LearningLock:
    """A lock for ``with``, which the thread that has it may take again."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid()

    def __enter__(self) -> None:
        # Without a word the child of a fork would wait for a thread that only its parent has.
        while not self._lock.acquire(timeout=LONGEST_WAIT):
            if self._process != os.getpid():
                raise RuntimeError(
                    "Another thread was learning with this model when the process was forked, "
                    "which left it half changed here: fork while it does not learn."
                )
        self._process = os.getpid()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class WithLearningLock:
    """Has a lock of its own for those that learn with it, which no copy shares."""

    @property
    def _learning_lock(self) -> LearningLock:
        """Whose turn it is to learn."""
        lock: LearningLock | None = vars(self).get("_lock")
        return lock or vars(self).setdefault("_lock", LearningLock())

    def __getstate__(self) -> Any:
        now: Any = super().__getstate__()
        state = now.copy()  # at once, as another thread may be about to predict
        state.pop("_lock", None)
        return state
