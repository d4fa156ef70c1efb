"""scikit-learn's tests of its readers and writer of svmlight, with ours in their place."""

import pytest

from adopted import adopt
from rosenblatt import read_svmlight, read_svmlights, write_svmlight

pytestmark = pytest.mark.filterwarnings("default")


def dump_svmlight_file(X, y, f, *, zero_based=True, **options):
    """Theirs has another order and counts columns from 0."""
    write_svmlight(f, X, y, zero_based=zero_based, **options)


adopt(
    globals(),
    "sklearn.datasets.tests.test_svmlight_format",
    {
        "sklearn.datasets.load_svmlight_file": read_svmlight,
        "sklearn.datasets.load_svmlight_files": read_svmlights,
        "sklearn.datasets.dump_svmlight_file": dump_svmlight_file,
    },
)


OTHERS = []

DIFFERENCES = {
    "switching.md#files-of-svmlight": [
        "test_load_svmlight_file_fd",
        "test_dump[*",
        "test_dump_multilabel*",
        "test_dump_concise",
        "test_dump_comment",
    ]
}
