"""Learn from messages as they arrive: predict, be told the label, learn, go on.

Prints how many messages were taken wrongly so far, and draws it into demo/learn_from_a_stream.png.
"""

import itertools
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from matplotlib.figure import Figure

from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
SUBJECTS = {
    "billing": "invoice refund charged card payment twice receipt price",
    "technical": "error crash login page button broken install update",
    "shipping": "parcel late courier address arrived damaged tracking lost",
}
ANYTHING = "hello please my the is was not and since yesterday thanks help with again"


def messages(seed: int = 0) -> Iterator[tuple[str, str]]:
    """Messages to a help desk, without end; the third subject only comes up after a while."""
    chance = random.Random(seed)
    for number in itertools.count():
        subject = chance.choice(list(SUBJECTS)[: 2 if number < 300 else 3])
        about = chance.choices(SUBJECTS[subject].split(), k=2)
        words = about + chance.choices(ANYTHING.split(), k=6) + [f"#{chance.randrange(500)}"]
        chance.shuffle(words)
        yield " ".join(words), subject


def words_of(message: str) -> Counter[str]:
    """What a message says: each word and how often."""
    return Counter(re.findall(r"[#\w]+", message))


def main() -> None:
    models = [Perceptron(), AveragedPerceptron(), PassiveAggressiveClassifier()]
    wrong = Counter[str]()
    curves: dict[str, list[int]] = {type(model).__name__: [] for model in models}
    print("messages   words   classes   wrong so far: plain   averaged   passive-aggressive")
    for number, (message, subject) in enumerate(itertools.islice(messages(), 2_000), start=1):
        x = words_of(message)
        for model in models:
            wrong[type(model).__name__] += model.predict_one(x) != subject
            model.learn_one(x, subject)
            curves[type(model).__name__].append(wrong[type(model).__name__])
        if number in (50, 100, 300, 500, 1_000, 2_000):
            plain, averaged, aggressive = (wrong[type(model).__name__] for model in models)
            print(
                f"{number:8,d} {models[1].n_features_in_:7d} {len(models[1].classes_):9d}"
                f" {plain:21d} {averaged:10d} {aggressive:20d}"
            )

    message = "hello my parcel was damaged please help"
    scores = models[1].score_one(words_of(message))
    print(f"\n{message!r}")
    for subject, score in sorted(scores.items(), key=lambda item: -item[1]):
        print(f"  {subject:10s} {score:8.3f}")
    draw(curves)


def draw(curves: dict[str, list[int]]) -> None:
    figure = Figure(figsize=(8, 5), layout="constrained")
    axis = figure.subplots()
    for name, curve in curves.items():
        axis.plot(range(1, len(curve) + 1), curve, label=name)
    axis.axvline(300, c="grey", lw=0.8, ls="--")
    axis.annotate("third subject", (300, 0), (5, 5), textcoords="offset points", color="grey")
    axis.set(xlabel="messages", ylabel="wrong so far", ylim=(0, None))
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    OUT.mkdir(parents=True, exist_ok=True)
    figure.savefig(OUT / "learn_from_a_stream.png", dpi=100)


if __name__ == "__main__":
    main()
