"""The members that the benchmark has no peer for: whole fits, predictions and single examples."""

from collections.abc import Iterator
from functools import partial

from bench import Bench
from learners import PASSES
from one import each, learning, make_examples
from table import Row

from rosenblatt import AROW, KernelPerceptron, PassiveAggressiveClassifier, VotedPerceptron, Winnow

ROWS = 20_000
KERNEL_ROWS = 2_000

MEMBERS = {
    "AROW": AROW,
    "AROW, averaged": partial(AROW, average=True),
    "PA-II, averaged": partial(PassiveAggressiveClassifier, variant="PA-II", average=True),
    "voted": VotedPerceptron,
    "Winnow": partial(Winnow, binarize=0.0),
    "Winnow, balanced": partial(Winnow, binarize=0.0, balanced=True),
    "kernel": partial(KernelPerceptron, kernel="poly"),
    "early stopping": partial(PassiveAggressiveClassifier, early_stopping=True),
    "recorded": partial(PassiveAggressiveClassifier, record=True),
}


def all_rows(bench: Bench) -> Iterator[Row | str]:
    """Nothing is compared with a peer: the rows are for compare.py."""
    for workload in ("sparse_binary", "sparse_20", "dense_10"):
        data = bench.load(workload)
        yield f"Other members, {workload.replace('_', ', ')}"
        for name, make in MEMBERS.items():
            some = KERNEL_ROWS if name == "kernel" else ROWS
            model = make(max_iter=PASSES, random_state=0)
            X, y, X_test = data.X[:some], data.y[:some], data.X_test[:some]
            model.fit(X, y)
            bench.times({f"fit, {name}": partial(model.fit, X, y)}, {})
            bench.times({f"predict, {name}": partial(model.predict, X_test)}, {})
            bench.times({f"score, {name}": partial(model.decision_function, X_test)}, {})
    yield "Other members, one example a call"
    examples = make_examples()
    for name in ("AROW", "voted", "Winnow"):
        model = MEMBERS[name]()
        learn = learning(model, examples.dicts, examples.labels, walks=1)
        learn()
        bench.times({f"learn_one, dict, {name}": learn}, {})
        predict = each(model.predict_one, examples.dicts, walks=1)
        bench.times({f"predict_one, dict, {name}": predict}, {})
