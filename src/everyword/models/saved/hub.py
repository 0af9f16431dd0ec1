"""Models on the Hugging Face hub; the only module that imports `huggingface_hub`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from everyword.errors import InputError
from everyword.extras import require
from everyword.models.saved import layout

if TYPE_CHECKING:
    from everyword.models.model import Model

FILES = (layout.CONFIG, layout.TENSORS, layout.UNITS, layout.WORDS, layout.CARD, f"{layout.BASE}/*")


def fetch(repo_id: str) -> Path:
    """Download a model, or find it in the hub's cache, and return its folder."""
    hub = require("huggingface_hub", f"Loading {repo_id!r} from the hub")
    try:
        return Path(hub.snapshot_download(repo_id, allow_patterns=list(FILES)))
    except Exception as error:  # the hub's client raises errors of several libraries
        raise InputError(
            f"The model {repo_id!r} is not a folder here and could not be downloaded from the hub: {_first_line(error)}"
        ) from error


def push(model: Model, repo_id: str, *, private: bool, token: str | None) -> str:
    """Upload a model to the hub and return its address."""
    hub = require("huggingface_hub", "Pushing to the hub")
    api = hub.HfApi(token=token)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        try:
            address = api.create_repo(repo_id, private=private, exist_ok=True)
            api.upload_folder(repo_id=repo_id, folder_path=folder, commit_message=f"Upload {model.name} with everyword")
        except Exception as error:  # as above
            raise InputError(f"The model could not be pushed to {repo_id!r}: {_first_line(error)}") from error
    return str(address)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
