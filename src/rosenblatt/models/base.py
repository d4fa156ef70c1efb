"""What the members of the family have before they learn: parameters, classes, first weights."""

import numbers
from abc import abstractmethod
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from rosenblatt.inputs.labels import are_same, listed, read_classes
from rosenblatt.inputs.messages import LARGEST_VALUE
from rosenblatt.inputs.parameters import (
    SHARED,
    check_choice,
    check_count,
    check_flag,
    check_fraction,
    check_verbosity,
    without,
)
from rosenblatt.models.attributes import Attributes
from rosenblatt.models.callbacks import CallbackSupportMixin
from rosenblatt.models.river import RiverClassifier
from rosenblatt.models.streaming import OneAtATime
from rosenblatt.training.passes import Rule, Shuffle, draw_seed
from rosenblatt.training.run import Progress
from rosenblatt.training.weights import Weights

Ties = Literal["mistake", "predict"]


class Learner(
    OneAtATime, Attributes, RiverClassifier, CallbackSupportMixin, ClassifierMixin, BaseEstimator
):
    """A classifier's parameters and classes, and the weights it starts from."""

    average: bool

    _two_class_share = 1.0
    """What each of two classes in a race of their own would hold of the weights they share here."""

    _scores_by_weights = True
    """Whether coef_ and intercept_ are what scores."""

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: Shuffle = True,
        ties: Ties = "mistake",
        unit_length: bool = False,
        class_weight: Any = None,
        warm_start: bool = False,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        random_state: Any = None,
        verbose: int = 0,
        record: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.ties = ties
        self.unit_length = unit_length
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state
        self.verbose = verbose
        self.record = record

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__:  # absent under python -OO
            cls.__doc__ = cls.__doc__.format(
                shared=SHARED,
                shared_without_intercept=without(SHARED, "fit_intercept", "ties", "unit_length"),
            )

    @abstractmethod
    def _rule(self) -> Rule:
        """The rule for the steps, its parameters checked."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "_weights" in self.__dict__

    @property
    def _has_threshold(self) -> bool:
        """Whether the weight of the constant feature is a threshold that stays as it is."""
        return False

    @property
    def _is_sum_of_mistakes(self) -> bool:
        """Whether the weights are the sum of the rows erred on, each times its step."""
        return self._weights.are_sums_of_steps

    def _draft(self) -> Self:
        """A copy to get ready on, so that a call that fails or is interrupted leaves no trace."""
        draft = object.__new__(type(self))
        draft.__dict__ = self.__dict__.copy()
        return draft

    def _become(self, draft: Self, learn: Callable[[], None]) -> Self:
        """Take the place of the draft and learn; a failure brings back what was."""
        before, self.__dict__ = self.__dict__, draft.__dict__
        try:
            learn()
        except Exception:
            self.__dict__ = before
            raise
        return self

    def _learned(self) -> dict[str, Any]:
        """A copy of what learning changes in place."""
        return {"_weights": deepcopy(self._weights), "_progress": deepcopy(self._progress)}

    def _thaw(self) -> None:
        """Let what learning changes be changed, where joblib has mapped it from a file to read."""
        if not self._weights.settle().weights.flags.writeable:
            self.__dict__.update(self._learned())

    def _start(self, classes: NDArray[Any], width: int) -> None:
        if len(classes) < 2:
            raise ValueError(
                f"A classifier needs labels of at least two classes, got {len(classes)} class"
                f"{'' if len(classes) == 1 else 'es'}: {classes.tolist()}."
            )
        self._start_at(classes, width)

    def _start_at(self, classes: NDArray[Any], width: int) -> None:
        self.classes_ = classes
        self._weights = self._new_weights(width, max(2, len(classes)))
        self._progress = Progress(seed=draw_seed(self.random_state))

    def _start_without_classes(self) -> None:
        """Where learning starts when labels and features come at will."""
        if "_weights" not in self.__dict__:
            self._check_parameters()
            self._start_at(np.empty(0, dtype=object), width=0)

    def _new_weights(self, width: int, classes: int) -> Weights:
        return Weights.new(width, classes, average=bool(self.average))

    def _admit(self, classes: ArrayLike) -> None:
        """Add the classes that are new to the model, at zero weights."""
        if are_same(classes, self.classes_):
            return
        named = read_classes(classes)
        if not np.isin(self.classes_, named).all():
            raise ValueError(
                f"classes must hold those of the earlier calls, {listed(self.classes_)}, and may "
                f"add to them, got {listed(named)}."
            )
        if len(self.classes_) < 2:  # nothing could be learned yet
            counts = self._weights.counts
            self._weights = self._new_weights(self._weights.width, max(2, len(named)))
            self._weights.counts[:] = counts
            self.classes_ = named
        elif len(named) > len(self.classes_):
            places = named.searchsorted(self.classes_)
            share = self._two_class_share
            self._weights = self._weights.with_classes(places, len(named), two_class_share=share)
            self._progress = self._progress.with_places(places, two_class_share=share)
            self.classes_ = named

    @property
    def _is_balanced(self) -> bool:
        return isinstance(self.class_weight, str) and self.class_weight == "balanced"

    def _class_weights(self, codes: NDArray[Any]) -> NDArray[np.float64] | None:
        """The weight of each class, given the classes of all examples."""
        if self._is_balanced:
            counts = np.bincount(codes, minlength=len(self.classes_))
            return len(codes) / (np.count_nonzero(counts) * np.maximum(counts, 1.0))
        weights = self._weights_of_known_classes()
        if weights is not None:
            known, given = set(self.classes_.tolist()), self.class_weight
            strangers = [label for label in given if label not in known]
            if strangers and not all(label in given for label in known):
                raise ValueError(
                    f"class_weight holds the label {strangers[0]!r}, which is not among the "
                    f"classes {listed(self.classes_)}."
                )
        return weights

    def _weights_of_known_classes(self) -> NDArray[np.float64] | None:
        """The weight of each class so far; one if none is given."""
        if self.class_weight is None:
            return None
        if not isinstance(self.class_weight, Mapping):
            raise ValueError(
                "class_weight must be a dict, 'balanced' or None, got "
                f"class_weight={self.class_weight!r}."
            )
        weights = np.ones(len(self.classes_))
        for place, label in enumerate(self.classes_.tolist()):
            weight = self.class_weight.get(label, 1.0)
            if not isinstance(weight, numbers.Real) or not 0 <= float(weight) <= LARGEST_VALUE:
                raise ValueError(
                    "class_weight must hold finite numbers of zero or more, got "
                    f"{weight!r} for class {label!r}."
                )
            weights[place] = weight
        return weights

    def _check_parameters(self) -> None:
        check_flag("average", self.average)
        check_flag("fit_intercept", self.fit_intercept)
        check_count("max_iter", self.max_iter)
        check_choice("shuffle", self.shuffle, [True, "once", "blocks", False])
        check_choice("ties", self.ties, ["mistake", "predict"])
        check_flag("unit_length", self.unit_length)
        check_flag("warm_start", self.warm_start)
        check_flag("record", self.record)
        check_verbosity("verbose", self.verbose)

    def _check_stopping(self) -> None:
        check_flag("early_stopping", self.early_stopping)
        check_fraction("validation_fraction", self.validation_fraction)
        check_count("n_iter_no_change", self.n_iter_no_change)

    def _check_averaging(self) -> None:
        if self.average and not self._weights.average:
            raise ValueError(
                "average=True cannot begin on weights that were learned without it: start afresh "
                "with fit and warm_start=False."
            )

    def _check_class_weight_known(self, method: str) -> None:
        if self._is_balanced:
            raise ValueError(
                f"class_weight='balanced' is not supported for {method}, which does "
                "not see all labels: pass a dict of weights instead."
            )
