"""Versions of the package that are set beside each other, each in processes of its own."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build" / "compare"

NAMING = """\
A version is named by a revision of this repository, which is built into build/compare, once, for
the widest vector instructions; by an interpreter in which the package is installed; or by a folder
that holds the package, such as the src of a clone with its native modules built in place."""


@dataclass(frozen=True)
class Version:
    """An interpreter, and the folder from which it is to import the package, if it needs one."""

    name: str
    python: str
    folder: Path | None = None

    @classmethod
    def named(cls, name: str) -> "Version":
        path = Path(name).absolute()
        if path.is_file():
            return cls(name, str(path))
        if path.is_dir():
            return cls(name, sys.executable, path)
        return cls(name, sys.executable, built(name))

    def start(self, program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """A program of this folder that uses this version, to be talked to by lines."""
        environment = os.environ | variables
        if self.folder is not None:
            environment["PYTHONPATH"] = str(self.folder)
        return subprocess.Popen(
            [self.python, str(Path(__file__).with_name(program)), *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def built(revision: str) -> Path:
    """A folder with the package as of a revision, built now if it is not there yet."""
    commit = _git("rev-parse", "--verify", f"{revision}^{{commit}}").decode().strip()
    folder = BUILT / commit
    if not folder.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        print(f"Building {revision} in {folder}", flush=True)
        with TemporaryDirectory(dir=BUILT) as work:
            subprocess.run(["tar", "x", "-C", work], input=_git("archive", commit), check=True)
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
            levels = ["--config-settings", "cmake.define.ROSENBLATT_LEVELS=widest"]
            subprocess.run([*install, *levels, "--target", f"{work}/to", work], check=True)
            shutil.move(f"{work}/to", folder)
    return folder


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, stdout=-1).stdout
