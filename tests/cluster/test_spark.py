"""Training and scoring on a real cluster: a master, two workers, and processes that are killed."""

import os
import re
import runpy
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    PassiveAggressiveRegressor,
    Perceptron,
    ShardTrainer,
    SparkTrainer,
    TableVectorizer,
    TextVectorizer,
    load,
    save,
    score_dataframe,
)
from rosenblatt.cluster.arrow_columns import Named
from rosenblatt.cluster.executors import Here
from rosenblatt.cluster.mixing import Sent
from rosenblatt.cluster.parquet_shards import ParquetShard, files_in
from rosenblatt.cluster.passes import train
from rosenblatt.cluster.spark import INLINE
from spark_cluster import ENVIRONMENT, LABELS, SETTINGS, X, Y, wait_until
from states import assert_same_state

VECTORS = pa.struct(
    [
        ("type", pa.int8()),
        ("size", pa.int32()),
        ("indices", pa.list_(pa.int32())),
        ("values", pa.list_(pa.float64())),
    ]
)
EXAMPLES = Path(__file__).parents[2] / "examples"


def replayed(estimator, folder, columns=None, vectorizer=None):
    """What the same shards come to one after the other in this process."""
    columns = columns or Named("features", "label")
    sources = [ParquetShard(path, columns, vectorizer) for path in files_in(folder)]
    return train(estimator, Here(), sources)


def passes_in(checkpoint):
    return load(checkpoint).n_iter_ if checkpoint.exists() else 0


def test_a_frame_is_trained_on_to_the_bits_of_its_shards_one_by_one(lists, tmp_path):
    own = AveragedPerceptron(random_state=1, early_stopping=True, max_iter=6)

    model = SparkTrainer(own, weightCol="weight", n_shards=3, checkpointDir=tmp_path).fit(lists)

    columns = Named("features", "label", "weight")
    assert_same_state(model, replayed(own, str(tmp_path / "shards-3"), columns))
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    assert all(done.validation_error is not None for done in model.history_)


def test_whatever_is_killed_the_bits_are_the_same(cluster, lists, tmp_path):
    own = AROW(average=True, random_state=2, max_iter=9, early_stopping=True, n_iter_no_change=9)
    trainer = SparkTrainer(own, n_shards=2, checkpointDir=tmp_path)
    done = tmp_path / "model.rbt"

    with ThreadPoolExecutor(1) as aside:
        training = aside.submit(trainer.fit, lists)
        for passes, kind in enumerate(["python worker", "executor", "worker"], start=1):
            wait_until(lambda n=passes: passes_in(done) >= 2 * n)
            cluster.kill(kind)
        model = training.result()
    cluster.start_worker("one")

    assert len(model.history_) == 9
    assert_same_state(model, replayed(own, str(tmp_path / "shards-2")))


DRIVER = """
    import sys
    from pyspark.sql import SparkSession
    from rosenblatt import AveragedPerceptron, SparkTrainer

    making = SparkSession.builder.master("local-cluster[2,1,1024]")
    making = making.config("spark.python.worker.reuse", "false")
    for name, value in {settings}.items():
        making = making.config(name, value)
    spark = making.getOrCreate()
    rows = spark.read.parquet(sys.argv[1])
    own = AveragedPerceptron(max_iter=12, early_stopping=True, n_iter_no_change=12)
    SparkTrainer(own, n_shards=2, checkpointDir=sys.argv[2]).fit(rows)
"""


