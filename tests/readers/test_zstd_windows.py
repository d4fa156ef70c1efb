"""How much memory a file packed by zstd may ask for."""

import io

import pytest
import zstandard

from rosenblatt import InputError, TextLines


def packed(window_log):
    """Lines whose frame does not tell how many bytes there are, so that the window stands in it."""
    how = zstandard.ZstdCompressionParameters(window_log=window_log)
    packer = zstandard.ZstdCompressor(compression_params=how).compressobj()
    return packer.compress(b"a\tsome text\n" * 9) + packer.flush()


def test_a_frame_of_a_long_window_is_told_from_a_damaged_one():
    (batch,) = TextLines(io.BytesIO(packed(27))).batches()
    assert len(batch.examples) == 9

    with pytest.raises(
        InputError, match="a window of 256 MiB, and at most 128 MiB are read: pack it"
    ):
        list(TextLines(io.BytesIO(packed(28))).batches())
    with pytest.raises(InputError, match="is damaged or cut short and cannot be unpacked by zstd"):
        list(TextLines(io.BytesIO(packed(27)[:-3])).batches())
