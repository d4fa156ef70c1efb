"""The program as people run it: in a process of its own, or quicker, in this one."""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np

from rosenblatt.cli.app import run

PRAISE = ["excellent", "moving", "superb", "charming", "clever", "gripping"]
BLAME = ["terrible", "dull", "clumsy", "tedious", "shallow", "noisy"]
NEUTRAL = ["film", "plot", "cast", "scene", "music", "camera", "story", "ending"]


def reviews(count, seed=0, wrong=0.1):
    """Made-up reviews and opinions, some of them with the wrong label."""
    rng = np.random.default_rng(seed)
    texts, opinions = [], []
    for likes in rng.random(count) < 0.5:
        words = [*rng.choice(PRAISE if likes else BLAME, 2), *rng.choice(NEUTRAL, 3, replace=False)]
        texts.append(" ".join(rng.permutation(words)))
        opinions.append("good" if likes ^ (rng.random() < wrong) else "bad")
    return texts, opinions


def write_csv(path, texts, opinions):
    lines = [f'"{text}",{opinion}\n' for text, opinion in zip(texts, opinions, strict=True)]
    path.write_text("review,opinion\n" + "".join(lines), encoding="utf-8")
    return str(path)


def rosenblatt(*arguments, stdin=None, **environment):
    """Run the program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rosenblatt", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )


def on_a_terminal(*arguments):
    """What the program writes to a terminal of its own."""
    master, slave = os.openpty()
    inherited = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    process = subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *map(str, arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=inherited | {"TERM": "xterm"},
    )
    os.close(slave)
    written = b""
    with os.fdopen(master, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
        while part := terminal.read(4096):  # an error tells that the other side has closed it
            written += part
    assert process.wait() == 0
    return written.decode()


class Program:
    """Runs commands in this process, in a folder of their own."""

    def __init__(self, capsys, folder):
        self.capsys = capsys
        self.folder = folder

    def __call__(self, *arguments, code=0):
        """What a command prints; it must end with this code."""
        ended = self.run(*arguments)
        assert ended == code, self.printed + self.complaint
        return self.printed

    def run(self, *arguments):
        """The code that a command ends with, whichever it is."""
        self.capsys.readouterr()
        ended = run([str(argument) for argument in arguments])
        self.printed, self.complaint = self.capsys.readouterr()
        return ended

    def json(self, *arguments, code=0):
        return json.loads(self(*arguments, "--json", code=code))

    def complains(self, *arguments, code):
        """The sentence with which a command ends."""
        self(*arguments, code=code)
        return self.complaint
