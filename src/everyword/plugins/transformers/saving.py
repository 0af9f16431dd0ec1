"""Robust models in folders: what transformers saves, and beside it what makes them robust."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors.torch import load_file, save

from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import read_object
from everyword.models.load import load
from everyword.models.model import Model
from everyword.vectors.table import VectorTable

if TYPE_CHECKING:
    from everyword.plugins.transformers.robust import Robust

FOLDER = "everyword"
"""Inside the folder that transformers writes."""
SETTINGS = "robust.json"
IMPUTER = "imputer"
TABLE = "vectors.npy"
WEIGHTS = "strategy.safetensors"
FORMAT = 1


def save_robust(model: Any, robust: Robust, folder: str | Path, **options: Any) -> None:
    """`save_pretrained` of a robust model: the plain model, which anybody can load, and the folder everyword in it."""
    weights = options.pop("state_dict", None) or model.state_dict()
    plain = {name: tensor for name, tensor in weights.items() if not name.startswith(FOLDER + ".")}
    # First: until all of the new model is there, the folder must not be taken for the old one or for half of each.
    (Path(folder) / FOLDER / SETTINGS).unlink(missing_ok=True)
    type(model).save_pretrained(model, folder, state_dict=plain, **options)
    place = Path(folder) / FOLDER
    place.mkdir(exist_ok=True)
    if isinstance(robust.imputer, Model):
        robust.imputer.save_pretrained(place / IMPUTER)
    else:
        robust.imputer.save(place / TABLE)
    write_atomic(place / WEIGHTS, save(robust.robust_input.strategy.state_dict()))
    # Last: without it the folder is a plain model.
    write_atomic(place / SETTINGS, json.dumps({"format": FORMAT, **robust.settings}, indent=2) + "\n")


def from_pretrained(folder: str | Path, kind: Any = None, **options: Any) -> tuple[Any, Any]:
    """A robust model and its tokenizer from the folder that its `save_pretrained` wrote.

    `kind` is a class of transformers, by default the one that was saved; options go to its `from_pretrained`. The
    tokenizer is read from the same folder: save it there as well.
    """
    _settings(Path(folder) / FOLDER)
    transformers = require("transformers", "A robust model")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    if kind is None:
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        kind = getattr(transformers, (config.architectures or ["AutoModel"])[0])
    model = kind.from_pretrained(folder, **options)
    make_as_saved(model, tokenizer, folder)
    return model, tokenizer


def make_as_saved(model: Any, tokenizer: Any, folder: str | Path) -> None:
    """Make a plain model as robust as the one that was saved to a folder."""
    from everyword.plugins.transformers.robust import PART, robustify

    place = Path(folder) / FOLDER
    settings = _settings(place)
    imputer = VectorTable.load(place / TABLE) if (place / TABLE).is_file() else load(place / IMPUTER)
    robustify(model, tokenizer, imputer, settings["strategy"], words=settings["words"])
    getattr(model, PART).robust_input.strategy.load_state_dict(load_file(place / WEIGHTS))


def _settings(place: Path) -> dict[str, str]:
    try:
        settings = read_object(place / SETTINGS)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{place.parent} holds no robust model ({FOLDER}/{SETTINGS} is missing); make one with robustify and its "
            "save_pretrained."
        ) from None
    except ValueError as error:
        raise InputError(f"{place / SETTINGS} is damaged ({error}); save the model again.") from None
    if settings.get("format") != FORMAT:
        raise InputError(
            f"{place / SETTINGS} has format {settings.get('format')!r:.40}, and this everyword reads {FORMAT}; "
            "update it."
        )
    if not all(isinstance(settings.get(name), str) for name in ("strategy", "words")):
        raise InputError(f"{place / SETTINGS} names no strategy or no words; save the model again.")
    return settings
