"""Arrays and a JSON header in one file, stamped with what they belong to; no pickle, replaced in one move.

The stamp is a fingerprint of the configuration and the data. A file with another stamp is refused, so that a resumed
run cannot silently mix two trainings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from everyword.arrays import AnyArray
from everyword.errors import InputError
from everyword.files import write_whole


def write_stamped(path: Path, arrays: Mapping[str, AnyArray], header: Mapping[str, Any], stamp: str) -> None:
    """Write arrays and header under a stamp."""
    write_whole(path, save(dict(arrays), metadata={"header": json.dumps(header), "stamp": stamp}))


def read_stamped(path: Path, stamp: str) -> tuple[dict[str, AnyArray], dict[str, Any]]:
    """Read what `write_stamped` wrote under the same stamp."""
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
    except FileNotFoundError:
        raise InputError(f"There is nothing to resume in {path.parent}; start without --resume.") from None
    except SafetensorError as error:
        raise InputError(f"{path} cannot be read: {error}. Start again without --resume.") from None
    if metadata.get("stamp") != stamp:
        raise InputError(
            f"{path.parent} was started with another configuration or teacher; use those again, "
            "or start without --resume."
        )
    return arrays, json.loads(metadata["header"])
