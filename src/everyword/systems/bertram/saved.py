"""The saved folder of a BERTRAM: the trained part, and what tells the encoder that it belongs to.

config.json        configuration, encoder, training record, checksums
model.safetensors  the weights of the network
ngrams.txt         the character n-grams, one a line, or instead of it
form/              the everyword model that makes the form part, a saved folder itself
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from safetensors.numpy import save as to_bytes

from everyword import __version__, config
from everyword.arrays import read_tensors
from everyword.atomic import FolderWriter, complete_file
from everyword.errors import DamagedModelError, InputError
from everyword.files import read_object
from everyword.language_models.language_model import LanguageModel
from everyword.models.layout import CONFIG, TENSORS
from everyword.models.read import read_inner_model
from everyword.models.write import put_model
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.form import RARE, Form, ModelForm, NgramForm
from everyword.systems.bertram.model import Bertram, assemble
from everyword.text.units import read_units, write_units

FORMAT = "bertram.v1"
NGRAMS = "ngrams.txt"
FORM = "form"
FORM_CONFIG = f"{FORM}/{CONFIG}"


@dataclass(frozen=True)
class EncoderSaid:
    """What a configuration says of the encoder."""

    name: str
    identity: str
    input_dim: int


@dataclass(frozen=True)
class Said:
    """What a configuration must say."""

    encoder: EncoderSaid
    config: dict[str, Any]
    training: dict[str, Any]
    files: dict[str, str]


SAID = [field.name for field in fields(Said)]


def save(bertram: Bertram, folder: Path) -> None:
    """Write all files; an older model in the folder stays until all of the new one is there."""
    writer = FolderWriter(folder, CONFIG, "model")
    form = bertram.network.form
    if isinstance(form, NgramForm):
        write_units(writer.path(NGRAMS), form.listed)
        files = [TENSORS, NGRAMS]
    else:
        assert isinstance(form, ModelForm)  # there are two kinds
        writer.put(FORM_CONFIG, put_model(form.model, writer, f"{FORM}/"))
        files = [TENSORS, FORM_CONFIG]
    weights = {name: tensor.detach().cpu().numpy() for name, tensor in bertram.network.state_dict().items()}
    writer.put(TENSORS, to_bytes(weights))
    described = {
        "format": FORMAT,
        "everyword": __version__,
        "encoder": {
            "name": _name_without_folders(bertram.encoder.name),
            "identity": bertram.encoder.weights_fingerprint(),
            "input_dim": bertram.encoder.input_dim,
        },
        "config": config.to_dict(bertram.config),
        "training": bertram.record,
        "files": writer.checksums(files),
    }
    writer.finish(json.dumps(described, indent=2) + "\n")


def _name_without_folders(name: str) -> str:
    """A hub id as it is; of a folder the last name, because the folders before it are nobody else's."""
    return Path(name).resolve().name if Path(name).exists() else name


def load(
    folder: Path, encoder: LanguageModel | str | Path | None, *, device: str = "auto", precision: str | None = None
) -> Bertram:
    """Read what `save` wrote, after checking that it is whole and belongs to the encoder."""
    described = _read_description(folder)
    files = {name: _whole(folder / name, expected) for name, expected in described["files"].items()}
    model = _encoder(folder, described["encoder"], encoder, device, precision)
    settings = config.build(BertramConfig, described["config"], "the saved model")
    network = assemble(_form(files, model.input_dim, settings), model, settings)
    try:
        arrays, _ = read_tensors(files[TENSORS])
        network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    except (ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise DamagedModelError(f"{folder / TENSORS} does not fit its configuration: {reason}.") from None
    return Bertram(model, network, settings, described["training"])


def _read_description(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    try:
        described = read_object(path)
    except FileNotFoundError:
        raise InputError(
            f"{folder} is no saved BERTRAM: it has no {CONFIG}; give the folder that train wrote."
        ) from None
    except ValueError as error:
        raise DamagedModelError(f"{path} is no configuration of a saved BERTRAM: {error}.") from None
    if (seen := described.get("format")) != FORMAT:
        raise InputError(f"{folder} is no BERTRAM that this version reads: its format is {seen!r:.40}, not {FORMAT!r}.")
    problems = config.problems_of(Said, {name: value for name, value in described.items() if name in SAID})
    if not problems and set(described["files"]) not in ({TENSORS, NGRAMS}, {TENSORS, FORM_CONFIG}):
        problems = ["its files are not those of a BERTRAM"]
    if problems:
        raise DamagedModelError(f"{path} is no configuration of a saved BERTRAM: {'; '.join(problems)}.")
    return described


def _whole(path: Path, expected: str) -> Path:
    if found := complete_file(path, expected):
        return found
    if not path.is_file():
        raise DamagedModelError(f"The model is not whole: {path} is missing. Get or train it again.")
    raise DamagedModelError(f"{path} is damaged: its checksum is not the one saved. Get or train it again.")


def _encoder(
    folder: Path,
    described: dict[str, Any],
    given: LanguageModel | str | Path | None,
    device: str,
    precision: str | None,
) -> LanguageModel:
    if isinstance(given, LanguageModel):
        model = given
    else:
        source = given if given is not None else _findable(folder, described["name"])
        model = LanguageModel.load(source, device=device, precision=precision)
    if model.weights_fingerprint() != described["identity"]:
        raise InputError(
            f"{folder} was trained with the encoder {described['name']}, and {model.name} has other weights; "
            "give the encoder that it was trained with."
        )
    return model


def _findable(folder: Path, name: str) -> str:
    if "/" in name or Path(name).is_dir():
        return name
    raise InputError(f"{folder} was trained with the encoder {name}; say where that lies.")


def _form(files: Mapping[str, Path], dim: int, settings: BertramConfig) -> Form:
    if NGRAMS in files:
        return NgramForm(read_units(files[NGRAMS], (RARE,)), dim, settings.ngrams)
    return ModelForm(read_inner_model(files[FORM_CONFIG]), dim, settings.form_vectors)
