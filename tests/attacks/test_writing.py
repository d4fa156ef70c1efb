"""Only plain files are written, whole or not at all, and whoever asked is told in a sentence."""

import json
import os
import resource
import stat
import threading
from pathlib import Path

import numpy as np
import pytest

from command_line import Program, reviews, write_csv
from hostile import has_own_disks, on_a_small_disk, program, shell, with_little_room
from rosenblatt import Perceptron, open_data, save, write_data, write_svmlight
from rosenblatt.cli.failures import not_written
from rosenblatt.cli.output import Output
from rosenblatt.cli.train import Job
from rosenblatt.readers.atomic_write import WriteError, written_whole
from subprocesses import in_a_child

FULL = Path("/dev/full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("writing")
    write_csv(folder / "films.csv", *reviews(300))
    ended = program("train", "films.csv", "--passes", "2", folder=folder)
    assert ended.returncode == 0, ended.stderr
    return folder


def assert_refused(ended, code, said):
    assert ended.returncode == code, ended.stderr
    assert said in ended.stderr
    assert ended.stderr.startswith(("error: ", '{"error": '))
    assert ended.stderr.count("\n") == 1


WRITERS = {
    "train": "train films.csv -f -o {}",
    "predict": "predict films.rbt films.csv -f -o {}",
    "beside": "predict films.rbt films.csv --beside -f -o {}",
    "continue": "train films.csv --continue films.rbt -f -o {}",
    "convert": "convert films.csv {} -f --to csv",
    "export": "export films.rbt {} -f",
    "shrink": "shrink films.rbt {} -f",
    "shards": "train films.csv --shards 2 -f -o {}",
    "rejects": "predict films.rbt films.csv --rejects {}",
}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("predict films.rbt bad.csv --rejects films.rbt", "films.rbt is MODEL, too"),
        ("predict films.rbt bad.csv --rejects bad.csv", "bad.csv is FILE, too"),
        ("predict films.rbt bad.csv -o new.txt -f --rejects ./new.txt", "new.txt is --output, too"),
        ("predict films.rbt bad.csv -o bad.csv -f", "bad.csv is FILE, too"),
        ("predict films.rbt bad.csv -o alias.csv -f", "alias.csv is FILE, too"),
        ("predict films.rbt bad.csv -o hard.csv -f", "hard.csv is FILE, too"),
        ("evaluate films.rbt bad.csv --rejects films.rbt", "films.rbt is MODEL, too"),
        ("explain films.rbt --file bad.csv --line 3 --rejects films.rbt", "films.rbt is MODEL"),
        ("convert bad.csv new.csv -f --rejects new.csv", "new.csv is OUTPUT, too"),
        ("convert bad.csv bad.csv -f", "bad.csv is FILE, too"),
        ("train bad.csv -o bad.csv -f", "bad.csv is FILE, too"),
        ("train bad.csv -f --rejects bad.rbt", "bad.rbt is --rejects, too"),
        ("train bad.csv -o films.csv --validation films.csv -f", "films.csv is --validation, too"),
        ("train bad.csv --continue films.rbt --rejects films.rbt -f", "films.rbt is --continue"),
        ("shrink films.rbt films.rbt -f", "films.rbt is MODEL, too"),
        ("shrink films.rbt bad.csv -f --on bad.csv", "bad.csv is --on, too"),
        ("export films.rbt films.rbt -f", "films.rbt is MODEL, too"),
        ("plot films.rbt --kind projection --data data.png -o data.png -f", "data.png is --data"),
    ],
)
def test_no_path_of_a_call_is_written_over_by_another(
    folder, tmp_path, capsys, monkeypatch, command, said
):
    monkeypatch.chdir(tmp_path)
    texts = (folder / "films.csv").read_bytes()
    for name in ("films.csv", "data.png", "bad.csv"):
        Path(name).write_bytes(texts + b"x,y,z\n" * (name == "bad.csv"))
    Path("films.rbt").write_bytes((folder / "films.rbt").read_bytes())
    Path("alias.csv").symlink_to("bad.csv")
    Path("hard.csv").hardlink_to("bad.csv")
    before = {path: path.read_bytes() for path in Path().iterdir()}

    complaint = Program(capsys, tmp_path).complains(*command.split(), code=4)

    assert said in complaint
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS.keys())
@pytest.mark.parametrize("kind", ["fifo", "device", "link to a fifo"])
def test_devices_and_pipes_stay_what_they_are(folder, tmp_path, command, kind):
    target = Path("/dev/null") if kind == "device" else tmp_path / "fifo"
    if kind != "device":
        os.mkfifo(target)
    shown = target
    if kind == "link to a fifo":
        shown = tmp_path / "link"
        shown.symlink_to(target)

    ended = program(*command.format(shown).split(), folder=folder)

    assert_refused(ended, 4, "not a plain file")
    mode = target.stat().st_mode
    assert stat.S_ISCHR(mode) if kind == "device" else stat.S_ISFIFO(mode)


