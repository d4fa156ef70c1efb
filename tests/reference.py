"""The family in plain Python: slow, obvious, right.

First the algorithms as the slides print them, one function each. Then the walks, which pass
through the same weights with any rule and any choice of ties, and keep every weight vector.

Labels of two classes are -1 and +1, those of more are 0, 1, 2 ...
"""

import math

import numpy as np

# The slides


def algorithm_5(X, y, passes):
    """Algorithm 5, perceptron training (SPEC L5, C4)."""
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            a = w @ x + b
            if label * a <= 0:
                w = w + label * x
                b = b + label
    return w, b


def algorithm_6(w, b, x):
    """Algorithm 6, SIGN(w . x + b); zero goes to the first class, -1 (SPEC L6)."""
    return 1 if w @ x + b > 0 else -1


def algorithm_7(X, y, passes):
    """Algorithm 7, averaged perceptron training (SPEC C25)."""
    w, b = np.zeros(X.shape[1]), 0.0
    u, beta = np.zeros(X.shape[1]), 0.0
    c = 1
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w = w + label * x
                b = b + label
                u = u + label * c * x
                beta = beta + label * c
            c = c + 1
    return w - u / c, b - beta / c


def k4(X, y, classes, passes):
    """Multi-class perceptron; argmax takes the first of the best (SPEC K4)."""
    w, b = np.zeros((classes, X.shape[1])), np.zeros(classes)
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            p = np.argmax(w @ x + b)
            if p != label:
                w[p] -= x
                b[p] -= 1
                w[label] += x
                b[label] += 1
    return w, b


def k9(X, y, classes, passes):
    """Multi-class averaged perceptron (SPEC K9)."""
    w, b = np.zeros((classes, X.shape[1])), np.zeros(classes)
    u, beta = np.zeros((classes, X.shape[1])), np.zeros(classes)
    count = 1
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            p = np.argmax(w @ x + b)
            if p != label:
                w[p] -= x
                b[p] -= 1
                w[label] += x
                b[label] += 1
                u[p] -= count * x
                beta[p] -= count
                u[label] += count * x
                beta[label] += count
            count += 1
    return w - u / count, b - beta / count


def j1(X, y, passes):
    """Perceptron without a bias (SPEC J1)."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            score = label * (w @ x)
            if score <= 0:
                w = w + label * x
    return w


def j5(X, y, passes):
    """Naive averaging: keep w_1 ... w_T and return their mean (SPEC J5)."""
    w = np.zeros(X.shape[1])
    kept = []
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) <= 0:
                w = w + label * x
            kept.append(w)
    return sum(kept) / len(kept)


def j7(X, y, passes):
    """Averaging by falling step sizes (SPEC J7)."""
    w, a = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    T = passes * len(X)
    step = T
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) <= 0:
                w = w + label * x
                a = a + step / T * label * x
            step = step - 1
    return a


def b2(X, y, passes):
    """The perceptron of the mistake bound: length one, positive iff w . x > 0 (SPEC B2)."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            x = x / np.sqrt(x @ x)
            positive = w @ x > 0
            if label == +1 and not positive:
                w = w + x
            if label == -1 and positive:
                w = w - x
    return w


def freund_schapire(X, y, passes):
    """Freund and Schapire (1999), figure 1: every weight vector and its votes (SPEC C23, A5 no. 6).

    A vector starts with one vote for the example that made it; the zeros of the start have none.
    """
    w, c = np.zeros(X.shape[1]), 0
    vectors, votes = [], []
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) <= 0:
                vectors.append(w)
                votes.append(c)
                w, c = w + label * x, 1
            else:
                c = c + 1
    return np.array([*vectors, w]), np.array([*votes, c])


