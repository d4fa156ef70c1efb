"""The exact quantile over files of scores."""

from fractions import Fraction
from math import ceil, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.corpora.top_share import SCORED, Cut, cut_at, share_of

SCORES = st.lists(
    st.lists(st.floats(allow_nan=False) | st.sampled_from([0.0, 1.0, -1.5]), max_size=30),
    min_size=1,
    max_size=4,
)


def write(folder, files):
    paths = []
    for k, scores in enumerate(files):
        stored = np.zeros(len(scores), SCORED)
        stored["score"] = np.array(scores) + 0.0
        stored["probability"] = 0.5
        paths.append(str(folder / f"{k}.scores"))
        stored.tofile(paths[-1])
    return paths


@given(files=SCORES, share=st.fractions(min_value=Fraction(1, 100), max_value=1))
def test_just_that_many_rows_are_above_the_cut(tmp_path_factory, files, share):
    every = np.array([score for scores in files for score in scores])
    wanted = ceil(share * len(every))

    cut = cut_at(share, write(tmp_path_factory.mktemp("cut"), files))

    if wanted == 0:
        assert cut == Cut(inf, (0,) * len(files))
        return
    assert cut.score == np.sort(every)[-wanted]
    assert np.count_nonzero(every > cut.score) + sum(cut.level) == wanted
    left = sum(cut.level)
    for scores, level in zip(files, cut.level, strict=True):  # the first of those on the cut
        assert level == min(left, scores.count(cut.score))
        left -= level


def test_a_cut_comes_back_from_a_file_exactly():
    cut = Cut(0.1 + 0.2, (3, 0))

    assert Cut.build(cut.facts()) == cut


@pytest.mark.parametrize(
    ("said", "share"),
    [("10%", Fraction(1, 10)), (0.1, Fraction(1, 10)), ("2.5 %", Fraction(1, 40)), (1, 1)],
)
def test_a_share_is_exact(said, share):
    assert share_of(said) == share


@pytest.mark.parametrize("said", [0, -1, 1.5, "101%", "x", "", None, float("nan"), True, "1/0"])
def test_what_is_no_share_is_refused(said):
    with pytest.raises(ValueError, match="keep_top must be a share of all rows, such as"):
        share_of(said)
