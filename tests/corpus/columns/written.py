"""The same texts in every form that is read."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.compress,
}
FORMS = ["a.txt", "a.jsonl", "a.ndjson", "a.csv", "a.tsv", "a.parquet"]
FORMS += [name + suffix for name in ("a.txt", "a.jsonl", "a.csv") for suffix in PACK]


def write(path: Path, texts: Sequence[str | None], column: str = "text") -> Path:
    """Write texts with their numbers as `id`; only JSON lines and Parquet can lack one."""
    kind, _, packed = path.name.partition(".")[2].partition(".")
    if kind == "parquet":
        pq.write_table(pa.table({"id": range(len(texts)), column: texts}), path, row_group_size=7)
        return path
    if kind == "txt":
        whole = "".join(f"{text}\n" for text in texts)
    elif kind in ("csv", "tsv"):
        out = io.StringIO(newline="")
        rows = csv.writer(out, delimiter="\t" if kind == "tsv" else ",")
        rows.writerows([["id", column], *([number, text] for number, text in enumerate(texts))])
        whole = out.getvalue()
    else:
        whole = "".join(json.dumps({"id": number, column: text}) + "\n" for number, text in enumerate(texts))
    raw = whole.encode()
    path.write_bytes(PACK["." + packed](raw) if packed else raw)
    return path
