"""Training on any executor of Python's: threads, processes, or a client of a cluster."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from rosenblatt.cluster import passes
from rosenblatt.cluster.mixing import Mixing
from rosenblatt.cluster.sessions import master_of
from rosenblatt.cluster.shard import Data, ShardSource, Task
from rosenblatt.cluster.shared_folders import SHARED, dump, folder_inside, load, path_of
from rosenblatt.inputs.errors import Front, InputError, InputTypeError, Name, Parameter, Row, Thing
from rosenblatt.inputs.label_sets import occurrences
from rosenblatt.inputs.labels import CodedLabels, distinct, encode, read_labels
from rosenblatt.inputs.parameters import check_count, threads_of
from rosenblatt.inputs.tables import Columns, read_sample_weight, read_table
from rosenblatt.training.validation import of_validation, read_validation


@dataclass(frozen=True)
class EveryNth:
    """Tells a row of a shard by its place in the X that the caller has."""

    first: int
    step: int

    def __call__(self, thing: Thing) -> Thing:
        if isinstance(thing, Row):
            return Row(self.first + self.step * thing.row, thing.column)
        return thing


@dataclass
class InMemory:
    """A shard that is where it is needed."""

    data: Data
    front: Front

    def load(self) -> Data:
        return self.data


@dataclass
class InFile:
    """A shard that this training has written to a file of its own, for other processes."""

    path: str
    front: Front

    def load(self) -> Data:
        return load(self.path)


@dataclass
class OnExecutor:
    """Submits a task for each shard."""

    executor: Executor

    def run(self, task: Task, sources: Mapping[int, ShardSource]) -> Iterator[Any]:
        futures: list[Future[Any]] = []
        try:
            for number, source in sources.items():
                futures.append(self.executor.submit(task, number, source))
            for future in futures:
                yield future.result()
        except BrokenExecutor as error:
            raise type(error)(
                "A process of the executor has died, for lack of memory or by a signal: make "
                "another executor; with checkpoint= training goes on after its last pass."
            ) from error
        finally:
            for future in futures:
                future.cancel()


class Here:
    """Does one shard after the other, in this thread."""

    def run(self, task: Task, sources: Mapping[int, ShardSource]) -> Iterator[Any]:
        return (task(number, source) for number, source in sources.items())


@dataclass(repr=False, eq=False)
class ShardTrainer:
    """Train over shards side by side, by iterative parameter mixing (McDonald et al., 2010).

    X is dealt to the shards row by row. In every pass each shard starts from the same weights w and
    learns from its rows as one machine would, coming to w_k; the weights after the pass are, for
    each feature, of which c shards changed the weights::

        w  <-  w + 2 / (c + 1) Σ_k (w_k - w)

    So a word that one shard alone has is learned as fast as by one machine. ``mixing="uniform"``
    takes the mean of all w_k, as the paper does. Averaged learners predict with the
    mean of all weights passed through in any shard, which is kept exactly. The result has the
    same bits whatever runs the shards, in whichever order they are done; one shard gives the
    estimator's own ``fit``. More shards need more passes, so use as many as there are processors,
    and one where that is fast enough.

    Parameters
    ----------
    estimator : estimator
        Perceptron, AveragedPerceptron, PassiveAggressiveClassifier, AROW or Winnow. It stays as it
        is: ``fit`` returns another.

    n_shards : int, default=4

    executor : concurrent.futures.Executor or SparkSession, optional
        What runs the shards: a process pool, loky's, the one that Dask's client gives, or Spark.
        Without it, ``n_jobs`` threads do, which share X and learn side by side. For tables that
        Spark has, use `SparkTrainer`.

    n_jobs : int, optional
        Threads, one if not given; -1 is one for each processor. The result is the same.

    mixing : {"changed", "uniform", "mistakes"}, default="changed"
        How: for each feature by the shards that changed its weights; as the mean of all, as in the
        paper, which keeps ``bracket_``; or as that by the updates that each made.

    checkpoint : str or path-like, optional
        A model file that is written after every pass. If it is there when ``fit`` begins, training
        goes on from it, to the same bits.

    folder : str or path-like, optional
        Where shards are written for the processes of an executor, which must all see it; one for
        temporary files of this machine if not given. Spark on a cluster needs one.

    on_pass : callable, optional
        Called after every pass with its number, from one, and its record, as ``history_`` has it;
        errors are measured then.

    References
    ----------
    R. McDonald, K. Hall, G. Mann (2010). Distributed training strategies for the structured
    perceptron. NAACL, 456-464.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, ShardTrainer
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.5]], ["yes", "yes", "no", "no"]
    >>> model = ShardTrainer(AveragedPerceptron(), n_shards=2, n_jobs=2).fit(X, y)
    >>> model.predict([[1.0, 1.0]])
    array(['yes'], dtype='<U3')
    """

    __module__ = "rosenblatt"

    estimator: Any
    _: KW_ONLY
    n_shards: int = 4
    executor: Any = None
    n_jobs: int | None = None
    mixing: Mixing = "changed"
    checkpoint: str | os.PathLike[str] | None = None
    folder: str | os.PathLike[str] | None = None
    on_pass: passes.OnPass | None = None

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: ArrayLike | None = None,
    ) -> Any:
        """Learn from the rows of X.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        y : array-like of shape (n_samples,)

        sample_weight : array-like of shape (n_samples,), optional

        X_val, y_val, sample_weight_val : optional
            Held-out rows to try the weights on after every pass. Without early stopping they are
            measured only; with it, they take the place of a fraction of X.

        Returns
        -------
        estimator
            A fitted one, as its own ``fit`` gives it.
        """
        estimator = clone(self.estimator)
        passes.check_parameters(estimator, self.mixing)
        check_count("n_shards", self.n_shards)
        if self.executor is not None and self.n_jobs is not None:
            remedy = ("leave ", Name("n_jobs"), " to the executor")
            raise InputError(Parameter("n_jobs", self.n_jobs), " is of threads", remedy=remedy)
        executor = self.executor
        if not (executor is None or isinstance(executor, Executor) or _is_spark(executor)):
            must = "be a concurrent.futures.Executor or a SparkSession"
            raise InputTypeError(Name("executor"), must=must, got=type(executor).__name__)
        table, columns = read_table(X, None, type(estimator).__name__)
        labels = read_labels(type(estimator).__name__, y, table.shape[0])
        classes = distinct(labels)
        coded = CodedLabels(encode(labels, classes), classes)
        sample_weight = read_sample_weight(sample_weight, table.shape[0])
        sources = dealt(Data(table, coded, sample_weight), int(self.n_shards))
        tried = _to_try(estimator, classes, columns, (X_val, y_val, sample_weight_val))
        checkpoint = None if self.checkpoint is None else os.fspath(self.checkpoint)
        with self._engine([*sources, *tried]) as (engine, placed):
            return passes.train(
                estimator,
                engine,
                placed[: len(sources)],
                tried=placed[len(sources) :],
                names=columns.names,
                mixing=self.mixing,
                checkpoint=checkpoint,
                on_pass=self.on_pass,
            )

    @contextlib.contextmanager
    def _engine(
        self, shards: list[InMemory]
    ) -> Iterator[tuple[passes.Engine, Sequence[ShardSource]]]:
        """What runs the tasks, and the shards where it finds them."""
        threads = min(threads_of(self.n_jobs), int(self.n_shards))
        if self.executor is None and threads == 1:
            yield Here(), shards
        elif self.executor is None:
            with ThreadPoolExecutor(threads) as pool:
                yield OnExecutor(pool), shards
        elif isinstance(self.executor, ThreadPoolExecutor):
            yield OnExecutor(self.executor), shards
        else:
            with self._folder() as folder:
                placed = []
                for number, shard in enumerate(shards):
                    path = os.path.join(folder, f"{number}.shard")
                    dump(shard.data, path)
                    placed.append(InFile(path, shard.front))
                if isinstance(self.executor, Executor):
                    yield OnExecutor(self.executor), placed
                else:
                    from rosenblatt.cluster.spark import OnSpark

                    yield OnSpark(self.executor, folder), placed

    def _folder(self) -> contextlib.AbstractContextManager[str]:
        """Where shards are written for others."""
        if self.folder is not None:
            return folder_inside(path_of("folder", self.folder), "rosenblatt-")
        if _is_spark(self.executor) and not master_of(self.executor).startswith("local"):
            raise InputError(Name("folder"), must=SHARED)
        return tempfile.TemporaryDirectory(prefix="rosenblatt-")


def dealt(data: Data, shards: int) -> list[InMemory]:
    """The rows in turn to each shard, so that rows in the order of their labels are mixed."""
    count = data.table.shape[0]
    if shards > count:
        got = f"{count} rows for {shards}"
        raise InputError(Name("n_shards"), must="be at most the number of rows", got=got)
    if shards == 1:
        return [InMemory(data, EveryNth(0, 1))]
    return [InMemory(_every(data, k, shards), EveryNth(k, shards)) for k in range(shards)]


def _every(data: Data, first: int, step: int) -> Data:
    rows = slice(first, None, step)
    table, labels, sample_weight = data
    if not isinstance(table, np.ndarray):
        table = table[np.arange(first, table.shape[0], step)]
    else:
        table = table[rows].copy()
    own = CodedLabels(labels.codes[rows].copy(), labels.classes)  # type: ignore[union-attr]
    return Data(table, own, None if sample_weight is None else sample_weight[rows].copy())


def _to_try(
    estimator: Any, classes: Any, columns: Columns, validation: tuple[Any, Any, Any]
) -> list[InMemory]:
    """The validation set of a caller's, as a shard; none if there is none."""
    if all(part is None for part in validation):
        return []
    state = estimator._started_on(classes, columns)
    read = read_validation(estimator, state, *validation)
    assert read is not None
    labels = CodedLabels(occurrences(read.codes), classes)
    return [InMemory(Data(read.X, labels, read.sample_weight), of_validation)]


def _is_spark(executor: Any) -> bool:
    return type(executor).__name__ == "SparkSession"
