"""A model of rosenblatt as a filter in a pipeline of datatrove; also on its own, without datatrove.

    pipeline = [
        JsonlReader("crawl/"),
        RosenblattFilter("pages.rbt", label="good", min_probability=0.8),
        JsonlWriter("kept/"),
    ]

Documents are scored by the batch, which takes a fraction of the time of one after the other. For
shards on a disk `rosenblatt filter` is faster still: there no document becomes an object of Python.
"""

from functools import cached_property

from rosenblatt import Predictor, keep, score_documents

try:
    from datatrove.pipeline.filters.base_filter import BaseFilter
except ModuleNotFoundError as error:
    if error.name != "datatrove":  # it is there, but not all that it needs
        raise
    BaseFilter = object


class RosenblattFilter(BaseFilter):
    """Keeps documents that have a label with some probability.

    Parameters
    ----------
    model : str
        The file of a model of texts; each worker reads it once.
    label : str
        The label that is wanted.
    min_probability : float
        What a document needs; of a model without probabilities its least score.
    exclusion_writer, batch_size
        As every filter of datatrove has them.
    """

    name = "rosenblatt"

    def __init__(self, model, label, min_probability=0.5, exclusion_writer=None, batch_size=512):
        if BaseFilter is not object:
            super().__init__(exclusion_writer, batch_size)
        self.model = str(model)
        self.label = label
        self.min_probability = min_probability

    @cached_property
    def predictor(self):
        predictor = Predictor.load(self.model)
        least = "min_probability" if predictor.has_probabilities else "min_score"
        keep(
            predictor, [], label=self.label, **{least: self.min_probability}
        )  # refuses what is odd
        return predictor

    def __getstate__(self):
        """What is sent to workers: the file's name, not what it holds."""
        return {name: value for name, value in self.__dict__.items() if name != "predictor"}

    def filter(self, doc):
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch):
        """True for what is kept, else False and why; the number goes into the metadata."""
        decisions = []
        scored = score_documents(self.predictor, batch, label=self.label, text=lambda doc: doc.text)
        for doc, number in scored:
            doc.metadata[f"rosenblatt_{self.label}"] = number
            decisions.append(number >= self.min_probability or (False, f"not_{self.label}"))
        return decisions
