"""What tests of kernels share."""

from sklearn.datasets import make_circles
from sklearn.metrics.pairwise import pairwise_kernels

CLASSES = [2, 3, 6]
MEMORIES = [{}, {"average": True}, {"vote": True}]


def rings(count=200, noise=0.05):
    return make_circles(count, noise=noise, factor=0.4, random_state=0)


def gram(X, Y=None, **parameters):
    return pairwise_kernels(X, Y, **parameters)
