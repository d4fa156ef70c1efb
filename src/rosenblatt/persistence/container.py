"""Files that are whole or refused: arrays and facts in safetensors, under a checksum."""

import hashlib
import json

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as read_arrays
from safetensors.numpy import save as write_arrays

from rosenblatt.inputs.parts import STRANGE, Arrays, Facts, check_few_containers, read_json
from rosenblatt.persistence.packing import packed, unpacked

LARGEST_HEADER = 1 << 25
"""Bytes, of which few become ten times as many in memory when they are read."""
KEY = "rosenblatt"
PACKED = 3
"""The format of files with arrays in fewer bytes; those of 2 had left out zeros alone."""
BLANK = b"0" * 64
"""Stands in the place of the checksum while it is computed."""
MARK = rb"\"checksum\":\""
"""What comes before it. JSON within JSON: quotes of a string inside carry more backslashes."""


class ModelFileError(ValueError):
    """A file that is no model file, or a damaged one, or one of a newer version."""

    __module__ = "rosenblatt"


def seal(facts: Facts, arrays: Arrays) -> list[bytes | memoryview]:
    """The bytes of a file, in parts, with its arrays in as few bytes as hold all their bits."""
    packing, stored = packed(arrays)
    return seal_as_stored(facts | ({"format": PACKED} if packing else {}) | packing, stored)


def seal_as_stored(facts: Facts, arrays: Arrays) -> list[bytes | memoryview]:
    """The bytes of a file, in parts: a header that holds the facts as sorted JSON, then the arrays.

    The SHA-256 is that of all bytes with zeros in its own place, so it covers every one of them.
    """
    text = json.dumps(
        facts | {"checksum": BLANK.decode()},
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
    if len(text) > LARGEST_HEADER // 2:  # quotes may double
        raise ValueError(
            f"The classes and the names of the features take {len(text)} bytes, more than the "
            f"{LARGEST_HEADER // 2} that a model file can hold: use shorter names, or fewer."
        )
    blank = memoryview(write_arrays(arrays, metadata={KEY: text}))
    header = 8 + int.from_bytes(blank[:8], "little")
    place = bytes(blank[:header]).index(MARK + BLANK) + len(MARK)
    digest = hashlib.sha256(blank).hexdigest().encode()
    return [blank[:place], digest, blank[place + len(BLANK) :]]


def unseal(path: str) -> tuple[Facts, Arrays]:
    """The facts and the arrays of a file, once every byte of it is found to be as it was written.

    Nothing is parsed before the checksum has been compared.
    """
    with open(path, "rb") as file:
        first = file.read(8)
        length = int.from_bytes(first, "little")
        header = file.read(length) if len(first) == 8 and length <= LARGEST_HEADER else b""
        place = header.find(MARK) + len(MARK)
        if place < len(MARK) or len(header) < length:
            raise ModelFileError(f"{path} is not a model file of rosenblatt, or only part of one.")
        body = file.read()
    digest = hashlib.sha256(first + header[:place] + BLANK + header[place + len(BLANK) :])
    digest.update(body)
    if digest.hexdigest().encode() != header[place : place + len(BLANK)]:
        raise ModelFileError(
            f"{path} is damaged: its checksum does not fit its contents, so restore it from a copy."
        )
    try:
        check_few_containers(header)
        metadata = read_json(header)["__metadata__"]
        check_few_containers(metadata[KEY].encode())
        facts = read_json(metadata[KEY], parse_constant=_refuse_constant)
        arrays = read_arrays(b"".join([first, header, body]))
        arrays = unpacked(facts, arrays, _only_to_predict(arrays))
    except MemoryError as error:
        raise ModelFileError(f"{path} describes a model that no memory here can hold.") from error
    except (*STRANGE, SafetensorError) as error:
        raise ModelFileError(f"{path} is not laid out as rosenblatt writes it.") from error
    if list(metadata) != [KEY] or not isinstance(facts, dict):
        raise ModelFileError(f"{path} is not laid out as rosenblatt writes it.")
    return facts, {name: np.ascontiguousarray(array) for name, array in arrays.items()}


def _only_to_predict(arrays: Arrays) -> set[str]:
    """The names of weights beside which those of the constant stand alone: see `Weights.arrays`."""
    ending = ".weights.constant"
    return {name.removesuffix("constant") + "values" for name in arrays if name.endswith(ending)}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
