"""Train and score on Apache Spark, as on a cluster but with two workers of this machine.

Needs Java 17 or later and ``pip install 'rosenblatt[spark]'``. Writes the model and the scored rows
into demo/, or the folder named on the command line.
"""

import os
import sys
from pathlib import Path

import numpy as np
from sklearn.pipeline import make_pipeline

from rosenblatt import (
    AveragedPerceptron,
    SparkTrainer,
    TextVectorizer,
    feature_weights,
    save,
    score_dataframe,
)

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "demo").absolute()
GOOD, BAD = ["superb", "moving", "clever", "gripping"], ["dull", "clumsy", "noisy", "shallow"]
OTHER = ["film", "plot", "cast", "scene", "music", "camera", "story", "ending"]


def reviews(count: int) -> list[tuple[str, str]]:
    """Made-up reviews, one in ten with the wrong opinion."""
    rng = np.random.default_rng(0)
    made = []
    for likes, slips in rng.random((count, 2)) < [0.5, 0.1]:
        words = [*rng.choice(GOOD if likes else BAD, 2), *rng.choice(OTHER, 4)]
        made.append((" ".join(rng.permutation(words)), "good" if likes != slips else "bad"))
    return made


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    rows = reviews(2000)
    learned = spark.createDataFrame(rows[:1600], "review string, opinion string")
    held_out = spark.createDataFrame(rows[1600:], learned.schema)

    print("Two shards; after every pass the weights are mixed, and tried on 400 held-out reviews:")
    text = TextVectorizer(n_hash_bits=18)
    trainer = SparkTrainer(
        make_pipeline(text, AveragedPerceptron(max_iter=4, random_state=0)),
        featuresCol="review",
        labelCol="opinion",
        n_shards=2,
        checkpointDir=OUT / "run",
        on_pass=lambda number, done: print(
            f"pass {number}: {done.mistakes} mistakes, {done.validation_error:.1%} wrong held out"
        ),
    )
    model = trainer.fit(learned, validation=held_out)
    save(model, OUT / "reviews.rbt")

    scored = score_dataframe(OUT / "reviews.rbt", held_out, featuresCol="review")
    print("\nThe labels stand beside the rows, given by the workers:")
    for row in scored.orderBy("score").limit(3).collect():
        print(f"{row.prediction:5} {row.score:7.2f}  {row.review}")
    right = scored.where("prediction = opinion").count()
    print(f"\n{right} of {held_out.count()} held-out reviews are right.")
    print(feature_weights(model, n=2))


if __name__ == "__main__":
    main()
