"""Models to draw, and what was drawn, for the tests of pictures."""

import numpy as np

from data import XOR, separable
from rosenblatt import Perceptron

XOR_LABELS = np.array(["off", "on", "on", "off"])
LIFTED = np.column_stack([XOR, XOR[:, 0] * XOR[:, 1]])


def fitted(width, classes=2):
    """A model, and the examples it learned from."""
    X, codes, _, _ = separable(count=30, width=width)
    codes = codes if classes == 2 else np.arange(30) % classes
    return Perceptron(random_state=0, record=True).fit(X, codes), X, codes


def drawn(line, reach=5.0):
    """Two points of an infinite line."""
    (x, y), slope = line.get_xy1(), line.get_slope()
    other = line.get_xy2() if slope is None else (x + reach, y + slope * reach)
    return np.array([[x, y], other])


def tips(arrow):
    """Where an arrow starts and ends."""
    return np.array(arrow.xyann), np.array(arrow.xy)
