"""A first look at rosenblatt: watch it learn, set it beside scikit-learn, see its weights.

Learns handwritten digits (ten classes) and breast cancer (two classes), prints what happens and
writes two pictures into demo/, or the folder named on the command line.
"""

import sys
import time
from pathlib import Path

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from sklearn import linear_model
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import rosenblatt
from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

PASSES = 15
ORDERS = 10
OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    print(f"rosenblatt {rosenblatt.__version__}, the perceptron family: a first look")

    X, y, X_out, y_out = digits = split(*load_digits(return_X_y=True))
    announce("DIGITS", "10 classes; 8 x 8 pixels of ink, 0 to 16", X, X_out)
    _, averaged, digit_errors = watch(*digits)
    compare(*digits)
    draw_prototypes(averaged, X, y)

    X, y, X_out, y_out = split(*load_breast_cancer(return_X_y=True))
    scaler = StandardScaler().fit(X)
    cancer = scaler.transform(X), y, scaler.transform(X_out), y_out
    announce("BREAST CANCER", "2 classes; 30 measures of cell nuclei, scaled", X, X_out)
    plain, _, cancer_errors = watch(*cancer)
    go_on(plain, *cancer)
    compare(*cancer)
    draw_errors({"Digits": digit_errors, "Breast cancer": cancer_errors})

    print(f"""

WHAT NEXT
  Look at prototypes.png, what each digit's weights look for, and error_per_pass.png, both in
  {OUT}.
  Put AveragedPerceptron() where your scikit-learn code has a linear classifier.
  README.md has a ten-line example; docs/algorithms.md says which member suits which data.""")


def split(X, y):
    """Seven rows in ten to learn from, the others held out."""
    X, X_out, y, y_out = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    return X, y, X_out, y_out


def announce(name, what, X, X_out):
    print(f"\n\n{name}: {what}")
    print(f"{len(X):,} rows to learn from, {len(X_out):,} held out, {X.shape[1]} features\n")


def watch(X, y, X_out, y_out):
    """Train one pass at a time, a line for each; returns both models and their errors."""
    plain = Perceptron(warm_start=True, max_iter=1, random_state=0)
    averaged = AveragedPerceptron(warm_start=True, max_iter=1, random_state=0)
    print(
        "  Plain predicts with the last weights, averaged with the mean of all it passed through.\n"
    )
    print("           during the pass     error on training rows     error on held-out rows")
    print("  pass   updates  mistakes          plain   averaged            plain   averaged")
    errors = []
    for number in range(1, PASSES + 1):
        plain.fit(X, y)  # warm_start: one pass more
        averaged.fit(X, y)  # same order, same updates; only the weights that predict differ
        now = [error(plain, X, y), error(averaged, X, y)]
        now += [error(plain, X_out, y_out), error(averaged, X_out, y_out)]
        done = averaged.history_[-1]
        print(f"{number:6}{done.updates:10}{done.mistakes:10}", end="")
        print("{:13.1f} %{:9.1f} %{:15.1f} %{:9.1f} %".format(*now))
        errors.append(now)
    return plain, averaged, np.array(errors)


def error(model, X, y):
    return 100 * (1 - model.score(X, y))


def go_on(model, X, y, X_out, y_out):
    """Train the same model further, until a pass makes no update."""
    model.set_params(max_iter=1000).fit(X, y)
    outcome = "converged" if model.converged_ else "did not converge"
    print(f"\n  Carried on, the plain run {outcome}:", end=" ")
    print(f"{model.n_iter_} passes, {model.n_updates_:,} updates in all,")
    print(f"  error {error(model, X, y):.1f} % on training rows,", end=" ")
    print(f"{error(model, X_out, y_out):.1f} % on held-out rows.")


