"""Tests in a process of their own, so that a crash or a hang is one failure and not the last."""

import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import pytest

SECONDS = 120
"""A child that takes longer hangs, even where many others compete for the processor."""


def printed_by_python(program: str) -> str:
    """What a program prints in a Python of its own, which has imported nothing; no complaints."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    return run.stdout


def in_a_child(function: Callable[[], Any]) -> Any:
    """What the function returns in a child of its own."""
    child = Child(function)
    try:
        return child.ask()
    finally:
        child.end()


class Child:
    """A forked process that calls a function whenever it is asked to."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._line, its_end = multiprocessing.Pipe()
        with warnings.catch_warnings():
            # Of forks beside other threads: the child touches no lock that they may hold.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._number = os.fork()
        if self._number == 0:
            self._line.close()
            _answer_and_exit(its_end, function)
        its_end.close()

    def ask(self, *arguments: Any) -> Any:
        """What the function returns for these arguments.

        If it raises there, or dies of a signal, be it a bad address or the alarm clock, the test
        fails.
        """
        self._line.send(arguments)
        error, value = _received(self._line) or (f"The child {self.end()}.", None)
        if error:
            pytest.fail(error, pytrace=False)
        return value

    def end(self) -> str:
        """Wait for a child that has died or, now that no more is asked, exits; say how it did."""
        if not self.ended:
            self._line.close()
            _, self._status = os.waitpid(self._number, 0)
        if os.WIFSIGNALED(self._status):
            return f"died of {signal.Signals(os.WTERMSIG(self._status)).name}"
        return f"exited with code {os.WEXITSTATUS(self._status)}"

    @property
    def ended(self) -> bool:
        return self._line.closed


def _answer_and_exit(line: Connection, function: Callable[..., Any]) -> None:
    code = 1
    try:
        gc.freeze()  # so that the collector leaves the shared pages alone
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        while (arguments := _received(line)) is not None:
            signal.alarm(SECONDS)
            line.send(_answer(function, arguments))
            signal.alarm(0)
        code = 0
    finally:
        os._exit(code)


def _received(line: Connection) -> Any:
    """What comes over the line; nothing once the other end is closed."""
    try:
        return line.recv()
    except (EOFError, ConnectionError):
        return None


def _answer(function: Callable[..., Any], arguments: Any) -> tuple[str, Any]:
    """What went wrong, if anything, and what the function returned."""
    try:
        with warnings.catch_warnings():
            return "", function(*arguments)
    except BaseException as raised:
        return "".join(traceback.format_exception(raised)), None


_SERVING = pytest.StashKey[Child]()


def _parameters(test: pytest.Function) -> dict[str, Any]:
    return test.callspec.params if hasattr(test, "callspec") else {}


def run_in_a_child(test: pytest.Function) -> None:
    """Run a test whose arguments are all parameters in a child that serves many.

    A test that kills its child fails by its name, and the next is served by another child.
    """
    session = test.session
    if _SERVING not in session.stash or session.stash[_SERVING].ended:
        tests = {each.nodeid: each for each in session.items if isinstance(each, pytest.Function)}
        session.stash[_SERVING] = Child(lambda name: tests[name].obj(**_parameters(tests[name])))
        session.config.add_cleanup(session.stash[_SERVING].end)
    session.stash[_SERVING].ask(test.nodeid)
