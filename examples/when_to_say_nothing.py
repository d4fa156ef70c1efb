"""When to say nothing: probabilities of handwritten digits, and which to leave to a person.

Learns from digits under noise, says how probable its answers are, and shows what it takes to be
wrong seldom: to give no answer below some probability.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron
from rosenblatt.plots import ReliabilityDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = load_digits(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=4.0, size=X.shape)
X, X_out, y, y_out = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = AveragedPerceptron(probabilities=True, random_state=0).fit(X, y)

print("The first held-out digits, their best answers, and how probable these are\n")
best, probable = model.predict(X_out[:6], top=3), model.predict_proba(X_out[:6])
for digit, answers, row in zip(y_out, best, probable, strict=False):
    print(f"  {digit}: " + "   ".join(f"{k} {100 * row[k]:5.1f} %" for k in answers))

print("\n  no answer below    without an answer    wrong among the others")
for below in (0.0, 0.5, 0.7, 0.9, 0.95):
    answers = model.predict(X_out, abstain_below=below, abstain=-1)
    given = answers >= 0
    wrong = np.mean(answers[given] != y_out[given])
    print(f"{100 * below:15.0f} %{100 * np.mean(~given):19.1f} %{100 * wrong:24.1f} %")

display = ReliabilityDisplay.from_estimator(model, X_out, y_out)
display.figure_.savefig(out / "when_to_say_nothing.png", dpi=100, bbox_inches="tight")
