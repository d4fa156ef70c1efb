"""Read what a model of film reviews has learned: its words, one prediction, and the reasons for it.

The reviews are made up here from a few words, one in ten with the wrong label.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from rosenblatt import AveragedPerceptron, contributions, feature_weights, made_of, why
from rosenblatt.plots import WeightsDisplay

out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)

PRAISE = ["excellent", "moving", "superb", "charming", "clever", "gripping"]
BLAME = ["terrible", "dull", "clumsy", "tedious", "shallow", "noisy"]
NEUTRAL = ["film", "plot", "cast", "scene", "music", "camera", "story", "ending"]


def main():
    texts, opinions = reviews(400)
    model = make_pipeline(CountVectorizer(), AveragedPerceptron(record=True, random_state=0))
    model.fit(texts, opinions)

    print("WHAT IT LEARNED: the heaviest words for each opinion\n")
    print(feature_weights(model, n=6))

    text = "a clumsy plot and a dull cast but superb music"
    print(f"\n\nONE PREDICTION: {text!r} is {model.predict([text])[0]}\n")
    print(contributions(model, text))

    print("\n\nWHY: the training reviews, met with a mistake, that pushed it most; those met so in")
    print("nearly every pass carry the wrong label\n")
    print(why(model, text, texts, opinions))

    print("\n\nWHERE A WEIGHT COMES FROM: the mistakes that made the weight of 'superb'\n")
    print(made_of(model, "superb", texts, opinions))

    words = model[0].get_feature_names_out()
    display = WeightsDisplay.from_estimator(model[-1], feature_names=words, n=6)
    display.figure_.savefig(out / "reading_the_weights.png", dpi=100)


def reviews(count):
    """Texts of two words of opinion and three others, and what their writers thought."""
    rng = np.random.default_rng(0)
    texts, opinions = [], []
    for likes in rng.random(count) < 0.5:
        words = [*rng.choice(PRAISE if likes else BLAME, 2), *rng.choice(NEUTRAL, 3, replace=False)]
        texts.append(" ".join(rng.permutation(words)))
        opinions.append("positive" if likes ^ (rng.random() < 0.1) else "negative")
    return texts, opinions


if __name__ == "__main__":
    main()
