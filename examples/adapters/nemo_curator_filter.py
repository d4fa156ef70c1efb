"""A model of rosenblatt as a document filter of NeMo Curator; also on its own, without it.

    ScoreFilter(
        RosenblattFilter("pages.rbt", label="good", min_probability=0.8), text_field="text"
    )

It has the methods of that library's own filter by fastText: `load_model` is called once in each
worker, and texts are scored one at a time.
"""

import os

from rosenblatt import Predictor, keep, score_documents

try:
    from nemo_curator.stages.text.filters.doc_filter import DocumentFilter
except ModuleNotFoundError as error:
    if error.name != "nemo_curator":  # it is there, but not all that it needs
        raise
    DocumentFilter = object


class RosenblattFilter(DocumentFilter):
    """Keeps texts that have a label with some probability.

    Parameters
    ----------
    model : str
        The file of a model of texts.
    label : str
        The label that is wanted.
    min_probability : float
        What a text needs; of a model without probabilities its least score.
    """

    def __init__(self, model, label, min_probability=0.5):
        super().__init__()
        self._name = "rosenblatt"
        self._model = str(model)
        self._label = label
        self._min_probability = min_probability
        self._predictor = None

    def model_check_or_download(self):
        if not os.path.exists(self._model):
            raise FileNotFoundError(f"Model file {self._model} not found")

    def load_model(self):
        predictor = Predictor.load(self._model)
        least = "min_probability" if predictor.has_probabilities else "min_score"
        keep(
            predictor, [], label=self._label, **{least: self._min_probability}
        )  # refuses what is odd
        self._predictor = predictor

    def score_document(self, text):
        if self._predictor is None:
            self.load_model()
        ((_, number),) = score_documents(self._predictor, [text], label=self._label)
        return number

    def keep_document(self, scores):
        return scores >= self._min_probability
