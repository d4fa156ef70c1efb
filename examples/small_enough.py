"""Small enough: a model file of a few kilobytes, and what it costs to leave most weights out.

Handwritten digits by pixels and all pairs of pixels, twenty thousand weights: their file is
made smaller and smaller, with weights as they are, in half precision, and in a byte each.
"""

import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from rosenblatt import AveragedPerceptron, FeatureCombinations, load, save, shrink

SIZES = [4000, 5000, 7000, 10_000, 20_000, 40_000, 80_000]
STYLES = {"float64": ("o-", "#0072B2"), "float16": ("s--", "#009E73"), "int8": ("^:", "#D55E00")}
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = load_digits(return_X_y=True)
X, X_out, y, y_out = train_test_split(X / 16, y, test_size=0.5, random_state=0, stratify=y)
model = make_pipeline(FeatureCombinations(), AveragedPerceptron(random_state=0)).fit(X, y)


def error(some):
    return 100 * np.mean(some.predict(X_out) != y_out)


figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "digits.rbt"
    save(model, path)
    whole = path.stat().st_size
    print(f"The whole model: {whole / 1000:.0f} kB, {error(model):.1f} % of new digits wrong\n")
    print("  precision   at most    weights left    wrong")
    for precision, (style, colour) in STYLES.items():
        points = []
        for size in SIZES:
            made = shrink(model, path, max_size=size, precision=precision)
            points.append((made.bytes / 1000, error(load(path))))
            if size in (5000, 20_000):
                print(
                    f"  {precision:9} {size / 1000:6.0f} kB {made.weights:12,}"
                    f" {points[-1][1]:10.1f} %"
                )
        ax.plot(*np.transpose(points), style, color=colour, label=precision)
ax.axhline(error(model), color="black", linestyle="--", linewidth=0.8)
ax.annotate(f"the whole model, {whole / 1000:.0f} kB", (SIZES[-1] / 1000, error(model)),
            xytext=(0, 12), textcoords="offset points", ha="right")  # fmt: skip
ax.set(xscale="log", xlabel="kilobytes of the file", ylabel="new digits wrong (%)", ylim=(0, None))
ax.set_xticks([4, 5, 10, 20, 40, 80], labels=["4", "5", "10", "20", "40", "80"])
ax.xaxis.set_minor_locator(plt.NullLocator())
ax.set_title("Coarse weights are cheaper than fewer weights")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, title="weights as")
figure.savefig(out / "small_enough.png", dpi=100)
