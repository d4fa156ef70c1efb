"""Watch a perceptron learn: each mistake moves the line, until none is left."""

import sys
from pathlib import Path

from sklearn.datasets import make_blobs

from rosenblatt import Perceptron
from rosenblatt.plots import replay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = make_blobs(60, centers=[[0, 0], [3, 2]], cluster_std=0.8, random_state=4)

model = Perceptron(max_iter=100, random_state=0, record=True).fit(X, y)

run = replay(model, X, y, fps=2)
run.save(out / "watch_it_learn.gif")
print(f"{len(run)} updates, a frame each, in {out / 'watch_it_learn.gif'}")
