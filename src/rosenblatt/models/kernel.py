"""The perceptron seen through a kernel."""

from collections.abc import Hashable, Iterable
from dataclasses import KW_ONLY, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Name, Parameter
from rosenblatt.inputs.parameters import check_count, check_flag
from rosenblatt.inputs.parts import Part, Parts, require
from rosenblatt.inputs.tables import sound_table_of
from rosenblatt.models.base import cannot_go_on, member
from rosenblatt.models.dual_training import DualTrainer
from rosenblatt.models.kernel_examples import expansion_of, learn_example, score_example
from rosenblatt.models.kernels import SCALED, Kernel, Similarity, check_kernel, gamma_for
from rosenblatt.models.linear import LinearLearner
from rosenblatt.models.supports import Expansion, KernelRows, KernelScorer
from rosenblatt.training.bracket import Bracket
from rosenblatt.training.mistakes import Mistakes
from rosenblatt.training.passes import Trainer
from rosenblatt.training.state import State
from rosenblatt.training.validation import Labelled


@member
class KernelPerceptron(LinearLearner):
    """Kernel perceptron (Aizerman, Braverman and Rozonoer, 1964; Freund and Schapire, 1999).

    A perceptron's weights are a sum of the examples it erred on, the supports, so its scores need
    no features, only inner products. Any kernel may stand for these, and the perceptron then draws
    curved boundaries, in a space it never enters::

        score(x) = sum_j alpha_j (k(s_j, x) + 1)
        two classes     alpha_i <- alpha_i + y                         if y score(x_i) <= 0
        more            alpha_iy <- alpha_iy + 1,  alpha_ir <- alpha_ir - 1   if the rival r wins

    where the + 1 is the intercept, a constant feature as everywhere in the family. It learns
    example by example on the same loop as `Perceptron`, which it equals if ``kernel="linear"``;
    only then has it a ``coef_``.

    Reach for it when no hyperplane will do and there are up to some ten thousands of examples, or
    a stream and a ``budget``; ``average=True`` almost always predicts better. Each score takes a
    kernel value per support, so with many features that already separate the classes, such as
    words, `AveragedPerceptron` is as good and far faster.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        "linear", "poly", "rbf", "sigmoid", "laplacian", "cosine" or "chi2", as in scikit-learn's
        pairwise_kernels; "precomputed" if X holds kernel values; or a function of two matrices
        that returns the kernel values of each row of the one with each of the other. To predict
        from precomputed values, pass those with each example that was learned from.

    gamma : {{"scale", "auto"}} or float, default="scale"
        How fast "rbf", "laplacian" and "chi2" fade with distance, and the factor of "poly" and
        "sigmoid". "scale" is 1 / (n_features * X.var()), measured on the X of fit or the first
        batch of partial_fit, "auto" is 1 / n_features.

    degree : int, default=3
        Degree of "poly".

    coef0 : float, default=0.0
        What "poly" and "sigmoid" add to inner products.

    average : bool, default=False
        Predict with the mean of all weights passed through; see `AveragedPerceptron`.

    vote : bool, default=False
        Let the weights after every mistake vote, each once for every example it survived, and
        predict what most votes say. All mistakes are kept, and each is looked at to predict.
        Scores are shares of the votes: of the second class less the first, or of each class.

    budget : int, optional
        Keep at most so many supports: a mistake too many, and one support drawn at random is
        forgotten (Cavallanti, Cesa-Bianchi and Gentile, 2007). For streams, which would otherwise
        add supports for ever. Not with ``average`` or ``vote``, which need them all.

    {shared}

    support_ : ndarray of shape (n_supports,)
        Which examples are supports: rows of the X of fit first; the rows of later batches are
        counted on. -1 for one that a later fit with ``warm_start=True`` has not in its X.

    support_vectors_ : ndarray or sparse matrix of shape (n_supports, n_features)
        The supports; empty if the kernel is precomputed.

    dual_coef_ : ndarray of shape (1, n_supports) or (n_classes, n_supports)
        How much of each support the model holds; for two classes, in the second.

    gamma_ : float
        The number that ``gamma`` came to.

    References
    ----------
    M. A. Aizerman, E. M. Braverman, L. I. Rozonoer (1964). Theoretical foundations of the
    potential function method in pattern recognition learning. Automation and Remote Control 25,
    821-837.

    Y. Freund, R. E. Schapire (1999). Large margin classification using the perceptron algorithm.
    Machine Learning 37, 277-296.

    G. Cavallanti, N. Cesa-Bianchi, C. Gentile (2007). Tracking the best hyperplane with a simple
    budget perceptron. Machine Learning 69, 143-167.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]  # either, but not both
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1, max_iter=100, random_state=0)
    >>> model.fit(X, y).predict(X)
    array([0, 1, 1, 0])
    >>> model.converged_
    True
    """

    __module__ = "rosenblatt"

    _: KW_ONLY
    kernel: Kernel = "rbf"
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 0.0
    average: bool = False
    vote: bool = False
    budget: int | None = None

    @property
    def support_(self) -> NDArray[np.int64]:
        """Which examples are supports; see the class for how they are counted."""
        return self._expansion("support_").indices.copy()

    @property
    def support_vectors_(self) -> Any:
        """The supports themselves, dense or sparse as X was; empty if the kernel is precomputed."""
        weights = self._expansion("support_vectors_")
        if weights.similarity is None or weights.similarity.precomputed:
            return np.empty((0, 0))
        references = weights.references
        return np.empty((0, self.n_features_in_)) if references is None else references.copy()

    @property
    def dual_coef_(self) -> NDArray[np.float64]:
        """How much of each support the model holds, of shape (1 or n_classes, n_supports)."""
        return self._expansion("dual_coef_").scoring.means()[:-1].T

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of the features, if ``kernel="linear"``: the supports, times how much of each."""
        weights = self._expansion("coef_")
        if weights.similarity is None or weights.similarity.kernel != "linear" or weights.votes:
            raise AttributeError("coef_ exists only with kernel='linear' and without voting.")
        scoring = weights.scoring
        held, _ = scoring.numbers(stored=len(weights.values))
        columns = scoring.means().shape[1]
        coef: NDArray[np.float64] = held[:-1, :columns].T @ self.support_vectors_ / scoring.counted
        coef.flags.writeable = False
        return coef

    @property
    def gamma_(self) -> float:
        """The gamma that ``gamma`` came to, for kernels that have one."""
        similarity = self._expansion("gamma_").similarity
        if similarity is None:
            raise AttributeError("KernelPerceptron has no gamma_ before it has learned from rows.")
        if similarity.kernel not in SCALED:
            raise AttributeError(f"kernel={similarity.kernel!r} has no gamma.")
        return similarity.gamma

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        tags.input_tags.positive_only = isinstance(self.kernel, str) and self.kernel == "chi2"
        return tags

    @property
    def bracket_(self) -> Bracket:
        """Refused: see `Perceptron` for what it is."""
        self._fitted("bracket_")
        raise AttributeError(
            "KernelPerceptron has no bracket_, which would take the kernel values of all supports "
            "with each other; Perceptron has one."
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_kernel(self.kernel, self.gamma, self.degree, self.coef0)
        check_flag("vote", self.vote)
        if self.budget is not None:
            check_count("budget", self.budget)
        both = Parameter("average", True), " and ", Parameter("vote", True)
        if self.average and self.vote:
            raise InputError(both, " exclude each other", remedy="set one to False")
        if self.budget is not None and (self.average or self.vote):
            raise InputError(
                *(Parameter("budget", self.budget), " forgets supports, which "),
                *(both, " still need"),
                remedy=("set ", Parameter("budget", None), ", or both to False"),
            )

    def _expansion(self, name: str) -> Expansion:
        """The supports, which are asked for ``name``."""
        return expansion_of(self._fitted(name))

    def _check_averaging(self, state: State) -> None:
        super()._check_averaging(state)
        weights = expansion_of(state)
        if self.vote and not weights.votes:
            without = " cannot begin on a model that was learned without it"
            raise cannot_go_on(Parameter("vote", True), without)
        asked = self.kernel, self.gamma, self.degree, self.coef0
        if weights.similarity is not None and weights.similarity.asked != asked:
            other = " cannot change on a model that was learned with another"
            raise cannot_go_on("The ", Name("kernel"), other)

    def _mistakes_of(self, state: State) -> Mistakes:
        return expansion_of(state).steps

    def _first_weights(self, width: int, classes: int) -> Expansion:
        return replace(Expansion.new(0, self._form(classes)), votes=bool(self.vote))

    def _first_state(self, classes: NDArray[Any], width: int) -> State:
        return replace(super()._first_state(classes, width), features=width)

    def _widened(self, state: State, width: int) -> State:
        return replace(state, weights=expansion_of(state).among(width), features=width)

    def _with_names(self, state: State, names: Iterable[Hashable]) -> State:
        state = super()._with_names(state, names)
        assert state.names is not None
        return replace(state, features=len(state.names.columns))

    def _learn_example(self, x: Any, y: Any, w: Any) -> None:
        learn_example(self, x, y, w)

    def _scored(self, method: str, x: Any) -> Any:
        return score_example(self, method, x)

    def _took_row(self, X: Any, y: Any) -> bool:
        """Never: there is no quicker way than that of batches."""
        return False

    def _scorer(self, state: State) -> KernelScorer:
        weights = expansion_of(state)
        return KernelScorer.of(weights, self.fit_intercept, self.ties, state.width)

    def _sound_rows(self, state: State, table: Any) -> KernelRows:
        return self._scorer(state).rows(table)

    def _trainer(
        self,
        state: State,
        examples: Labelled,
        of_class: NDArray[np.float64] | None,
        *,
        values: bool,
    ) -> tuple[State, Trainer]:
        self._check_two_classes(state)
        X, codes = sound_table_of(examples.X), examples.codes
        streams = state.run.goal == 0  # partial_fit has no passes to make
        weights = expansion_of(state)
        similarity = self._similarity(weights, X, streams=streams)
        first = weights.given if streams else 0
        if streams:
            weights = replace(weights, given=first + X.shape[0], similarity=similarity)
        else:
            weights = replace(weights.matched_with(X, similarity), similarity=similarity)
        state = replace(state, weights=weights)

        def problem_of(rows: core.Rows, places: NDArray[np.intp]) -> core.Problem:
            weight = examples.sample_weight
            weight = None if weight is None else weight[places]
            return self._problem(state, rows, codes[places], of_class, weight)

        trainer = DualTrainer(
            KernelRows(X, similarity),
            self._rule(),
            state,
            problem_of,
            (self._scorer(state).constant, bool(self.unit_length)),
            first,
            bool(self.record),
            None if self.budget is None else int(self.budget),
        )
        return state, trainer

    def _similarity(self, weights: Expansion, X: Any, *, streams: bool) -> Similarity:
        """What the kernel is: settled before the first support is kept."""
        similarity = weights.similarity
        if similarity is None or weights.references is None:
            gamma = gamma_for(X, self.gamma) if self.kernel in SCALED else 1.0
            asked = self.kernel, self.gamma, self.degree, self.coef0
            similarity = Similarity(self.kernel, gamma, int(self.degree), float(self.coef0), asked)
        if not similarity.precomputed:
            return similarity
        if streams:
            raise InputError(
                *("partial_fit cannot learn with ", Parameter("kernel", "precomputed")),
                ", as a batch holds no kernel values with those before it",
                remedy="use fit, or name the kernel",
            )
        if X.shape[0] != X.shape[1]:
            raise InputError(
                *("With ", Parameter("kernel", "precomputed"), " ", Name("X")),
                must="be square, the kernel values of all examples with each other",
                got=f"shape {X.shape}",
            )
        return similarity

    def _parts(self) -> dict[str, Part | None]:
        return super()._parts() | {"similarity": self._expansion("similarity").similarity}

    def _restore(self, parts: Parts) -> None:
        super()._restore(parts)
        state, similarity = self._learned, parts.build("similarity", Similarity)
        for weights in (state.weights, state.run.best_weights):
            if isinstance(weights, Expansion):
                fits = similarity.takes(weights.references, state.width)
                require(fits, "its supports do not fit its features")
                weights.similarity = similarity

    @property
    def _is_sum_of_mistakes(self) -> bool:
        return hasattr(self, "coef_") and self.budget is None