def compare(X, y, X_out, y_out):
    """Held-out accuracy over several random orders and the shortest fit, beside scikit-learn."""
    models = {
        "scikit-learn's Perceptron": linear_model.Perceptron(max_iter=PASSES, tol=None),
        "Perceptron": Perceptron(max_iter=PASSES),
        "AveragedPerceptron": AveragedPerceptron(max_iter=PASSES),
        "PassiveAggressiveClassifier": PassiveAggressiveClassifier(max_iter=PASSES),
        "   with average=True": PassiveAggressiveClassifier(max_iter=PASSES, average=True),
    }
    accuracy, seconds = np.empty((2, len(models), ORDERS))
    for order in range(ORDERS):
        for k, model in enumerate(models.values()):
            model.set_params(random_state=order)
            clock = time.perf_counter()
            model.fit(X, y)
            seconds[k, order] = time.perf_counter() - clock
            accuracy[k, order] = 100 * model.score(X_out, y_out)
    print(f"\n  Each model fitted in {ORDERS} random orders, {PASSES} passes at most:\n")
    print("                                    held-out accuracy          shortest   times as")
    print("                                 mean    lowest   highest           fit       fast")
    for name, shares, best in zip(models, accuracy, seconds.min(axis=1), strict=True):
        print(
            f"  {name:28}{shares.mean():6.1f} %{shares.min():8.1f} %{shares.max():8.1f} %", end=""
        )
        print(f"{1e3 * best:11.2f} ms{seconds[0].min() / best:11.1f}")


def draw_prototypes(model, X, y):
    """The averaged weights of each digit as a picture, its mean image in outline over it."""
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    axes = figure.subplots(2, 5)
    brown_to_blue = ["#7f3b08", "#e08214", "white", "#4393c3", "#053061"]
    colours = LinearSegmentedColormap.from_list("weights", brown_to_blue)
    most = np.abs(model.coef_).max()
    for digit, weights, axis in zip(model.classes_, model.coef_, axes.flat, strict=True):
        picture = axis.imshow(weights.reshape(8, 8), cmap=colours, vmin=-most, vmax=most)
        mean = np.pad(X[y == digit].mean(axis=0).reshape(8, 8), 1)
        axis.contour(range(-1, 9), range(-1, 9), mean, levels=[8], colors="black", linewidths=1)
        axis.set(xlabel=f"digit {digit}", xticks=[], yticks=[])
    bar = figure.colorbar(picture, ax=axes, shrink=0.8)
    bar.set_label("weight: ink in this pixel speaks\nagainst the digit (brown) or for it (blue)")
    figure.suptitle("AveragedPerceptron: the weights of each digit, and its mean image in outline")
    figure.savefig(OUT / "prototypes.png", dpi=150)


def draw_errors(errors):
    """Error after each pass, a panel for each data set, the best held-out passes starred."""
    figure = Figure(figsize=(11, 5), layout="constrained")
    passes = np.arange(1, PASSES + 1)
    styles = {"plain": {"c": "#D55E00", "marker": "o"}, "averaged": {"c": "#0072B2", "marker": "s"}}
    for axis, (name, curves) in zip(figure.subplots(1, 2), errors.items(), strict=True):
        for k, (kind, style) in enumerate(styles.items()):
            training, held_out = curves[:, k], curves[:, 2 + k]
            best = held_out.argmin()
            star = f"{kind}, best pass: {best + 1} ({held_out[best]:.1f} %)"
            axis.plot(passes, held_out, **style, label=f"{kind}, held out")
            axis.plot(passes, training, **style, ls=":", mfc="white", label=f"{kind}, training")
            axis.plot(best + 1, held_out[best], "*", c=style["c"], mec="black", ms=16, label=star)
        axis.set(title=name, xlabel="pass", ylabel="error (% of rows)", ylim=(0, None))
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.15),
            ncols=2,
            frameon=False,
            fontsize="small",
        )
    figure.savefig(OUT / "error_per_pass.png", dpi=150)


if __name__ == "__main__":
    main()
