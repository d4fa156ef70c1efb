"""What `make java` takes for the Java that Spark needs."""

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("says", "suits"),
    [
        ('openjdk version "17.0.15" 2025-04-15', True),
        ('NOTE: Picked up JDK_JAVA_OPTIONS: -Xint\njava version "21" 2023-09-19 LTS', True),
        ('openjdk version "11.0.2" 2019-01-15', False),
        ('java version "1.8.0_292"', False),
        (None, False),
    ],
)
def test_java_17_or_later_is_asked_for(tmp_path, says, suits):
    for tool in ("sed", "id"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    if says is not None:
        (tmp_path / "java").write_text(f"#!/bin/sh\nprintf '%s\\n' '{says}' >&2\n")
        (tmp_path / "java").chmod(0o755)

    done = subprocess.run(
        [shutil.which("make"), "java"],
        cwd=Path(__file__).parents[2],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert (done.returncode == 0) == suits
    assert ("need Java 17 or later on the path" in done.stderr) != suits
