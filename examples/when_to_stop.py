"""When to stop: error on training and on held-out rows after each pass, the best pass marked.

One label in five is wrong here, so more passes learn more of the noise: the training error falls
while the held-out error rises, also that of the averaged weights. Writes a picture into demo/.
"""

from pathlib import Path

from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron

PASSES = 40
OUT = Path("demo")


def main():
    X, y = make_classification(
        2000, 300, n_informative=40, n_redundant=0, flip_y=0.2, random_state=1
    )
    X, X_val, y, y_val = train_test_split(X, y, test_size=0.5, random_state=0)
    watched = AveragedPerceptron(
        max_iter=PASSES, early_stopping=True, n_iter_no_change=PASSES, random_state=0
    ).fit(X, y, X_val=X_val, y_val=y_val)
    stopped = AveragedPerceptron(max_iter=PASSES, early_stopping=True, verbose=1, random_state=0)
    stopped.fit(X, y, X_val=X_val, y_val=y_val)

    history, best = watched.history_, watched.best_iter_
    print(
        f"\nStopped after {stopped.n_iter_} passes, with the weights of pass {stopped.best_iter_}."
    )
    print(f"Held-out error after that pass: {history[stopped.best_iter_ - 1].validation_error:.1%}")
    print(f"Held-out error after {PASSES} passes:   {history[-1].validation_error:.1%}")
    draw(history, best)


def draw(history, best):
    figure = Figure(figsize=(8, 5), layout="constrained")
    axis = figure.subplots()
    passes = range(1, len(history) + 1)
    curves = {
        "held out, last weights": ("last_validation_error", "#D55E00", "-"),
        "held out, averaged weights": ("validation_error", "#0072B2", "-"),
        "training, averaged weights": ("train_error", "#0072B2", ":"),
    }
    for label, (measure, colour, line) in curves.items():
        errors = [100 * getattr(done, measure) for done in history]
        axis.plot(passes, errors, color=colour, linestyle=line, label=label)
    lowest = 100 * history[best - 1].validation_error
    axis.plot(best, lowest, "*", c="#0072B2", mec="black", ms=16, label=f"best pass: {best}")
    axis.set(xlabel="pass", ylabel="error after the pass (% of rows)", ylim=(0, None))
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    OUT.mkdir(exist_ok=True)
    figure.savefig(OUT / "when_to_stop.png", dpi=150)


if __name__ == "__main__":
    main()
