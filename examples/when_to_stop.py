"""When to stop: one label in five is wrong here, so more passes learn more of the noise.

The training error falls while the held-out error rises, also that of the averaged weights.
"""

import sys
from pathlib import Path

from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rosenblatt import AveragedPerceptron
from rosenblatt.plots import PassesDisplay

PASSES = 40
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

X, y = make_classification(2000, 300, n_informative=40, n_redundant=0, flip_y=0.2, random_state=1)
X, X_val, y, y_val = train_test_split(X, y, test_size=0.5, random_state=0)
held_out = {"X_val": X_val, "y_val": y_val}

watched = AveragedPerceptron(max_iter=PASSES, random_state=0).fit(X, y, **held_out)
stopped = AveragedPerceptron(max_iter=PASSES, early_stopping=True, verbose=1, random_state=0)
stopped.fit(X, y, **held_out)

best, last = stopped.history_[stopped.best_iter_ - 1], watched.history_[-1]
print(f"Stopped after {stopped.n_iter_} passes, with the weights of pass {stopped.best_iter_}.")
print(f"Held-out error after that pass: {best.validation_error:.1%}")
print(f"Held-out error after {PASSES} passes:   {last.validation_error:.1%}")

display = PassesDisplay.from_history({"averaged": watched.history_})
display.figure_.savefig(out / "when_to_stop.png", dpi=100)
