"""Save a model to its folder."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from everyword import __version__
from everyword.arrays import AnyArray, left_out, tensor_bytes
from everyword.atomic import FolderWriter
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.known import WORDS, KnownWords
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.models.saved.card import render_card
from everyword.space.linear_map import LinearMap
from everyword.vectors.storage.quantised import QuantisedMatrix


def write_model(model: Model, folder: Path) -> None:
    """Write all files of a model; an older model in the folder stays until the new one is complete."""
    writer = FolderWriter(folder, layout.CONFIG, "model")
    writer.finish(put_model(model, writer))


def put_model(model: Model, writer: FolderWriter, inside: str = "") -> str:
    """Write all files of a model but the configuration, whose text is returned, to a folder inside another one."""
    if isinstance(model, AdaptedModel):
        base = f"{inside}{layout.BASE}/"
        writer.put(base + layout.CONFIG, put_model(model.base, writer, base))
        tensors, checked = _map_tensors(model), layout.ADAPTED_CHECKED
    else:
        model.form_encoder.units.save(writer.path(inside + layout.UNITS))
        tensors, checked = _encoder_tensors(model), layout.CHECKED
    saved = _known_tensors(model.known_words) | tensors
    writer.put(inside + layout.TENSORS, tensor_bytes(saved))
    writer.put(inside + layout.WORDS, "".join(word + "\n" for word in model.known_words.words))
    config = describe(model)
    if left_out(saved):
        config["format"] = layout.PRUNED_FORMAT
    for key in layout.PARTS.keys() & config.keys():
        writer.put(inside + layout.PARTS[key], model.parts[key].content())
    config["files"] = writer.checksums(checked, inside)
    writer.put(inside + layout.CARD, render_card(config))
    return json.dumps(config, indent=2) + "\n"


def _known_tensors(known: KnownWords) -> dict[str, AnyArray]:
    tensors = known.matrix.to_tensors(layout.KNOWN_MATRIX)
    if isinstance(known.matrix, QuantisedMatrix):
        tensors |= known.index.to_tensors(layout.KNOWN_INDEX)
        if known.reliability is not None:
            tensors[layout.KNOWN_RELIABILITY] = known.reliability
    return tensors


def _encoder_tensors(model: Model) -> dict[str, AnyArray]:
    tensors: dict[str, AnyArray] = {}
    for name, table in model.form_encoder.tables.items():
        tensors |= table.to_tensors(layout.ENCODER_PREFIX + name)
    if model.gate is not None:
        tensors |= {layout.GATE_PREFIX + name: table for name, table in model.gate.tables.items()}
    return tensors


def _map_tensors(model: AdaptedModel) -> dict[str, AnyArray]:
    tables = {"matrix": model.to_own_space.matrix, "offset": model.to_own_space.offset}
    return {layout.MAP_PREFIX + name: table for name, table in tables.items()}


def describe(model: Model) -> dict[str, Any]:
    """Return the configuration of a model as plain values; an adapted one has units and encoder of its base."""
    form_encoder = model.form_encoder
    described = {
        "format": layout.FORMAT,
        "everyword": __version__,
        "name": model.name,
        "dim": model.dim,
        "normalise": model.normalise.described(),
        "units": {"name": form_encoder.units.NAME, "config": asdict(form_encoder.units.config)},
        "encoder": {"name": form_encoder.encoder, "config": dict(form_encoder.config), "norm": form_encoder.norm},
        "known": _describe_known(model.known_words),
        "gate": None if model.gate is None else model.gate.described(),
        "training": dict(model.record),
    }
    if model.readings is not None:
        described["readings"] = {"name": model.readings.NAME, "reliability": dict(model.readings.reliability)}
    if model.parts_of is model.known_words:  # a part for other words would not fit
        described |= {key: dict(part.described) for key, part in model.parts.items()}
    if isinstance(model, AdaptedModel):
        described |= {
            "format": layout.ADAPTED_FORMAT,
            "map": {"name": LinearMap.NAME, "from": model.base.name, "length": model.to_own_space.length},
        }
    if isinstance(model.known_words.matrix, QuantisedMatrix):
        described["format"] = layout.QUANTISED_FORMAT
    return described


def _describe_known(known: KnownWords) -> dict[str, Any]:
    described: dict[str, Any] = {"words": len(known), "precision": known.matrix.precision}
    return described if list(known.sections) == [WORDS] else described | {"sections": known.section_sizes()}
