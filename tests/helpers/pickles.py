"""What pickles name."""

import io
import pickle
from typing import Any


class Noting(pickle.Unpickler):
    """Notes the modules and names that it looks up."""

    def __init__(self, contents: bytes) -> None:
        super().__init__(io.BytesIO(contents))
        self.found: set[tuple[str, str]] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.found.add((module, name))
        return super().find_class(module, name)


def named_in_pickle(thing: Any) -> set[tuple[str, str]]:
    """Module and name of all that a pickle of this, which can be read, names."""
    noting = Noting(pickle.dumps(thing))
    noting.load()
    return noting.found
