"""What tells how far long work has come: a bar on a terminal, now and then a line elsewhere."""

import threading
import time
from collections.abc import Callable
from typing import Any, Self

PATIENCE, EVERY = 1.0, 0.1
"""Seconds before a bar comes, and between two looks at the work."""

SILENCE = 20.0
"""Seconds until the first line where there is no terminal; after each it is twice as long."""

Share = float | None
"""How much of the work is done, from 0 to 1; None if nobody knows."""


class Bar:
    """A bar on standard error that comes when work takes longer than a second, and then goes.

    It is drawn by a thread of its own, so that it neither slows the work nor delays Ctrl-C, and
    what draws it is imported only then. Where there is no terminal to draw on, ``tell`` gets a line
    now and then of work that takes long.
    """

    def __init__(
        self,
        label: str,
        share: Callable[[], Share],
        note: Callable[[], str] = str,
        *,
        visible: bool,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._label, self._share, self._note = label, share, note
        self._tell = tell
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        if visible or tell is not None:
            work = self._draw if visible else self._speak
            self._thread = threading.Thread(target=work, daemon=True)

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _speak(self) -> None:
        begun, silence = time.monotonic(), SILENCE
        while not self._ended.wait(silence):
            share, note = self._share(), self._note()
            said = [] if share is None else [f"{share:.0%} done"]
            said += [f"{time.monotonic() - begun:.0f} s so far", *([note] if note else [])]
            assert self._tell is not None
            self._tell(f"{self._label}: {', '.join(said)}")
            silence *= 2

    def _draw(self) -> None:
        if self._ended.wait(PATIENCE):
            return
        share = self._share()
        with _bar(timed=share is not None) as bar:
            work = bar.add_task(self._label, total=None, note="")
            while not self._ended.is_set():
                total = None if share is None else 1.0
                bar.update(work, total=total, completed=share or 0.0, note=self._note())
                bar.refresh()
                self._ended.wait(EVERY)
                share = self._share()


def _bar(*, timed: bool) -> Any:
    """What draws, with the time that is left if that can be told, else the time it took so far."""
    from rich import progress
    from rich.console import Console

    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.TimeRemainingColumn() if timed else progress.TimeElapsedColumn(),
        progress.TextColumn("left" if timed else ""),
        progress.TextColumn("{task.fields[note]}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
