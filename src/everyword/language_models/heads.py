"""A language model with its head: what guesses masked words, or classifies texts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import torch

from everyword.errors import InputError
from everyword.extras import require
from everyword.language_models.language_model import check_no_random_weights, find_model, quietly
from everyword.learning.device import pick_device

Head = Literal["MaskedLM", "SequenceClassification"]
PURPOSES: dict[Head, str] = {
    "MaskedLM": "A model that guesses masked words",
    "SequenceClassification": "A transformer that classifies texts",
}
AS_SAVED = "A language model"


def load_with_head(
    source: str | Path, head: Head, *, device: str = "auto", new_head: int | None = None, **options: Any
) -> tuple[Any, Any]:
    """Network and tokenizer from a folder or a hub id.

    What the weights lack is refused; with `new_head`, it is drawn with that seed, as a head that is to be trained.
    """
    transformers = require("transformers", PURPOSES[head])
    target = pick_device(device)
    loader = getattr(transformers, f"AutoModelFor{head}")
    options = {"trust_remote_code": False, **options}
    network, tokenizer, missing = _loaded(source, lambda place: loader, PURPOSES[head], new_head or 0, **options)
    if new_head is None:
        check_no_random_weights(source, missing)
    return network.to(target), tokenizer


def load_as_saved(source: str | Path) -> tuple[Any, Any]:
    """Network and tokenizer from a folder or a hub id, with the head that was saved, or none."""
    transformers = require("transformers", AS_SAVED)

    def kind_of(place: str) -> Any:
        names = transformers.AutoConfig.from_pretrained(place, trust_remote_code=False).architectures or ["AutoModel"]
        return getattr(transformers, names[0])

    network, tokenizer, missing = _loaded(source, kind_of, AS_SAVED, 0)
    check_no_random_weights(source, missing)
    return network, tokenizer


def _loaded(
    source: str | Path, kind_of: Callable[[str], Any], what: str, seed: int, **options: Any
) -> tuple[Any, Any, set[str]]:
    """Network, tokenizer, and the parts that the weights lack."""
    transformers, place = require("transformers", what), find_model(source)
    with quietly(transformers), torch.random.fork_rng():
        torch.manual_seed(seed)
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, trust_remote_code=False)
            network, report = kind_of(place).from_pretrained(place, output_loading_info=True, **options)
        except Exception as error:  # whatever a damaged file or a hub out of reach makes these packages raise
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
            raise InputError(
                f"{what} could not be loaded from {source} ({reason}); give a folder that save_pretrained "
                "of transformers wrote, or the id of a model on the hub."
            ) from error
    return network, tokenizer, report["missing_keys"]


def save_for_transformers(network: Any, tokenizer: Any, folder: Path) -> None:
    """Save both to a folder as save_pretrained does; a reader never sees half of a file."""

    def save(beside: str) -> None:
        network.save_pretrained(beside)
        tokenizer.save_pretrained(beside)

    save_beside(folder, save)


def save_beside(folder: Path, save: Callable[[str], None]) -> None:
    """Let `save` write a model to a folder beside this one, then move its files here, config.json last."""
    transformers = require("transformers", "Saving a language model")
    folder.mkdir(parents=True, exist_ok=True)
    with quietly(transformers), TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as beside:
        save(beside)
        for path in sorted(Path(beside).iterdir(), key=lambda path: path.name == "config.json"):
            if (folder / path.name).is_dir():  # what plug-ins write beside a model; no folder takes another's place
                shutil.rmtree(folder / path.name)
            os.replace(path, folder / path.name)
