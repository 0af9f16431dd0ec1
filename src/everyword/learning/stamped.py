"""Arrays and a JSON header in one file, stamped with what they belong to; no pickle, replaced in one move.

The stamp is a fingerprint of the configuration and the data. A file with another stamp is refused, so that a resumed
run cannot silently mix two trainings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from everyword.arrays import AnyArray, read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json


def write_stamped(path: Path, arrays: Mapping[str, AnyArray], header: Mapping[str, Any], stamp: str) -> None:
    """Write arrays and header under a stamp."""
    write_atomic(path, save(dict(arrays), metadata={"header": json.dumps(header), "stamp": stamp}))


def read_stamped(path: Path, stamp: str) -> tuple[dict[str, AnyArray], dict[str, Any]]:
    """Read what `write_stamped` wrote under the same stamp."""
    try:
        arrays, metadata = read_tensors(path)
    except FileNotFoundError:
        raise InputError(f"There is nothing to resume in {path.parent}; start without --resume.") from None
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}. Start again without --resume.") from None
    if metadata.get("stamp") != stamp:
        raise InputError(
            f"{path.parent} was started with another configuration or teacher; use those again, "
            "or start without --resume."
        )
    try:
        return arrays, dict(parse_json(metadata["header"]))
    except (KeyError, ValueError, TypeError):
        raise InputError(f"{path} has no header that can be read; start again without --resume.") from None
