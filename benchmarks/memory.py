"""Print the bytes that one fit takes beyond its data: memory.py theirs|ours LEARNER SCALE."""

import sys

import workloads
from learners import OURS, SKLEARN
from measure import peak_memory


def main() -> None:
    side, learner, scale = sys.argv[1:]
    make = {"theirs": SKLEARN, "ours": OURS}[side][learner]
    data = workloads.load("sparse_binary", scale)
    make().fit(data.X[:1000], data.y[:1000])  # whatever is imported or set up only once
    print(peak_memory(lambda: make().fit(data.X, data.y)))


if __name__ == "__main__":
    main()
