"""Measure rosenblatt beside its peers in one run, and print one table.

python benchmarks/speed.py                         everything, about ten minutes
python benchmarks/speed.py --scale small           a quick look, a minute or two
python benchmarks/speed.py --only dense predict    some of the works
python benchmarks/speed.py --levels                the vector instructions beside each other
"""

import argparse
import json
import platform
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import calls
import files
import fits
import levels
import lines
import one
import single
import text
from bench import Bench, Work
from measure import bandwidth, one_thread_one_core, processor, spent
from table import Row, print_head, print_items, print_summary
from workloads import ROWS

import rosenblatt
from rosenblatt import core

PACKAGES = (
    "scikit-learn", "mlpack", "river", "vowpalwabbit", "fasttext-wheel", "xgboost", "numpy",
    "scipy",
)  # fmt: skip

WORKS: dict[str, Work] = {
    "sparse": fits.sparse_binary,
    "stored": fits.stored_order,
    "shuffled": fits.shuffled_order,
    "accuracy": fits.blocks_accuracy,
    "averaging": fits.averaging,
    "classes": fits.sparse_classes,
    "dense": fits.dense,
    "growth": fits.growth,
    "predict": calls.predict,
    "one-row": calls.one_row,
    "single": single.single,
    "one": one.one_at_a_time,
    "small": calls.small_fit,
    "memory": calls.memory,
    "import": calls.import_time,
    "float32": fits.float32,
    "svmlight": files.reading,
    "files": files.learning,
    "text": text.words,
    "lines": lines.labelled,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", choices=ROWS, default="full", help="how large the data are")
    parser.add_argument("--only", nargs="+", choices=WORKS, metavar="NAME", help=", ".join(WORKS))
    parser.add_argument("--repeat", type=int, default=5, help="runs of each work at least")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--core", type=int, help="the core to run on; the last one if not given")
    parser.add_argument("--levels", action="store_true", help="compare levels of the core instead")
    options = parser.parse_args()
    core_number = one_thread_one_core(options.core)
    speed = bandwidth(options.repeat)
    print_machine(options.scale, options.repeat, core_number, speed)
    if options.levels:
        levels.compare(options.scale, options.repeat)
        return
    bench = Bench(options.scale, options.repeat, speed)
    print_head()
    rows = list(print_rows(bench, options.only or WORKS))
    print_summary(rows)
    share = spent["CPU"] / spent["wall"]
    print(f"\nThe core was ours for {share:.0%} of the time; below 95 % expect ratios to swing.")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


def print_rows(bench: Bench, names: Iterable[str]) -> Iterator[Row]:
    """Do the works and print each row as soon as it is there."""
    for name in names:
        yield from print_items(WORKS[name](bench))


def print_machine(scale: str, repeat: int, core_number: int | None, speed: float) -> None:
    """What the figures below depend on."""
    packages = [f"rosenblatt {rosenblatt.__version__}"]
    for name in PACKAGES:
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} not installed")
    where = "not pinned" if core_number is None else f"core {core_number}"
    print(f"{processor()}, {platform.system()}, Python {platform.python_version()}")
    print(f"{', '.join(packages)}; core level {core.level}")
    print(f"One thread, {where}; memory read at {speed / 1e9:.1f} GB/s by NumPy's max")
    print(
        f"Scale {scale}; whole calls, 5 passes; CPU time, least of {repeat} or more, in turn with "
        f"the peer; ns per stored value and pass\n"
    )


if __name__ == "__main__":
    main()
