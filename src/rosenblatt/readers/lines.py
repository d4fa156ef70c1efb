"""Files of text lines: a document on each, its label before it or none."""

import io
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from rosenblatt import core
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.parameters import check_choice, check_flag
from rosenblatt.readers.blocks import LineData
from rosenblatt.readers.data import Batch

MARK = b"__label__"


@dataclass(eq=False, repr=False)
class TextLines(LineData):
    r"""A file with a document on each line, opened to be read in batches.

    A line is read in one of three styles:

    ============  ============================  ====================================================
    "fasttext"    ``__label__good A fine film``  the label first; a second one is an error unless no
                                                labels are expected
    "tab"         ``good<TAB>A fine film``       the label, up to the first tab
    "plain"       ``A fine film``                no label; blank lines are documents too
    ============  ============================  ====================================================

    Where labels are expected, blank lines are skipped, and a line without a label cannot be read;
    where they are not, every line is a document, less its label if it has one.
    Lines end in LF or CRLF.

    Parameters
    ----------
    source : str, path-like or binary file
        ``"-"`` is standard input. Packed files are unpacked.

    style : {"fasttext", "tab", "plain"}, optional
        Guessed from the first line if not given: "fasttext" if it begins with ``__label__``, else
        "tab" if it has a tab, else "plain".

    labelled : bool, default=True
        Whether labels are expected, unless the style is "plain".

    rejects : str, path-like or list, optional
        Lines that cannot be read are written to this file, each below a comment that says what is
        wrong, or appended to this list as `Reject`, and reading goes on. If not given, the first
        one is an error.

    max_line, max_size : int
        Limits: the bytes of a line, and those of an unpacked file.

    encoding : str, optional
        As Python calls it, such as "latin-1"; guessed from the first bytes if not given. A line
        that is not in it cannot be read.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import TextLines
    >>> (batch,) = TextLines(io.BytesIO(b"spam\tBuy now!\nham\tSee you\n")).batches()
    >>> batch.labels
    array(['spam', 'ham'], dtype='<U4')
    >>> list(batch.examples)
    ['Buy now!', 'See you']
    """

    __module__ = "rosenblatt"

    format = "text"
    reasons: ClassVar = {
        "mark": "expected __label__ and a label at the beginning, got {word}",
        "several": "expected one label, got also {word}, and several can't be learned from yet",
        "tab": "expected a label, a tab and a text",
        "empty": "expected a label, got none",
        "spelling": "expected a label without NUL, got {word}",
    }

    _: KW_ONLY
    style: str | None = None
    labelled: bool = True

    def __post_init__(self) -> None:
        if self.style is not None:
            check_choice("style", self.style, ["fasttext", "tab", "plain"])
        check_flag("labelled", self.labelled)
        super().__post_init__()

    def batches(self) -> Iterator[Batch]:
        return self._batches(large=False)

    def whole(self) -> Batch | None:
        return Batch.join(list(self._batches(large=True)))

    def _batches(self, large: bool) -> Iterator[Batch]:
        names: list[str] = []
        for block, (begins, ends, lines, codes, new) in self._blocks(self._reader, large):
            names += new
            if len(begins):
                labelled = self.labelled and self.style != "plain"
                labels = np.array(names)[codes] if labelled else None
                yield Batch(Texts(block, begins, ends), labels, lines)

    def _reader(self, head: bytes) -> core.LineReader:
        self.style = self.style or guess_style(head)
        return core.LineReader(
            getattr(core.LineStyle, self.style),
            labelled=bool(self.labelled),
            set_aside=self._rejects.sets_aside,
            longest_line=int(self.max_line),
        )

    def vectorizer(self) -> Any:
        from rosenblatt.features.text import TextVectorizer

        return TextVectorizer()

    def describe(self) -> str:
        how = {
            "fasttext": "the label behind __label__, then its text",
            "tab": "the label, a tab, then its text",
            "plain": "texts without labels",
            None: "texts, perhaps with labels before them",
        }[self.style]
        return self._described(f"lines of text: {how}")


def guess_style(head: bytes) -> str:
    """The style of a file that begins like this."""
    line = next((line for line in io.BytesIO(head) if line.strip()), b"")
    if line.lstrip().startswith(MARK):
        return "fasttext"
    return "tab" if b"\t" in line else "plain"
