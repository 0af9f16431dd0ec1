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
from everyword.language_models.heads import load_as_saved, save_beside, save_for_transformers
from everyword.language_models.language_model import find_model
from everyword.models.load import load
from everyword.models.model import Model
from everyword.vectors.table import VectorTable

if TYPE_CHECKING:
    from everyword.plugins.transformers.robust import Robust

FOLDER = "everyword"
"""Inside the folder that transformers writes."""
SETTINGS = "robust.json"
VECTORS = "imputer"
"""The folder of a model; its name is older than the argument `vectors`."""
TABLE = "vectors.npy"
WEIGHTS = "strategy.safetensors"
FORMAT = 1
MODULES = "modules.json"
"""The file that makes a folder a sentence encoder."""


def save_robust(model: Any, robust: Robust, folder: str | Path, **options: Any) -> None:
    """Save the plain model, which anybody can load, and in its folder what makes it robust."""
    weights = options.pop("state_dict", None) or model.state_dict()
    plain = {name: tensor for name, tensor in weights.items() if not name.startswith(FOLDER + ".")}
    home = Path(folder) / FOLDER
    # First: until all of the new model is there, the folder must not be taken for the old one or for half of each.
    (home / SETTINGS).unlink(missing_ok=True)
    type(model).save_pretrained(model, folder, state_dict=plain, **options)
    home.mkdir(exist_ok=True)
    if isinstance(robust.vectors, Model):
        robust.vectors.save_pretrained(home / VECTORS)
    else:
        robust.vectors.save(home / TABLE)
    write_atomic(home / WEIGHTS, save(robust.robust_input.strategy.state_dict()))
    # Last: without it the folder is a plain model.
    write_atomic(home / SETTINGS, json.dumps({"format": FORMAT, **robust.settings}, indent=2) + "\n")


def from_pretrained(folder: str | Path, kind: Any = None, **options: Any) -> tuple[Any, Any]:
    """Load a robust model and its tokenizer.

    Args:
        folder: Where `save_pretrained` of the robust model and of its tokenizer wrote.
        kind: A class of transformers; by default the one that was saved.
        options: For the class's `from_pretrained`.

    Returns:
        The model and the tokenizer.

    Raises:
        InputError: If the folder does not hold a robust model.
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


def robustify_folder(source: str | Path, output: str | Path, vectors: Any = None, **options: Any) -> str:
    """Save a robust copy of a language model or of a sentence encoder, whichever `source` is.

    Args:
        source: A folder or a hub id. A sentence encoder (a folder with modules.json) keeps its pooling and
            normalising; that needs the extra `sentence-transformers`.
        output: The folder to save to.
        vectors: As for `robustify`.
        options: `strategy`, `words` and `progress`, as for `robustify`.

    Returns:
        A line of Python that loads the result.

    Raises:
        InputError: If `source` cannot be loaded or cannot be made robust.
    """
    from everyword.plugins.transformers.robust import robustify

    output = Path(output)
    if (location := _sentence_encoder(source)) is None:
        network, tokenizer = load_as_saved(source)
        save_for_transformers(robustify(network, tokenizer, vectors, **options), tokenizer, output)
        (output / MODULES).unlink(missing_ok=True)  # of a sentence encoder that was there before
        return f"from everyword.plugins.transformers import from_pretrained; from_pretrained({str(output)!r})"
    sentences = require("sentence_transformers", f"A sentence encoder such as {source}")
    from everyword.plugins.sentence_transformers import robustify as robustify_sentences

    encoder = robustify_sentences(sentences.SentenceTransformer(location), vectors, **options)
    save_beside(output, encoder.save_pretrained)
    return (
        "from sentence_transformers import SentenceTransformer; "
        f"SentenceTransformer({str(output)!r}, trust_remote_code=True)"
    )


def _sentence_encoder(source: str | Path) -> str | None:
    """Return where a sentence encoder is, or None if `source` is a plain language model."""
    # Before looking for a model inside: older sentence encoders keep theirs in a folder of its own.
    location = str(source) if (Path(source) / MODULES).is_file() else find_model(source)
    if Path(location).is_dir():
        return location if (Path(location) / MODULES).is_file() else None
    hub = require("transformers.utils", "A language model")
    try:
        found = hub.cached_file(location, MODULES, _raise_exceptions_for_missing_entries=False)
    except OSError:  # there is no such model, or the hub is out of reach; whoever loads it says so
        found = None
    return None if found is None else location


def make_as_saved(model: Any, tokenizer: Any, folder: str | Path) -> None:
    """Make a plain model as robust as the one that was saved to a folder."""
    from everyword.plugins.transformers.robust import PART, robustify

    home = Path(folder) / FOLDER
    settings = _settings(home)
    vectors = VectorTable.load(home / TABLE) if (home / TABLE).is_file() else load(home / VECTORS)
    robustify(model, tokenizer, vectors, settings["strategy"], words=settings["words"])
    getattr(model, PART).robust_input.strategy.load_state_dict(load_file(home / WEIGHTS))


def _settings(home: Path) -> dict[str, str]:
    try:
        settings = read_object(home / SETTINGS)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{home.parent} does not hold a robust model ({FOLDER}/{SETTINGS} is missing); make one with robustify and "
            "its save_pretrained."
        ) from None
    except ValueError as error:
        raise InputError(f"{home / SETTINGS} is damaged ({error}); save the model again.") from None
    if settings.get("format") != FORMAT:
        raise InputError(
            f"{home / SETTINGS} has format {settings.get('format')!r:.40}, and this everyword reads {FORMAT}; "
            "update everyword."
        )
    if not all(isinstance(settings.get(name), str) for name in ("strategy", "words")):
        raise InputError(f"{home / SETTINGS} lacks the strategy or the kind of words; save the model again.")
    return settings
