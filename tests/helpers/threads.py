"""Work that is done by threads side by side, which change places as often as they can."""

import sys
import threading
from contextlib import contextmanager


@contextmanager
def changing_places():
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def in_threads(*works):
    """Does all of them side by side; what went wrong in any."""
    failures = []

    def do(work):
        try:
            work()
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=do, args=[work]) for work in works]
    with changing_places():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return failures


def times(count, work):
    def do():
        for _ in range(count):
            work()

    return do
