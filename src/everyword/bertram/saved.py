"""The saved folder of a BERTRAM: the trained part, and what tells the encoder that it belongs to.

config.json        configuration, encoder, training record, checksums
model.safetensors  the weights of the network
ngrams.txt         the character n-grams, one a line, or instead of it
form/              the everyword model that makes the form part, a saved folder itself
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file
from safetensors.numpy import save as to_bytes

from everyword import __version__, config
from everyword.bertram.configuration import BertramConfig
from everyword.bertram.form import RARE, Form, ModelForm, NgramForm
from everyword.bertram.model import Bertram, assemble
from everyword.errors import DamagedModelError, InputError
from everyword.files import checksum, write_whole
from everyword.models.layout import CONFIG, TENSORS
from everyword.models.read import read_model
from everyword.models.write import write_model
from everyword.teachers.language_model import LanguageModel
from everyword.text.units import read_units, write_units

FORMAT = "bertram.v1"
NGRAMS = "ngrams.txt"
FORM = "form"


def save(bertram: Bertram, folder: Path) -> None:
    """Write all files. The configuration comes last: without it the folder is no model yet."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; a model is saved to a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    form = bertram.network.form
    if isinstance(form, NgramForm):
        write_units(folder / NGRAMS, form.listed)
        files = [TENSORS, NGRAMS]
    else:
        assert isinstance(form, ModelForm)  # there are two kinds
        write_model(form.model, folder / FORM)
        files = [TENSORS, f"{FORM}/{CONFIG}"]
    weights = {name: tensor.detach().cpu().numpy() for name, tensor in bertram.network.state_dict().items()}
    write_whole(folder / TENSORS, to_bytes(weights))
    described = {
        "format": FORMAT,
        "everyword": __version__,
        "encoder": {
            "name": _name_without_folders(bertram.encoder.name),
            "identity": bertram.encoder.identity(),
            "input_dim": bertram.encoder.input_dim,
        },
        "config": config.to_dict(bertram.config),
        "training": bertram.record,
        "files": {name: checksum(folder / name) for name in files},
    }
    write_whole(folder / CONFIG, json.dumps(described, indent=2) + "\n")


def _name_without_folders(name: str) -> str:
    """A hub id as it is; of a folder the last name, because the folders before it are nobody else's."""
    return Path(name).resolve().name if Path(name).exists() else name


def load(
    folder: Path, encoder: LanguageModel | str | Path | None, *, device: str = "auto", precision: str | None = None
) -> Bertram:
    """Read what `save` wrote, after checking that it is whole and belongs to the encoder."""
    described = _read_description(folder)
    for name, expected in described["files"].items():
        _check_file(folder / name, expected)
    model = _encoder(folder, described["encoder"], encoder, device, precision)
    settings = config.build(BertramConfig, described["config"], "the saved model")
    network = assemble(_form(folder, described, model.input_dim, settings), model, settings)
    try:
        weights = {name: torch.from_numpy(array) for name, array in load_file(folder / TENSORS).items()}
        network.load_state_dict(weights)
    except (SafetensorError, RuntimeError) as error:
        raise DamagedModelError(f"{folder / TENSORS} does not fit its configuration: {error}.") from None
    return Bertram(model, network, settings, described["training"])


def _read_description(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        seen = described.get("format")
    except FileNotFoundError:
        raise InputError(
            f"{folder} is no saved BERTRAM: it has no {CONFIG}; give the folder that train wrote."
        ) from None
    except (ValueError, AttributeError) as error:
        raise DamagedModelError(f"{path} is no configuration of a saved BERTRAM: {error}.") from None
    if seen != FORMAT:
        raise InputError(f"{folder} is no BERTRAM that this version reads: its format is {seen!r}, not {FORMAT!r}.")
    return dict(described)


def _check_file(path: Path, expected: str) -> None:
    if not path.is_file():
        raise DamagedModelError(f"The model is not whole: {path} is missing. Get or train it again.")
    if checksum(path) != expected:
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
    if model.identity() != described["identity"]:
        raise InputError(
            f"{folder} was trained with the encoder {described['name']}, and {model.name} has other weights; "
            "give the encoder that it was trained with."
        )
    return model


def _findable(folder: Path, name: str) -> str:
    if "/" in name or Path(name).is_dir():
        return name
    raise InputError(f"{folder} was trained with the encoder {name}; say where that lies.")


def _form(folder: Path, described: dict[str, Any], dim: int, settings: BertramConfig) -> Form:
    if NGRAMS in described["files"]:
        return NgramForm(read_units(folder / NGRAMS, (RARE,)), dim, settings.ngrams)
    return ModelForm(read_model(folder / FORM), dim, settings.form_vectors)
