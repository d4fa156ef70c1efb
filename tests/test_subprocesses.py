"""A child in which tests run: what goes wrong there is told here, whatever it is."""

import faulthandler
import os
import signal

import pytest

from subprocesses import Child, in_a_child

WHERE_TESTS_ARE_FOUND = os.getpid()


def crash():
    faulthandler.disable()  # who runs the tests need not read of a crash that is meant
    signal.raise_signal(signal.SIGBUS)


def act(what):
    return {
        "work": lambda: "done",
        "fail": lambda: 1 / 0,
        "crash": crash,
        "exit": lambda: os._exit(0),
    }[what]()


def test_a_child_serves_until_it_dies():
    child = Child(act)

    assert child.ask("work") == "done"
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        child.ask("fail")
    assert child.ask("work") == "done"
    assert not child.ended
    with pytest.raises(pytest.fail.Exception, match=r"The child died of SIGBUS\."):
        child.ask("crash")
    assert child.ended


def test_a_child_that_exits_without_an_answer_has_failed():
    with pytest.raises(pytest.fail.Exception, match=r"The child exited with code 0\."):
        in_a_child(lambda: act("exit"))


def test_an_answer_that_cannot_be_sent_is_a_failure():
    with pytest.raises(pytest.fail.Exception, match="The child exited with code 1"):
        in_a_child(lambda: lambda: None)


@pytest.mark.in_a_child
@pytest.mark.parametrize("ours", ["our own"])
def test_a_marked_test_runs_in_another_process(ours):
    assert ours == "our own"
    assert os.getpid() != WHERE_TESTS_ARE_FOUND