def test_training_whose_driver_is_killed_goes_on_to_the_same_bits(lists, tmp_path):
    data, kept = str(tmp_path / "data"), tmp_path / "kept"
    lists.write.parquet(f"file://{data}")
    program = textwrap.dedent(DRIVER).format(settings=SETTINGS)
    done = kept / "model.rbt"

    with open(tmp_path / "log", "w") as log:
        driver = subprocess.Popen(
            [sys.executable, "-c", program, data, str(kept)],
            env=os.environ | ENVIRONMENT,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_until(lambda: driver.poll() is not None or passes_in(done) >= 2)
        finally:
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()
    left = load(done)
    assert left.n_iter_ < 12
    (kept / f"round-{0:032x}").mkdir(exist_ok=True)  # as a killed driver leaves it

    own = AveragedPerceptron(max_iter=12, early_stopping=True, n_iter_no_change=12)
    model = SparkTrainer(own, n_shards=2, checkpointDir=kept).fit(lists)

    own.set_params(random_state=left._state.run.seed)
    model.set_params(random_state=own.random_state)
    assert_same_state(model, replayed(own, str(kept / "shards-2")))
    assert sorted(os.listdir(kept)) == ["model.rbt", "shards-2"]


def test_vectors_of_spark_ml_are_read_dense_and_sparse(spark, tmp_path):
    from pyspark.ml.linalg import Vectors

    width = X.shape[1]
    mixed = [
        Vectors.dense(row) if number % 2 else Vectors.sparse(width, dict(enumerate(row.tolist())))
        for number, row in enumerate(X)
    ]
    rows = [(row, int(label)) for row, label in zip(mixed, Y, strict=True)]
    frame = spark.createDataFrame(rows, ["features", "label"])
    own = Perceptron(random_state=0, max_iter=3)

    trainer = SparkTrainer(own, n_shards=1, checkpointDir=tmp_path)
    model = trainer.fit(frame)
    scored = score_dataframe(model, frame).toArrow()

    assert_same_state(trainer.fit(frame), model)
    assert model.n_features_in_ == width
    assert scored["prediction"].to_pylist() == model.predict(X).tolist()
    np.testing.assert_array_equal(np.array(scored["score"].to_pylist()), model.decision_function(X))
    assert scored.column_names == ["features", "label", "prediction", "score"]


def test_a_validation_frame_is_tried_after_every_pass_as_by_fit(lists, spark, tmp_path):
    held_out = spark.createDataFrame(lists.limit(40).collect(), lists.schema)
    own = AveragedPerceptron(random_state=1, early_stopping=True, n_iter_no_change=2, max_iter=7)
    told = []

    model = SparkTrainer(
        own,
        weightCol="weight",
        n_shards=1,
        checkpointDir=tmp_path,
        on_pass=lambda number, done: told.append((number, done.validation_error)),
    ).fit(lists, validation=held_out)

    columns = Named("features", "label", "weight")
    learned, tried = (
        [ParquetShard(path, columns).load() for path in files_in(str(tmp_path / name))]
        for name in ("shards-1", "validation-1")
    )
    X_val, y_val, weight = (np.concatenate(part) for part in zip(*map(plain, tried), strict=True))
    fitted = own.fit(*plain(learned[0]), X_val=X_val, y_val=y_val, sample_weight_val=weight)
    assert_same_state(model, fitted)
    assert [error for _, error in told] == [done.validation_error for done in fitted.history_]
    other = spark.createDataFrame([(X[0].tolist(), "new")], "features array<double>, label string")
    with pytest.raises(ValueError, match=r"column label of part-.* holds the label 'new', which"):
        SparkTrainer(own, n_shards=1, checkpointDir=tmp_path / "other").fit(lists, other)
    with pytest.raises(TypeError, match="validation must be a Spark DataFrame or a folder of Par"):
        SparkTrainer(own).fit(lists, validation=[1])


def plain(data):
    """Rows, labels and weights as `fit` takes them."""
    table, labels, importance = data
    return np.asarray(table), labels.classes[labels.codes], importance


def test_all_that_is_known_of_a_row_stands_in_columns(spark):
    frame = spark.createDataFrame([(row.tolist(),) for row in X], "features array<double>")
    model = AveragedPerceptron(random_state=0, probabilities=True).fit(X, LABELS)

    scored = score_dataframe(
        model, frame, probabilityCol="probability", topCol="best", top=2, unknownCol="unknown",
        abstain_below=0.5,
    ).toArrow()  # fmt: skip

    probable = model.predict_proba(X)
    assert scored["prediction"].to_pylist() == model.predict(X, abstain_below=0.5).tolist()
    assert None in scored["prediction"].to_pylist()
    np.testing.assert_array_equal(np.array(scored["probability"].to_pylist()), probable)
    best = scored["best"].to_pylist()
    assert [[one["label"] for one in own] for own in best] == model.predict(X, top=2).tolist()
    assert best[0][0]["score"] == model.decision_function(X)[0].max()
    assert best[0][0]["probability"] == probable[0][list(model.classes_).index(best[0][0]["label"])]
    assert set(scored["unknown"].to_pylist()) == {0.0}


def test_models_of_sets_numbers_and_tables_score_frames_too(spark):
    sets = [{"a"} if row[0] > 0 else {"a", "b"} for row in X]
    several = AveragedPerceptron(random_state=0).fit(X, sets)
    numbers = PassiveAggressiveRegressor(random_state=0).fit(X, X[:, 0])
    cells = [(float(row[0]), "warm" if row[1] > 0 else None) for row in X]
    table = {"height": [height for height, _ in cells], "air": [air or "" for _, air in cells]}
    vectorizer = TableVectorizer(kinds={"height": "number", "air": "category"})
    tables = make_pipeline(vectorizer, Perceptron(random_state=0)).fit(table, LABELS)
    frame = spark.createDataFrame([(row.tolist(),) for row in X], "features array<double>")
    named = spark.createDataFrame(cells, "height double, air string")

    found = [score_dataframe(model, frame).toArrow() for model in (several, numbers)]
    of_table = score_dataframe(tables, named).toArrow()

    given = found[0]["prediction"].to_pylist()
    assert list(map(set, given)) == list(map(set, several.predict(X)))
    assert found[1]["prediction"].to_pylist() == numbers.predict(X).tolist()
    assert found[1].column_names == ["features", "prediction"]
    assert of_table["prediction"].to_pylist() == tables.predict(table).tolist()


def test_raw_text_is_hashed_on_the_workers(spark, tmp_path):
    rows = [("a good film", True), ("a bad film", False), ("good plot", True), ("bad", False)] * 4
    frame = spark.createDataFrame(rows, ["words", "liked"])
    pipeline = make_pipeline(TextVectorizer(n_hash_bits=20), Perceptron(random_state=0))

    model = SparkTrainer(
        pipeline, featuresCol="words", labelCol="liked", n_shards=1, checkpointDir=tmp_path
    ).fit(frame)
    save(model, tmp_path / "films.rbt")
    scored = score_dataframe(tmp_path / "films.rbt", frame, featuresCol="words", scoreCol=None)

    assert model.predict(["good", "bad film"]).tolist() == [True, False]
    assert [row.prediction for row in scored.collect()] == [liked for _, liked in rows]


def test_weights_too_large_for_a_task_travel_in_files(spark, tmp_path, monkeypatch):
    kept, folder = tmp_path / "kept", tmp_path / "rows"
    folder.mkdir()
    rng = np.random.default_rng(0)
    for shard in range(2):
        rows = [np.sort(rng.choice(200_000, 6000, replace=False)) for _ in range(10)]
        vectors = [
            {"type": 0, "size": 200_000, "indices": row, "values": np.ones(6000)} for row in rows
        ]
        table = pa.table({"features": pa.array(vectors, VECTORS), "label": [0, 1] * 5})
        parquet.write_table(table, folder / f"{shard}.parquet")
    own = AveragedPerceptron(random_state=0, max_iter=3)
    monkeypatch.chdir(tmp_path)  # of the driver, where workers are not

    model = SparkTrainer(own, spark=spark, checkpointDir=f"file://{kept}").fit("rows")

    assert Sent.of(model._state.weights, model._state.run).rows.nbytes > INLINE
    assert_same_state(model, replayed(own, str(folder)))
    assert [path.name for path in kept.iterdir()] == ["model.rbt"]


def test_the_example_runs_on_a_laptop(spark, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["spark_on_a_laptop.py", str(tmp_path)])

    example = runpy.run_path(str(EXAMPLES / "spark_on_a_laptop.py"))
    example["main"]()

    printed = capsys.readouterr().out
    assert re.search(r"pass 1: \d+ mistakes, \d+\.\d% wrong held out", printed)
    assert int(re.search(r"(\d+) of 400 held-out reviews are right", printed)[1]) > 320
    assert load(tmp_path / "reviews.rbt").predict(["superb film"]) == ["good"]


def test_columns_of_numbers_give_features_their_names(spark):
    rows = [(*row[:2].tolist(), int(label)) for row, label in zip(X, Y, strict=True)]
    frame = spark.createDataFrame(rows, ["height", "my width", "label"])
    own = Perceptron(max_iter=1)

    with pytest.raises(ValueError, match="checkpointDir must name a folder that the driver and"):
        SparkTrainer(own, featuresCol=["height", "my width"]).fit(frame)


CONNECT = """
    import sys
    from pyspark.sql import SparkSession
    from rosenblatt import AveragedPerceptron, SparkTrainer, save, score_dataframe

    spark = SparkSession.builder.remote("local[2]").getOrCreate()
    assert "connect" in type(spark).__module__
    rows = spark.read.parquet(sys.argv[1])
    own = AveragedPerceptron(random_state=1, max_iter=3)
    model = SparkTrainer(own, n_shards=2, checkpointDir=sys.argv[2]).fit(rows)
    save(model, sys.argv[3])
    again = SparkTrainer(own, n_shards=2, checkpointDir=sys.argv[2]).fit(rows)
    of_files = SparkTrainer(own).fit(sys.argv[2] + "/shards-2")
    assert (model.coef_ == again.coef_).all() and (model.coef_ == of_files.coef_).all()
    scored = score_dataframe(model, rows).select("features", "prediction").collect()
    found = model.predict([row.features for row in scored]).tolist()
    assert [row.prediction for row in scored] == found
    spark.stop()
"""


def test_a_connect_server_trains_and_scores_the_same(lists, tmp_path):
    data, kept, file = str(tmp_path / "data"), tmp_path / "kept", tmp_path / "model.rbt"
    lists.write.parquet(f"file://{data}")

    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CONNECT), data, str(kept), str(file)],
        env=os.environ | ENVIRONMENT,
        check=True,
        capture_output=True,
    )

    own = AveragedPerceptron(random_state=1, max_iter=3)
    assert_same_state(load(file), replayed(own, str(kept / "shards-2")))