def passive_aggressive(X, y, passes, variant, C=1.0):
    """Crammer et al. (2006), figure 1: PA, PA-I and PA-II for two classes (SPEC L10)."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            loss = max(0.0, 1 - label * (w @ x))
            w = w + tau(variant, loss, x @ x, C) * label * x
    return w


def passive_aggressive_multiclass(X, y, classes, passes, variant, C=1.0):
    """Crammer et al. (2006), section 8: the true class against the best wrong one (SPEC L10)."""
    w = np.zeros((classes, X.shape[1]))
    for _ in range(passes):
        for x, label in zip(X, y, strict=True):
            rival = best_wrong_class(w @ x, label)
            loss = max(0.0, 1 - (w[label] @ x - w[rival] @ x))
            step = tau(variant, loss, 2 * (x @ x), C)
            w[label] += step * x
            w[rival] -= step * x
    return w


def tau(variant, loss, squared_norm, C):
    """How far the variants of the passive-aggressive rule step; no step helps an empty example."""
    if loss == 0.0 or squared_norm == 0.0:
        return 0.0
    if variant == "PA":
        return loss / squared_norm
    if variant == "PA-I":
        return min(C, loss / squared_norm)
    return loss / (squared_norm + 1 / (2 * C))


def kernel_path(K, y, classes, passes, constant=1.0):
    """The kernel perceptron (SPEC C31): coefficients after every example, a row for each class.

    K holds the kernel values of the examples with each other.
    """
    alpha = np.zeros((classes, len(K)))
    path = []
    for _ in range(passes):
        for i, label in enumerate(y):
            scores = alpha @ (K[i] + constant)
            rival = best_wrong_class(scores, label)
            alpha = alpha.copy()
            if scores[label] <= scores[rival]:
                alpha[label, i] += 1
                alpha[rival, i] -= 1
            path.append(alpha)
    return path


def kernel_votes(K, path, constant=1.0):
    """(4.17): each set of coefficients votes once for every example it was kept after (SPEC C23).

    K holds the kernel values of the rows to predict with the examples of the path.
    """
    votes = np.zeros((len(K), len(path[0])))
    for alpha in path:
        winners = ((K + constant) @ alpha.T).argmax(axis=1)
        votes[np.arange(len(K)), winners] += 1
    return votes


def budget_walk(K, y, budget, forget):
    """Cavallanti et al. (2007), two classes, -1 and +1, no intercept: the supports at the end.

    ``forget(supports, t)`` names the one that goes.
    """
    held = []
    for t, label in enumerate(y):
        if label * sum(y[j] * K[t, j] for j in held) <= 0:
            if len(held) == budget:
                held.remove(forget(held, t + 1))
            held.append(t)
    return held


# Examples as the walks want them


def with_constant(X, constant=1.0):
    """Each example with one more feature that is always the same (SPEC L3, B1)."""
    return np.column_stack([X, np.full(len(X), constant)])


def unit_length(X):
    """Each example scaled to length one; one of length zero stays (SPEC B2)."""
    lengths = np.sqrt((X * X).sum(axis=1, keepdims=True))
    return np.divide(X, lengths, out=np.zeros_like(X), where=lengths > 0)


# Rules: how far to step, given the margin, the squared length of the difference, and the verdict


def perceptron(margin, squared_norm, mistake):
    return 1.0 if mistake else 0.0


def pa(margin, squared_norm, mistake):
    return tau("PA", max(0.0, 1 - margin), squared_norm, None)


def pa_1(C):
    return lambda margin, squared_norm, mistake: tau("PA-I", max(0.0, 1 - margin), squared_norm, C)


def pa_2(C):
    return lambda margin, squared_norm, mistake: tau("PA-II", max(0.0, 1 - margin), squared_norm, C)


def arow(r):
    """PA-II with r for 1 / 2C, in a length that the walk measures with its variances."""

    def rule(margin, squared_norm, mistake):
        return max(0.0, 1 - margin) / (squared_norm + r)

    rule.r = r
    return rule


def full_arow(r):
    """The same with the covariance of each two weights."""
    rule = arow(r)
    rule.full = True
    return rule


# Walks


def binary_path(X, y, rule, passes=1, ties="mistake", weights=None, start=None):
    """Every weight vector w_0, w_1 ... w_T of a walk over two classes, -1 and +1.

    Steps are multiplied by the example's weight. With ties="predict" a tie goes to the first
    class, so it is a mistake for the second. A rule with r has a variance for each weight, or
    a covariance for each two.
    """
    w = np.zeros(X.shape[1]) if start is None else start
    variances = unsure(w, rule)
    weights = np.ones(len(X)) if weights is None else weights
    path = [w]
    for _ in range(passes):
        for x, label, weight in zip(X, y, weights, strict=True):
            margin = label * (w @ x)
            mistake = margin < 0 or (margin == 0 and (ties == "mistake" or label == +1))
            w, variances = stepped(w, variances, label * x, margin, mistake, rule, weight)
            path.append(w)
    return np.array(path)


def multiclass_path(X, y, classes, rule, passes=1, ties="mistake", weights=None, start=None):
    """Every weight matrix w_0, w_1 ... w_T of a race of several classes, a row for each class."""
    w = np.zeros((classes, X.shape[1])) if start is None else start
    variances = unsure(w, rule)
    weights = np.ones(len(X)) if weights is None else weights
    path = [w]
    for _ in range(passes):
        for x, label, weight in zip(X, y, weights, strict=True):
            scores = w @ x
            rival = best_wrong_class(scores, label)
            margin = scores[label] - scores[rival]
            mistake = margin < 0 or (margin == 0 and (ties == "mistake" or rival < label))
            difference = np.zeros_like(w)
            difference[label], difference[rival] = x, -x
            w, variances = stepped(w, variances, difference, margin, mistake, rule, weight)
            path.append(w)
    return np.array(path)


def unsure(w, rule):
    """Variances of one, or the covariance of weights that are independent."""
    return np.eye(w.size) if hasattr(rule, "full") else np.ones_like(w)


def stepped(w, variances, difference, margin, mistake, rule, weight):
    """The weights and variances after a step along the difference."""
    full = hasattr(rule, "full")
    stretched = (
        (variances @ difference.ravel()).reshape(w.shape) if full else variances * difference
    )
    squared_norm = (stretched * difference).sum()
    step = weight * rule(margin, squared_norm, mistake)
    w = w + step * stretched
    if hasattr(rule, "r") and step:
        less = np.outer(stretched, stretched) if full else stretched**2
        variances = variances - less / (squared_norm + rule.r)
    return w, variances


def winnow_path(X, y, classes, factor=2.0, threshold=None, race=False, passes=1, weights=None):
    """Every weight matrix of Winnow (SPEC B8): one row and a threshold, or a race of classes.

    X holds zeros and ones. The last column is what stands against the sum: minus the threshold.
    """
    race = race or classes > 2
    threshold = 0.0 if race else X.shape[1] if threshold is None else threshold
    w = np.ones((classes if race else 1, X.shape[1]))
    weights = np.ones(len(X)) if weights is None else weights
    path = [w]
    for _ in range(passes):
        for x, label, weight in zip(X, y, weights, strict=True):
            w, by, present = w.copy(), 1 + weight * (factor - 1), x == 1
            scores = w @ x
            if race:
                rival = best_wrong_class(scores, label)
                if scores[label] <= scores[rival]:
                    w[label, present] *= by
                    w[rival, present] /= by
            elif label == 1 and scores[0] < threshold:
                w[0, present] *= by
            elif label == 0 and scores[0] >= threshold:
                w[0, present] /= by
            path.append(w)
    path = np.array(path)
    return np.concatenate([path, np.full((*path.shape[:2], 1), -float(threshold))], axis=2)


def mixed(shards, walk, passes, by="changed", multiplied=False):
    """Iterative parameter mixing (McDonald et al., 2010): the last weights, and the mean of all.

    ``walk(X, y, w)`` gives the path of a pass over a shard from w on, or with None from the start.
    """
    w = walk(*shards[0], None)[0]
    passed_through = [w]
    for _ in range(passes):
        paths = [walk(X, y, w) for X, y in shards]
        moved = [(path[1:] != path[:-1]).any(axis=(1, 2)).sum() for path in paths]
        counted = moved if by == "mistakes" else [1] * len(paths)
        changes = [count * (path[-1] - w) for count, path in zip(counted, paths, strict=True)]
        shared = 1 / max(1, sum(counted))
        if by == "changed":
            movers = np.maximum(1, sum((each != 0).any(axis=0) for each in changes))
            shared = 1 / movers if multiplied else 2 / (1 + movers)
        w = w + sum(changes) * shared
        passed_through += [each for path in paths for each in path[1:]]
    return w, sum(passed_through) / len(passed_through)


def counts(length, half_life=None):
    """How much each weight vector of a path counts in its mean: one, or half after a half life."""
    ages = np.arange(length)[::-1]
    return np.ones(length) if half_life is None else 0.5 ** (ages / half_life)


def mean(path, half_life=None):
    """The mean of all weights of a path."""
    counted = counts(len(path), half_life)
    return np.tensordot(counted, path, axes=1) / counted.sum()


def votes(path, X):
    """How many of the weights w_1 ... w_T vote for each class, for each row of X (SPEC C23, J3).

    A score of zero is a vote for the first of two classes, a tie one for the first of the best. The
    zeros of the start have no vote, however long they last (SPEC A5 no. 6).
    """
    votes = np.zeros((len(X), max(2, path.shape[1])), dtype=int)
    for w in path[np.logical_or.accumulate(path.any(axis=(1, 2)))]:
        scores = X @ w.T
        winners = scores.argmax(axis=1) if len(w) > 1 else (scores[:, 0] > 0).astype(int)
        votes[np.arange(len(X)), winners] += 1
    return votes


def shares(votes):
    """What decision_function makes of votes: their difference for two classes, else each one's."""
    cast = np.maximum(1, votes.sum(axis=1))
    if votes.shape[1] == 2:
        return (votes[:, 1] - votes[:, 0]) / cast
    return votes / cast[:, np.newaxis]