def test_a_folder_for_the_web_takes_the_place_of_nothing_else(folder, tmp_path):
    os.mkfifo(tmp_path / "model.rbt")

    for place, said in ((tmp_path, "not a plain file"), ("/proc/x", "/proc/x"), (FULL, "a file")):
        ended = program("export", "films.rbt", "--web", place, "-f", folder=folder)

        assert_refused(ended, 4, said)
    assert stat.S_ISFIFO((tmp_path / "model.rbt").stat().st_mode)


def test_a_picture_takes_the_place_of_no_device(folder, tmp_path):
    os.mkfifo(tmp_path / "fifo.png")

    ended = program("plot", "films.rbt", "-o", tmp_path / "fifo.png", "-f", folder=folder)

    assert_refused(ended, 4, "not a plain file")
    assert stat.S_ISFIFO((tmp_path / "fifo.png").stat().st_mode)


def test_the_library_refuses_them_too(folder, tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    model = Perceptron(random_state=0).fit([[0.0], [1.0]], [0, 1])
    data = open_data(folder / "films.csv")

    for write in (
        lambda: save(model, path),
        lambda: write_svmlight(path, np.eye(2), [0, 1]),
        lambda: write_data(data, path, format="csv"),
        lambda: list(open_data(folder / "films.csv", rejects=path).batches()),
    ):
        with pytest.raises(OSError, match="not a plain file"):
            write()
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_link_is_followed_to_the_file(folder, tmp_path):
    (tmp_path / "link.rbt").symlink_to(tmp_path / "real.rbt")

    assert program("train", "films.csv", "-o", tmp_path / "link.rbt", folder=folder).returncode == 0

    assert (tmp_path / "link.rbt").is_symlink()
    assert (tmp_path / "real.rbt").stat().st_size > 1000


# Standard output, standard input


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize(
    "words", ["predict films.rbt films.csv", "inspect films.rbt --json", "check films.csv"]
)
def test_a_full_standard_output_is_a_failure_of_writing(folder, words):
    with FULL.open("w") as full:
        ended = program(*words.split(), folder=folder, stdout=full)

    assert_refused(ended, 4, "Cannot write to standard output: no space left on device.")


@pytest.mark.parametrize("words", ["predict films.rbt big.txt", "check films.csv", "bench --help"])
def test_nobody_is_told_that_nobody_reads(folder, words):
    (folder / "big.txt").write_text("a superb film\n" * 50_000)

    ended = shell(f"rosenblatt {words} | head -c 1 > /dev/null; exit ${{PIPESTATUS[0]}}", folder)

    assert ended.returncode in (0, 141)
    assert ended.stderr == ""


def test_who_goes_away_early_is_told_apart_from_bad_data(folder):
    (folder / "big.txt").write_text("a superb film\n" * 50_000)

    ended = shell("rosenblatt predict films.rbt big.txt | true; exit ${PIPESTATUS[0]}", folder)

    assert ended.returncode == 141
    assert ended.stderr == ""


def test_closed_streams_are_said(folder):
    assert_refused(
        shell("rosenblatt predict films.rbt films.csv >&-", folder), 4, "Standard output is closed"
    )
    assert_refused(shell("rosenblatt predict films.rbt <&-", folder), 1, "Standard input is closed")
    assert shell("rosenblatt predict films.rbt none.csv 2>&-", folder).returncode == 1


# Full disks


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("train films.csv -o new.rbt", "new.rbt"),
        ("predict films.rbt big.txt -o labels.txt", "labels.txt"),
        ("predict films.rbt big.csv --beside -o copy.csv", "copy.csv"),
        ("train films.csv --continue films.rbt -o new.rbt", "new.rbt"),
        ("train films.csv --progressive -o new.rbt", "new.rbt"),
        ("train films.csv --shards 2 -o new.rbt", "new.rbt"),
        ("convert big.csv copy.jsonl", "copy.jsonl"),
        ("train big.csv --stream -o new.rbt", "big.csv.cache"),
        ("evaluate films.rbt bad.csv --rejects aside.txt", "aside.txt"),
    ],
)
def test_a_full_disk_is_said_and_leaves_no_half(folder, words, target):
    (folder / "big.txt").write_text("a superb film\n" * 5_000)
    write_csv(folder / "big.csv", *reviews(3000))
    (folder / "bad.csv").write_text((folder / "films.csv").read_text() + "too,many,cells\n" * 5_000)
    (folder / "aside.txt").unlink(missing_ok=True)

    ended = with_little_room(words, folder, 4096)

    assert_refused(ended, 4, target)
    assert "file too large" in ended.stderr.lower()
    assert [path.name for path in folder.glob("*.part")] == []
    assert not list(folder.glob(".*.part"))
    assert target == "aside.txt" or not (folder / target).exists()


def test_a_disk_that_takes_nothing_is_said_by_us_alone(folder):
    ended = with_little_room("train films.csv -o nothing.rbt --passes 1 --quiet", folder, 0)

    assert_refused(ended, 4, "nothing.rbt")