def frame_of(spark, features, kind, label="string"):
    return spark.createDataFrame(features, f"features {kind}, label {label}")


def test_what_is_wrong_with_a_frame_is_said_of_its_columns(spark, tmp_path):
    wrong = [
        ({"featuresCol": "nope"}, [1.0], "array<double>", "has no column nope, only features, lab"),
        ({"labelCol": "l"}, [1.0], "array<double>", "has no column l, only features, label"),
        (
            {"weightCol": "label"},
            [1.0],
            "array<double>",
            "column label must be numbers, got str",
        ),
        ({}, "film", "string", "column features must be vectors, .*: put a TextVectorizer"),
        ({"featuresCol": ["features"]}, "film", "string", "column features must be numbers, got"),
        ({}, None, "array<double>", r"column features of part-.*parquet is null in row 0: fill"),
        ({"mixing": "best"}, [1.0], "array<double>", "mixing must be 'changed', 'uniform' or"),
        (
            {"n_shards": 3},
            [1.0],
            "array<double>",
            "n_shards must leave rows for every shard, got 1",
        ),
        ({"featuresCol": ()}, [1.0], "array<double>", "featuresCol must name a column, or several"),
        ({"checkpointDir": "hdfs://nn/run"}, [1.0], "array<double>", "checkpointDir must be a fol"),
        (
            {"checkpointDir": __file__},
            [1.0],
            "array<double>",
            "checkpointDir must be a folder, got",
        ),
        ({}, [1.0], "array<double>", "column label must hold labels of at least two classes"),
    ]
    for parameters, features, kind, message in wrong:
        frame = frame_of(spark, [(features, "a")], kind)
        trainer = SparkTrainer(Perceptron(), n_shards=1, checkpointDir=tmp_path)
        for name, value in parameters.items():
            setattr(trainer, name, value)
        with pytest.raises(ValueError, match=message):
            trainer.fit(frame)
    with pytest.raises(ValueError, match="folder must name a folder that the driver and all work"):
        ShardTrainer(Perceptron(), executor=spark).fit(X, Y)
    with pytest.raises(ValueError, match="data has no rows"):
        trainer.fit(frame.limit(0))
    with pytest.raises(ValueError, match="The DataFrame has several columns label: rename all"):
        trainer.fit(frame.withColumn("other", frame.label).withColumnRenamed("other", "LABEL"))
    with pytest.raises(
        ValueError, match=r"pipeline must have a TextVectorizer .*, got StandardSca"
    ):
        SparkTrainer(make_pipeline(StandardScaler(), Perceptron())).fit(frame)
    with pytest.raises(ValueError, match="data must be a folder that driver and workers have mou"):
        SparkTrainer(Perceptron(), spark=spark, checkpointDir=tmp_path).fit("s3a://bucket/rows")
    assert os.listdir(tmp_path) == []


