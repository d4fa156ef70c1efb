"""What the members of the family share: parameters, and what a fitted model tells of itself."""

import functools
import math
from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt import core
from rosenblatt.inputs.errors import InputError, Parameter, Words
from rosenblatt.inputs.ignored_keywords import IGNORED_KEYWORDS, IgnoredKeyword, without_ignored
from rosenblatt.inputs.parameters import (
    check_choice,
    check_count,
    check_flag,
    check_fraction,
    check_positive,
    check_verbosity,
    wrong,
)
from rosenblatt.inputs.parts import Part, Parts
from rosenblatt.models.callbacks import CallbackSupportMixin
from rosenblatt.models.docstrings import with_shared
from rosenblatt.models.river import RiverClassifier
from rosenblatt.training.bracket import Bracket
from rosenblatt.training.history import Pass
from rosenblatt.training.mistakes import Mistakes
from rosenblatt.training.orders import Shuffle, draw_seed
from rosenblatt.training.passes import Rule
from rosenblatt.training.run import Run
from rosenblatt.training.scorer import Scorer
from rosenblatt.training.state import State
from rosenblatt.training.storage import SHORTEST_HALF_LIFE, Form
from rosenblatt.training.weights import Weights

Ties = Literal["mistake", "predict"]

T = TypeVar("T")


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def member(cls: type[T]) -> type[T]:
    """A dataclass of parameters, whose constructor hears scikit-learn's other keywords, too."""
    kind: Any = dataclass(eq=False, repr=False)(cls)
    take = kind.__init__

    @functools.wraps(take)
    def hear(self: Any, *parameters: Any, **keywords: Any) -> None:
        take(self, *parameters, **self._parameters(keywords))

    kind.__init__ = hear
    return cls