def best_wrong_class(scores, label):
    """The strongest rival; the first of them at a tie."""
    wrong = [k for k in range(len(scores)) if k != label]
    return max(wrong, key=lambda k: scores[k])


# Several labels, and numbers


def label_sets_path(X, sets, classes, step, passes=1):
    """The weights w_0 ... w_T where the weakest right label meets the strongest other.

    `sets` are the right labels of each example; of equals the first is the weakest or strongest.
    An example that has all labels, or none, has no rival.
    """
    w = np.zeros((classes, X.shape[1]))
    path = [w]
    for _ in range(passes):
        for x, right in zip(X, sets, strict=True):
            others = [k for k in range(classes) if k not in right]
            if right and others:
                weakest = min(sorted(right), key=lambda k: w[k] @ x)
                strongest = max(others, key=lambda k: w[k] @ x)
                margin = w[weakest] @ x - w[strongest] @ x
                size = step(margin, 2 * (x @ x), margin <= 0)
                w = w.copy()
                w[weakest] += size * x
                w[strongest] -= size * x
            path.append(w)
    return np.array(path)


def regression_path(X, y, C, epsilon, variant, passes=1):
    """The weights w_0 ... w_T of passive-aggressive regression (Crammer et al. 2006, section 5)."""
    w = np.zeros(X.shape[1])
    path = [w]
    for _ in range(passes):
        for x, target in zip(X, y, strict=True):
            missing = target - w @ x
            loss, length = max(0.0, abs(missing) - epsilon), x @ x
            if loss > 0 and length + (variant == "PA-II") > 0:
                size = loss / (length + (0.5 / C if variant == "PA-II" else 0.0))
                w = w + np.sign(missing) * (min(C, size) if variant == "PA-I" else size) * x
            path.append(w)
    return np.array(path)


def slope(scores, codes, importance):
    """The least log loss of a softmax of slope times scores, found by trying: golden sections."""
    classes = len(scores[0])
    doubt = 1 / (sum(importance) + 1)

    def loss(slope):
        total = 0.0
        for row, code, weight in zip(scores, codes, importance, strict=True):
            logits = [slope * score for score in row]
            top = max(logits)
            whole = top + math.log(sum(math.exp(logit - top) for logit in logits))
            for k, logit in enumerate(logits):
                believed = (k == code) * (1 - doubt) + doubt / classes
                total += weight * believed * (whole - logit)
        return total

    low, high = 0.0, 10.0
    for _ in range(200):
        first, second = low + 0.381966 * (high - low), low + 0.618034 * (high - low)
        low, high = (low, second) if loss(first) < loss(second) else (first, high)
    return (low + high) / 2