def test_shards_of_other_rows_are_not_trained_on(spark, tmp_path):
    rows = [([Decimal(1)], "a"), ([Decimal(2)], "b")]
    own = Perceptron(max_iter=1, random_state=0)
    names = {"featuresCol": "`x", "n_shards": 1, "checkpointDir": tmp_path}
    trainer = SparkTrainer(own, **names)
    marks = "mapreduce.fileoutputcommitter.marksuccessfuljobs"
    settings = spark.sparkContext._jsc.hadoopConfiguration()

    def frame(rows):
        return frame_of(spark, rows, "array<decimal(4,1)>").withColumnRenamed("features", "`x")

    with pytest.raises(ValueError, match=r"column label of part-.* is null in row [01]"):
        trainer.fit(frame([(rows[0][0], None), rows[1]]))
    settings.set(marks, "false")
    model = trainer.fit(frame(rows))
    settings.unset(marks)
    files = sorted(os.listdir(tmp_path / "shards-1"))
    (tmp_path / "model.rbt").unlink()

    assert_same_state(trainer.fit(frame(rows[::-1])), model)
    assert sorted(os.listdir(tmp_path / "shards-1")) == files
    weighed = frame(rows)
    weighed = weighed.withColumn("weight", weighed.label.isNotNull().cast("int"))
    for other, more in (
        (frame(rows * 2), {}),
        (frame([rows[0], ([Decimal(3)], "b")]), {}),
        (weighed, {"weightCol": "weight"}),
    ):
        with pytest.raises(ValueError, match=r"shards-1 has rows or columns of another DataFrame"):
            SparkTrainer(own, **names, **more).fit(other)