@member
class Learner(RiverClassifier, CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """A classifier's parameters, and its state: all that was learned, replaced as a whole.

    Its fields are the parameters that all members share; a member adds its own.
    """

    _: KW_ONLY
    fit_intercept: bool = True
    max_iter: int = 10
    shuffle: Shuffle = True
    ties: Ties = "mistake"
    unit_length: bool = False
    class_weight: Any = None
    warm_start: bool = False
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    random_state: Any = None
    verbose: int = 0
    record: bool = False
    probabilities: bool = False

    # No constructor takes these two, which all members have: a member makes one a parameter by
    # naming it among its own fields.
    average: bool = field(default=False, init=False)
    """A parameter of some members, fixed in others."""

    half_life: float | None = field(default=None, init=False)
    """A parameter of those that may forget."""

    _state: State | None = field(default=None, init=False)

    _ignored: ClassVar[dict[str, IgnoredKeyword]] = IGNORED_KEYWORDS
    """Keywords of scikit-learn's classifiers that change nothing here."""

    _losses: ClassVar[dict[str, dict[str, Any]]] = {}
    """What scikit-learn's losses are called here: parameters and their values."""

    _two_class_share = 1.0
    """What each of two classes in a race of their own would hold of the weights they share here."""

    _takes_label_sets = False
    """Whether an example may have several labels, or none."""

    _scores_by_weights = True
    """Whether coef_ and intercept_ are what scores."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__:  # absent under python -OO
            cls.__doc__ = with_shared(cls.__doc__)

    @classmethod
    def _parameters(cls, keywords: dict[str, Any]) -> dict[str, Any]:
        """The keywords less those that only scikit-learn's classifiers need."""
        if cls._ignored.keys().isdisjoint(keywords) and "loss" not in keywords:
            return keywords
        own = cls._get_param_names()
        foreign = {name: value for name, value in keywords.items() if name not in own}
        kept = without_ignored(foreign, cls._ignored, cls._losses)
        return {name: keywords[name] for name in own if name in keywords} | kept

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; scikit-learn's other keywords are heard as by a constructor."""
        return super().set_params(**self._parameters(parameters))

    def _rule(self) -> Rule:
        """The rule for the steps, its parameters checked; the perceptron's if no other is named."""
        return core.PerceptronRule()

    def _form(self, classes: int) -> Form:
        """What kind of weights are learned."""
        return Form.of(classes, average=bool(self.average), half_life=self.half_life)

    def _first_weights(self, width: int, classes: int) -> Weights:
        """Where learning starts."""
        return Weights.new(width, self._form(classes))

    def _first_state(self, classes: NDArray[Any], width: int) -> State:
        weights = self._first_weights(width, max(2, len(classes)))
        return State(classes, weights, Run(seed=draw_seed(self.random_state)))

    def _with_classes(self, state: State, classes: ArrayLike) -> State:
        """The same with the classes that are new to the model."""
        return state.with_classes(classes, self._first_weights, self._two_class_share)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = self._takes_label_sets
        return tags

    @property
    def _gives_sets(self) -> bool:
        """Whether an example may have several labels."""
        return self._state is not None and self._state.thresholds is not None

    def __sklearn_is_fitted__(self) -> bool:
        return self._state is not None

    def _fitted(self, name: str) -> State:
        """What was learned, which is asked for ``name``."""
        if self._state is None:
            raise AttributeError(f"{type(self).__name__} has no {name} before it is fitted.")
        return self._state

    @property
    def _learned(self) -> State:
        """The same; who asks for it too early is told so as scikit-learn would."""
        if self._state is None:
            check_is_fitted(self)
        assert self._state is not None
        return self._state

    def _scorer(self, state: State) -> Scorer:
        """What scores rows, and says how the constant feature and ties are taken."""
        return Scorer.of(state.weights, self.fit_intercept, self.ties)

    @property
    def _is_sum_of_mistakes(self) -> bool:
        """Whether the weights are the sum of the rows erred on, each times its step."""
        return self._learned.weights.are_sums_of_steps

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, in the order of the scores."""
        return self._fitted("classes_").classes

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        return self._fitted("n_features_in_").width

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the features, if they have names."""
        names = None if self._state is None else self._state.names
        if names is None:
            raise AttributeError(f"{type(self).__name__} has no feature_names_in_.")
        return names.array()

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of shape (1, n_features) for two classes, (n_classes, n_features) for more.

        A read-only view that later calls of partial_fit change: copy what is to be kept.
        """
        return self._fitted("coef_").weights.scoring.means()[:-1].T

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Weights of the constant feature, of shape (1,) or (n_classes,); read-only."""
        return self._fitted("intercept_").weights.scoring.means()[-1]

    @property
    def t_(self) -> int:
        """One more than the number of examples seen in all passes, as in scikit-learn."""
        return self._fitted("t_").weights.seen + 1

    @property
    def n_updates_(self) -> int:
        """Number of times the weights were moved."""
        return int(self._fitted("n_updates_").weights.counts[1])

    @property
    def n_mistakes_(self) -> int:
        """Number of examples that came out wrong when they were learned from."""
        return int(self._fitted("n_mistakes_").weights.counts[2])

    @property
    def n_iter_(self) -> int:
        """Number of passes made by fit; one for a model that only partial_fit has seen."""
        return max(1, self._fitted("n_iter_").run.passes)

    @property
    def converged_(self) -> bool:
        """Whether the last pass made no update, so that another would change nothing."""
        return self._fitted("converged_").run.converged

    @property
    def history_(self) -> list[Pass]:
        """A record for each pass of fit: what it did and, where measured, what it left."""
        return self._fitted("history_").run.history

    @property
    def best_iter_(self) -> int:
        """The pass of the last fit with the lowest validation error, the first of them.

        Counted from one as in ``history_``; with early stopping the model has its weights.
        """
        run = self._fitted("best_iter_").run
        if run.best is None:
            raise AttributeError(
                "best_iter_ is known only after a fit with early_stopping=True or a validation set."
            )
        return len(run.earlier) + run.best

    @property
    def bracket_(self) -> Bracket:
        """Where the margin of the examples lies, as far as learning them has shown; see `Bracket`.

        Read off the weights, the steps and the margins met in the last pass: nothing is computed
        for it while learning.
        """
        state = self._fitted("bracket_")
        if not state.weights.are_sums_of_steps:
            raise AttributeError(
                f"The weights of this {type(self).__name__} are not a sum of steps, so that they "
                "have no bracket_; those of a Perceptron that starts at zero have one."
            )
        return Bracket.of(state.weights, state.weights.norm(), converged=state.run.converged)

    @property
    def mistakes_(self) -> NDArray[Any]:
        """Every update as a record (t, example, rival, step), if ``record=True``.

        ``t`` counts examples from one, ``example`` is the row in the X of its call, ``rival`` the
        index in ``classes_`` of the class that was too strong.
        """
        mistakes = self._mistakes_of(self._fitted("mistakes_"))
        if not self.record:
            raise AttributeError("mistakes_ is kept only with record=True.")
        return (mistakes or Mistakes()).updates

    def _mistakes_of(self, state: State) -> Mistakes | None:
        """The list of mistakes, if there is one."""
        return state.mistakes

    def _recording(self, state: State) -> State:
        """The same with a list of mistakes to fill, if ``record=True`` or they vote."""
        mistakes, record = state.mistakes, bool(self.record)
        if mistakes is not None and mistakes.keeps_rows:
            mistakes.recorded = record
        elif record != (mistakes is not None):
            return replace(state, mistakes=Mistakes() if record else None)
        return state

    def _parts(self) -> dict[str, Part | None]:
        """What a file is to hold; refused where fit would refuse the parameters."""
        self._check_parameters()
        self._rule()
        return self._snapshot().parts()

    @abstractmethod
    def _snapshot(self) -> State:
        """What was learned up to now, which other threads may go on to change."""

    def _restore(self, parts: Parts) -> None:
        """Be as the model was of which a file holds these parts."""
        self._check_parameters()
        self._rule()
        self._state = State.build(parts, self._first_weights(1, 2))

    def _check_parameters(self) -> None:
        check_flag("average", self.average)
        self._check_half_life()
        check_flag("fit_intercept", self.fit_intercept)
        check_count("max_iter", self.max_iter)
        check_choice("shuffle", self.shuffle, [True, "once", "blocks", False])
        check_choice("ties", self.ties, ["mistake", "predict"])
        check_flag("unit_length", self.unit_length)
        check_flag("warm_start", self.warm_start)
        check_flag("record", self.record)
        check_flag("probabilities", self.probabilities)
        check_verbosity("verbose", self.verbose)

    def _check_half_life(self) -> None:
        if self.half_life is None:
            return
        check_positive("half_life", self.half_life)
        if not SHORTEST_HALF_LIFE <= self.half_life < math.inf:
            raise wrong("half_life", self.half_life, f"be at least {SHORTEST_HALF_LIFE} examples")
        if not self.average:
            raise InputError(
                *(Parameter("half_life", self.half_life), " is of the average"),
                remedy=("set ", Parameter("average", True)),
            )

    def _check_stopping(self) -> None:
        check_flag("early_stopping", self.early_stopping)
        check_fraction("validation_fraction", self.validation_fraction)
        check_count("n_iter_no_change", self.n_iter_no_change)

    def _check_averaging(self, state: State) -> None:
        if self.average and not state.weights.average:
            without = " cannot begin on weights that were learned without it"
            raise cannot_go_on(Parameter("average", True), without)
        form = self._form(state.weights.classes)
        if self.average and form.half_life != state.weights.form.half_life:
            other = " cannot go on with an average that forgot at another pace"
            raise cannot_go_on(Parameter("half_life", self.half_life), other)


def cannot_go_on(*why: Words) -> InputError:
    """What to say of a parameter that cannot change on a model that has learned."""
    remedy = "start afresh with fit and ", Parameter("warm_start", False)
    return InputError(*why, remedy=remedy)
