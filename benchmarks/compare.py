"""Measure two versions of the package beside each other, row by row of the benchmark.

    make compare BASE=v0.1                               against what is here
    python benchmarks/compare.py v0.1 HEAD --only sparse dense
    python benchmarks/compare.py ../other/src src --scale small --rows "PA-I"

Both do our half of each row, in processes that live on and are asked in turn: base, new, new,
base and so on. A figure is the least CPU time of all runs, the ratio that of new to base, above one
where new is slower; the spread holds the middle half of the ratios of runs that were neighbours.
Where memory lies differs from process to process, so a row that is slower is tried again in others.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from measure import MOST_ROUNDS, THREADS
from table import number
from versions import NAMING, Version
from workloads import ROWS

SHORT = 2.0
"""Seconds: rows that are done sooner are repeated more often."""

TRIALS = 3
"""Pairs of processes in which a row may prove that it is not slower."""


class Asked:
    """A process that does the works of one version."""

    def __init__(self, version: Version, *arguments: str) -> None:
        self.version = version
        self.process = version.start("side.py", *arguments, **dict.fromkeys(THREADS, "1"))
        self.works: list[str] = self.answer()["works"]

    def ask(self, line: str) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.version.name}: the process ended; see above.")
        return dict(json.loads(answer))

    def end(self) -> None:
        self.process.communicate()


@dataclass
class Comparison:
    """A row: the figures of both, turn by turn."""

    heading: str
    row: str
    unit: str
    base: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return min(self.new) / min(self.base)

    @property
    def spread(self) -> tuple[float, float]:
        """The middle half of the ratios of neighbours."""
        ratios = [new / base for base, new in zip(self.base, self.new, strict=True)]
        if len(ratios) == 1:
            return ratios[0], ratios[0]
        low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return low, high

    @property
    def slower(self) -> bool:
        """Whether new takes a tenth longer, and most of the neighbours agree that it is slower."""
        return self.ratio > 1.1 and self.spread[0] > 1.0

    def __str__(self) -> str:
        low, high = self.spread
        base, new = (shown(min(figures), self.unit) for figures in (self.base, self.new))
        figures = f"{base:>10s} {new:>10s} {self.ratio:7.3f}"
        mark = "  slower" if self.slower else ""
        return f"  {self.row:50s}{figures}   {low:.3f} to {high:.3f}{mark}"


def shown(figure: float, unit: str) -> str:
    """With a prefix that suits it."""
    for prefix, size in (("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3)):
        if figure >= size:
            return f"{number(figure / size)} {prefix}{unit}"
    return f"{number(figure * 1e6)} µ{unit}"


class Pair:
    """Both versions at work, and the rows that they have been compared in."""

    def __init__(self, versions: list[Version], arguments: list[str]) -> None:
        self.versions, self.arguments = versions, arguments
        self.rows: dict[tuple[str, str, str], Comparison] = {}
        self.begin()

    def begin(self) -> None:
        self.base, self.new = (Asked(version, *self.arguments) for version in self.versions)

    def begin_again(self) -> None:
        """In other processes."""
        self.base.end()
        self.new.end()
        self.begin()

    def compare(self, works: Iterable[str], wanted: Callable[[Comparison], bool]) -> None:
        """Measure the rows of works that are wanted, and print them."""
        heading = ""
        for work in works:
            for row in self._rows(work):
                if wanted(row):
                    if heading != row.heading:
                        heading = row.heading
                        print(heading, flush=True)
                    self._take_turns(row)
                    print(row, flush=True)

    def _rows(self, work: str) -> Iterator[Comparison]:
        """Each row when both are ready for it; tells what went wrong with others."""
        base, new = self.base.ask(work), self.new.ask(work)  # not at once: the first makes the data
        while "row" in base and base["row"] == new.get("row"):
            key = work, base["heading"], base["row"]
            self.repeat = base["repeat"]
            yield self.rows.setdefault(key, Comparison(*key[1:], base["unit"]))
            base, new = self.base.ask("next"), self.new.ask("next")
        for side, answer in ((self.base, base), (self.new, new)):
            while "row" in answer:
                print(f"{work}: only {side.version.name} has a row {answer['row']}")
                answer = side.ask("next")
            if "failed" in answer:
                print(f"{work}: {side.version.name} failed: {answer['failed']}")

    def _take_turns(self, row: Comparison) -> None:
        start = time.perf_counter()
        for done in range(MOST_ROUNDS if self.repeat > 1 else 1):
            if done >= self.repeat and time.perf_counter() - start > SHORT:
                break
            turns = [(self.base, row.base), (self.new, row.new)]
            for side, figures in turns if done % 2 == 0 else reversed(turns):
                figures.append(side.ask("again")["figure"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=NAMING, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", help="the version to compare with")
    parser.add_argument("new", help="the version to look at")
    parser.add_argument("--only", nargs="+", metavar="WORK", help="some of the works")
    parser.add_argument("--rows", nargs="+", metavar="TEXT", help="rows with such words in them")
    parser.add_argument("--scale", choices=ROWS, default="full", help="how large the data are")
    parser.add_argument("--repeat", type=int, default=7, help="runs of each row at least")
    parser.add_argument("--core", default="", help="the core to run on; the last one if not given")
    options = parser.parse_args()
    versions = [Version.named(name) for name in (options.base, options.new)]
    pair = Pair(versions, [options.scale, str(options.repeat), options.core])
    works, words = options.only or pair.base.works, options.rows or [""]
    if unknown := set(works).difference(pair.base.works):
        parser.error(f"--only takes {', '.join(pair.base.works)}, got {', '.join(unknown)}.")
    print(f"{'':52s}{'base':>10s} {'new':>10s}   ratio   spread")
    pair.compare(works, lambda row: any(word in row.row for word in words))
    for _ in range(TRIALS - 1):
        slower = [work for (work, _, _), row in pair.rows.items() if row.base and row.slower]
        if slower:
            print("\nOnce more, in other processes")
            pair.begin_again()
            pair.compare(dict.fromkeys(slower), lambda row: bool(row.base) and row.slower)
    rows = [row for row in pair.rows.values() if row.base]
    slower_rows = [row for row in rows if row.slower]
    print(f"\n{len(rows)} rows, {len(slower_rows)} of them slower by more than a tenth.")
    for row in slower_rows:
        print(f"{row.heading}\n{row}")


if __name__ == "__main__":
    main()
