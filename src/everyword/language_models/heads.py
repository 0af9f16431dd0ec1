"""Load and save language models with a head: one that predicts masked words or classifies texts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from everyword.extras import require
from everyword.language_models.language_model import check_no_random_weights, load_pretrained, quietly
from everyword.learning.device import pick_device

Head = Literal["MaskedLM", "SequenceClassification", "TokenClassification"]
PURPOSES: dict[Head, str] = {
    "MaskedLM": "A model that predicts masked words",
    "SequenceClassification": "A transformer that classifies texts",
    "TokenClassification": "A transformer that tags words",
}


def load_with_head(
    source: str | Path, head: Head, *, device: str = "auto", new_head: int | None = None, **options: Any
) -> tuple[Any, Any]:
    """Load a network with a head, and its tokenizer, from a folder or a hub id.

    Missing weights raise InputError; with `new_head`, they are drawn with that seed, as a head to be trained is.
    """
    target = pick_device(device)
    options = {"trust_remote_code": False, **options}
    network, tokenizer, missing = load_pretrained(
        source,
        lambda transformers, _: getattr(transformers, f"AutoModelFor{head}"),
        PURPOSES[head],
        seed=new_head or 0,
        **options,
    )
    if new_head is None:
        check_no_random_weights(source, missing)
    return network.to(target), tokenizer


def load_as_saved(source: str | Path) -> tuple[Any, Any]:
    """Load a network with the head that was saved, or none, and its tokenizer, from a folder or a hub id."""

    def saved_class(transformers: Any, found: str) -> Any:
        names = transformers.AutoConfig.from_pretrained(found, trust_remote_code=False).architectures or ["AutoModel"]
        return getattr(transformers, names[0])

    network, tokenizer, missing = load_pretrained(source, saved_class)
    check_no_random_weights(source, missing)
    return network, tokenizer


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
