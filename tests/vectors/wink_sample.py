"""A small file in the layout of the npm package, made by hand."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np

from everyword.vectors import VectorTable


def wink_json(table: VectorTable, **changes: object) -> bytes:
    rows = {
        word: [*map(float, row), float(np.linalg.norm(row)), index]
        for index, (word, row) in enumerate(zip(table.words, table.matrix, strict=True))
    }
    package = {
        "precision": 8,
        "l2NormIndex": table.dim,
        "wordIndex": table.dim + 1,
        "size": len(table),
        "dimensions": table.dim,
        "words": table.words,
        "vectors": rows,
        "unkVector": [0] * table.dim,
    }
    return json.dumps({**package, **changes}, separators=(",", ":")).encode()


def npm_archive(path: Path, content: bytes) -> None:
    others = {"package/LICENSE": b"MIT", "package/package.json": b'{"name": "x", "keywords": ["words"]}'}
    with tarfile.open(path, "w:gz") as archive:
        for name, data in [*others.items(), ("package/vectors.json", content)]:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
