"""A fitted record on disk: a folder of two files, no pickle, no import paths.

record.json         what kind of record, its parts by registered name with their options, facts, a checksum
record.safetensors  the arrays
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import save

from everyword import __version__
from everyword.arrays import FloatArray, read_tensors
from everyword.atomic import FolderWriter, complete_file
from everyword.errors import InputError
from everyword.files import read_object

if TYPE_CHECKING:
    from everyword.space.alignment.record import Alignment
    from everyword.space.alpha import AlphaRecord
    from everyword.space.merge_record import MergeRecord
    from everyword.space.pipeline import Pipeline

FORMAT = 1
"""Raised when older versions of everyword could not read the folder."""
DESCRIPTION = "record.json"
ARRAYS = "record.safetensors"


@dataclass(frozen=True)
class Contents:
    """What is saved of a record: plain values for JSON, and arrays by name."""

    described: dict[str, Any]
    arrays: dict[str, FloatArray]

    def part(self, prefix: str) -> Contents:
        """The arrays that belong to one part, under the names that the part gave them."""
        start = prefix + "."
        return Contents({}, {n.removeprefix(start): a for n, a in self.arrays.items() if n.startswith(start)})


def load_record(folder: str | Path) -> Pipeline | MergeRecord | Alignment | AlphaRecord:
    """Read a record that `save` has written."""
    from everyword.space.alignment.record import Alignment
    from everyword.space.alpha import AlphaRecord
    from everyword.space.merge_record import MergeRecord
    from everyword.space.pipeline import Pipeline

    folder = Path(folder)
    kind, contents = _read(folder)
    readers: dict[str, type[Pipeline] | type[MergeRecord] | type[Alignment] | type[AlphaRecord]] = {
        kind.KIND: kind for kind in (Pipeline, MergeRecord, Alignment, AlphaRecord)
    }
    try:
        record = readers[kind].from_contents(contents)
        record.check()
        return record
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, MemoryError) as error:
        raise InputError(f"{folder / DESCRIPTION} was altered: {error!r:.200}. Save the record again.") from None


def load_pipeline(folder: str | Path) -> Pipeline:
    """Read a record of post-processing; others are refused."""
    from everyword.space.pipeline import Pipeline

    record = load_record(folder)
    if not isinstance(record, Pipeline):
        raise InputError(_of_another_kind(record, folder))
    return record


def load_merge(folder: str | Path) -> MergeRecord:
    """Read a record of a merge; others are refused."""
    from everyword.space.merge_record import MergeRecord

    record = load_record(folder)
    if not isinstance(record, MergeRecord):
        raise InputError(_of_another_kind(record, folder))
    return record


def load_alignment(folder: str | Path) -> Alignment:
    """Read a record of an alignment; others are refused."""
    from everyword.space.alignment.record import Alignment

    record = load_record(folder)
    if not isinstance(record, Alignment):
        raise InputError(_of_another_kind(record, folder))
    return record


def load_alpha(folder: str | Path) -> AlphaRecord:
    """Read a record of alpha vectors; others are refused."""
    from everyword.space.alpha import AlphaRecord

    record = load_record(folder)
    if not isinstance(record, AlphaRecord):
        raise InputError(_of_another_kind(record, folder))
    return record


def _of_another_kind(record: Pipeline | MergeRecord | Alignment | AlphaRecord, folder: str | Path) -> str:
    what, command = {
        "postprocess": ("a record of post-processing", "postprocess --record"),
        "merge": ("the record of a merge", "merge --record"),
        "alpha": ("a record of alpha vectors", "alpha --record"),
        "alignment": ("the record of an alignment", "align --map"),
    }[record.KIND]
    return f"{folder} is {what}; apply it with 'everyword {command} {folder}'."


def write_record(folder: Path, kind: str, contents: Contents) -> None:
    """Write both files; an older record in the folder stays until all of the new one is there."""
    writer = FolderWriter(folder, DESCRIPTION, "record")
    writer.put(ARRAYS, save(contents.arrays))
    described = {
        "format": FORMAT,
        "everyword": __version__,
        "kind": kind,
        **contents.described,
        "files": writer.checksums([ARRAYS]),
    }
    writer.finish(json.dumps(described, indent=2, ensure_ascii=False) + "\n")


def _read(folder: Path) -> tuple[str, Contents]:
    described = _description(folder)
    files, path = described.get("files"), folder / ARRAYS
    found = complete_file(path, files.get(ARRAYS, "")) if isinstance(files, dict) and len(files) == 1 else None
    if found is None:
        raise InputError(f"{path} is missing or not the file that was saved; save or copy the record again.")
    try:
        arrays, _ = read_tensors(found)
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}.") from None
    if not all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays.values()):
        raise InputError(f"{path} holds what no record has, NaN or infinity perhaps; save the record again.")
    return described["kind"], Contents(described, arrays)


def _description(folder: Path) -> dict[str, Any]:
    path = folder / DESCRIPTION
    try:
        described = read_object(path)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{folder} is not a saved record: it has no {DESCRIPTION}; check the path.") from None
    except ValueError as error:
        raise InputError(f"{path} is not a description of a record: {error}.") from None
    if not {"format", "kind"} <= described.keys():
        raise InputError(f"{path} is not a description of a record: it lacks format or kind.")
    if described["format"] != FORMAT:
        raise InputError(
            f"{folder} has record format {described['format']!r:.40}, and this version of everyword reads format "
            f"{FORMAT}: run  pip install -U everyword"
        )
    return described
