"""scikit-learn's tests of SGDClassifier, with Perceptron in its place."""

import pytest

from adopted import adopt
from rosenblatt import Perceptron

pytestmark = pytest.mark.filterwarnings("default")

adopt(
    globals(),
    "sklearn.linear_model.tests.test_sgd",
    {
        "sklearn.linear_model.Perceptron": Perceptron,
        "sklearn.linear_model.SGDClassifier": Perceptron,
    },
)


OTHERS = [
    "test_*[*Regressor*",
    "test_*[*OneClassSVM*",
    "test_*one*class*",
    "test_ocsvm*",
    "test_loss_*",
    "test_gradient_*",
    "test_validation_mask_correctly_subsets",
]

DIFFERENCES = {
    "switching.md#no-penalty-no-schedule-no-other-loss": [
        "test_warm_start[optimal-*",
        "test_warm_start[invscaling-*",
        "test_warm_start[adaptive-*",
        "test_partial_fit_equal_fit_classif[optimal-*",
        "test_partial_fit_equal_fit_classif[invscaling-*",
        "test_partial_fit_equal_fit_classif[adaptive-*",
        "test_warm_start_multiclass*",
        "test_learning_rate_PA_raises*",
        "test_clone*",
        "test_late_onset_averaging_reached*",
        "test_adaptive_longer_than_constant*",
        "test_sgd_l1*",
        "test_sgd_failing_penalty_validation*",
        "test_sgd_clf*",
        "test_average_binary_computed_correctly*",
        "test_sgd_multiclass_average*",
        "test_sgd_predict_proba_method_access*",
        "test_sgd_proba*",
        "test_class_weights*",
        "test_equal_class_weight*",
        "test_balanced_weight*",
        "test_sample_weights*",
        "test_regression_losses*",
        "test_l1_ratio",
        "test_underflow_or_overflow",
        "test_numerical_stability_large_gradient",
        "test_large_regularization*",
    ],
    "switching.md#warm_start-goes-on": ["test_warm_start[constant-*"],
    "switching.md#words-and-private-attributes-are-our-own": [
        "test_plain_has_no_average_attr*",
        "test_power_t_limits*",
        "test_provide_coef*",
        "test_set_intercept_offset[*",
        "test_partial_fit_weight_class_balanced*",
        "test_sgd_error_on_zero_validation_weight",
    ],
    "switching.md#the-average-counts-the-start": [
        "test_late_onset_averaging_not_reached*",
        "test_partial_fit_multiclass_average*",
    ],
    "switching.md#no-tol-and-fewer-passes": [
        "test_early_stopping*",
        "test_n_iter_no_change*",
        "test_tol_parameter",
        "test_multi_core_gridsearch_and_early_stopping",
        "test_sgd_random_state*",
    ],
    "switching.md#early-stopping-goes-back": [
        "test_validation_set_not_used_for_training*",
        "test_sgd_early_stopping_with_partial_fit*",
    ],
    "switching.md#coef_-and-intercept_-are-read-only-and-float64": [
        "test_sgd_dtype_match[float32*"
    ],
}
