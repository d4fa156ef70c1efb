"""Whether two versions of the package come to the same bits, over a grid of what can be done.

    python benchmarks/equal_bits.py v0.1 HEAD
    python benchmarks/equal_bits.py ../other/src src --levels v1 v3 v4

Estimators × kinds of data × settings, ways of learning, pipelines, margins, explanations: of each
combination the weights, counts, recorded updates, predictions, scores and model files are compared.
"""

import argparse
import json
from collections import Counter

from versions import NAMING, Version

SHOWN = 10
"""Differences that are told by name."""

Digests = dict[str, dict[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=NAMING, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", help="the version to compare with")
    parser.add_argument("new", help="the version to look at")
    parser.add_argument(
        "--levels", nargs="+", default=[""], help="levels of vector instructions, else the widest"
    )
    options = parser.parse_args()
    versions = [Version.named(name) for name in (options.base, options.new)]
    first: Digests = {}
    for level in options.levels:
        base, new = found(versions, level)
        where = f"level {level}: " if level else ""
        tell(f"{where}{options.base} and {options.new}", base, new)
        if first:
            tell(f"{where}{options.new} and the same at level {options.levels[0]}", first, new)
        first = first or new


def found(versions: list[Version], level: str) -> list[Digests]:
    """What both versions find, at the same time."""
    variables = {"ROSENBLATT_ISA": level, "OPENBLAS_NUM_THREADS": "1"}
    processes = [version.start("bits.py", **variables) for version in versions]
    outputs = [process.communicate()[0] for process in processes]
    return [dict(map(json.loads, output.splitlines())) for output in outputs]


def tell(title: str, base: Digests, new: Digests) -> None:
    """How many combinations are equal, and which are not."""
    different = {
        name: [
            part
            for part in {**base.get(name, {}), **new.get(name, {})}
            if base.get(name, {}).get(part) != new.get(name, {}).get(part)
        ]
        for name in base | new
        if base.get(name) != new.get(name)
    }
    refused = sum("raised" in parts for parts in new.values())
    print(f"{title}: {len(base | new) - len(different):,} of {len(base | new):,} combinations are")
    print(f"equal in every bit, {sum(map(len, new.values())):,} things in all; {refused} refused.")
    if different:
        parts = Counter(part for each in different.values() for part in each)
        print("Not equal:", ", ".join(f"{part} {count}" for part, count in parts.most_common()))
    for name in list(different)[:SHOWN]:
        print(f"  {name}: {', '.join(different[name])}")


if __name__ == "__main__":
    main()
