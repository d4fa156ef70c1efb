"""One cluster for all tests of Spark: to start another costs more than most of them."""

import pytest

from spark_cluster import LABELS, WEIGHTS, Standalone, X


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with Standalone(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="session")
def spark(cluster):
    return cluster.session


@pytest.fixture(scope="session")
def lists(spark):
    found = zip(X.tolist(), LABELS.tolist(), WEIGHTS.tolist(), strict=True)
    return spark.createDataFrame(list(found), "features array<double>, label string, weight double")
