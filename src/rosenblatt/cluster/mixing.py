"""What shards make of the weights in a pass, and one state mixed from it: no engine knows more."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.training.run import Run
from rosenblatt.training.storage import Array, Form, WeightArrays
from rosenblatt.training.weights import Weights

Mixing = Literal["changed", "uniform", "mistakes"]

LISTED = 0.5
"""The share of rows up to which it is less to send them with their places than to send all."""


@dataclass
class ChangedRows:
    """Some rows of the weights, or all of them."""

    places: NDArray[np.int64] | None
    """Which they are, rising; None if they are all."""
    numbers: WeightArrays

    @classmethod
    def other_than(cls, numbers: WeightArrays, before: WeightArrays) -> "ChangedRows":
        """Those of so many that are not as they were before."""
        changed = np.zeros(len(numbers.weights), dtype=np.bool_)
        for now, then in zip(numbers, before, strict=True):
            if now is not None and then is not None:
                changed |= (now != then).any(axis=1)
        if np.count_nonzero(changed) > LISTED * len(changed):
            return cls(None, numbers)
        places = np.flatnonzero(changed)
        return cls(places, numbers.each(lambda array: array[places]))

    def among(self, columns: NDArray[np.int64], width: int) -> "ChangedRows":
        """The same rows of weights of these columns alone, among all; see `Sent.at`."""
        places = np.concatenate([columns, [width]])
        if self.places is None:
            return ChangedRows(places, self.numbers.each(lambda array: array[1:]))
        return ChangedRows(places[self.places - 1], self.numbers)

    @property
    def at(self) -> Any:
        """Where they lie among all."""
        return slice(None) if self.places is None else self.places

    @property
    def nbytes(self) -> int:
        """What they take on their way."""
        there = [array for array in (self.places, *self.numbers) if array is not None]
        return sum(array.nbytes for array in there)


@dataclass
class Sent:
    """The weights with which a pass begins, as they travel to the shards."""

    form: Form
    width: int
    rows: ChangedRows
    """Those that are not as features are at the start, or all."""
    counts: NDArray[np.int64]
    measures: Array
    run: Run
    """One more pass of it is to be made."""

    @classmethod
    def of(cls, weights: Weights, run: Run) -> "Sent":
        numbers = weights.used()
        begin = weights.form.new(2).each(lambda array: array[:1])
        rows = ChangedRows.other_than(numbers, begin)
        passing = replace(run.next_run(1, weights), best_weights=None)
        return cls(weights.form, weights.width, rows, weights.counts, weights.measures, passing)

    def at(self, columns: NDArray[np.int64] | None) -> Weights:
        """Weights of these columns alone, numbered from one, to learn on; of all if None.

        Row zero stands for the columns left out, as in `Condensed`.
        """
        if columns is None:
            numbers = self._rows_at(np.arange(self.width + 1))
        else:
            numbers = self._rows_at(np.concatenate([[-1], columns, [self.width]]))
        form, more = self.form, {"counts": self.counts.copy(), "measures": self.measures.copy()}
        return Weights.of(form, numbers, **more)

    def _rows_at(self, wanted: NDArray[np.int64]) -> WeightArrays:
        """The rows of these numbers; those below zero are as at the start."""
        made, places = self.form.new(len(wanted)), self.rows.places
        if places is None:
            found, there = wanted, wanted >= 0
        else:
            found = places.searchsorted(wanted)
            there = np.append(places, -2)[found] == wanted
        for new, sent in zip(made, self.rows.numbers, strict=True):
            if new is not None and sent is not None:
                new[there] = sent[found[there]]
        return made


@dataclass
class Partial:
    """What one shard made of the weights in a pass."""

    rows: ChangedRows
    """The rows of weights that it changed, as it left them."""
    counts: NDArray[np.int64]
    """Examples, updates and mistakes since the first pass of all, its own of this pass included."""
    measures: Array


def mix(weights: Weights, partials: Iterable[Partial], by: Mixing = "changed") -> Weights:
    """The weights after a pass, from those before it and what each shard made of them, in order.

    With w the weights before the pass, after T examples, and w_k those that shard k comes to over
    its n_k examples, the weights after it are the mean::

        w  <-  w + Σ_k u_k (w_k - w) / Σ_k u_k

    where u_k is one, or with ``by="mistakes"`` the number of updates that shard k made. With
    ``by="changed"`` the weights of a feature that c of the shards changed become instead::

        w  <-  w + 2 / (c + 1) Σ_k (w_k - w)

    A word which one shard alone has is learned as fast as by one machine, and no step is more than
    twice the mean of those shards: with longer ones, training was seen to fall apart. Weights mixed
    so are no sum of steps of one learner, and say nothing about a margin. Those that are multiplied
    and must stay above zero become the mean of those shards.

    The averaging sums m become those of the mean of all weights passed through in any shard: of the
    first ones, and of those after each example::

        m  <-  m + Σ_k [(m_k - m) - (T + n_k + 1) (w_k - w)] + (T + Σ_k n_k + 1) (w' - w)

    where w' are the weights after the pass and m_k the sums that shard k comes to. Shards are
    summed in float64 in their order, whichever is done first, so the bits depend on the shards
    alone. What one shard comes to by itself is taken as it is: the serial learner's.
    """
    before: Any = weights.used()
    seen = int(weights.counts[0])
    values = np.zeros_like(before.weights)
    missed = None if before.missed is None else np.zeros_like(values)
    sureness = None if before.sureness is None else np.zeros_like(values)
    counts, steps, smallest = weights.counts.copy(), 0.0, np.inf
    movers = np.zeros(len(values), dtype=np.int32) if by == "changed" else None
    shares, others, only = 0, False, None
    for partial in partials:
        others, only = only is not None, partial
        own = partial.counts - weights.counts
        share = int(own[1]) if by == "mistakes" else 1
        shares += share
        counts += own
        if movers is None:
            steps += share * float(partial.measures[0] - weights.measures[0])
        smallest = min(smallest, float(partial.measures[1]))
        places = partial.rows.at
        after: Any = partial.rows.numbers
        change = after.weights - before.weights[places]
        values[places] += share * change
        if movers is not None:
            movers[places] += (change != 0).any(axis=1)
        if missed is not None:
            missed[places] += after.missed - before.missed[places]
            missed[places] -= float(seen + own[0] + 1) * change
        if sureness is not None:
            grown = after.sureness - before.sureness[places]
            sureness[places] += share * grown
    if only is not None and not others:
        return _taken(weights, only)
    length = math.inf
    if movers is None:
        mean = 1.0 / max(1, shares)
        length = weights.measures[0] + steps * mean
        values *= mean
    else:
        _share_among(movers, values, multiplied=bool(weights.form.initial))
    if missed is not None:
        missed += float(counts[0] + 1) * values
        missed += before.missed
    if sureness is not None:
        if movers is None:
            sureness *= mean
        else:
            sureness /= np.maximum(1, movers)[:, None]
        sureness += before.sureness
    values += before.weights
    measures = np.array([length, smallest])
    mixed = WeightArrays(values, missed, sureness)
    return Weights.of(weights.form, mixed, counts=counts, measures=measures)


def _share_among(movers: NDArray[np.int32], changes: Array, *, multiplied: bool) -> None:
    """Make the sum of what shards changed in each row what is taken of it; see `mix`."""
    np.maximum(movers, 1, out=movers)
    if multiplied:
        changes /= movers[:, None]
        return
    changes *= 2.0
    changes /= (movers + 1)[:, None]


def _taken(weights: Weights, only: Partial) -> Weights:
    """The weights that the only shard came to."""
    made = weights.copy()
    for array, new in zip(made.used(), only.rows.numbers, strict=True):
        if array is not None and new is not None:
            array[only.rows.at] = new
    made.counts[:], made.measures[:] = only.counts, only.measures
    return made
