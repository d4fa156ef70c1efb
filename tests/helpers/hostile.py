"""What attacks have in common: hostile names, and the program where it has little of something."""

import re
import shutil
import subprocess
import sys

EVIL = "a\x1b]0;owned\x07b\x9b2Jc\u202ed\re\nf\x7f"
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OUR_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

MEMORY = 600 << 20
"""Bytes that a command on a hostile file may take, the libraries that it imports included."""


def bare(written):
    """What a terminal was sent, without our own colours and line ends."""
    return OUR_COLOURS.sub("", written).replace("\r\n", "\n")


def in_little_memory(*words, folder, seconds=60):
    """The program in a process of its own that has so much memory and time and no more."""
    run = (
        f"import resource; resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY})); "
        "from rosenblatt.cli import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", run, *map(str, words)],
        cwd=folder, capture_output=True, encoding="utf-8", timeout=seconds, check=False,
    )  # fmt: skip


def program(*words, folder, **streams):
    """The program in a process of its own that must end soon, whatever it reads and writes."""
    command = [sys.executable, "-m", "rosenblatt", *map(str, words)]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE} | streams
    return subprocess.run(
        command, cwd=folder, stderr=subprocess.PIPE, encoding="utf-8", timeout=100, check=False,
        **streams,
    )  # fmt: skip


def shell(line, folder):
    """The same in a line of the shell, whose exit code is that of the program."""
    return subprocess.run(
        ["bash", "-c", line.replace("rosenblatt", f"{sys.executable} -m rosenblatt")],
        cwd=folder, capture_output=True, encoding="utf-8", timeout=100, check=False,
    )  # fmt: skip


def with_little_room(words, folder, size):
    """The program where no file may become longer than this."""
    # Python would leave half of a module's bytecode there, and trip over it the next time.
    limit = f"ulimit -f {size // 1024}; trap '' XFSZ; export PYTHONDONTWRITEBYTECODE=1; "
    return shell(f"{limit} exec rosenblatt {words}", folder)


def on_a_small_disk(words, folder, size):
    """The program where ``room`` is a disk of so many bytes, filled with the files of ``before``.

    Its ``stdout`` tells the files that lie there in the end, and their checksums.
    """
    line = (
        f"mount -t tmpfs -o size={size} none room && cp -r before/. room && "
        f"{sys.executable} -m rosenblatt {words} > /dev/null; code=$?; "
        "find room -type f -exec sha256sum {} + | sort -k 2; exit $code"
    )
    return subprocess.run(
        [*OWN_DISKS, "bash", "-c", line],
        cwd=folder, capture_output=True, encoding="utf-8", timeout=100, check=False,
    )  # fmt: skip


OWN_DISKS = ("unshare", "--user", "--map-root-user", "--mount")


def has_own_disks():
    """Whether a process may have disks of its own."""
    if shutil.which(OWN_DISKS[0]) is None:
        return False
    mount = [*OWN_DISKS, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(mount, capture_output=True, check=False).returncode == 0
