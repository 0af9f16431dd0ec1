"""Write the vectors of a part to a file, which appears when it is complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.columns.records import kept_value
from everyword.errors import EverywordError
from everyword.extras import require

PARTIAL = ".partial"


@dataclass
class PartRows:
    """The rows of a part: where each comes from, values to keep, and its vector."""

    vectors: FloatArray
    inputs: list[int] = field(default_factory=list)
    """The number of the input of each row."""
    rows: list[int] = field(default_factory=list)
    """The number of each row in its input."""
    kept: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    """What a file says besides vectors."""

    format: str
    locations: Sequence[str]
    """The inputs."""
    keep: Sequence[str]
    whole_numbers: Sequence[bool]
    """Whether each kept column holds whole numbers only."""
    about: dict[str, str]


def write_part(path: Path, part: PartRows, layout: Layout) -> None:
    """Write a part; raise EverywordError if the disk is full or the folder cannot be written to."""
    # A name of its own for each writer, and one that programs which read a folder of Parquet files skip.
    written = path.with_name(f"_{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with written.open("wb") as file:
            _write(file, part, layout)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except OSError as error:
        raise EverywordError(
            f"{path} cannot be written ({error.strerror or str(error).splitlines()[0]}); make room for it and give the "
            "same command again: finished parts are kept."
        ) from error
    finally:
        written.unlink(missing_ok=True)


def remove_partial(folder: Path) -> None:
    """Remove what killed workers left."""
    for left in folder.glob(f"_part-*{PARTIAL}"):
        left.unlink(missing_ok=True)


def _write(file: IO[bytes], part: PartRows, layout: Layout) -> None:
    if layout.format == "npy":
        # Not np.save, which writes past Python and hears nothing of a disk that is full at the last byte.
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(part.vectors))
        file.write(part.vectors.data)
    elif layout.format == "safetensors":
        from safetensors.numpy import save

        tensors = {"vectors": part.vectors, "file": np.array(part.inputs), "row": np.array(part.rows)}
        file.write(save(tensors, metadata=layout.about))
    else:
        _write_parquet(file, part, layout)


def _write_parquet(file: IO[bytes], part: PartRows, layout: Layout) -> None:
    pyarrow, parquet = (require(name, "Writing Parquet files") for name in ("pyarrow", "pyarrow.parquet"))
    columns = {
        "file": pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(part.inputs, pyarrow.int32()), pyarrow.array(layout.locations, pyarrow.string())
        ).cast(pyarrow.string()),
        "row": pyarrow.array(part.rows, pyarrow.int64()),
    }
    values = zip(*part.kept, strict=True) if part.kept else ()
    for name, whole, column in zip(layout.keep, layout.whole_numbers, values, strict=True):
        kind = pyarrow.int64() if whole else pyarrow.string()
        columns[name] = pyarrow.array([kept_value(value, whole) for value in column], kind)
    dim = part.vectors.shape[1]
    columns["vector"] = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(part.vectors.ravel()), dim)
    table = pyarrow.table(columns).replace_schema_metadata(layout.about)
    # Vectors do not become smaller by packing.
    packing = {name: "zstd" for name in table.column_names if name != "vector"}
    parquet.write_table(table, file, compression={**packing, "vector.list.element": "none"}, use_dictionary=["file"])
