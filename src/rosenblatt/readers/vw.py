"""Files in the text format of Vowpal Wabbit."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from rosenblatt import core
from rosenblatt.features.examples import Bags, Texts
from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.parameters import check_flag
from rosenblatt.readers.blocks import LineData
from rosenblatt.readers.data import Batch, as_whole_numbers
from rosenblatt.readers.sources import source_name
from rosenblatt.readers.targets import Target


@dataclass(eq=False, repr=False)
class VW(LineData):
    r"""A file of Vowpal Wabbit's lines, opened to be read in batches.

    A line is ``label importance tag|namespace:weight feature:value feature ...``. All but the bar
    may be missing: the importance is then 1, and so are weights and values. Labels are numbers. A
    word that touches the first bar, or begins with ``'``, is a tag and ignored. A feature is called
    ``namespace^feature``, as by Vowpal Wabbit itself; its value is multiplied by the weight of the
    namespace. Blank lines are skipped.

    Parameters
    ----------
    source, rejects, max_line, max_size, encoding
        As in `TextLines`.

    labelled : bool, optional
        Whether lines have labels. If not given, the first one decides; where labels are expected, a
        line without cannot be read; with False they are left out, and blank lines are examples too.

    target : {"label", "number"}, optional
        Whether the number before the features is a label or to be foretold; a label if not given.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import VW
    >>> (batch,) = VW(io.BytesIO(b"1 2.0 |word good film:2\n-1 |word bad\n")).batches()
    >>> batch.labels, batch.weights
    (array([ 1, -1]), array([2., 1.]))
    >>> batch.examples[0]
    [('word^good', 1.0), ('word^film', 2.0)]
    """

    __module__ = "rosenblatt"

    format = "vw"
    reasons: ClassVar = {
        "bar": "expected a | before the features",
        "label": "expected a number as the label, got {word}",
        "missing": "expected a label, got none",
        "importance": "expected a number of at least 0 as the importance, got {word}",
        "base": "expected label, importance and tag before the |, got also {word}",
        "weight": "expected a number as the weight of a namespace, got {word}",
        "feature": "expected feature or feature:number, got {word}",
    }

    _: KW_ONLY
    labelled: bool | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        self._target = Target.of(self.target, None)
        if self._target.kind == "labels":
            raise InputError(
                f"Lines of Vowpal Wabbit, as in {source_name(self.source)}, have one label each",
                remedy=("leave out ", Parameter("target", "labels"), ", or use another format"),
            )
        if self.labelled is not None:
            check_flag("labelled", self.labelled)
        super().__post_init__()

    def batches(self) -> Iterator[Batch]:
        reader = core.VwReader(
            None if self.labelled is None else bool(self.labelled),
            set_aside=self._rejects.sets_aside,
            longest_line=int(self.max_line),
        )
        for _, read, _ in self._blocks(lambda head: reader):
            names, ends, values, indptr, labels, weights, lines = read
            if len(lines):
                bags = Bags(Texts.packed(names, ends), values, indptr)
                if self._target.kind == "label":
                    labels = as_whole_numbers(labels)
                labels = labels if reader.labelled else None
                yield Batch(bags, labels, lines, weights)

    def vectorizer(self) -> Any:
        from rosenblatt.features.named import NamedVectorizer

        return NamedVectorizer()

    def describe(self) -> str:
        return self._described("lines of Vowpal Wabbit: label, importance, then named features")
