"""What the docstrings of all members say of the parameters and attributes that they share."""

AVERAGING = """average : bool, default=False
        Predict with the mean of all weights passed through; see `AveragedPerceptron`.

    half_life : float, optional
        Let weights passed through count half as much in the mean after so many examples; see
        `AveragedPerceptron`."""

SHARED = """fit_intercept : bool, default=True
        Whether examples get a constant feature of one, whose weight is the intercept. It counts
        as a feature like any other: in the score, the norm and the step.

    max_iter : int, default=10
        Passes over the examples at most; a pass without an update is the last.

    shuffle : {True, "once", "blocks", False}, default=True
        Visit the examples in a new random order every pass; in one random order; along random
        blocks of 128 neighbouring rows, one from each quarter of the data at a time or, if labels
        come in runs, of each class, anew every pass (as good, and much faster on data larger than
        the processor's cache); or as they stand.

    ties : {"mistake", "predict"}, default="mistake"
        Whether an example whose two best classes score the same is always a mistake, or only if
        the class that comes first, which predict would choose, is the wrong one.

    unit_length : bool, default=False
        Scale each example, its constant feature included, to length one while learning.

    class_weight : dict or "balanced", optional
        How many times as long as usual a step on an example of this class is; "balanced" makes it
        inversely proportional to how often the class occurs.

    warm_start : bool, default=False
        Whether fit goes on from the weights it finds, and from where it was interrupted.

    early_stopping : bool, default=False
        Whether to hold out rows, try the weights that would predict on them after every pass, end
        after ``n_iter_no_change`` passes without a lower error, and keep the best pass's weights.

    validation_fraction : float, default=0.1
        How much of each class is held out by early stopping, unless fit is given a validation set.

    n_iter_no_change : int, default=5
        Passes without a lower validation error after which early stopping ends training.

    random_state : int, RandomState or Generator, optional
        Where the random orders and the rows held out come from. The same number gives the same
        model, bit for bit, on every platform.

    verbose : int, default=0
        1 prints a line for each pass, 2 also measures the error on the rows learned from.

    record : bool, default=False
        Keep every update as ``mistakes_``.

    probabilities : bool, default=False
        Whether ``predict_proba`` is to be there. The weights are the same with and without. Scores
        become probabilities by what examples show that the weights have not learned from: those of
        the validation set or held out by early stopping, which costs next to nothing; without any,
        a part at a time of the others (five at most, until there are 10,000 examples), each scored
        by a model that learns from the rest; in ``partial_fit`` and ``learn_one``, the scores just
        before each step, of one example in eight.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; for two classes, those of the second. A read-only view.

    intercept_ : ndarray of shape (1,) or (n_classes,)
        Weights of the constant feature.

    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.

    n_features_in_ : int
        Number of features.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if X had names that are all strings.

    n_iter_ : int
        Number of passes.

    t_ : int
        One more than the number of examples seen in all passes.

    n_updates_ : int
        Number of times the weights were moved.

    n_mistakes_ : int
        Number of examples that came out wrong when they were learned from.

    converged_ : bool
        Whether the last pass made no update.

    history_ : list of Pass
        For each pass the updates and mistakes made during it and its seconds; where measured, the
        length of the weights and the errors on training and held-out rows after it.

    best_iter_ : int
        The pass of the last fit with the lowest validation error, if one was measured; early
        stopping keeps its weights.

    mistakes_ : ndarray of records (t, example, rival, step)
        Every update, if ``record=True``."""
"""What the docstrings of all members say of the fields of `Learner`, and of its attributes."""


OF_LABELS = "ties", "class_weight", "probabilities", "classes_"
"""What a model has that predicts no numbers."""


def with_shared(docstring: str) -> str:
    """The docstring of a member with what all say, where it has ``{shared}`` or the like."""
    return docstring.format(
        averaging=AVERAGING,
        shared=SHARED,
        shared_without_intercept=_without(SHARED, "fit_intercept", "ties", "unit_length"),
        shared_of_numbers=_without(SHARED, *OF_LABELS),
    )


def _without(text: str, *names: str) -> str:
    """The text less the paragraphs about these names."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(p for p in paragraphs if p.split(" : ")[0].strip() not in names).lstrip()
