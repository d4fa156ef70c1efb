"""Near enough: numbers learned by steps that are taken only where a prediction is too far off.

How far a disease goes on in a year, from ten measurements: the wider the margin of error that is
near enough, the fewer steps are taken, and measurements that say little are not learned by heart.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rosenblatt import PassiveAggressiveRegressor

NEAR = [0, 5, 10, 20, 40, 80, 120]
SHOWN = 40
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)
X, X_out, y, y_out = train_test_split(X, y, test_size=0.4, random_state=0)
always = np.abs(y_out - np.median(y)).mean()

print(f"Always the median, {np.median(y):.0f}: off by {always:.1f} on average\n")
print("  near enough    steps    off by")
models, errors = {}, []
for epsilon in NEAR:
    model = PassiveAggressiveRegressor(C=10, epsilon=epsilon, average=True, random_state=0)
    models[epsilon] = model.set_params(max_iter=30).fit(X, y)
    errors.append(np.abs(model.predict(X_out) - y_out).mean())
    print(f"{epsilon:13} {model.n_updates_:8,} {errors[-1]:9.1f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
found = models[SHOWN].predict(X_out)
near = np.abs(found - y_out) <= SHOWN
ends = np.array([y.min(), y.max()])
left.fill_between(ends, ends - SHOWN, ends + SHOWN, color="#0072B2", alpha=0.12, linewidth=0)
left.plot(ends, ends, color="black", linewidth=0.8)
left.plot(y_out[near], found[near], "o", color="#0072B2", markersize=4, label="near enough")
left.plot(y_out[~near], found[~near], "o", color="#D55E00", markersize=4, label="too far off")
left.set(xlabel="what it was", ylabel="what was predicted", title=f"Near enough is {SHOWN} or less")
left.legend(frameon=False, loc="upper left")
right.plot(NEAR, errors, "o-", color="#0072B2", label="error on held-out patients")
right.axhline(always, color="black", linestyle="--", linewidth=0.8, label="always the median")
steps = right.twinx()
steps.plot(NEAR, [models[each].n_updates_ for each in NEAR], "s:", color="#D55E00")
steps.set(ylim=(0, None))
steps.set_ylabel("steps taken (dotted)", color="#D55E00")
right.set(ylim=(40, 64), xlabel="how near is near enough", ylabel="off by, on average")
right.set_title("Less to do, and no worse")
right.legend(frameon=False, loc="center right")
left.spines[["top", "right"]].set_visible(False)
figure.savefig(out / "near_enough.png", dpi=100)
