"""The native reader of texts in lines of JSON, beside Python's json module."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import core

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def read(data, name="text"):
    """What is read of some lines: number, bytes and text of each, None for what is doubtful."""
    block = np.zeros(len(data) + core.block_slack, np.uint8)
    block[: len(data)] = np.frombuffer(data, np.uint8)
    used, begins, ends, lines, texts, text_ends, doubtful = core.JsonTextReader(name).feed(
        block, len(data), last=True
    )
    assert used == len(data)
    found = []
    for k, line in enumerate(lines.tolist()):
        text = texts[text_ends[k - 1] if k else 0 : text_ends[k]].tobytes()
        whole = data[begins[k] : ends[k]]
        found.append((line, whole, None if k in doubtful else text.decode()))
    return found


@given(
    text=st.text(),
    others=st.dictionaries(st.text(max_size=5).filter(lambda name: name != "text"), VALUES),
    plain=st.booleans(),
    spaced=st.booleans(),
)
def test_the_text_is_what_json_reads(text, others, plain, spaced):
    separators = (" , ", "\t: ") if spaced else (",", ":")
    value = others | {"text": text} | {"more": others}
    try:
        line = json.dumps(value, ensure_ascii=plain, separators=separators).encode()
    except UnicodeEncodeError:
        return

    ((number, whole, found),) = read(line)

    assert (number, whole) == (1, line)
    assert found is None or found == json.loads(line)["text"] == text


@pytest.mark.parametrize(
    "text", ["", "a", "é", '"', "\\", "a\tb\n", "\x00\x1f", "\ud83c\udf89 \u2028", "x" * 100 + '"']
)
@pytest.mark.parametrize("plain", [True, False])
def test_ordinary_lines_leave_no_doubt(text, plain):
    text = text.encode("utf-16", "surrogatepass").decode("utf-16")
    line = json.dumps({"n": -0.5e-3, "text": text, "l": [1, {}, []]}, ensure_ascii=plain)

    assert read(line.encode() + b"\r\n")[0][2] == text


@given(line=st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"\r" not in line))
def test_bytes_of_any_kind_are_read_only_if_json_reads_them(line):
    line = b'{"text": "a' + line

    for _, whole, text in read(line):
        assert text is None or text == json.loads(whole.decode())["text"]


DOUBTFUL = [
    b'{"text": "a", "text": "b"}', b'{"t\\u0065xt": "a"}', b'{"a": 1}', b'{"text": 1}', b"[]",
    b'{"text": "\\ud83c"}', b'{"text": "\\udf89\\ud83c"}', b'{"text": "a\tb"}', b'{"text": "a"} b',
    b'{"text": "a",}', b'{"text": "a", "b": 01}', b'{"text": "a", "b": NaN}', b'{"text": "\xff"}',
    b'{"text": "a", "b": [1,]}', b'{"text": "\\x"}', b'{"text": "a', b'{"text": "\\', b"x",
    b'{"text": "a", "b": ' + b"[" * 70 + b"]" * 70 + b"}", b'{"text": "a", "b": 1.}',
    b'{"text": "a", "b": ' + b"1" * 65 + b"}", b'{"text": "\\u12', b'{"text": "a" "b": 1}',
]  # fmt: skip


@pytest.mark.parametrize("line", DOUBTFUL, ids=range(len(DOUBTFUL)))
def test_what_is_seldom_is_left_to_somebody_else(line):
    assert read(line) == [(1, line, None)]


def test_lines_are_counted_and_blank_ones_left_out():
    data = b'{"text": "a"}\r\n\n \t\r\n[]\n{"text": "b"}'

    assert read(data) == [
        (1, b'{"text": "a"}\r\n', "a"),
        (4, b"[]\n", None),
        (5, b'{"text": "b"}', "b"),
    ]
