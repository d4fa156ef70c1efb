"""A corpus of any size filtered by a model: shards in, the rows that are kept or all scores out."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.corpora.label_scores import KeepRule, LabelScorer, LabelScores, Wanted, model_path
from rosenblatt.corpora.line_shards import TextShard
from rosenblatt.corpora.opening import named, open_shard
from rosenblatt.corpora.resume_records import (
    FOLDER,
    ResumeRecords,
    checksum,
    facts_of,
    made_folder_of,
)
from rosenblatt.corpora.shards import Rows, Shard
from rosenblatt.corpora.tallies import FilterSummary, Tally
from rosenblatt.corpora.top_share import SCORED, Cut, cut_at
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import check_count, threads_of
from rosenblatt.inputs.parts import has_shape, require
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.readers.atomic_write import written_whole

TEXT = "text"
"""What the column of the texts is called if neither the caller nor the model says."""


@dataclass
class FilterProgress:
    """How far a filtering has come; it may be looked at from another thread."""

    __module__ = "rosenblatt"

    shards: int = 0
    """How many times a shard is read in all."""
    done: int = 0
    """How many times one was."""
    text: int = 0
    """Bytes of text that were read."""
    passes: int = 1
    """How many times each shard is read."""
    begun: float = field(default_factory=time.monotonic)
    _sizes: dict[str, int] = field(default_factory=dict)
    _finished: int = 0
    _reading: dict[Shard, int] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    @property
    def share(self) -> float:
        """How much of the shards has been read, from 0 to 1, by their bytes on the disk."""
        with self._lock:
            reading = sum(size * shard.share for shard, size in self._reading.items())
        total = self.passes * sum(self._sizes.values())
        return (self._finished + reading) / total if total else float(self.shards > 0)

    @property
    def rate(self) -> float:
        """Bytes of text a second."""
        return self.text / max(1e-9, time.monotonic() - self.begun)

    def _begin(self, sizes: dict[str, int], passes: int) -> None:
        self._sizes, self.passes, self.shards = sizes, passes, passes * len(sizes)
        self.done = self.text = self._finished = 0
        self.begun = time.monotonic()

    def _read(self, shard: Shard, texts: int) -> None:
        with self._lock:
            self._reading[shard] = self._sizes[shard.name]
            self.text += texts

    def _end(self, name: str, shard: Shard | None = None) -> None:
        with self._lock:
            self._finished += self._sizes[name]
            self.done += 1
            if shard is not None:
                self._reading.pop(shard, None)


def filter_shards(
    model: str | os.PathLike[str],
    shards: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    label: Any,
    min_probability: float | None = None,
    min_score: float | None = None,
    keep_top: float | str | None = None,
    scores: bool = False,
    text_column: str | None = None,
    max_line: int = 2**25,
    n_jobs: int | None = None,
    progress: FilterProgress | None = None,
) -> FilterSummary:
    r"""Score the texts of a corpus, and keep the rows whose text a model finds good enough.

    Shards are JSON lines, Parquet or lines of text, packed by gzip, zstd, xz, bzip2 or not. Each
    becomes a file of the same name and format in another folder; lines that are kept keep their
    bytes. Memory holds some blocks of rows, however large the corpus.

    A call that was ended, even by a kill, goes on when it is made again: finished shards stay, and
    all files come out the same. So they do whatever ``n_jobs`` is.

    Parameters
    ----------
    model : str or path-like
        The file of a model of texts.

    shards : path, or list of paths
        Files. Of a folder and those below it, the files called .jsonl, .ndjson, .parquet or .txt,
        packed or not, and others that begin as JSON lines or Parquet; none whose name begins with a
        dot or an underscore.

    folder : str or path-like
        Where the output goes. What belongs to the work itself is in ``_rosenblatt`` there.

    label : str
        The label that is wanted.

    min_probability, min_score, keep_top : optional
        What is kept, one of them: rows that have the label with such a probability; with such a
        score; or a share of all rows, such as 0.1 or "10%". The score says how far the label is
        ahead of its strongest rival. A share is exact: ⌈share · rows⌉ of the rows that score
        highest. Of those that score the same, the ones that come first in the order of the
        shards' paths and of their rows. Scores of raw counts grow with the length of a text: learn
        the model from rows of length one, ``TextVectorizer(norm="l2")``.

    scores : bool, default=False
        Keep nothing, but write SHARD.scores.csv for each shard: a line for each row that can be
        read, with its line, its score and its probability, if the model knows it.

    text_column : str, optional
        The column of the texts; by default that of the model's own data, else "text".

    max_line : int, default=2**25
        The bytes of the longest line that is read; longer ones are malformed.

    n_jobs : int, optional
        Shards that are worked on side by side, one if not given; -1 is one for each processor.

    progress : FilterProgress, optional
        Is kept up to date, for who wants to watch.

    Returns
    -------
    FilterSummary

    Examples
    --------
    >>> import json, os, tempfile
    >>> from pathlib import Path
    >>> from sklearn.pipeline import make_pipeline
    >>> from rosenblatt import AveragedPerceptron, TextVectorizer, filter_shards, save
    >>> texts, labels = ["a clear page", "click here", "a good page"], ["good", "junk", "good"]
    >>> folder = tempfile.TemporaryDirectory()
    >>> model, shard = Path(folder.name, "pages.rbt"), Path(folder.name, "crawl.jsonl")
    >>> pipeline = make_pipeline(TextVectorizer(norm="l2"), AveragedPerceptron(random_state=0))
    >>> save(pipeline.fit(texts, labels), model)
    >>> pages = [{"id": 1, "text": "click, click here"}, {"id": 2, "text": "one more page"}]
    >>> _ = shard.write_text("".join(json.dumps(page) + "\n" for page in pages))
    >>> summary = filter_shards(
    ...     model, shard, Path(folder.name, "kept"), label="good", keep_top="50%"
    ... )
    >>> summary.rows, summary.kept
    (2, 1)
    >>> Path(folder.name, "kept", "crawl.jsonl").read_text()
    '{"id": 2, "text": "one more page"}\n'
    >>> folder.cleanup()
    """
    model = model_path(model)
    predictor = Predictor.load(model)
    wanted = Wanted.of(
        predictor,
        label,
        min_probability=min_probability,
        min_score=min_score,
        keep_top=keep_top,
        scores=bool(scores),
    )
    check_count("max_line", max_line)
    threads = threads_of(n_jobs)
    folder = os.fspath(folder)
    given = [shards] if isinstance(shards, str | os.PathLike) else shards
    paths, left_out = named(given, folder)
    column = text_column or _text_column(predictor) or TEXT
    settings = {
        "model": checksum(model),
        "label": str(label),
        "text_column": column,
        "max_line": int(max_line),
        **wanted.facts(),
    }
    _check_apart(paths, folder)
    with ThreadPoolExecutor(threads) as pool:
        opening = [
            pool.submit(open_shard, path, name, column, max_line) for name, path in paths.items()
        ]
        try:
            opened = {name: each.result() for name, each in zip(paths, opening, strict=True)}
        finally:
            pool.shutdown(cancel_futures=True)
    if text_column and all(isinstance(shard, TextShard) for shard in opened.values()):
        what = (Name("text_column"), " says nothing of shards that are lines of text")
        raise InputError(*what, got=Parameter("text_column", text_column), remedy="leave it out")
    ending = ".scores.csv" if scores else ""
    watch = FilterProgress() if progress is None else progress
    watch._begin(
        {name: os.stat(path).st_size for name, path in paths.items()}, 2 if wanted.share else 1
    )
    cut: Cut | None = None
    with ResumeRecords.open(folder, settings, paths, ending) as resume:
        work = _Work(wanted.scorer, resume, opened, threads, watch)
        if scores:
            tallies = work.each("scored", lambda name: resume.output(name + ending), work.scores)
        elif wanted.rule is not None:
            tallies = work.each("kept", resume.output, partial(work.good, wanted.rule))
        else:
            cut, tallies = work.top(wanted.share)
        _check_read(tallies)
        summary = FilterSummary(
            tallies,
            None if cut is None else cut.score,
            predictor.has_probabilities,
            keeps=not scores,
            left_out=tuple(left_out),
        )
        resume.write("summary", summary.facts())
    return summary


def _text_column(predictor: Predictor) -> str | None:
    """The column of texts that the model was learned from, if its file tells."""
    told = predictor.notes.get("data")
    kinds = told.get("kinds") if isinstance(told, dict) else None
    texts = (
        [name for name, kind in kinds.items() if kind == "text"] if isinstance(kinds, dict) else []
    )
    return str(texts[0]) if len(texts) == 1 else None


def _check_read(tallies: Mapping[str, Tally]) -> None:
    """Refuse a corpus none of whose rows could be read: then it is not these that are malformed."""
    faults = [(name, *fault) for name, tally in tallies.items() for fault in tally.faults]
    if faults and not any(tally.rows for tally in tallies.values()):
        name, line, reason = faults[0]
        raise InputError(
            f"No row of the shards can be read; the first, {name}, line {line}: {reason}"
        )


def _check_apart(paths: Mapping[str, str], folder: str) -> None:
    """Refuse to write over a shard, or over the records."""
    for name, path in paths.items():
        if name.split(os.sep)[0] == FOLDER:
            raise InputError(f"{path} would lie among the records", remedy=f"rename {FOLDER}")
        if os.path.realpath(os.path.join(folder, name)) == os.path.realpath(path):
            raise InputError(f"{path} would be written over", remedy="choose another folder")


Pieces = Iterator[bytes]
Step = Callable[[Shard, Tally], Pieces]


@dataclass
class _Work:
    scorer: LabelScorer
    resume: ResumeRecords
    shards: Mapping[str, Shard]
    threads: int
    watch: FilterProgress
    ended: threading.Event = field(default_factory=threading.Event)

    def each(
        self, step: str, made: Callable[[str], str], make: Step, names: Iterable[str] | None = None
    ) -> dict[str, Tally]:
        """Make a file of every shard, or of some, unless it is there; what was counted."""
        with ThreadPoolExecutor(self.threads) as pool:
            futures = {
                name: pool.submit(self._once, step, self.shards[name], made(name), make)
                for name in (self.shards if names is None else names)
            }
            try:
                wait(futures.values(), return_when=FIRST_EXCEPTION)
            finally:
                self.ended.set()
                pool.shutdown(cancel_futures=True)
            for future in futures.values():
                if not future.cancelled() and not isinstance(future.exception(), _EndedError):
                    future.result()
        self.ended.clear()
        return {name: future.result() for name, future in futures.items()}

    def _once(self, step: str, shard: Shard, made: str, make: Step) -> Tally:
        name, path = shard.name, shard.path
        known = self.resume.done(name, step, path, made)
        if known is not None:
            self.watch._end(name)
            return known
        before, tally = facts_of(path), Tally()
        made_folder_of(made)
        with written_whole(made) as file:
            file.writelines(make(shard, tally))
        self.resume.note(name, step, path, before, tally)
        self.watch._end(name, shard)
        return tally

    def _rows(self, shard: Shard, *, whole: bool) -> Iterator[Rows]:
        for rows in shard.rows(whole=whole):
            if self.ended.is_set():
                raise _EndedError
            size = int((rows.texts.ends - rows.texts.begins).sum())
            self.watch._read(shard, size)
            yield rows

    def _scored(
        self, shard: Shard, tally: Tally, *, whole: bool
    ) -> Iterator[tuple[Rows, LabelScores]]:
        for rows in self._rows(shard, whole=whole):
            scores = self.scorer.score(rows.texts)
            tally.read(rows, scores.probabilities)
            yield rows, scores

    def good(self, rule: KeepRule, shard: Shard, tally: Tally) -> Pieces:
        """The rows of a shard that have what it takes."""

        def kept() -> Iterator[Any]:
            for rows, scores in self._scored(shard, tally, whole=True):
                mask = rule.keeps(scores)
                tally.keep(rows, mask, *scores)
                yield rows.kept(mask)

        return shard.written(kept())

    def scores(self, shard: Shard, tally: Tally) -> Pieces:
        """A line for each row."""
        probable = self.scorer.predictor.has_probabilities
        yield b"line,score,probability\n" if probable else b"line,score\n"
        for rows, (scores, probabilities) in self._scored(shard, tally, whole=False):
            columns = [rows.lines.tolist(), scores.tolist()]
            columns += [] if probabilities is None else [probabilities.tolist()]
            lines = (",".join(map(repr, row)) for row in zip(*columns, strict=True))
            yield "".join(f"{line}\n" for line in lines).encode()

    def top(self, share: Any) -> tuple[Cut, dict[str, Tally]]:
        """All are scored first; then those above the cut are taken."""
        scored = {name: self.resume.record_path(f"{name}.scores") for name in self.shards}
        known = self.resume.read("cut", _known_cut)
        if known is None:
            self.each("scored", scored.__getitem__, self._stored)
            cut = cut_at(share, [*scored.values()])
            self.resume.write("cut", {"shards": [*self.shards], **cut.facts()})
        elif known[0] != [*self.shards]:
            raise InputError(
                "The cut was made over other shards", remedy="choose another folder for the output"
            )
        else:
            _, cut = known
            self.each("scored", scored.__getitem__, self._stored, self._to_take())
        level = dict(zip(self.shards, cut.level, strict=True))
        taken = self.each("kept", self.resume.output, partial(self._taken, cut.score, level))
        for file in scored.values():
            if os.path.exists(file):
                os.unlink(file)
        return cut, taken

    def _to_take(self) -> list[str]:
        """The shards of which the rows above the cut are still to be taken."""
        left = []
        for name, shard in self.shards.items():
            if self.resume.done(name, "kept", shard.path, self.resume.output(name)) is None:
                left.append(name)
            else:
                self.watch._end(name)
        return left

    def _stored(self, shard: Shard, tally: Tally) -> Pieces:
        for _, scores in self._scored(shard, tally, whole=False):
            stored = np.zeros(len(scores.scores), SCORED)
            stored["score"] = scores.scores
            if scores.probabilities is not None:
                stored["probability"] = scores.probabilities
            yield stored.tobytes()

    def _taken(self, cut: float, level: Mapping[str, int], shard: Shard, tally: Tally) -> Pieces:
        """The rows of a shard above the cut, and as many of those just on it as are to be kept."""
        probable = self.scorer.predictor.has_probabilities

        def kept() -> Iterator[Any]:
            left = level[shard.name]
            with open(self.resume.record_path(f"{shard.name}.scores"), "rb") as file:
                for rows in self._rows(shard, whole=True):
                    stored = np.fromfile(file, SCORED, len(rows.lines))
                    if len(stored) < len(rows.lines):
                        raise _not_as_scored(shard)
                    on_cut = np.flatnonzero(stored["score"] == cut)[:left]
                    mask = stored["score"] > cut
                    mask[on_cut] = True
                    left -= len(on_cut)
                    probabilities = stored["probability"] if probable else None
                    tally.read(rows, probabilities)
                    tally.keep(rows, mask, stored["score"], probabilities)
                    yield rows.kept(mask)
                if file.read(1):
                    raise _not_as_scored(shard)

        return shard.written(kept())


def _not_as_scored(shard: Shard) -> InputError:
    return InputError(
        f"{shard.path} has other rows than were scored",
        remedy="choose another folder for the output",
    )


def _known_cut(told: Any) -> tuple[list[str], Cut]:
    """The shards that a cut was made over, and the cut."""
    shards: Any = told.pop("shards", None) if isinstance(told, dict) else None
    cut = Cut.build(told)
    require(has_shape(shards, (str,) * len(cut.level)), "it is of other shards")
    return shards, cut


class _EndedError(Exception):
    """Other work has failed, or was interrupted."""
