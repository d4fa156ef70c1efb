"""Opening files without saying what they are."""

import gzip
import io
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from rosenblatt import open_data

SPAM = ["spam", "ham"]
WORDS = [
    "free",
    "prize",
    "money",
    "now",
    "call",
    "win",
    "cash",
    "lunch",
    "soon",
    "room",
    "at",
    "ten",
]


def texts(count):
    return [f"{WORDS[k % 12]} {WORDS[k * 5 % 12]} {WORDS[k * 7 % 11]} {k}" for k in range(count)]


def lines(*parts, count=60):
    """Lines of cells, each part a function of the row."""
    return [[str(part(k)) for part in parts] for k in range(count)]


def table(rows, delimiter=",", header=None):
    text = [delimiter.join(row) for row in ([header] if header else []) + rows]
    return "\n".join(text).encode() + b"\n"


def spam(k):
    return SPAM[k % 2]


def number(k):
    return (k * 37 % 101) / 10


FIRST_FILES = {
    "label by name": (
        table(lines(number, spam, number), header=["a", "Target", "b"]),
        'csv, label "Target" (guessed), numbers "a", "b"',
    ),
    "the only words": (
        table(lines(number, lambda k: "xyz"[k % 3], number), header=["a", "kind", "b"]),
        'csv, label "kind" (guessed), numbers "a", "b"',
    ),
    "no header, words last": (
        table(lines(number, number, spam)),
        'csv, label "c3" (guessed), numbers "c1", "c2"',
    ),
    "no header, few numbers first": (
        table(lines(lambda k: k % 4, lambda k: texts(60)[k])),
        'csv, label "c1" (guessed), text "c2"',
    ),
    "ids and dates": (
        table(
            lines(
                lambda k: k,
                lambda k: f"x{k:03d}q",
                lambda k: f"2024-01-{k % 28 + 1:02d}",
                spam,
                number,
            ),
            header=["id", "code", "day", "label", "n"],
        ),
        'csv, label "label" (guessed), number "n"; ignored: id, code (identifier), day (date)',
    ),
    "an index as pandas writes it": (
        table(lines(lambda k: k, lambda k: texts(60)[k], spam), header=["", "text", "label"]),
        'csv, label "label" (guessed), text "text"; ignored: index (identifier)',
    ),
    "an index of words": (
        table(lines(lambda k: f"r{k:02d}x", number, spam), header=["", "n", "kind"]),
        'csv, label "kind" (guessed), number "n"; ignored: index (identifier)',
    ),
    "numbers of products, some twice": (
        table(
            lines(lambda k: 7_000_000 + k * 7919 % 53_000 // 2 * 2, spam, number),
            header=["productId", "label", "n"],
        ),
        'csv, label "label" (guessed), number "n"; ignored: productId (identifier)',
    ),
    "names of files, one twice": (
        table(
            lines(lambda k: f"mail/{max(k, 1):04d}.eml", spam, number),
            header=["source", "label", "n"],
        ),
        'csv, label "label" (guessed), number "n"; ignored: source (identifier)',
    ),
    "codes of few products": (
        table(lines(lambda k: f"B00{k % 35:04d}X", spam, number), header=["asin", "label", "n"]),
        'csv, label "label" (guessed), number "n"; ignored: asin (identifier)',
    ),
    "semicolons": (
        table(lines(number, spam), ";", header=["n", "class"]),
        'csv, label "class" (guessed), number "n"',
    ),
    "tabs": (
        table(lines(spam, number, number), "\t", header=["class", "n", "m"]),
        'tsv, label "class" (guessed), numbers "n", "m"',
    ),
    "JSON lines": (
        b"".join(
            json.dumps({"text": text, "label": k % 2}).encode() + b"\n"
            for k, text in enumerate(texts(60))
        ),
        'jsonl, label "label" (guessed), text "text"',
    ),
    "svmlight": (b"+1 1:0.5 7:2\n-1 2:1 # no\n", "svmlight"),
    "words with no blank": (
        table(lines(lambda k: f"{WORDS[k % 12]}{k}x", spam), header=["name", "label"]),
        'csv, label "label" (guessed), text "name"',
    ),
}


@pytest.mark.parametrize("kind", FIRST_FILES)
def test_a_first_file_is_understood_without_a_name_that_tells(kind, tmp_path):
    content, description = FIRST_FILES[kind]
    path = tmp_path / "first"
    path.write_bytes(content)

    data = open_data(path)

    assert data.describe() == description
    assert sum(len(batch.lines) for batch in data.batches()) > 1


def test_labels_that_cannot_be_told_are_asked_for(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(table(lines(number, spam, lambda k: "xy"[k % 2]), header=["a", "b", "c"]))

    with pytest.raises(ValueError, match=r"t\.csv does not show which .* of a, b, c it is"):
        open_data(path)
    for label in ("b", "2"):
        described = open_data(path, label=label).describe()
        assert described == 'csv, label "b", number "a", category "c"'


def test_the_caller_decides_what_columns_are(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(table(lines(number, spam, spam, number), header=["a", "b", "label", "id"]))

    used = open_data(path, use=["id", "b"])
    worded = open_data(path, text="b", ignore=["a"])

    assert used.describe() == 'csv, label "label" (guessed), number "id", category "b"; ignored: a'
    assert worded.describe() == 'csv, label "label" (guessed), text "b", number "id"; ignored: a'


def test_a_column_called_as_an_identifier_with_few_values_is_learned_from(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(table(lines(lambda k: k % 4, spam), header=["device_id", "label"]))

    assert open_data(path).describe() == 'csv, label "label" (guessed), number "device_id"'


@pytest.mark.parametrize("option", ["label", "text", "use", "ignore"])
def test_a_column_that_is_not_there_is_named(option, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(table(lines(number, spam), header=["a", "label"]))

    with pytest.raises(ValueError, match=f"has no column for {option}='z': it has a, label"):
        open_data(path, **{option: "z"})


def test_settings_open_further_files_the_same_way(tmp_path):
    path, new = tmp_path / "train.csv", tmp_path / "new.csv"
    path.write_bytes(table(lines(number, lambda k: "xyz"[k % 3], spam), header=["n", "c", "label"]))
    new.write_bytes(b"c,n\n3,1.5\n")
    settings = json.loads(json.dumps(open_data(path).settings()))

    (batch,) = open_data(new, labelled=False, **settings).batches()

    assert batch.labels is None
    assert batch.examples[0] == {"n": 1.5, "c": "3"}


def test_settings_serve_files_without_header_and_label(tmp_path):
    path, new = tmp_path / "iris.data", tmp_path / "new.data"
    path.write_bytes(table(lines(spam, number, number)))
    new.write_bytes(b"1.5,2\n3,4\n")
    settings = open_data(path).settings()

    (whole,) = open_data(path, labelled=False, **settings).batches()
    (batch,) = open_data(new, labelled=False, **settings).batches()

    assert whole.labels is None
    assert list(whole.examples.columns) == ["c2", "c3"]
    assert list(batch.examples) == [{"c2": 1.5, "c3": 2.0}, {"c2": 3.0, "c3": 4.0}]


def test_svmlight_without_labels_can_be_predicted_from(tmp_path):
    path = tmp_path / "new.svm"
    path.write_bytes(b"1:2 3:4\n+1 2:1\n")

    (batch,) = open_data(path, labelled=False).batches()

    assert batch.labels is None
    assert batch.examples.toarray().tolist() == [[2, 0, 4], [0, 1, 0]]


def test_standard_input_is_looked_at_and_then_read_whole():
    program = (
        "from rosenblatt import open_data\n"
        "data = open_data('-')\n"
        "print(data.describe(), sum(len(b.lines) for b in data.batches()), data.name)\n"
        "try: list(data.batches())\n"
        "except ValueError as error: print(error)\n"
    )
    content = b"label,n\n" + b"a,1.5\nb,2.5\n" * 200_000

    for fed in (content, gzip.compress(content)):
        told = subprocess.run(
            [sys.executable, "-c", program], input=fed, capture_output=True, check=True
        )

        assert told.stdout.decode().splitlines() == [
            'csv, label "label" (guessed), number "n" 400000 standard input',
            "standard input can be read once only: save it to a file first.",
        ]


def test_a_pipe_with_a_name_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(FIRST_FILES["svmlight"][0]))
    writer.start()

    (batch,) = open_data(path).batches()

    writer.join()
    assert batch.labels.tolist() == [1, -1]


REFUSED = {
    "a tar archive": (b"names/x".ljust(257, b"\0") + b"ustar", "is a tar archive: unpack it"),
    "a zip archive": (b"PK\x03\x04....", "is a zip archive: unpack it"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0", "is not text, nor Parquet"),
    "nothing": (b"", "is empty"),
    "a JSON array": (b'[{"a": 1},\n {"a": 2}]\n', "is one JSON array: write a JSON object on each"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_holds_no_examples_is_refused_in_a_sentence(kind, tmp_path):
    content, message = REFUSED[kind]
    path = tmp_path / "first"
    path.write_bytes(content)

    with pytest.raises(ValueError, match=message):
        open_data(path)


def test_an_empty_table_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"\n\n")

    with pytest.raises(ValueError, match="is empty: it holds no example"):
        open_data(path)


@pytest.mark.parametrize("base", [0, 1])
def test_svmlight_batches_are_the_whole_file(base, tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{rng.integers(3)} " + " ".join(f"{base + j}:{rng.integers(9)}" for j in range(0, 40, 3))
        for _ in range(9000)
    ]
    path = tmp_path / "t.svm"
    path.write_text("\n".join(["# first", *rows]), encoding="ascii")

    batches = list(open_data(path).batches())

    assert len(batches) > 1
    assert [batch.examples.shape[1] for batch in batches] == [40] * len(batches)
    assert np.concatenate([b.lines for b in batches]).tolist() == list(range(2, 9002))
    labels = np.concatenate([b.labels for b in batches])
    assert labels.dtype == np.int64
    assert [
        f"{label} {base}:{int(row)} "
        for label, row in zip(
            labels,
            np.concatenate([b.examples[:, [0]].toarray()[:, 0] for b in batches]),
            strict=True,
        )
    ] == [row[: row.index(" ") + 5] for row in rows]


def test_a_late_index_of_zero_asks_for_zero_based(tmp_path):
    path = tmp_path / "t.svm"
    path.write_bytes(b"1 1:1\n" * 100_000 + b"1 0:1\n")

    with pytest.raises(ValueError, match=r"line 100001: an index of 0, .* say zero_based=True"):
        list(open_data(path).batches())
    total = sum(batch.examples[:, 1].sum() for batch in open_data(path, zero_based=True).batches())
    assert total == 100_000


def test_an_open_file_can_be_given():
    (batch,) = open_data(io.BytesIO(b"1 1:2\n"), format="svmlight").batches()

    assert batch.examples.toarray().tolist() == [[2.0]]


SLOW_TO_TELL = {
    "pairs without a blank": "1 " + "1:1" * 20_000 + " x",
    "digits": "1" * 60_000 + "x",
    "commas": "1," * 30_000 + "x",
    "quotes": '"' * 60_001,
    "dates": "2024-01-01T00:00" * 4000 + "\nx",
    "blanks": " " * 60_000 + "|",
}


@pytest.mark.parametrize("kind", SLOW_TO_TELL)
def test_no_line_keeps_the_guess_of_the_format_busy(kind):
    """In a process of its own, which a guess of exponential or quadratic time would never end."""
    program = (
        "import sys\n"
        "from rosenblatt import open_data\n"
        "try: print(open_data('-').describe())\n"
        "except ValueError as error: print(error)\n"
    )
    lines = f"{SLOW_TO_TELL[kind]}\n" * 15

    told = subprocess.run(
        [sys.executable, "-c", program], input=lines.encode(), capture_output=True, timeout=100
    )

    assert told.returncode == 0
    assert told.stdout


def test_format_must_be_known(tmp_path):
    with pytest.raises(ValueError, match=r"format must be .* got format='xlsx'"):
        open_data(tmp_path / "x", format="xlsx")
