"""Bars of long work: when they come, what they tell, and that they go."""

import contextlib
import os
import select
import threading
import time

import pytest

from command_line import rosenblatt
from rosenblatt import open_data, write_data
from rosenblatt.cli.output import Output
from rosenblatt.cli.progress import EVERY, PATIENCE


class Terminal:
    """A pseudo-terminal in the place of standard error, and what was written to it."""

    def __enter__(self):
        self.master, slave = os.openpty()
        self.written = ""
        self.ours = contextlib.ExitStack()
        self.ours.callback(os.close, self.master)
        self.file = self.ours.enter_context(os.fdopen(slave, "w", encoding="utf-8"))
        self.ours.enter_context(contextlib.redirect_stderr(self.file))
        return self

    def wait_for(self, text):
        """Read until this text was written."""
        while text not in self.written:
            assert select.select([self.master], [], [], 60)[0], self.written
            self.written += os.read(self.master, 4096).decode("utf-8", "replace")

    def __exit__(self, *_):
        with self.ours:
            print("the end", file=self.file, flush=True)
            self.wait_for("the end")


@pytest.fixture(autouse=True)
def terminal_of_some_kind(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def test_short_work_shows_no_bar_and_leaves_no_thread():
    threads = threading.active_count()

    with Terminal() as terminal, Output().bar("counting"):
        pass

    assert threading.active_count() == threads
    assert terminal.written == "the end\r\n"


def test_long_work_where_no_terminal_is_tells_of_itself_in_lines(monkeypatch, capsys):
    monkeypatch.setattr("rosenblatt.cli.progress.SILENCE", 0.01)
    told = threading.Event()

    def note():
        told.set()
        return "2 to go"

    with Output().bar("counting", lambda: 0.25, note):
        assert told.wait(60)
    with Output(quiet=True).bar("counting", lambda: 0.25, note):
        pass

    lines = capsys.readouterr().err.splitlines()
    assert lines[0].split() == [
        "counting:",
        "25%",
        "done,",
        "0",
        "s",
        "so",
        "far,",
        "2",
        "to",
        "go",
    ]


def test_long_work_shows_how_far_it_is_and_then_no_trace():
    done = 0.25

    with Terminal() as terminal, Output().bar("counting", lambda: done):
        terminal.wait_for("25%")
        done = 0.75
        terminal.wait_for("75%")

    assert terminal.written.index("counting") < terminal.written.index("25%")
    assert "75%" not in terminal.written[terminal.written.rindex("\033[2K") :]


def test_work_of_unknown_length_shows_a_bar_without_a_share():
    with Terminal() as terminal, Output().bar("counting"):
        terminal.wait_for("counting")

    assert "%" not in terminal.written


def test_a_bar_goes_when_work_is_interrupted():
    with (
        contextlib.suppress(KeyboardInterrupt),
        Terminal() as terminal,
        Output().bar("counting"),
    ):
        terminal.wait_for("counting")
        raise KeyboardInterrupt

    assert "counting" not in terminal.written[terminal.written.rindex("\033[2K") :]


@pytest.mark.parametrize("output", [Output(quiet=True), Output(as_json=True)])
def test_there_is_no_bar_for_programs(output):
    with Terminal() as terminal, output.bar("counting"):
        time.sleep(PATIENCE + 3 * EVERY)

    assert terminal.written == "the end\r\n"


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "svm", "csv", "jsonl", "vw", "parquet"])
def test_a_walk_over_a_file_tells_its_share(tmp_path, ending):
    source = tmp_path / "rows.svm"
    source.write_text("".join(f"{k % 2} 1:{k} 2:{k * k} 3:0.5\n" for k in range(60_000)))
    if ending.startswith("txt"):
        source = tmp_path / "films.txt"
        source.write_text("".join(f"__label__{k % 2} film{k} is good\n" for k in range(90_000)))
    path = tmp_path / f"other.{ending}"
    write_data(open_data(source), path, format="text" if ending.startswith("txt") else None)
    data = open_data(path)

    shares = [data.share for _ in data.batches()]

    assert len(shares) > 1
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_table_that_becomes_another_tells_its_share(tmp_path, ending):
    source = tmp_path / "rows.csv"
    source.write_text("a,label\n" + "".join(f"{k % 7},{k % 2}\n" for k in range(9000)))
    data = open_data(source)

    write_data(data, tmp_path / f"other.{ending}")

    assert 0 < data.share <= 1


def test_ctrl_c_while_the_program_starts_is_heard_as_such(tmp_path):
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )

    ended = rosenblatt("--help", PYTHONPATH=str(tmp_path))

    sentence = "error: Interrupted: nothing was written.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", sentence)
