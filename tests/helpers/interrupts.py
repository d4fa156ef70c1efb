"""What happens between two lines of the package, such as Ctrl-C."""

import os
import pickle
import signal
import sys
from pathlib import Path

import pytest

import rosenblatt

PACKAGE = str(Path(rosenblatt.__file__).parent)


class EachLine:
    """Calls something whenever a line of the package is about to run."""

    def __init__(self, call):
        self.call = call

    def __enter__(self):
        sys.settrace(self.in_call)
        return self

    def __exit__(self, *_):
        sys.settrace(None)

    def in_call(self, frame, event, argument):
        return self.at_line if frame.f_code.co_filename.startswith(PACKAGE) else None

    def at_line(self, frame, event, argument):
        if event == "line":
            self.call()
        return self.at_line


class CtrlC(EachLine):
    """A real SIGINT, sent when the turn-th line of the package is about to run."""

    def __init__(self, turn):
        super().__init__(self.count)
        self.turn, self.lines = turn, 0

    def count(self):
        self.lines += 1
        if self.lines == self.turn:
            os.kill(os.getpid(), signal.SIGINT)


def lines_of(call):
    """How many lines of the package run in a call."""
    with CtrlC(turn=0) as never:
        call()
    return never.lines


def interrupted(model, call, turn):
    """What another process would find of the model that was interrupted at this line."""
    with pytest.raises(KeyboardInterrupt), CtrlC(turn):
        call(model)
    return pickle.loads(pickle.dumps(model))
