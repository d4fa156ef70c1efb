"""The page in a real browser."""

import os
import shutil
import subprocess
import threading

import pytest

from rosenblatt.lab.serving import PageServer, is_built

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
OWN = {name: said for name, said in os.environ.items() if name != "LD_PRELOAD"}
"""What programs of others start with: the runtime of sanitizers is preloaded for Python alone."""


def launched(chromium):
    """The browser on the path, else Playwright's own, else Debian's."""
    from playwright.sync_api import Error

    on_path = shutil.which("chromium") or shutil.which("google-chrome")
    if on_path is None:
        try:
            return chromium.launch(args=FLAGS, env=OWN)
        except Error:
            if shutil.which("apt-get") and os.geteuid() == 0:
                subprocess.run(["apt-get", "install", "-qq", "-y", "chromium"], check=False)
            on_path = shutil.which("chromium")
    if on_path is None:
        pytest.fail(
            "The tests of the lab need Chromium: apt install chromium, or playwright install."
        )
    return chromium.launch(executable_path=on_path, args=FLAGS, env=OWN)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    if not is_built():
        pytest.fail("The core of the lab is not compiled: make src/rosenblatt/lab/page/core.wasm")
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address():
    with PageServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()