@pytest.fixture(scope="module")
def disk(folder):
    """The folder with what is written to a small disk: files that are there, and large ones."""
    if not has_own_disks():
        pytest.skip("the system lets no test have a disk of its own")
    (folder / "room").mkdir()
    (folder / "before" / "page").mkdir(parents=True)
    (folder / "before" / "page" / "core.js").write_text("an older page")
    (folder / "before" / "aside.txt").write_text("older lines")
    (folder / "crawl").mkdir()
    texts, opinions = reviews(3000)
    write_csv(folder / "many.csv", texts, opinions)
    lines = "".join(json.dumps({"review": text}) + "\n" for text in texts)
    (folder / "crawl" / "many.jsonl").write_text(lines)
    spoilt = (folder / "films.csv").read_text() + "too,many,cells\n" * 5_000
    (folder / "spoilt.csv").write_text(spoilt)
    return folder


@pytest.mark.parametrize(
    ("kilobytes", "words", "target"),
    [
        (400, "export films.rbt --web room/new", "room/new/core.wasm"),
        (850, "export films.rbt --web room/new", "room/new/page.html"),
        (850, "export films.rbt --web room/page -f", "room/page/page.html"),
        (12, "export films.rbt room/m.onnx", "room/m.onnx"),
        (12, "plot films.rbt -o room/p.png", "room/p.png"),
        (12, "plot films.rbt -o room/p.svg", "room/p.svg"),
        (100, "lab --save room/lab.html", "room/lab.html"),
        (12, "shrink films.rbt room/m.rbt", "room/m.rbt"),
        (12, "train films.csv -q -o room/m.rbt", "room/m.rbt"),
        (60, "convert many.csv room/c.jsonl", "room/c.jsonl"),
        (20, "convert many.csv room/c.csv.gz", "room/c.csv.gz"),
        (20, "convert many.csv room/c.parquet", "room/c.parquet"),
        (12, "predict films.rbt many.csv -o room/p.txt", "room/p.txt"),
        (60, "predict films.rbt many.csv --beside -o room/p.csv", "room/p.csv"),
        (20, "evaluate films.rbt spoilt.csv --rejects room/aside.txt", "room/aside.txt"),
    ],
)
def test_a_disk_that_fills_up_is_as_it_was_before(disk, kilobytes, words, target):
    ended = on_a_small_disk(words, disk, kilobytes << 10)

    said = f"Cannot write {target}: no space left on device; nothing was changed."
    assert_refused(ended, 4, said)
    assert ended.stdout == on_a_small_disk("-h", disk, kilobytes << 10).stdout
    assert ended.stdout.count("\n") == 2


@pytest.mark.parametrize("how", ["--min-score -9", "--scores", "--keep-top 90%"])
def test_a_filtering_that_fills_a_disk_leaves_whole_records_alone(disk, how):
    words = f"filter films.rbt crawl -o room/out --label good {how}"

    ended = on_a_small_disk(words, disk, 40 << 10)

    assert_refused(ended, 4, "no space left on device")
    left = {line.split("/")[-1] for line in ended.stdout.splitlines()} - {"core.js", "aside.txt"}
    assert left == {"settings.json", "shards.json"}


def test_a_cache_that_fills_a_disk_goes(disk):
    words = "train room/many.csv --stream -o m.rbt"
    (disk / "before" / "many.csv").write_bytes((disk / "many.csv").read_bytes())

    ended = on_a_small_disk(words, disk, 200 << 10)
    (disk / "before" / "many.csv").unlink()

    assert_refused(ended, 4, "room/many.csv.cache cannot be written (No space left on device)")
    assert "cache" not in ended.stdout


def test_a_folder_that_takes_nothing_is_said(folder):
    assert_refused(program("train", "films.csv", "-o", "/proc/x.rbt", folder=folder), 4, "/proc")


def test_a_pipe_is_read_to_its_end(folder, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text("superb\ndull\n"))
    writer.start()

    ended = program("predict", "films.rbt", tmp_path / "pipe", "--format", "text", folder=folder)
    writer.join()

    assert ended.stdout == "good\nbad\n"


def test_a_name_that_may_not_be_on_the_disk_is_told_of_and_not_denied(tmp_path):
    def check():
        files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            with written_whole(str(tmp_path / "new")) as file:
                file.write(b"whole")
                resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))  # no folder can be opened
        except WriteError as error:
            said = not_written(error)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
        return said

    assert in_a_child(check).startswith(f"All is written, but the folder {tmp_path} cannot be")
    assert (tmp_path / "new").read_bytes() == b"whole"


def test_a_checkpoint_that_cannot_be_removed_is_no_failure(tmp_path, capsys):
    job = Job("films.csv", str(tmp_path / "new.rbt"), {}, None, checkpoint=str(tmp_path / "gone"))

    job.write(Perceptron().fit([[0.0], [1.0]], [0, 1]), {}, {}, Output(as_json=False, quiet=False))

    assert "gone stays: no such file or directory" in capsys.readouterr().err
    assert (tmp_path / "new.rbt").exists()
