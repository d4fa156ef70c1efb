"""Linear models for skl2onnx, so that it can convert pipelines and ensembles that hold them."""

from typing import Any

from rosenblatt.persistence.onnx import check_linear
from rosenblatt.persistence.onnx_graph import Graph, TensorProto, helper, labels_of

MODELS = (
    *(("AROW", "arow"), ("AveragedPerceptron", "perceptron"), ("Perceptron", "perceptron")),
    *(("PassiveAggressiveClassifier", "passive_aggressive"), ("Winnow", "winnow")),
)
OPERATIONS = 13
"""The version of ONNX's operations that scores need."""


def register_onnx_converters() -> None:
    """Let skl2onnx convert the linear models, alone or as parts of what else it converts.

    After this ``skl2onnx.to_onnx(model, X)`` takes pipelines of scikit-learn's transformers and a
    linear model of rosenblatt. The graph gives ``label`` and ``scores``, what ``predict`` and
    ``decision_function`` give; it computes in float64 and rounds scores to the type of X. For
    models alone, or behind rosenblatt's own vectorizers, `export_onnx` needs no other package.

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
    from importlib import import_module

    try:
        from skl2onnx import update_registered_converter
    except ImportError as missing:
        raise ImportError("Converters need skl2onnx: pip install skl2onnx.") from missing
    for name, module in MODELS:
        model = getattr(import_module(f"rosenblatt.models.{module}"), name)
        update_registered_converter(
            model, f"Rosenblatt{name}", _infer_types, _convert, overwrite=True, parser=_parse
        )


def _parse(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    """Declare what goes in and out."""
    from skl2onnx.common.data_types import guess_tensor_type

    operator = scope.declare_local_operator(f"Rosenblatt{type(model).__name__}", model)
    operator.inputs = inputs
    label = scope.declare_local_variable("label", _label_type(model))
    scores = scope.declare_local_variable("scores", guess_tensor_type(inputs[0].type))
    operator.outputs += [label, scores]
    return operator.outputs


def _infer_types(operator: Any) -> None:
    from skl2onnx.common.data_types import guess_tensor_type

    model, (label, scores) = operator.raw_operator, operator.outputs
    label.type = _label_type(model)
    classes = len(model.classes_)
    shape = [None] if classes == 2 else [None, classes]
    scores.type = type(guess_tensor_type(operator.inputs[0].type))(shape)


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
    check_linear(model)
    graph = Graph(scope.get_unique_variable_name("rosenblatt"))
    X = graph.add("Cast", given.full_name, to=TensorProto.DOUBLE)
    label, scores = graph.score(model, X)
    told = graph.add("Identity", label)
    if labels_of(model.classes_).dtype.kind in "biu":
        told = graph.add("Cast", label, to=TensorProto.INT64)
    kind = _number_of(operator.outputs[1].type)
    graph.add("Identity", told, result=operator.outputs[0].full_name)
    graph.add("Cast", scores, result=operator.outputs[1].full_name, to=kind)
    for constant in graph.constants:
        container.initializers.append(constant)
    for node in graph.nodes:
        options = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        inputs, outputs = list(node.input), list(node.output)
        container.add_node(node.op_type, inputs, outputs, op_version=OPERATIONS, **options)


def _number_of(kind: Any) -> int:
    """The number by which ONNX knows a type of numbers."""
    double = type(kind).__name__.startswith("Double")
    return int(TensorProto.DOUBLE if double else TensorProto.FLOAT)
