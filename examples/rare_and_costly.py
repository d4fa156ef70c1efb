"""Rare and costly: one digit in ten is an 8, and to miss it costs ten times a false alarm.

Decided by plain labels, by class weights, or by probabilities: both errors cost the same at 1 / 11.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron

MISSED, FALSE_ALARM = 10, 1
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, digits = load_digits(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=2, size=X.shape)
y = np.where(digits == 8, "8", "other")
X, X_out, y, y_out = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)

plain = AveragedPerceptron(probabilities=True, random_state=0).fit(X, y)
heavy = AveragedPerceptron(probabilities=True, class_weight={"8": MISSED}, random_state=0).fit(X, y)
even = FALSE_ALARM / (MISSED + FALSE_ALARM)


def cost(answers):
    """Of a hundred digits."""
    wrong = answers != y_out
    missed, alarms = (100 * np.mean(wrong & (y_out == right)) for right in ("8", "other"))
    return MISSED * missed + FALSE_ALARM * alarms, missed, alarms


ways = {
    "never an 8": np.full(len(y_out), "other"),
    "plain labels": plain.predict(X_out),
    "labels by class weights": heavy.predict(X_out),
    f"8 where that is probable by {100 * even:.0f} %": plain.predict(X_out, threshold={"8": even}),
}
print("of 100 digits                           missed    false alarms    cost")
for name, answers in ways.items():
    print(f"{name:39} {{1:5.1f}} {{2:13.1f}} {{0:11.1f}}".format(*cost(answers)))
print(f"\nOf these digits {100 * np.mean(y_out == '8'):.1f} % are an 8. Said on average:")
for name, model in (("plain", plain), ("with class weights", heavy)):
    print(f"  {100 * model.predict_proba(X_out)[:, 0].mean():.1f} % by the model {name}")
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
thresholds, shares = np.linspace(0.005, 0.8, 160), plain.predict_proba(X_out)[:, 0]
curve = [cost(np.where(shares >= least, "8", "other"))[0] for least in thresholds]
ax.plot(thresholds, curve, color="#0072B2", label="by probabilities")
ax.axvline(even, color="#0072B2", linestyle=":", label="where both errors cost the same")
for name, colour in {"plain labels": "black", "labels by class weights": "#D55E00"}.items():
    ax.axhline(cost(ways[name])[0], color=colour, linestyle="--", label=name)
ax.set(title="To miss an 8 costs ten times a false alarm", xlim=(0, 0.8), ylim=(0, None))
ax.set(xlabel="an 8 is given from this probability on", ylabel="cost of a hundred digits")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, loc="lower right")
figure.savefig(out / "rare_and_costly.png", dpi=100)
