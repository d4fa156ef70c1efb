"""Lines of text, with labels before them or without, against splitting them in Python."""

import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from rosenblatt import AveragedPerceptron, TextLines, TextVectorizer
from rosenblatt.readers import blocks
from rosenblatt.readers.data import Batch
from rosenblatt.readers.rejects import Reject


def read(text, **options):
    """All examples of a file that holds this."""
    return Batch.join(list(TextLines(io.BytesIO(text), **options).batches()))


def split(line, style):
    """Label and text of a line, a blank one, or one that cannot be read, by plain Python."""
    line = line.removesuffix(b"\r")
    blanks = b" \t\r\v\f"
    if style != "plain" and not line.strip(blanks):
        return "blank"
    if b"\xff" in line:
        return "bad"
    if style == "plain":
        return None, line
    if style == "tab":
        label, tab, text = line.partition(b"\t")
        label = label.strip(blanks)
        return (label, text) if tab and readable(label) else "bad"
    words = line.lstrip(blanks)
    if not words.startswith(b"__label__"):
        return "bad"
    size = next((k for k, c in enumerate(words) if c in blanks), len(words))
    label, text = words[9:size], words[size:].lstrip(blanks)
    return (label, text) if readable(label) and not text.startswith(b"__label__") else "bad"


def readable(label):
    return bool(label) and b"\0" not in label


lines = st.lists(
    st.lists(
        st.sampled_from(
            [b"__label__", b"a", b"b ", b"\t", b"  ", b"\r", b"\0", b"\xff", "é".encode()]
        ),
        max_size=7,
    ).map(b"".join),
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(lines=lines, style=st.sampled_from(["fasttext", "tab", "plain"]), final=st.booleans())
def test_lines_are_split_as_plain_python_does(lines, style, final):
    rejects = []
    text = b"\n".join(lines) + b"\n" * final
    expected = [(k, split(line, style)) for k, line in enumerate(text.split(b"\n"), 1)]
    if text.endswith(b"\n") or not text:
        expected.pop()
    good = [(k, *found) for k, found in expected if isinstance(found, tuple)]

    data = TextLines(io.BytesIO(text), style=style, rejects=rejects, encoding="utf-8")

    batches = list(data.batches())

    assert [reject.line for reject in rejects] == [k for k, found in expected if found == "bad"]
    assert bool(batches) == bool(good)
    if batches:
        batch = Batch.join(batches)
        assert batch.lines.tolist() == [k for k, _, _ in good]
        assert list(batch.examples) == [text.decode() for _, _, text in good]
        if style == "plain":
            assert batch.labels is None
        else:
            assert batch.labels.tolist() == [label.decode() for _, label, _ in good]


@pytest.mark.parametrize(
    ("text", "style"),
    [
        (b"\n  __label__a text\n", "fasttext"),
        (b"\xef\xbb\xbf__label__a text\n", "fasttext"),
        (b"a\ttext\n__label__b\ttext\n", "tab"),
        (b"a text\nb\ttext\n", "plain"),
        (b"", "plain"),
    ],
)
def test_the_style_is_guessed_from_the_first_line(text, style):
    data = TextLines(io.BytesIO(text))

    list(data.batches())

    assert data.style == style


def test_many_blocks_give_the_examples_of_one(monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    words = [" ".join(rng.choice(["aa", "bb", "cc"], rng.integers(0, 40))) for _ in range(900)]
    labels = rng.choice(["good", "bad", "ügly"], len(words))
    path = tmp_path / "reviews.txt.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="\r\n") as file:
        file.writelines(f"__label__{a} {b}\n" for a, b in zip(labels, words, strict=True))
    monkeypatch.setattr(blocks, "BLOCK", 777)
    data = TextLines(path)

    batches = list(data.batches())

    assert len(batches) > 50
    for batch in (Batch.join(batches), Batch.join(list(data.batches())), data.whole()):
        assert list(batch.examples) == words
        assert_array_equal(batch.labels, labels)
        assert_array_equal(batch.lines, np.arange(1, 901))


def test_a_line_longer_than_a_block_is_read_whole(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 10)
    text = b"a\t" + b"long " * 1000 + b"\nb\tshort\n"

    assert [len(each) for each in read(text).examples] == [5000, 5]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (
            b"a\tb\nnone\n",
            {},
            "the file, line 2, column 1: expected a label, a tab and a text",
        ),
        (b"a\tb\n\tc\n", {}, "line 2, column 1: expected a label, got none"),
        (b"__label__a b\nc d\n", {}, "line 2, column 1: expected __label__ .* got 'c'"),
        (b"__label__ b\n", {}, "line 1, column 1: expected a label, got none"),
        (b"\xff\tb\n", {"encoding": "utf-8"}, "line 1, column 1: the text is not UTF-8; say which"),
        (b"a\t\x81\n", {"encoding": "cp1252"}, "column 3: the text is not in cp1252; say which"),
        (b"__label__a __label__b x\n", {}, "column 12: expected one label, got also '__label__b'"),
        (b"a\tb\nbb\tbbbb\n", {"max_line": 4}, "line 2, column 1: .* longer than 4 bytes"),
        (b"a\0\tb\n", {}, "a label without NUL"),
        (b"\xff\xfea\0", {"encoding": "utf-8"}, "the text is not UTF-8"),
        (b"a\0b", {"encoding": "utf-16"}, "the file: the text is not in utf-16: say which"),
    ],
)
def test_a_line_that_cannot_be_read_is_an_error_with_its_place(text, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(text, **options)


def test_bad_lines_are_set_aside_and_reading_goes_on(tmp_path):
    text = b"a\tb\nnone\r\n\tc\na\td\n"
    rejects, path = [], tmp_path / "bad.txt"

    assert list(read(text, rejects=rejects).examples) == ["b", "d"]
    read(text, rejects=path)

    assert rejects[0] == Reject(2, 1, "expected a label, a tab and a text", b"none\r")
    assert path.read_bytes().splitlines()[::2] == [
        b"# the file, line 2, column 1: expected a label, a tab and a text",
        b"# the file, line 3, column 1: expected a label, got none",
    ]


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        (b"__label__a one\n\ntwo __label__b\n", ["one", "", "two __label__b"]),
        (b"a\tone\n\ntwo\n", ["one", "", "two"]),
        (b"one\n\n", ["one", ""]),
    ],
)
def test_every_line_is_a_document_where_no_labels_are_expected(text, documents):
    batch = read(text, labelled=False)

    assert batch.labels is None
    assert list(batch.examples) == documents


