"""The record of a change of vectors: its description and, behind a zero byte, its arrays."""

import hashlib
import json
from contextlib import suppress

from everyword.space.record import ARRAYS, DESCRIPTION, load_record
from fuzz.targets.common import read_folder


def read(data: bytes) -> None:
    """Read a record under a checksum that is right."""
    described, _, arrays = data.partition(b"\0")
    with suppress(ValueError, TypeError, RecursionError):
        signed = {**json.loads(described), "files": {ARRAYS: hashlib.sha256(arrays).hexdigest()}}
        described = json.dumps(signed).encode()
    read_folder({DESCRIPTION: described, ARRAYS: arrays}, load_record)
