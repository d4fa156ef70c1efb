"""What all tests share."""

import gc
import os
import signal

# Read when NumPy and SciPy are imported. Workers of pytest keep all processors busy as it is.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["SCIPY_ARRAY_API"] = "1"  # which scikit-learn's checks ask for

import hypothesis
import pytest

from members import FLAT_MEMBERS, MEMBERS, STREAM_MEMBERS
from subprocesses import run_in_a_child


def pytest_configure():
    """Hear Ctrl-C, to which a shell makes jobs in the background deaf."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Spare the collector, which runs often, the many objects that stay: modules and tests."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure():
    """Else models that a test has as parameters would never be collected, and be told as leaked."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if pyfuncitem.get_closest_marker("in_a_child") is None:
        return None
    run_in_a_child(pyfuncitem)
    return True


hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=30, database=None
)
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session", params=MEMBERS, ids=str)
def member(request):
    """Each estimator of the family in turn."""
    return request.param


@pytest.fixture(scope="session", params=FLAT_MEMBERS, ids=str)
def flat_member(request):
    """Each of them whose steps move all weights alike."""
    return request.param


@pytest.fixture(scope="session", params=STREAM_MEMBERS, ids=str)
def stream_member(request):
    """Each of them that learns from single examples."""
    return request.param


@pytest.fixture
def no_figures_stay():
    """Close the figures that others left open, and those of the test."""
    import matplotlib.pyplot as plt

    plt.close("all")
    yield
    plt.close("all")
