"""Model → saved folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from everyword import __version__
from everyword.arrays import AnyArray
from everyword.errors import InputError
from everyword.files import checksum, write_whole
from everyword.models import layout
from everyword.models.adapted import AdaptedModel
from everyword.models.card import render_card
from everyword.models.model import Model
from everyword.space.linear_map import LinearMap


def write_model(model: Model, folder: Path) -> None:
    """Write all files of a model. The configuration comes last: without it the folder is no model yet."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; a model is saved to a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(model, AdaptedModel):
        write_model(model.base, folder / layout.BASE)
        tensors, checked = _map_tensors(model), layout.ADAPTED_CHECKED
    else:
        model.imputer.units.save(folder / layout.UNITS)
        tensors, checked = _encoder_tensors(model), layout.CHECKED
    write_whole(folder / layout.TENSORS, save(model.known_words.matrix.to_tensors(layout.KNOWN_MATRIX) | tensors))
    write_whole(folder / layout.WORDS, "".join(word + "\n" for word in model.known_words.words))
    config = describe(model)
    config["files"] = {name: checksum(folder / name) for name in checked}
    write_whole(folder / layout.CARD, render_card(config))
    write_whole(folder / layout.CONFIG, json.dumps(config, indent=2) + "\n")


def _encoder_tensors(model: Model) -> dict[str, AnyArray]:
    tensors: dict[str, AnyArray] = {}
    for name, table in model.imputer.tables.items():
        tensors |= table.to_tensors(layout.ENCODER_PREFIX + name)
    if model.gate is not None:
        tensors |= {layout.GATE_PREFIX + name: table for name, table in model.gate.tables.items()}
    return tensors


def _map_tensors(model: AdaptedModel) -> dict[str, AnyArray]:
    tables = {"matrix": model.to_own_space.matrix, "offset": model.to_own_space.offset}
    return {layout.MAP_PREFIX + name: table for name, table in tables.items()}


def describe(model: Model) -> dict[str, Any]:
    """The configuration of a model as plain values; units and encoder of an adapted one are those of its base."""
    imputer = model.imputer
    described = {
        "format": layout.FORMAT,
        "everyword": __version__,
        "name": model.name,
        "dim": model.dim,
        "normalise": asdict(model.normalise),
        "units": {"name": imputer.units.NAME, "config": asdict(imputer.units.config)},
        "encoder": {"name": imputer.encoder, "config": dict(imputer.config), "norm": imputer.norm},
        "known": {"words": len(model.known_words), "precision": model.known_words.matrix.precision},
        "gate": None if model.gate is None else {"name": model.gate.NAME},
        "training": dict(model.record),
    }
    if isinstance(model, AdaptedModel):
        described |= {
            "format": layout.ADAPTED_FORMAT,
            "map": {"name": LinearMap.NAME, "from": model.base.name, "length": model.to_own_space.length},
        }
    return described
