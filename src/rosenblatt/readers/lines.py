"""Files of text lines: a document on each, its label before it or none."""

import io
import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.features.examples import Texts
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.label_sets import LabelSets
from rosenblatt.inputs.parameters import check_choice, check_flag
from rosenblatt.readers.blocks import LineData
from rosenblatt.readers.data import Batch
from rosenblatt.readers.rejects import RejectSink
from rosenblatt.readers.targets import ALL_OF_THEM, Answered, Target

MARK = b"__label__"
_BLANKS = re.compile("[ \t\r\v\f]+")


@dataclass(eq=False, repr=False)
class TextLines(LineData):
    r"""A file with a document on each line, opened to be read in batches.

    A line is read in one of three styles:

    ==========  =============================  ====================================================
    "fasttext"  ``__label__good A fine film``  the label first; a second one is an error unless
                                               several or no labels are expected
    "tab"       ``good<TAB>A fine film``       the label, up to the first tab
    "plain"     ``A fine film``                no label; blank lines are documents too
    ==========  =============================  ====================================================

    Where labels are expected, blank lines are skipped, and a line without a label cannot be read,
    unless examples may have several, or none;
    where they are not, every line is a document, less its label if it has one.
    Lines end in LF or CRLF.

    Parameters
    ----------
    source : str, path-like or binary file
        ``"-"`` is standard input. Packed files are unpacked.

    style : {"fasttext", "tab", "plain"}, optional
        Guessed from the first line if not given: "fasttext" if it begins with ``__label__``, else
        "tab" if it has a tab, else "plain". Where examples may have no label, one line that begins
        with ``__label__`` tells.

    labelled : bool, default=True
        Whether labels are expected, unless the style is "plain".

    target : {"label", "labels", "number"}, optional
        What each example has: one label; several, or none, as ``__label__a __label__b A text``; or
        a number to foretell. One label if not given.

    label_separator : str, optional
        What stands between several labels in the style "tab", as in ``a;b<TAB>A text``; without it
        they are a JSON list.

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
    >>> file = io.BytesIO(b"__label__ham __label__work See you\n__label__spam Buy\n")
    >>> (batch,) = TextLines(file, target="labels").batches()
    >>> list(batch.labels)
    [('ham', 'work'), ('spam',)]
    """

    __module__ = "rosenblatt"

    format = "text"
    reasons: ClassVar = {
        "mark": "expected __label__ and a label at the beginning, got {word}",
        "several": "expected one label, got also {word}",
        "tab": "expected a label, a tab and a text",
        "empty": "expected a label, got none",
        "spelling": "expected a label without NUL, got {word}",
    }
    remedies: ClassVar = {"several": ALL_OF_THEM}

    _: KW_ONLY
    style: str | None = None
    labelled: bool = True
    target: str | None = None
    label_separator: str | None = None

    def __post_init__(self) -> None:
        self._target = Target.of(self.target, self.label_separator)
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
        for block, (begins, ends, lines, codes, new), aside in self._blocks(self._reader, large):
            names += new
            if len(begins):
                texts = Texts(block, begins, ends)
                if self.labelled and self.style != "plain":
                    yield from self._labelled(texts, lines, names, codes, aside)
                else:
                    yield Batch(texts, None, lines)

    def _labelled(
        self,
        texts: Texts,
        lines: NDArray[np.int64],
        names: list[str],
        codes: NDArray[np.int32],
        aside: RejectSink,
    ) -> Iterator[Batch]:
        """Documents with what stands before them, each the name of its number."""
        if not self._target:
            yield Batch(texts, np.array(names)[codes], lines)
            return
        found = self._answers(names)
        sound = np.ones(len(codes), np.bool_)
        for k in np.flatnonzero(np.isin(codes, [*found.faults])):
            sound[k] = False
            text = f"{names[codes[k]]}\t{texts[int(k)]}".encode()
            aside.take(int(lines[k]), 1, found.faults[int(codes[k])], text, self._target.remedy)
        if sound.any():
            yield Batch(texts, found.answers[codes], lines).at(np.flatnonzero(sound))

    def _answers(self, names: list[str]) -> Answered:
        """What labels before documents say that are of these names."""
        if self.style != "fasttext" or self._target.kind == "number":
            return self._target.read(names, alone=False)
        if self._target.separator is not None:
            raise InputError(
                Name("label_separator"),
                f" is for labels in one cell, and in {self.name} each has its own __label__",
                remedy=("say ", Parameter("target", "labels"), " alone"),
            )
        words = [[word.removeprefix("__label__") for word in _BLANKS.split(one)] for one in names]
        return Answered(LabelSets.of_each([[*filter(None, own)] for own in words]), {})

    def _reader(self, head: bytes) -> core.LineReader:
        several = self._target.kind == "labels"
        self.style = self.style or guess_style(head, of_any_line=several)
        return core.LineReader(
            getattr(core.LineStyle, self.style),
            labelled=bool(self.labelled),
            several=several,
            set_aside=self._rejects.sets_aside,
            longest_line=int(self.max_line),
        )

    def describe(self) -> str:
        what = "target" if self._target.kind == "number" else self._target.kind
        how = {
            "fasttext": f"the {what} behind __label__, then its text",
            "tab": f"the {what}, a tab, then its text",
            "plain": "texts without labels",
            None: "texts, perhaps with labels before them",
        }[self.style]
        return self._described(f"lines of text: {how}")


def guess_style(head: bytes, *, of_any_line: bool = False) -> str:
    """The style of a file that begins like this."""
    lines = [line for line in io.BytesIO(head) if line.strip()] or [b""]
    if any(line.lstrip().startswith(MARK) for line in lines[: None if of_any_line else 1]):
        return "fasttext"
    return "tab" if b"\t" in lines[0] else "plain"
