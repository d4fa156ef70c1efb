"""Kill a process again and again while it saves models: kills.py FOLDER HOW_OFTEN.

A script, since a process as small as this is forked more quickly than that of the tests. It
prints the number of the model that each kill left in model.rbt, and how many drafts lay beside it.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from rosenblatt import AveragedPerceptron, save


def main(folder, how_often):
    path = folder / "model.rbt"
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 5000)), rng.integers(2, size=40)
    models = [AveragedPerceptron(random_state=seed, max_iter=1).fit(X, y) for seed in (0, 1)]
    contents = []
    for number, model in enumerate(models):
        save(model, folder / f"{number}.rbt")
        contents.append((folder / f"{number}.rbt").read_bytes())
    path.write_bytes(contents[0])
    dice = random.Random(0)
    found, drafts = [], 0
    for turn in range(how_often):
        child, told = saving_child(models, path)
        for _ in range(turn % 3):
            os.read(told, 1)
        time.sleep(dice.uniform(0.0, 0.006))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(told)
        assert os.WTERMSIG(status) == signal.SIGKILL
        found.append(contents.index(path.read_bytes()))
        for draft in folder.glob(".*.part"):
            drafts += 1
            draft.unlink()
    print(json.dumps({"found": found, "drafts": drafts}))


def saving_child(models, path):
    """A process that saves one model after the other, and a pipe that tells of each one saved."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            while True:
                for model in models:
                    save(model, path)
                    os.write(tell, b".")
        finally:
            os._exit(1)
    os.close(tell)
    return child, told


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
