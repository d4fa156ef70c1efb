"""Documents to be cut into words, and ways to cut them."""

from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

TALES = [
    "The cat sat on the mat; the cat SAT.",
    "A dog, a cat and 2 mice: naïve façade_1",
    "",
    "x y z",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ İstanbul'da ΣΣ Straße STRASSE",
    "日本語 の 文章 です 日本語",
    "mat mat\tmat\n\nmat  the\u00a0end 😀😀 😀a",
]

# Every kind of character that is treated apart: cases, sigmas, blanks, scripts, surrogates.
ALPHABET = "abzAZ019_ .,-'\t\n\x00\x1c\u00a0\u2003\u200dßéÉİıΣσςΑ日本ǅ\u0301①²½٣\U00010400😀\ud800"
texts = st.lists(
    st.one_of(st.text(ALPHABET, max_size=30), st.text(max_size=12)), min_size=1, max_size=6
)
cuttings = st.fixed_dictionaries(
    {
        "analyzer": st.sampled_from(["word", "char", "char_wb"]),
        "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 3), (3, 3), (1, 5)]),
        "lowercase": st.booleans(),
    }
)


def assert_same_rows(ours, theirs, rtol=0.0):
    """Equal, but that ours stand in the order of their columns."""
    theirs = theirs.sorted_indices()
    assert ours.shape == theirs.shape
    assert_array_equal(ours.indptr, theirs.indptr)
    assert_array_equal(ours.indices, theirs.indices)
    assert_allclose(ours.data, theirs.data, rtol=rtol)
