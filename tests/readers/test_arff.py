"""ARFF, as Weka and OpenML write it."""

import re

import numpy as np
import pytest

from rosenblatt import open_data, write_data

WEATHER = """% a comment
@RELATION weather

@attribute 'the outlook' {sunny, overcast, 'very rainy'}
@ATTRIBUTE temperature REAL
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute play {yes,no}

@data
sunny, 85, 'it\\'s hot, really', 2024-01-01, no
% another comment

'very rainy',?,"wet ""?"" no",2024-01-02,yes
overcast,64.5,'so so',2024-01-03,yes
"""


def opened(path, content, **options):
    path.write_text(content)
    return open_data(path, **options)


def test_columns_and_what_they_hold_are_declared(tmp_path):
    content = WEATHER.replace('"wet ""?"" no"', '"wet, no"')
    data = opened(tmp_path / "weather.arff", content, text="note")

    (batch,) = data.batches()

    assert data.describe() == (
        'arff, label "play" (guessed), text "note", number "temperature", category "the outlook"; '
        "ignored: day"
    )
    assert batch.labels.tolist() == ["no", "yes", "yes"]
    assert batch.lines.tolist() == [11, 14, 15]
    assert list(batch.examples.columns["note"]) == ["it's hot, really", "wet, no", "so so"]
    assert list(batch.examples.columns["the outlook"]) == ["sunny", "very rainy", "overcast"]
    np.testing.assert_array_equal(batch.examples.columns["temperature"], [85, np.nan, 64.5])


def test_a_file_without_a_telling_name_is_known_by_its_first_line(tmp_path):
    assert opened(tmp_path / "weather.txt", WEATHER, use=["temperature"]).format == "arff"


def test_numbers_that_are_declared_as_names_are_categories(tmp_path):
    rows = "".join(f"{k % 3},{k % 7},{'ab'[k % 2]}\n" for k in range(30))
    content = "@relation r\n@attribute c {0,1,2}\n@attribute n integer\n@attribute y {a,b}\n@data\n"

    data = opened(tmp_path / "t.arff", content + rows)

    assert data.describe() == 'arff, label "y" (guessed), number "n", category "c"'


def test_sparse_rows_hold_what_is_usual_where_they_say_nothing(tmp_path):
    content = (
        "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y {no,yes}\n@data\n"
        "{0 3, 2 yes}\n{}\n{1 -0.5 , 2 'yes'}\n"
    )

    (batch,) = opened(tmp_path / "t.arff", content).batches()

    assert batch.labels.tolist() == ["yes", "no", "yes"]
    assert batch.examples.columns["a"].tolist() == [3, 0, 0]
    assert batch.examples.columns["b"].tolist() == [0, 0, -0.5]


BAD = {
    "a quote": ("'a,1,yes", "line 6, column 1: expected cells with commas between them"),
    "a word behind a quote": ("'a'b,1,yes", "line 6, column 1: expected cells with commas"),
    "too few": ("a,yes", "line 6, column 6: expected 3 columns, got 2"),
    "a column that is not there": ("{7 1}", "line 6, column 1: expected cells with commas"),
    "an end": ("{0 a, 1 2", "line 6, column 1: expected cells with commas"),
    "a number": ("a,x,yes", "line 6, column 3: expected a number in column 'b'"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_row_is_named_or_set_aside(fault, tmp_path):
    row, message = BAD[fault]
    head = "@relation r\n@attribute a {a,b}\n@attribute b real\n@attribute y {yes,no}\n@data\n"
    path, rejects = tmp_path / "t.arff", []
    content = head + row + "\nb,1,no\na,2,yes\n"

    with pytest.raises(ValueError, match="^" + re.escape(f"{path}, {message}")):
        list(opened(path, content).batches())
    (batch,) = open_data(path, rejects=rejects).batches()

    assert batch.lines.tolist() == [7, 8]
    assert [reject.text.decode() for reject in rejects] == [row]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("@relation r\n@attribute a\n@data\n1\n", "line 2: expected @attribute NAME TYPE"),
        ("@relation r\n@attribute a relational\n@data\n", "line 2: expected @attribute NAME TYPE"),
        ("@relation r\n@attribute a real\n1\n", "has no line @data"),
        (
            "@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n",
            "two columns called 'a'",
        ),
    ],
)
def test_a_head_that_declares_nothing_is_refused(content, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        opened(tmp_path / "t.arff", content)


def test_arff_becomes_another_format(tmp_path):
    content = WEATHER.replace('"wet ""?"" no"', '"wet"')

    write_data(opened(tmp_path / "t.arff", content, label="play"), tmp_path / "t.csv")

    assert (tmp_path / "t.csv").read_text().splitlines()[:2] == [
        "play,the outlook,temperature,note,day",
        'no,sunny,85,"it\'s hot, really",2024-01-01',
    ]
