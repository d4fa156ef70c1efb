"""Learn from messages as they arrive: predict, be told the label, learn, go on.

Prints how many messages were taken wrongly so far, and draws it into demo/learn_from_a_stream.png.
"""

import random
import sys
from collections import Counter
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


def messages(count, chance):
    """Messages to a help desk; the third subject only comes up after a while."""
    for number in range(count):
        subject = chance.choice(list(SUBJECTS)[: 2 if number < 300 else 3])
        about = chance.choices(SUBJECTS[subject].split(), k=2)
        yield about + chance.choices(ANYTHING.split(), k=6) + [f"#{chance.randrange(500)}"], subject


def main():
    models = [Perceptron(), AveragedPerceptron(), PassiveAggressiveClassifier()]
    curves, wrong = [], [0, 0, 0]
    print("messages   words   classes   wrong so far: plain   averaged   passive-aggressive")
    for number, (words, subject) in enumerate(messages(2000, random.Random(0)), start=1):
        x = Counter(words)
        for k, model in enumerate(models):
            wrong[k] += model.predict_one(x) != subject
            model.learn_one(x, subject)
        curves.append(wrong.copy())
        if number in (50, 100, 300, 500, 1000, 2000):
            known = f"{models[1].n_features_in_:7} {len(models[1].classes_):9}"
            print(f"{number:8,} {known} {wrong[0]:21} {wrong[1]:10} {wrong[2]:20}")
    message = "hello my parcel was damaged please help"
    scores = models[1].score_one(Counter(message.split()))
    print(f"\n{message!r}")
    for subject in sorted(scores, key=scores.get, reverse=True):
        print(f"  {subject:10s} {scores[subject]:8.3f}")

    figure = Figure(figsize=(8, 5), layout="constrained")
    axis = figure.subplots()
    axis.plot(range(1, 2001), curves, label=[type(model).__name__ for model in models])
    axis.set(xlabel="messages; a third subject comes after 300", ylabel="wrong so far")
    axis.legend(frameon=False)
    OUT.mkdir(parents=True, exist_ok=True)
    figure.savefig(OUT / "learn_from_a_stream.png", dpi=100)


main()
