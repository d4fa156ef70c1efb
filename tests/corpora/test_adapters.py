"""The one-file adapters to datatrove and NeMo Curator, with their own classes where they are."""

import importlib.util
import pickle
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from crawls import pages, probabilities, save_model
from rosenblatt import InputError, keep

ADAPTERS = Path(__file__).parents[2] / "examples" / "adapters"


def adapter(name):
    spec = importlib.util.spec_from_file_location(name, ADAPTERS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.RosenblattFilter


@dataclass
class Document:
    """As datatrove has them."""

    text: str
    id: str
    metadata: dict = field(default_factory=dict)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("model") / "pages.rbt")


def test_a_filter_of_datatrove_keeps_what_keep_keeps_and_tells_why_not(model):
    texts = pages(50)
    documents = [Document(text, str(k)) for k, text in enumerate(texts)]
    wanted = [*keep(model, texts, label="good", min_probability=0.6)]

    decisions = adapter("datatrove_filter")(model, "good", 0.6).filter_batch(documents)

    assert [text for text, kept in zip(texts, decisions, strict=True) if kept is True] == wanted
    assert {kept for kept in decisions if kept is not True} == {(False, "not_good")}
    found = [document.metadata["rosenblatt_good"] for document in documents]
    assert found == probabilities(model, texts).tolist()


def test_a_filter_of_datatrove_takes_single_documents_and_travels_without_the_model(model):
    each = adapter("datatrove_filter")(model, "good")
    alone = [each.filter(Document(text, "")) for text in pages(20)]

    state = pickle.loads(pickle.dumps(each.__getstate__()))

    assert "predictor" not in state
    assert alone == each.filter_batch([Document(text, "") for text in pages(20)])


@pytest.mark.parametrize(
    ("label", "least", "message"),
    [
        ("fine", 0.5, "label must be one of the model's, 'bad', 'good', got 'fine'"),
        ("good", 50, "min_probability must lie between 0 and 1, got min_probability=50"),
    ],
)
def test_what_a_filter_wants_is_checked_once_it_knows_the_model(model, label, least, message):
    with pytest.raises(InputError, match=message):
        adapter("datatrove_filter")(model, label, least).filter_batch([])
    with pytest.raises(InputError, match=message):
        adapter("nemo_curator_filter")(model, label, least).load_model()


def test_a_model_without_probabilities_takes_any_least_score(tmp_path):
    model = save_model(tmp_path / "bare.rbt", probabilities=False)

    assert adapter("datatrove_filter")(model, "good", 50).filter_batch([]) == []


def test_a_filter_of_nemo_curator_scores_and_keeps(model, tmp_path):
    texts = pages(20)
    each = adapter("nemo_curator_filter")(model, "good", 0.6)
    each.model_check_or_download()

    numbers = [each.score_document(text) for text in texts]

    assert numbers == probabilities(model, texts).tolist()
    assert [each.keep_document(number) for number in numbers] == [n >= 0.6 for n in numbers]
    with pytest.raises(FileNotFoundError, match="not found"):
        adapter("nemo_curator_filter")(tmp_path / "none.rbt", "good").model_check_or_download()
