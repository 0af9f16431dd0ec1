"""The saved folder of a BERTRAM: the trained network, and a description of its encoder.

config.json        configuration, encoder, training record, checksums
model.safetensors  weights of the network
ngrams.txt         character n-grams, one per line, or instead of it
form/              the everyword model that makes the form vectors, a saved folder itself
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
from everyword.models.saved.layout import CONFIG, TENSORS
from everyword.models.saved.read import read_inner_model
from everyword.models.saved.write import put_model
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.form import RARE, Form, ModelForm, NgramForm
from everyword.systems.bertram.model import Bertram, assemble
from everyword.text.units import read_units, write_units

FORMAT = "bertram.v1"
NGRAMS = "ngrams.txt"
FORM = "form"
FORM_CONFIG = f"{FORM}/{CONFIG}"


@dataclass(frozen=True)
class EncoderDescription:
    """The encoder, in config.json."""

    name: str
    identity: str
    """Its `weights_fingerprint`."""
    input_dim: int


@dataclass(frozen=True)
class SavedConfig:
    """The schema of config.json."""

    encoder: EncoderDescription
    config: dict[str, Any]
    training: dict[str, Any]
    files: dict[str, str]


def save(bertram: Bertram, folder: Path) -> None:
    """Write all files; an older model in the folder stays until all of the new one is written."""
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
    content = {
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
    writer.finish(json.dumps(content, indent=2) + "\n")


def _name_without_folders(name: str) -> str:
    """Return a hub id as it is, and of a path its last part: the folders above exist on this machine only."""
    return Path(name).resolve().name if Path(name).exists() else name


def load(
    folder: Path, encoder: LanguageModel | str | Path | None, *, device: str = "auto", precision: str | None = None
) -> Bertram:
    """Read what `save` wrote, after checking that it is complete and belongs to the encoder."""
    saved = _read_config(folder)
    files = {name: _checked(folder / name, expected) for name, expected in saved.files.items()}
    model = _encoder(folder, saved.encoder, encoder, device, precision)
    settings = config.build(BertramConfig, saved.config, "the saved model")
    network = assemble(_form(files, model.input_dim, settings), model, settings)
    try:
        arrays, _ = read_tensors(files[TENSORS])
        network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    except (ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise DamagedModelError(f"{folder / TENSORS} does not fit its configuration: {reason}.") from None
    return Bertram(model, network, settings, saved.training)


def _read_config(folder: Path) -> SavedConfig:
    path = folder / CONFIG
    try:
        content = read_object(path)
    except FileNotFoundError:
        raise InputError(
            f"{folder} is not a saved BERTRAM: {CONFIG} is missing; give the folder that everyword bertram train wrote."
        ) from None
    except ValueError as error:
        raise _damaged(path, str(error)) from None
    if (seen := content.get("format")) != FORMAT:
        raise InputError(
            f"{folder} is not a BERTRAM that this version reads: its format is {seen!r:.40}, not {FORMAT!r}."
        )
    known = [field.name for field in fields(SavedConfig)]
    saved = {name: value for name, value in content.items() if name in known}
    if problems := config.problems_of(SavedConfig, saved):
        raise _damaged(path, "; ".join(problems))
    if set(content["files"]) not in ({TENSORS, NGRAMS}, {TENSORS, FORM_CONFIG}):
        raise _damaged(path, "its files are not those of a BERTRAM")
    return config.build(SavedConfig, saved)


def _damaged(path: Path, reason: str) -> DamagedModelError:
    return DamagedModelError(f"{path} is not the configuration of a saved BERTRAM: {reason}.")


def _checked(path: Path, expected: str) -> Path:
    if found := complete_file(path, expected):
        return found
    if not path.is_file():
        raise DamagedModelError(f"The model is not complete: {path} is missing. Download or train it again.")
    raise DamagedModelError(f"{path} is damaged: its checksum has changed. Download or train the model again.")


def _encoder(
    folder: Path,
    saved: EncoderDescription,
    given: LanguageModel | str | Path | None,
    device: str,
    precision: str | None,
) -> LanguageModel:
    if isinstance(given, LanguageModel):
        model = given
    else:
        source = given if given is not None else _findable(folder, saved.name)
        model = LanguageModel.load(source, device=device, precision=precision)
    if model.weights_fingerprint() != saved.identity:
        raise InputError(
            f"{folder} was trained with the encoder {saved.name}, and {model.name} has other weights; "
            "give the encoder that it was trained with."
        )
    return model


def _findable(folder: Path, name: str) -> str:
    if "/" in name or Path(name).is_dir():
        return name
    raise InputError(f"{folder} was trained with the encoder {name}; give the path of that encoder.")


def _form(files: Mapping[str, Path], dim: int, settings: BertramConfig) -> Form:
    if NGRAMS in files:
        return NgramForm(read_units(files[NGRAMS], (RARE,)), dim, settings.ngrams)
    return ModelForm(read_inner_model(files[FORM_CONFIG]), dim, settings.form_vectors)
