"""Add a part in a file of its own to a saved model, such as the weights of words in texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from everyword.arrays import AnyArray
from everyword.atomic import write_atomic
from everyword.files import checksum
from everyword.models.saved import layout
from everyword.models.saved.config_schema import read_description


def write_part(folder: Path, key: str, tensors: Mapping[str, AnyArray], described: Mapping[str, Any]) -> None:
    """Write a part beside a saved model and name it in the model's configuration.

    Args:
        folder: The saved model.
        key: The part's key in the configuration, such as "texts".
        tensors: The arrays of the part, by name.
        described: What the configuration says of it: its `name` (the version) and what else it needs to know.
    """
    configuration = read_description(folder)
    path = folder / layout.PARTS[key]
    write_atomic(path, save({name: np.ascontiguousarray(array) for name, array in tensors.items()}))
    configuration[key] = {**described, "checksum": checksum(path)}
    write_atomic(folder / layout.CONFIG, json.dumps(configuration, indent=2) + "\n")
