"""Model → saved folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from everyword import __version__
from everyword.errors import InputError
from everyword.models import layout
from everyword.models.card import render_card
from everyword.models.model import Model


def write_model(model: Model, folder: Path) -> None:
    """Write all files of a model. The configuration comes last: without it the folder is no model yet."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; a model is saved to a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    known = model.known_words
    tensors = known.matrix.to_tensors(layout.KNOWN_MATRIX)
    for name, table in model.imputer.tables.items():
        tensors |= table.to_tensors(layout.ENCODER_PREFIX + name)
    _replace(folder / layout.TENSORS, lambda path: path.write_bytes(save(tensors)))
    _replace(folder / layout.UNITS, model.imputer.units.save)
    _replace(folder / layout.WORDS, lambda path: _write_text(path, "".join(word + "\n" for word in known.words)))
    config = describe(model)
    config["files"] = {name: layout.checksum(folder / name) for name in layout.CHECKED}
    _replace(folder / layout.CARD, lambda path: _write_text(path, render_card(config)))
    _replace(folder / layout.CONFIG, lambda path: _write_text(path, json.dumps(config, indent=2) + "\n"))


def describe(model: Model) -> dict[str, Any]:
    """The configuration of a model as plain values."""
    imputer = model.imputer
    return {
        "format": layout.FORMAT,
        "everyword": __version__,
        "name": model.name,
        "dim": model.dim,
        "normalise": asdict(model.normalise),
        "units": {"name": imputer.units.NAME, "config": asdict(imputer.units.config)},
        "encoder": {"name": imputer.encoder, "config": dict(imputer.config), "norm": imputer.norm},
        "known": {"words": len(model.known_words), "precision": model.known_words.matrix.precision},
        "training": dict(model.record),
    }


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside the target, then rename: a reader sees the old file or the new one, never half of one."""
    beside = path.with_name(path.name + ".partial")
    write(beside)
    os.replace(beside, path)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
