"""The same fits at each level of vector instructions that the processor has."""

import json
import os
import subprocess
import sys

import workloads
from learners import OURS
from measure import alternate

from rosenblatt import core

WORKLOADS = ("sparse_binary", "sparse_20", "sparse_100", "dense_binary", "dense_10")


def compare(scale: str, repeat: int) -> None:
    """Print a column for each level: nanoseconds per stored value and pass, averaged."""
    print(
        f"{'averaged, ns per value and pass':34s}" + "".join(f"{name:>9s}" for name in core.LEVELS)
    )
    figures = [_run_at(name, scale, repeat) for name in core.LEVELS]
    for work in figures[0]:
        print(f"{work:34s}" + "".join(f"{figure[work]:9.2f}" for figure in figures))


def _run_at(level: str, scale: str, repeat: int) -> dict[str, float]:
    environment = os.environ | {"ROSENBLATT_ISA": level}
    command = [sys.executable, __file__, scale, str(repeat)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(run.stdout)


def main() -> None:
    scale, repeat = sys.argv[1], int(sys.argv[2])
    figures = {}
    for name in WORKLOADS:
        data = workloads.load(name, scale)
        for shuffle in (True, False):
            model = OURS["averaged"](shuffle=shuffle)
            fit = alternate({"fit": lambda m=model, d=data: m.fit(d.X, d.y)}, repeat)["fit"]
            values = data.X.size * model.n_iter_
            figures[f"{name}, shuffle={shuffle}"] = 1e9 * fit.best / values
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
