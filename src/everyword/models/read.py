"""Saved folder → model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.numpy import load_file

from everyword import config, registry
from everyword.errors import DamagedModelError
from everyword.files import checksum
from everyword.models import layout
from everyword.models.adapted import AdaptedModel
from everyword.models.blend.gate import Gate, misfits
from everyword.models.imputer import Imputer
from everyword.models.known import KnownWords
from everyword.models.layout import under
from everyword.models.model import Model
from everyword.models.stored import StoredMatrix
from everyword.space.linear_map import LinearMap
from everyword.text.normalise import Normaliser


def read_model(folder: Path) -> Model:
    """Read a model, after checking that its files are whole and of a format this version knows."""
    described = read_description(folder)
    for name, expected in described["files"].items():
        _check_file(folder / name, expected)
    try:
        tensors = load_file(folder / layout.TENSORS)
    except SafetensorError as error:
        raise DamagedModelError(f"{folder / layout.TENSORS} cannot be read: {error}.") from None
    known, name, training = _read_known(folder, tensors), described["name"], described["training"]
    if "map" in described:
        base = read_model(folder / layout.BASE)
        return AdaptedModel(name, base, _read_map(described["map"], tensors), known, training)
    return Model(
        name,
        config.build(Normaliser, described["normalise"]),
        _read_imputer(folder, described, tensors),
        known,
        training,
        gate=_read_gate(described, tensors),
    )


def read_description(folder: Path) -> dict[str, Any]:
    """The configuration of a saved model, without its vectors."""
    path = folder / layout.CONFIG
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(described, dict) or "format" not in described:
            raise ValueError("the key 'format' is missing")
    except FileNotFoundError:
        raise DamagedModelError(f"{folder} is no saved model: it has no {layout.CONFIG}.") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise DamagedModelError(f"{path} is no configuration of a saved model: {error}.") from None
    if described["format"] not in layout.READABLE:
        raise DamagedModelError(
            f"{folder} has model format {described['format']}, and this version of everyword reads formats "
            f"up to {max(layout.READABLE)}: run  pip install -U everyword"
        )
    missing = {"name", "normalise", "units", "encoder", "training", "files"} - described.keys()
    if missing:
        raise DamagedModelError(f"{path} lacks the keys {', '.join(sorted(missing))}.")
    return described


def _check_file(path: Path, expected: str) -> None:
    if not path.is_file():
        raise DamagedModelError(f"The model is not whole: {path} is missing. Download or save it again.")
    if checksum(path) != expected:
        raise DamagedModelError(f"{path} is damaged: its checksum is not the one saved. Download or save it again.")


def _read_imputer(folder: Path, described: dict[str, Any], tensors: dict[str, Any]) -> Imputer:
    units, encoder = described["units"], described["encoder"]
    make_units = registry.unit_vocabularies.get(units["name"])
    encoder_tensors = under(layout.ENCODER_PREFIX, tensors)
    return Imputer(
        units=make_units.load(folder / layout.UNITS, config.build(make_units.Config, units["config"])),
        encoder=encoder["name"],
        config=encoder["config"],
        tables={
            name: StoredMatrix.from_tensors(encoder_tensors, name)
            for name in sorted(encoder_tensors)
            if not name.endswith(".scales")
        },
        norm=encoder["norm"],
    )


def _read_gate(described: dict[str, Any], tensors: dict[str, Any]) -> Gate | None:
    """The gate, if the model has one."""
    gate = described.get("gate")
    if gate is None:
        return None
    name = gate.get("name") if isinstance(gate, dict) else gate
    if name != Gate.NAME:
        raise DamagedModelError(
            f"The model has a gate {name!r}, and this version of everyword knows {Gate.NAME!r}: "
            "run  pip install -U everyword"
        )
    tables = under(layout.GATE_PREFIX, tensors)
    if wrong := misfits(tables):
        raise DamagedModelError(f"The model's gate is not whole: {', '.join(wrong)} missing or of the wrong size.")
    return Gate(tables)


def _read_map(described: dict[str, Any], tensors: dict[str, Any]) -> LinearMap:
    """The map of an adapted model."""
    if described["name"] != LinearMap.NAME:
        raise DamagedModelError(
            f"The model has a map {described['name']!r}, and this version of everyword knows {LinearMap.NAME!r}: "
            "run  pip install -U everyword"
        )
    tables = under(layout.MAP_PREFIX, tensors)
    if not {"matrix", "offset"} <= tables.keys() or tables["matrix"].shape[1:] != tables["offset"].shape:
        raise DamagedModelError("The model's map is not whole: its matrix or offset is missing or of the wrong size.")
    return LinearMap(tables["matrix"], tables["offset"], described["length"])


def _read_known(folder: Path, tensors: dict[str, Any]) -> KnownWords:
    words = (folder / layout.WORDS).read_text(encoding="utf-8").split("\n")[:-1]
    matrix = StoredMatrix.from_tensors(tensors, layout.KNOWN_MATRIX)
    if len(words) != len(matrix):
        raise DamagedModelError(f"{folder} lists {len(words)} known words but stores {len(matrix)} vectors.")
    return KnownWords(words, matrix)