def test_bad_lines_are_set_aside_once_however_often_the_file_is_read(tmp_path):
    path, rejects = tmp_path / "lines.txt", []
    path.write_bytes(b"a\tb\nnone\n")
    data = TextLines(path, rejects=rejects)

    for _ in range(3):
        (batch,) = data.batches()

    assert len(rejects) == 1
    assert list(batch.examples) == ["b"]


def test_a_line_without_end_is_not_kept_in_memory(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 16)

    with pytest.raises(
        ValueError, match="the file, line 1: the line is longer than 40 bytes; raise max_line"
    ):
        read(b"a\t" + b"x" * 1000, max_line=40)


@pytest.mark.parametrize("first", [33, 40, 50, 63, 64, 65])
def test_a_line_longer_than_a_block_may_follow_another(monkeypatch, first):
    monkeypatch.setattr(blocks, "BLOCK", 16)
    texts = ["x" * first, "y" * 80, "z"]

    batch = read("".join(f"a\t{text}\n" for text in texts).encode())

    assert list(batch.examples) == texts


@pytest.mark.parametrize("length", [39, 41, 64, 1000])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\nc\td\n"])
def test_a_line_too_long_is_set_aside_cut_short_and_reading_goes_on(monkeypatch, length, end):
    monkeypatch.setattr(blocks, "BLOCK", 16)
    rejects = []

    batch = read(b"a\tb\na\t" + b"x" * length + end, max_line=40, rejects=rejects)

    assert list(batch.examples) == ["b", "d"][: 1 + (b"d" in end)]
    assert [(each.line, each.reason) for each in rejects] == [
        (2, "the line is longer than 40 bytes")
    ]
    assert 40 < len(rejects[0].text.rstrip(b"\r")) <= 64


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"style": "csv"}, ValueError, "style must be 'fasttext', 'tab' or 'plain'"),
        ({"max_line": 0}, ValueError, "max_line must be a whole number"),
        ({"max_size": 2**63}, ValueError, "max_size must be at most"),
    ],
)
def test_options_are_refused_in_a_sentence(options, error, sentence):
    with pytest.raises(error, match=sentence):
        TextLines("reviews.txt", **options)
    with pytest.raises(TypeError, match="Expected a path"):
        TextLines(3)


@pytest.mark.parametrize("block", [64, 5_000, 1 << 20])
def test_all_of_a_file_is_read_in_larger_blocks(monkeypatch, tmp_path, block):
    texts = [f"{'word ' * (k % 9)}{k}" for k in range(3_000)]
    path = tmp_path / "reviews.txt"
    path.write_text("".join(f"{k % 7}\t{text}\n" for k, text in enumerate(texts)))
    monkeypatch.setattr(blocks, "BLOCK", 32)
    monkeypatch.setattr(blocks, "LARGE_BLOCK", block)

    batch = TextLines(path).whole()

    assert list(batch.examples) == texts
    assert_array_equal(batch.labels, [str(k % 7) for k in range(3_000)])
    assert_array_equal(batch.lines, np.arange(1, 3_001))


def test_nothing_at_all_is_none():
    assert TextLines(io.BytesIO(b"")).whole() is None


def test_a_model_is_learned_from_lines_without_strings():
    text = b"good\ta fine film\nbad\ta dull film\ngood\tfine\nbad\tdull plot\n"
    data = TextLines(io.BytesIO(text))
    batch = data.whole()
    vectorizer = data.vectorizer()

    model = AveragedPerceptron(random_state=0).fit(
        vectorizer.fit_transform(batch.examples), batch.labels
    )

    strings = TextVectorizer().fit_transform(list(batch.examples))
    assert_array_equal(vectorizer.transform(batch.examples).toarray(), strings.toarray())
    assert model.predict(vectorizer.transform(["fine", "dull"])).tolist() == ["good", "bad"]
    assert data.describe() == "lines of text: the label, a tab, then its text"
