"""Read a model from its saved folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from everyword import config, registry
from everyword.arrays import read_tensors
from everyword.atomic import complete_file
from everyword.errors import DamagedModelError
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.blend import gate as first_gate
from everyword.models.blend import reading_gate as second_gate
from everyword.models.blend.readers import AnyGate
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import FOREIGN, KnownWords
from everyword.models.model import Model
from everyword.models.part import SavedPart
from everyword.models.readings.composer import Readings
from everyword.models.saved import layout
from everyword.models.saved.config_schema import checked_description, read_description
from everyword.models.saved.layout import under
from everyword.models.word_index import WordIndex
from everyword.models.word_list import WordList, check_text
from everyword.space.linear_map import LinearMap
from everyword.text.normalise import Normaliser
from everyword.vectors.storage.quantised import read_matrix
from everyword.vectors.storage.stored import StoredMatrix


def read_model(folder: Path) -> Model:
    """Read a model, after checking that its files are complete and of a format this version knows."""
    return _read(folder, read_description(folder))


def read_inner_model(configuration: Path) -> Model:
    """Read a model inside another one, by its configuration, which may not have its final name yet."""
    return _read(configuration.parent, checked_description(configuration))


def _read(folder: Path, described: dict[str, Any]) -> Model:
    files = {name: _complete(folder / name, expected) for name, expected in described["files"].items()}
    try:
        tensors, _ = read_tensors(files[layout.TENSORS], mapped=True)
    except ValueError as error:
        raise DamagedModelError(f"{files[layout.TENSORS]} cannot be read: {error}.") from None
    known = _read_known(files[layout.WORDS], described, tensors)
    name, training = described["name"], described["training"]
    if "map" in described:
        base = read_inner_model(files[f"{layout.BASE}/{layout.CONFIG}"])
        return _fitting(folder, AdaptedModel(name, base, _read_map(described["map"], base, tensors), known, training))
    form_encoder = _read_form_encoder(files[layout.UNITS], described, tensors)
    normalise, gate = config.build(Normaliser, described["normalise"]), _read_gate(described, tensors)
    readings, parts = _read_readings(described), _read_parts(folder, described)
    same = (name, normalise, form_encoder, known, training)
    return _fitting(folder, Model(*same, gate=gate, readings=readings, parts=parts))


def _read_parts(folder: Path, described: dict[str, Any]) -> dict[str, SavedPart]:
    """Find the parts in files of their own, which are opened when they are needed."""
    found = {}
    for key, file in layout.PARTS.items():
        if key in described:
            if not isinstance(described[key], dict):
                raise DamagedModelError(f"{folder / layout.CONFIG} must say what {file} is. Download or save it again.")
            found[key] = SavedPart(folder / file, described[key])
    return found


def _complete(path: Path, expected: str) -> Path:
    if found := complete_file(path, expected):
        return found
    if not path.is_file():
        raise DamagedModelError(f"The model is incomplete: {path} is missing. Download or save it again.")
    raise DamagedModelError(f"{path} is damaged: its checksum is not the one saved. Download or save it again.")


def _fitting(folder: Path, model: Model) -> Model:
    """Return the model if all of it has one dimension."""
    if model.dim != model.known_words.dim:
        raise DamagedModelError(
            f"{folder} stores vectors of dimension {model.known_words.dim} but infers vectors of dimension {model.dim}"
            "; download or save it again."
        )
    return model


def _read_form_encoder(units_path: Path, described: dict[str, Any], tensors: dict[str, Any]) -> FormEncoder:
    units, encoder = described["units"], described["encoder"]
    make_units = registry.unit_vocabularies.get(units["name"])
    encoder_tensors = under(layout.ENCODER_PREFIX, tensors)
    return FormEncoder(
        units=make_units.load(units_path, config.build(make_units.Config, units["config"])),
        encoder=encoder["name"],
        config=encoder["config"],
        tables={
            name: StoredMatrix.from_tensors(encoder_tensors, name)
            for name in sorted(encoder_tensors)
            if not name.endswith(".scales")
        },
        norm=encoder["norm"],
    )


def _read_gate(described: dict[str, Any], tensors: dict[str, Any]) -> AnyGate | None:
    """Read the gate, if the model has one."""
    gate = described.get("gate")
    if gate is None:
        return None
    name = gate.get("name") if isinstance(gate, dict) else gate
    known = first_gate.Gate.NAME, second_gate.ReadingGate.NAME
    if name not in known:
        raise DamagedModelError(
            f"The model has a gate {name!r}, and this version of everyword knows {' and '.join(map(repr, known))}: "
            "run  pip install -U everyword"
        )
    tables = under(layout.GATE_PREFIX, tensors)
    first = name == first_gate.Gate.NAME
    if wrong := (first_gate if first else second_gate).misfits(tables):
        raise DamagedModelError(f"The model's gate is incomplete: {', '.join(wrong)} missing or of the wrong size.")
    if first:
        return first_gate.Gate(tables)
    reach = gate.get("reach")
    if not isinstance(reach, int) or reach < 1:
        raise DamagedModelError(f"The reach of the model's gate must be a number of words. Got {reach!r:.40} instead.")
    return second_gate.ReadingGate(tables, reach)


def _read_readings(described: dict[str, Any]) -> Readings | None:
    """Read what the model says about tokens, if it does."""
    readings = described.get("readings")
    if readings is None:
        return None
    name, reliability = (readings.get(key) if isinstance(readings, dict) else None for key in ("name", "reliability"))
    if name != Readings.NAME:
        raise DamagedModelError(
            f"The model has readings {name!r:.40}, and this version of everyword knows {Readings.NAME!r}: "
            "run  pip install -U everyword"
        )
    if not isinstance(reliability, dict) or not all(
        isinstance(value, int | float) and 0 <= value <= 1 for value in reliability.values()
    ):
        raise DamagedModelError("The reliability of the model's readings must be numbers from 0 to 1, by kind.")
    return Readings(reliability)


def _read_map(described: dict[str, Any], base: Model, tensors: dict[str, Any]) -> LinearMap:
    """Read the map of an adapted model."""
    if described.get("name") != LinearMap.NAME:
        raise DamagedModelError(
            f"The model has a map {described.get('name')!r:.40}, and this version of everyword knows "
            f"{LinearMap.NAME!r}: run  pip install -U everyword"
        )
    tables = under(layout.MAP_PREFIX, tensors)
    matrix, offset = (tables.get(name, np.empty(0)) for name in ("matrix", "offset"))
    length = described.get("length")
    if (
        not isinstance(length, int | float)
        or not 0 < length < np.inf
        or offset.ndim != 1
        or matrix.shape != (base.dim, len(offset))
        or not all(table.dtype == np.float32 and np.isfinite(table).all() for table in (matrix, offset))
    ):
        raise DamagedModelError("The model's map is incomplete: its matrix or offset is missing or of the wrong size.")
    return LinearMap(matrix, offset, length)


def _read_known(path: Path, described: dict[str, Any], tensors: dict[str, Any]) -> KnownWords:
    text = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    try:
        check_text(text)
    except UnicodeDecodeError as error:
        raise DamagedModelError(f"{path} is not a list of words in UTF-8: {error}.") from None
    words, matrix = WordList(text), read_matrix(tensors, layout.KNOWN_MATRIX)
    if len(matrix.shape) != 2:
        raise DamagedModelError(f"{path} has no vectors beside it, but an array of shape {matrix.shape}.")
    if len(words) != len(matrix):
        raise DamagedModelError(f"{path} lists {len(words)} known words but {len(matrix)} vectors are stored.")
    saved = bool(under(layout.KNOWN_INDEX, tensors))
    index = WordIndex.from_tensors(words, tensors, layout.KNOWN_INDEX) if saved else WordIndex.of(words)
    if index.repeated() is not None:
        raise DamagedModelError(f"{path} lists a word twice; download or save the model again.")
    reliability = tensors.get(layout.KNOWN_RELIABILITY)
    if reliability is not None and (reliability.dtype != np.uint8 or reliability.shape != (len(words),)):
        raise DamagedModelError(f"The reliability of the words of {path} must be a byte for each of them.")
    return KnownWords(words, matrix, _read_sections(described, len(words)), index=index, reliability=reliability)


def _read_sections(described: dict[str, Any], words: int) -> dict[str, int] | None:
    """Read the sizes of sections, if the model has any."""
    known = described.get("known")
    sizes = known.get("sections") if isinstance(known, dict) else None
    if sizes is None:
        return None
    if (
        not isinstance(sizes, dict)
        or not all(type(size) is int and size >= 0 for size in sizes.values())
        or sum(sizes.values()) != words
        or FOREIGN in list(sizes)[:-1]
    ):
        raise DamagedModelError(f"The model's sections do not hold its {words:,} words; download or save it again.")
    return sizes
