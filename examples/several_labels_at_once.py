"""Several labels at once: what is true of a handwritten digit, learned in one race.

A digit may be even, prime, a square, and have a loop; or none of these. One model ranks what may be
true of it, and gives each label from a threshold of its own.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from rosenblatt import AROW, FeatureCombinations
from rosenblatt.plots.drawing import AGAINST, FOR

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

TRUE_OF = {
    "even": {0, 2, 4, 6, 8},
    "prime": {2, 3, 5, 7},
    "square": {0, 1, 4, 9},
    "loop": {0, 6, 8, 9},
}
pixels, digits = load_digits(return_X_y=True)
X, X_out, y, y_out = train_test_split(pixels, digits, test_size=0.5, random_state=0)
sets = [{name for name, those in TRUE_OF.items() if digit in those} for digit in y]
right = [{name for name, those in TRUE_OF.items() if digit in those} for digit in y_out]
model = make_pipeline(FeatureCombinations(), AROW(random_state=0, probabilities=True))
model.fit(X, sets)  # pairs of pixels tell far more than pixels
given = model.predict(X_out)

print("The first held-out digits, what is given, and how probable it is\n")
for digit, own, row in zip(y_out[:6], given, model.predict_proba(X_out[:6]), strict=False):
    said = (f"{name:>10s} {100 * p:3.0f} %" for name, p in zip(model.classes_, row, strict=True))
    print(f"  {digit}: {', '.join(sorted(own)) or 'nothing':20s}", *said)

for name in model.classes_:
    true, told = ([name in own for own in each] for each in (right, given))
    print(f"\nF1 of {name:8s}{100 * f1_score(true, told):8.1f} %", end="")
exact = np.mean([a == b for a, b in zip(right, given, strict=True)])
print(f"\n\nJust the right labels: {100 * exact:.1f} % of {len(given)} digits")

wrong = [k for k in range(6, len(given)) if given[k] != right[k]][:6]
figure, axes = plt.subplots(2, 6, figsize=(9.6, 5.2), layout="constrained")
for axis, k in zip(axes.flat, [*range(6), *wrong], strict=False):
    axis.imshow(X_out[k].reshape(8, 8), cmap="gray_r")
    axis.set(xticks=[], yticks=[])
    for line, name in enumerate(sorted(given[k] | right[k]) or ["nothing"]):
        mark = " (wrong)" * (name in given[k] - right[k]) + " (missed)" * (
            name in right[k] - given[k]
        )
        where = {"ha": "center", "va": "top", "transform": axis.transAxes}
        axis.text(0.5, -0.08 - 0.13 * line, name + mark, color=AGAINST if mark else FOR, **where)
figure.suptitle("The first held-out digits with what is given, and six that came out wrong")
figure.savefig(out / "several_labels_at_once.png", dpi=100, bbox_inches="tight")
