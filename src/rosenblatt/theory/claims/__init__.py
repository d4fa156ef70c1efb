"""The experimental claims of the documents on perceptrons, tried again.

``python -m rosenblatt.theory.claims`` prints what each document claims beside what comes out
here, with a 95 % interval, and says where a claim does not hold.
"""

from rosenblatt.theory.claims.averages import better, cost, divisor, gain, overfits
from rosenblatt.theory.claims.counts import (
    angle,
    at_length_one,
    several_classes,
    winnow,
    with_bias,
    without_bias,
)
from rosenblatt.theory.claims.orders import order_each_pass, order_in_theory, sorted_examples
from rosenblatt.theory.claims.record import Claim, Finding
from rosenblatt.theory.claims.small_sets import no_features, thin_margin, ties, xor

CLAIMS: tuple[Claim, ...] = (
    several_classes,
    gain,
    cost,
    ties,
    at_length_one,
    winnow,
    sorted_examples,
    order_each_pass,
    order_in_theory,
    no_features,
    without_bias,
    with_bias,
    angle,
    thin_margin,
    better,
    overfits,
    divisor,
    xor,
)
"""In the order of the documents: Kuhlmann, Johansson, the mistake-bound notes, Daumé."""

__all__ = ["CLAIMS", "Claim", "Finding"]
