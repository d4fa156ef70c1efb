"""Averaging calms it: on noisy labels the last weights jump about, their mean stays put."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron, Perceptron
from rosenblatt.plots import PassesDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = make_classification(2000, n_features=30, n_informative=8, flip_y=0.15, random_state=0)
X, X_val, y, y_val = train_test_split(X, y, test_size=0.5, random_state=0)

models = {
    "plain": Perceptron(random_state=0),
    "averaged": AveragedPerceptron(random_state=0),  # makes the same updates
}
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
display = PassesDisplay.from_estimators(models, X, y, X_val, y_val, passes=25, ax=ax)
figure.savefig(out / "averaging_calms_it.png", dpi=100)

for name, errors in display.errors.items():
    late = 100 * errors.held_out[5:]
    print(f"{name:8}  held-out error after passes 6 to 25: {late.min():.1f} to {late.max():.1f} %")
