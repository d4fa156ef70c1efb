"""Checks of JSON that anybody may have written."""

import json

import pytest

from rosenblatt.inputs.parts import has_shape, is_whole

SHAPE = {"rows": is_whole, "name": str, "faults": [(int, str)]}
SOUND = {"rows": 3, "name": "a", "faults": [[1, "x"], [2, "y"]]}


def test_json_of_the_shape_is_told_from_all_other():
    assert has_shape(SOUND, SHAPE)
    assert has_shape(SOUND | {"faults": []}, SHAPE)


@pytest.mark.parametrize(
    "other",
    [
        *(None, [], {}, {"rows": 3, "name": "a"}, SOUND | {"more": 1}, SOUND | {"rows": -1}),
        *(SOUND | {"rows": True}, SOUND | {"name": 5}, SOUND | {"faults": {}}),
        *(SOUND | {"faults": [each]} for each in (1, [1], [1, "x", 2], ["x", 1], [True, "x"])),
    ],
    ids=json.dumps,
)
def test_what_is_a_little_else_has_not_the_shape(other):
    assert not has_shape(other, SHAPE)
