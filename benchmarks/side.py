"""One side of compare.py: does our half of the works, once whenever it is asked to.

Reads names of works, and what to do, from standard input; answers in lines of JSON.
"""

import gc
import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any

import combinations
from bench import Bench, Calls, Measured
from measure import Times, one_thread_one_core
from speed import WORKS

import members

COMPARED = {name: work for name, work in WORKS.items() if name != "accuracy"} | {
    "members": members.all_rows,
    "combinations": combinations.all_rows,
}


@dataclass(frozen=True)
class Side(Bench):
    """Takes the times of ours alone, and as often as it is told to."""

    answers: Any = field(default=None, kw_only=True)
    heading: list[str] = field(default_factory=list, kw_only=True)

    def times(
        self, ours: Calls, theirs: Calls, *, told: str = "", repeat: int | None = None
    ) -> Measured:
        gc.freeze()
        nothing = Times([float("nan")], [float("nan")])
        measured = Measured(dict.fromkeys(theirs | ours, nothing))
        for name, work in ours.items():
            times = Times()
            row = {"heading": self.heading[-1], "row": name}
            self.say(**row, unit=told or "s", repeat=repeat or self.repeat)
            while sys.stdin.readline() == "again\n":
                times.take(work, told=told)
                self.say(figure=times.seconds[-1])
                measured[name] = times
        return measured

    def say(self, **answer: Any) -> None:
        print(json.dumps(answer), file=self.answers, flush=True)

    def do(self, name: str) -> None:
        """Go through a work; what it would print of the peers is left out."""
        self.heading.append(name)
        try:
            for item in COMPARED[name](self):
                if isinstance(item, str):
                    self.heading.append(item)
        except Exception as error:
            self.say(failed=f"{type(error).__name__}: {error}")
        else:
            self.say()


def main() -> None:
    scale, repeat, core = sys.argv[1:]
    one_thread_one_core(int(core) if core else None)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the works print must not come between the answers
    side = Side(scale, int(repeat), answers=answers)
    side.say(works=list(COMPARED))
    for line in sys.stdin:
        side.do(line.strip())


if __name__ == "__main__":
    main()
