"""A model of texts as a folder for any web space: a page and a module that run it."""

from pathlib import Path

from rosenblatt.inputs.errors import InputError, Parameter
from rosenblatt.inputs.parts import Facts
from rosenblatt.lab.one_file import UNPACKED, as_one_file, packed
from rosenblatt.lab.serving import CORE, PAGE
from rosenblatt.persistence.container import seal, unseal
from rosenblatt.persistence.predictor import Predictor
from rosenblatt.persistence.shrinking import Shrunk, smaller
from rosenblatt.readers.atomic_write import write_all

MODULES = (
    "core.js", "pushes.js", "rbt.js", "svg.js", "text.js", "text_models.js", "words.js",
)  # fmt: skip
OF_THE_LAB = (*MODULES, "core.wasm", "icon.svg", "style.css")
OWN = Path(__file__).parent / "exported"
START = """\
import {{ load }} from "lab/core.js";
import {{ TextModel }} from "lab/text_models.js";
import {{ show }} from "lab/view.js";
{unpacked}await load(await unpacked("{core}"));
await show(unpacked("{model}").then(TextModel.read));
"""
EXPLAINED = ("AROW", "AveragedPerceptron", "PassiveAggressiveClassifier", "Perceptron", "Winnow")
MOST_BITS = 22


def export_web(
    model: str, folder: str, max_size: int | None = None, precision: str = "float64"
) -> Shrunk:
    """Write a folder with a page that classifies and explains by a model of texts, and a module.

    Parameters
    ----------
    model : str
        A file that save wrote: a TextVectorizer before a linear model.

    folder : str
        Made if it is not there; files of these names in it are written over, all or none.

    max_size : int, optional
        Bytes that the model may take; see `rosenblatt.shrink`.

    precision : {"float64", "float16", "int8"}, default="float64"
        How its weights are rounded; see there, too.
    """
    Predictor.load(model)
    facts, arrays = unseal(model)
    _check_explained(facts)
    facts, arrays, made = smaller(facts, arrays, max_size, precision)
    whole = b"".join(seal(facts, arrays))
    beside = [*(PAGE / name for name in OF_THE_LAB), *sorted(OWN.iterdir())]
    files = {file.name: file.read_bytes() for file in beside}
    write_all(folder, files | {"model.rbt": whole, "page.html": _as_one(whole)})
    return made


def _as_one(model: bytes) -> bytes:
    """The page with the model in it."""
    modules = [*(PAGE / name for name in MODULES), OWN / "view.js"]
    start = START.format(unpacked=UNPACKED, core=packed(CORE.read_bytes()), model=packed(model))
    return as_one_file(OWN / "index.html", modules, start).encode()


def _check_explained(facts: Facts) -> None:
    """Refuse what the page would refuse."""
    steps = facts["steps"]
    names = [step["estimator"] for step in steps]
    if len(names) != 2 or names[0] != "TextVectorizer" or names[1] not in EXPLAINED:
        raise InputError(
            f"A page explains a TextVectorizer before {', '.join(EXPLAINED)}, and this model is "
            f"{', '.join(names)}"
        )
    settings = steps[0]["words"]["settings"]
    if (settings["n_hash_bits"] or 0) > MOST_BITS:
        raise InputError(f"A page holds {MOST_BITS} bits of hashed columns at most")
    if "token_pattern" in settings:
        got = Parameter("token_pattern", settings["token_pattern"])
        raise InputError("A page finds words as they are by default", got=got)
