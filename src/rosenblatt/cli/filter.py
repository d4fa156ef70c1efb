"""``rosenblatt filter``: what a model finds good enough of a corpus, shard by shard."""

import time
from typing import Any

import click

from rosenblatt.cli.failures import INTERRUPTED, Failure, asked_for, reading_data
from rosenblatt.cli.options import loaded, speaking
from rosenblatt.cli.output import Output, counted, percent, size

BAR = 40
"""Letters of the longest bar of the histogram."""
SAMPLES = {
    "surest": "Kept, and surest (the worst mistakes are among these)",
    "just_kept": "Just kept",
    "just_left_out": "Just left out",
}
"""What rows to read are called."""
FAULTS = 5
"""Malformed rows, and files left out, that are told."""


@click.command("filter")
@click.argument("model", type=click.Path())
@click.argument("shards", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o", "--output", metavar="FOLDER", required=True, type=click.Path(), help="Write here."
)
@click.option("--label", metavar="LABEL", required=True, help="The label that is wanted.")
@click.option("--min-probability", type=float, help="Keep rows that have it with this probability.")
@click.option("--min-score", type=float, help="Keep rows whose score for it is this or higher.")
@click.option("--keep-top", metavar="SHARE", help="Keep just this share of all rows, as 10%.")
@click.option("--scores", is_flag=True, help="Keep none, but write the score of every row.")
@click.option(
    "--text-column",
    metavar="COLUMN",
    help="Where the texts are; as in the model's own data, else “text”, if not given.",
)
@click.option(
    "--max-line",
    metavar="BYTES",
    type=click.IntRange(min=1),
    default=2**25,
    help="Longest line that is read.",
)
@click.option(
    "--samples",
    metavar="NUMBER",
    type=click.IntRange(0, 10),
    default=0,
    help="Print so many of the surest rows, and on each side of the cut, to read.",
)
@click.option(
    "--jobs", "n_jobs", type=int, default=1, help="Shards side by side; -1: a processor each."
)
@speaking
def command(
    model: str, shards: tuple[str, ...], output: str, samples: int, out: Output, **how: Any
) -> None:
    """Keep the rows of SHARDS whose text MODEL finds good enough.

    SHARDS are JSON lines, Parquet or lines of text, packed by gzip, zstd, xz, bzip2 or not, or
    folders of such files. Each becomes a file of the same name and format in FOLDER, with its lines
    as they are. The same command goes on where one was interrupted or killed. What comes out does
    not depend on --jobs.
    """
    check(model, how, out)
    from rosenblatt.corpora.filtering import FilterProgress, filter_shards

    progress = FilterProgress()
    begun = time.monotonic()
    try:
        with reading_data(), out.bar("filtering", lambda: progress.share, lambda: _pace(progress)):
            summary = filter_shards(model, shards, output, progress=progress, **how)
    except KeyboardInterrupt:
        done = f"{progress.done:,} of {progress.shards:,} shards are done"
        sentence = f"Interrupted: {done}, and the same command goes on from there."
        raise Failure(INTERRUPTED, sentence) from None
    show(summary, out)
    show_samples(summary.samples, samples, out)
    seconds = time.monotonic() - begun
    twice = ", both passes together," if progress.passes == 2 else ""
    read = f"{size(progress.text)} of text{twice} in {seconds:.1f} s"
    out.say("read", f"{read}: {size(progress.text / max(seconds, 1e-9))} a second")
    out.say("wrote", f"{counted(len(summary.tallies), 'shard')} in {output}")
    out.give(summary.facts())


def check(model: str, how: dict[str, Any], out: Output) -> None:
    """Tell what is wrong with the model, or with what is wanted of it, before any work."""
    predictor = loaded(model, out)
    from rosenblatt.corpora.label_scores import WAYS, Wanted

    with asked_for():
        Wanted.of(predictor, how["label"], **{name: how[name] for name in WAYS})


def _pace(progress: Any) -> str:
    """How fast it is, and how many shards there are to go in this pass."""
    if not progress.shards:
        return "looking at the shards"
    each = progress.shards // progress.passes
    now = min(progress.passes, 1 + progress.done // each)
    left = now * each - progress.done
    which = f"pass {now} of {progress.passes}, " if progress.passes > 1 else ""
    return f"{size(progress.rate)}/s, {which}{left:,} {'shard' if left == 1 else 'shards'} to go"


def show(summary: Any, out: Output) -> None:
    """The numbers to look at before the rows are used."""
    if summary.keeps:
        share = percent(summary.share_kept)
        out.say("kept", f"{summary.kept:,} of {summary.rows:,} rows ({share})")
    else:
        out.say("rows", f"{summary.rows:,}")
    if summary.cut is not None:
        out.say("cut", f"at a score of {summary.cut:.6g}")
    if summary.left_out:
        names = ", ".join(summary.left_out[:FAULTS]) + ", …" * (len(summary.left_out) > FAULTS)
        what = counted(len(summary.left_out), "file")
        out.warn("left out", f"{what} that no name or beginning tells to be a shard: {names}")
    if summary.malformed:
        count, share = summary.malformed, summary.malformed / (summary.malformed + summary.rows)
        rows, were = ("row", "was") if count == 1 else ("rows", "were")
        out.warn(
            "rejects", f"{count:,} {rows} ({percent(share)}) could not be read and {were} left out:"
        )
        faults = [(name, *each) for name, some in summary.faults.items() for each in some]
        for name, line, why in faults[:FAULTS]:
            out.warn("", f"{name}, line {line}: {why}")
    if summary.histogram is not None and summary.rows:
        show_histogram(summary.histogram.tolist(), summary.kept_histogram.tolist(), out)


def show_samples(samples: Any, count: int, out: Output) -> None:
    """Rows to read before the others are used."""
    for kind, said in SAMPLES.items():
        some = samples[kind][:count]
        if some:
            out.show(f"{said}:")
        for sample in some:
            number = sample.score if sample.probability is None else sample.probability
            out.show(f"  {number:.3f}  {sample.shard}, line {sample.line}")
            out.show(f"         {sample.text}")
        if some:
            out.show()


def show_histogram(counts: list[int], kept: list[int], out: Output) -> None:
    """How many rows have which probability, and how many of them were kept."""
    most = max(counts)
    lines = [
        (f"{k / len(counts):.2f}", "█" * -(-BAR * rows // most), f"{rows:,}", f"{some:,}")
        for k, (rows, some) in enumerate(zip(counts, kept, strict=True))
    ]
    widest = max(len(bar) for _, bar, _, _ in lines)
    padded = [(first, bar.ljust(widest), *others) for first, bar, *others in lines]
    out.show()
    out.show_columns(("probability from", "", "rows", "kept"), padded)
    out.show()
