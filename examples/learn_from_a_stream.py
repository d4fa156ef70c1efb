"""Learn from messages as they arrive: predict, be told the label, learn, go on.

python examples/learn_from_a_stream.py
"""

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator

from rosenblatt import AveragedPerceptron, PassiveAggressiveClassifier, Perceptron

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
    print("messages   words   classes   wrong so far: plain   averaged   passive-aggressive")
    for number, (message, subject) in enumerate(itertools.islice(messages(), 2_000), start=1):
        x = words_of(message)
        for model in models:
            wrong[type(model).__name__] += model.predict_one(x) != subject
            model.learn_one(x, subject)
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


if __name__ == "__main__":
    main()
