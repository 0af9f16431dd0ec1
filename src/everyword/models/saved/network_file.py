"""A trained network in one safetensors file: its weights, and a record of what else it needs, as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import AnyArray, read_tensors, tensor_bytes
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json


def write_network(path: Path, format: str, weights: Mapping[str, AnyArray], record: Mapping[str, Any]) -> None:
    """Write weights and record to a file that ends in .safetensors; zeros of pruned weights are left out."""
    write_atomic(path, tensor_bytes(weights, {"format": format, "record": json.dumps(record)}))


def read_network(
    path: Path, format: str, what: str, keys: Collection[str]
) -> tuple[dict[str, AnyArray], dict[str, Any]]:
    """Return weights and record.

    Args:
        path: The file.
        format: What it must say that it is.
        what: What it is, in errors.
        keys: What the record must have.
    """
    try:
        weights, metadata = read_tensors(path)
        if metadata.get("format") != format:
            raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {format!r}")
        record = dict(parse_json(metadata["record"]))
        if missing := set(keys) - set(record):
            raise ValueError(f"its record has no {min(missing)}")
        if not all(np.isfinite(array).all() for array in weights.values()):
            raise ValueError("its weights hold NaN or infinity")
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; check the path.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read as {what}: {error}. Train or copy it again.") from None
    return weights, record
