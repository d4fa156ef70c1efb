"""Text in any encoding: one rule to guess it, for every format, and a sentence where it fails."""

import gzip
import io
import json

import pytest

from rosenblatt import VW, TextLines, open_data

TEXTS = ["Ein schönes Café", "naïve façade", "très élégant", "plain words only"]
LABELS = ["gut", "übel"] * 2

FORMATS = {
    "csv": "label,text\n" + "".join(f"{a},{b}\n" for a, b in zip(LABELS, TEXTS, strict=True)),
    "jsonl": "".join(
        json.dumps({"label": a, "text": b}, ensure_ascii=False) + "\n"
        for a, b in zip(LABELS, TEXTS, strict=True)
    ),
    "txt": "".join(f"__label__{a} {b}\n" for a, b in zip(LABELS, TEXTS, strict=True)),
    "vw": "".join(f"{k} | {text}\n" for k, text in enumerate(TEXTS)),
    "svm": "".join(f"{k} {k + 1}:1 # {text}\n" for k, text in enumerate(TEXTS)),
}


def words_of(data):
    """All letters of the examples and labels, as far as they have any."""
    (batch,) = data.batches()
    examples = batch.examples.toarray() if data.format == "svmlight" else list(batch.examples)
    return str((examples, batch.labels.tolist()))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        *(("latin-1", said) for said in (True, False)),
        *(("cp1252", said) for said in (True, False)),
        *(("utf-16", said) for said in (True, False)),
        *(("utf-32", said) for said in (True, False)),
        ("utf-16-le", True),  # without a byte order mark that tells it
    ],
)
def test_every_format_is_read_in_every_encoding(kind, encoding, said, tmp_path):
    plain, other = tmp_path / f"plain.{kind}", tmp_path / f"other.{kind}.gz"
    plain.write_text(FORMATS[kind], encoding="utf-8")
    other.write_bytes(gzip.compress(FORMATS[kind].encode(encoding)))

    data = open_data(other, encoding=encoding) if said else open_data(other)

    expected = open_data(plain)
    assert words_of(data) == words_of(expected)
    name = {"latin-1": "iso8859-1" if said else "cp1252"}.get(encoding, encoding)
    told = f", in {name}" + ("" if said else " (guessed)")
    assert data.describe() == expected.describe() + told
    assert data.settings().get("encoding") == (name if said else None)


GUESSED = {
    "ASCII": (b"plain", "utf-8"),
    "UTF-8": ("schön".encode(), "utf-8"),
    "UTF-8 cut within a letter": ("schö".encode()[:-1], "utf-8"),
    "UTF-8 with a slip": ("schön schön".encode() + b" sch\xf6n", "utf-8"),
    "Latin-1": ("ein schöner Tag".encode("latin-1"), "cp1252"),
    "quotes of Windows": (b"he said \x93hello there\x94", "cp1252"),
    "nothing of Windows": (b"ein schoener Tag \x81", "utf-8"),
    "Cyrillic": ("добрый день".encode("cp1251"), "utf-8"),
}


@pytest.mark.parametrize("kind", GUESSED)
def test_the_encoding_is_guessed_from_the_first_bytes(kind):
    content, name = GUESSED[kind]
    data = TextLines(io.BytesIO(content), style="plain", rejects=[])

    list(data.batches())

    assert data.encoding.name == name


def test_a_late_byte_of_another_encoding_is_an_error_in_every_format(tmp_path):
    for kind in ("csv", "jsonl", "txt", "vw"):
        path = tmp_path / f"t.{kind}"
        content = FORMATS[kind].encode() * (1 if kind == "csv" else 2)
        path.write_bytes(content.replace("élégant".encode(), b"\xe9l\xe9gant", 1))

        with pytest.raises(
            ValueError, match="UTF-8; say which encoding it is in with encoding=NAM"
        ):
            list(open_data(path).batches())


@pytest.mark.parametrize("name", ["latin-99", "", "base64", "punycode", "a\0b", 3])
def test_an_encoding_must_be_known(name, tmp_path):
    (tmp_path / "t.txt").write_bytes(b"a\tb\n")

    for open_with in (open_data, TextLines, VW):
        with pytest.raises(ValueError, match="encoding must be the name of an encoding, such as"):
            open_with(tmp_path / "t.txt", encoding=name)


def test_a_file_that_the_caller_opened_stays_open():
    for kind in ("csv", "txt", "vw", "svm", "jsonl"):
        for content in (FORMATS[kind].encode(), gzip.compress(FORMATS[kind].encode("utf-16"))):
            for read in (True, False):
                file = io.BytesIO(content)
                data = open_data(file, format={"svm": "svmlight", "txt": "text"}.get(kind, kind))
                if read:
                    list(data.batches())
                del data
                assert not file.closed