def test_scoring_refuses_what_it_cannot_do_before_it_begins(spark, tmp_path):
    model = Perceptron().fit([[0.0], [1.0]], ["a", "b"])
    frame = frame_of(spark, [([1.0], "a")], "array<double>")

    with pytest.raises(ValueError, match="has no column x, only features, label"):
        score_dataframe(model, frame, featuresCol="x")
    for names, parameter in (
        ({"predictionCol": "label"}, "predictionCol"),
        ({"predictionCol": "Label"}, "predictionCol"),
        ({"unknownCol": "label"}, "unknownCol"),
        ({"predictionCol": "p", "scoreCol": "p"}, "scoreCol"),
    ):
        with pytest.raises(ValueError, match=f"a column .+ already: choose another {parameter}"):
            score_dataframe(model, frame, **names)
    with pytest.raises(ValueError, match=r"column label must be vectors, .*, got string"):
        score_dataframe(model, frame, featuresCol="label")
    with pytest.raises(TypeError, match="data must be a Spark DataFrame, got list"):
        score_dataframe(model, [[1.0]])
    with pytest.raises(
        Exception, match="column features is null: fill in or drop it first"
    ) as told:
        score_dataframe(model, frame_of(spark, [(None, "a")], "array<double>")).collect()
    assert "null in row" not in str(told.value)
    with pytest.raises(ValueError, match="has scores but no probabilities: fit it with probab"):
        score_dataframe(model, frame, probabilityCol="p")
    with pytest.raises(ValueError, match="abstain is given where no label is: say when: abstain_b"):
        score_dataframe(model, frame, abstain="?")
    with pytest.raises(TypeError, match="data must be a Spark DataFrame or a folder of Parquet"):
        SparkTrainer(Perceptron()).fit([[1.0]])
    with pytest.raises(ValueError, match="has columns that only the data tells: set n_hash_bits"):
        SparkTrainer(make_pipeline(TextVectorizer(), Perceptron())).fit(frame)
