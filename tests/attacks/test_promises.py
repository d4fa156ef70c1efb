"""Every promise of SECURITY.md is tried by tests that exist, and every attack has its promise."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "SECURITY.md").read_text("utf-8"))


def test_every_promise_names_tests_that_exist():
    assert len(NAMED) > 20
    for file, test in NAMED:
        assert f"\ndef {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"


def test_every_file_of_attacks_is_named():
    attacks = {f"tests/attacks/{path.name}" for path in Path(__file__).parent.glob("test_*.py")}

    assert attacks - {file for file, _ in NAMED} == {"tests/attacks/test_promises.py"}
