"""Linear models for skl2onnx, so that it can convert pipelines and ensembles that hold them."""

from typing import Any

import rosenblatt
from rosenblatt.persistence.model_files import LINEAR
from rosenblatt.persistence.onnx import check_linear
from rosenblatt.persistence.onnx_graph import Graph, TensorProto, helper, labels_of

OPERATIONS = 13
"""The version of ONNX's operations that scores need."""


def register_onnx_converters() -> None:
    """Let skl2onnx convert the linear models, alone or as parts of what else it converts.

    After this ``skl2onnx.to_onnx(model, X)`` takes pipelines of scikit-learn's transformers and a
    linear model of rosenblatt. The graph gives ``label`` and ``scores``, what ``predict`` and
    ``decision_function`` give, or ``labels`` and ``scores``, or ``number``, as that of
    `export_onnx` does, and ``probabilities`` if the model has them; it computes in float64 and
    rounds all but labels to the type of X. For models alone, or behind rosenblatt's own
    vectorizers, `export_onnx` needs no other package.

    Examples
    --------
    >>> import numpy as np
    >>> from skl2onnx import to_onnx
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import PolynomialFeatures
    >>> from rosenblatt import Perceptron, register_onnx_converters
    >>> register_onnx_converters()
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
    >>> model = make_pipeline(PolynomialFeatures(2), Perceptron(max_iter=100)).fit(X, [0, 1, 1, 0])
    >>> [output.name for output in to_onnx(model, X).graph.output]
    ['label', 'scores']
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as missing:
        raise ImportError("Converters need skl2onnx: pip install skl2onnx.") from missing
    for name in LINEAR:
        class_and_name = getattr(rosenblatt, name), f"Rosenblatt{name}"
        update_registered_converter(
            *class_and_name, _infer_types, _convert, overwrite=True, parser=_parse
        )


def _parse(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """Declare what goes in and out."""
    operator = scope.declare_local_operator(f"Rosenblatt{type(model).__name__}", model)
    operator.inputs = inputs
    for name, kind in _kinds(model, inputs[0]).items():
        operator.outputs.append(scope.declare_local_variable(name, kind))
    return operator.outputs


def _infer_types(operator: Any) -> None:
    kinds = _kinds(operator.raw_operator, operator.inputs[0]).values()
    for output, kind in zip(operator.outputs, kinds, strict=True):
        output.type = kind


def _kinds(model: Any, given: Any) -> dict[str, Any]:
    """The types of what a model gives by name, where it is given this."""
    from skl2onnx.common.data_types import Int64TensorType, guess_tensor_type

    check_linear(model)
    number = type(guess_tensor_type(given.type))
    columns = [None, len(model._state.classes)]
    if model._predicts_numbers:
        return {"number": number([None])}
    shape = [None] if model._state.weights.form.has_two_sides else columns
    found = {"label": _label_type(model), "scores": number(shape)}
    if model._state.thresholds is not None:
        found = {"labels": Int64TensorType(columns), "scores": number(columns)}
    if model._state.calibration is not None:
        found["probabilities"] = number(columns)
    return found


def _label_type(model: Any) -> Any:
    from skl2onnx.common import data_types

    labels = labels_of(model.classes_)
    if labels.dtype.kind in "biu":
        return data_types.Int64TensorType([None])
    text = labels.dtype.kind == "O"
    return (data_types.StringTensorType if text else data_types.DoubleTensorType)([None])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the operations of the graph, with casts before and behind them."""
    model, (given,) = operator.raw_operator, operator.inputs
    graph = Graph(scope.get_unique_variable_name("rosenblatt"))
    X = graph.add("Cast", given.full_name, to=TensorProto.DOUBLE)
    for output, found in zip(operator.outputs, graph.results(model, X).values(), strict=True):
        kind = _number_of(output.type)
        cast = found if kind is None else graph.add("Cast", found, to=kind)
        graph.add("Identity", cast, result=output.full_name)
    for constant in graph.constants:
        container.initializers.append(constant)
    for node in graph.nodes:
        options = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        inputs, outputs = list(node.input), list(node.output)
        container.add_node(node.op_type, inputs, outputs, op_version=OPERATIONS, **options)


def _number_of(kind: Any) -> int | None:
    """The number by which ONNX knows a type of numbers; none for strings."""
    numbers = {"Double": TensorProto.DOUBLE, "Int64": TensorProto.INT64, "Float": TensorProto.FLOAT}
    found = numbers.get(type(kind).__name__.removesuffix("TensorType"))
    return None if found is None else int(found)
