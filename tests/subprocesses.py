"""Tests in a process of their own, so that a crash or a hang is one failure and not the last."""

import gc
import os
import pickle
import resource
import signal
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import pytest

SECONDS = 20
"""A child that takes longer hangs."""


def in_a_child(function: Callable[[], Any]) -> Any:
    """What the function returns in a forked child.

    If it raises there, or dies of a signal, be it a bad address or the alarm clock, the test fails.
    """
    result, answer = os.pipe()
    with warnings.catch_warnings():
        # Of forks beside other threads: the child touches no lock that they may hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        gc.disable()  # so that the collector leaves the shared pages alone
        os.close(result)
        _answer_and_exit(answer, function)
    os.close(answer)
    with os.fdopen(result, "rb") as pipe:
        sent = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        pytest.fail(f"The child died of {signal.Signals(number).name}.", pytrace=False)
    assert os.WEXITSTATUS(status) == 0, "The child could not send its answer."
    error, value = pickle.loads(sent)
    if error:
        pytest.fail(error, pytrace=False)
    return value


def _answer_and_exit(answer: int, function: Callable[[], Any]) -> None:
    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        error, value = "", None
        try:
            value = function()
        except BaseException as raised:
            error = "".join(traceback.format_exception(raised))
        with os.fdopen(answer, "wb") as pipe:
            pickle.dump((error, value), pipe)
        code = 0
    finally:
        os._exit(code)
