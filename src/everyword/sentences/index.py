"""Search among texts: their vectors, by which the nearest to a query are found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.vectors.neighbours import SLACK, unit_rows

ROWS_AT_ONCE = 1 << 16
QUERIES_AT_ONCE = 128
FORMAT = "text-index.v1"
REMEDY = "Delete it and build it again."


class TextIndex:
    """Texts and their unit vectors, in single or half precision."""

    def __init__(self, texts: Sequence[str], vectors: AnyArray, made_by: str = "") -> None:
        """Join texts with vectors of length 1.

        Args:
            texts: What is searched.
            vectors: A row for each text.
            made_by: The fingerprint of the model; an index without it cannot be saved.

        Raises:
            InputError: If there are more or fewer vectors than texts.
        """
        if len(texts) != len(vectors):
            raise InputError(
                f"There must be a vector for each text. Got {len(texts)} texts and {len(vectors)} vectors."
            )
        self.texts, self.vectors, self.made_by = texts, vectors, made_by

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def build(cls, model: Model, texts: Iterable[str], *, progress: bool | None = None) -> TextIndex:
        """Encode texts.

        Args:
            model: Gives the vectors, and later those of the queries.
            texts: Any iterable of texts, which are kept.
            progress: Show a progress bar; by default for 50,000 texts or more, if standard error is a terminal.

        Raises:
            InputError: If an item is not text.
        """
        listed = list(texts)
        return cls(listed, model.encode_texts(listed, normalize=True, progress=progress), fingerprint(model))

    def search(self, queries: FloatArray, k: int = 5) -> list[list[tuple[int, float]]]:
        """Return the rows and cosines of the nearest texts, best first; of equally near ones the first comes first.

        Args:
            queries: Vectors of any length, (queries, dim), or one of them.
            k: How many texts.

        Returns:
            A list of pairs for each query; a zero vector, that of a text without words, finds nothing.

        Raises:
            InputError: If `k` is below 1.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more. Got {k} instead.")
        directions = unit_rows(np.atleast_2d(queries))
        best: list[list[tuple[float, int]]] = [[] for _ in directions]
        for first in range(0, len(self.vectors), ROWS_AT_ONCE):
            rows = self.vectors[first : first + ROWS_AT_ONCE].astype(np.float32, copy=False)
            for begin in range(0, len(directions), QUERIES_AT_ONCE):
                block = directions[begin : begin + QUERIES_AT_ONCE]
                for number, near in enumerate(_nearest(block @ rows.T, k), begin):
                    # Again and exactly, so that the same text gets the same cosine wherever it stands.
                    cosines = (rows[near].astype(np.float64) * directions[number]).sum(axis=1)
                    found = zip((-cosines).tolist(), (first + near).tolist(), strict=True)
                    best[number] = sorted([*best[number], *found])[:k]
        meant = np.asarray(directions.any(axis=1)).tolist()
        return [
            [(row, float(np.clip(-minus, -1, 1))) for minus, row in found] if has_words else []
            for found, has_words in zip(best, meant, strict=True)
        ]

    def save(self, path: str | Path) -> None:
        """Write texts and vectors to a safetensors file; the vectors in half precision."""
        raw = [text.encode("utf-8", "surrogatepass") for text in self.texts]
        ends = np.cumsum([len(each) for each in raw], dtype=np.int64)
        write_index(path, self, {"texts": np.frombuffer(b"".join(raw), dtype=np.uint8), "ends": ends})

    @classmethod
    def load(cls, path: str | Path, model: Model) -> TextIndex:
        """Read what `save` wrote. The vectors stay in the file: the system fetches what is searched.

        Args:
            path: A file that `save` wrote.
            model: The model that made the vectors.

        Raises:
            InputError: If the file is not an index, or of another model.
        """
        vectors, tensors, _ = read_index(path, model)
        ends, raw = (tensors.get(name, np.empty(0)) for name in ("ends", "texts"))
        sound = ends.shape == (len(vectors),) and ends.dtype == np.int64 and raw.ndim == 1 and raw.dtype == np.uint8
        bounds = [0, *ends.tolist()]
        if not sound or bounds != sorted(bounds) or bounds[-1] != len(raw):
            raise InputError(f"{path} does not hold the texts of its vectors. {REMEDY}")
        whole = raw.tobytes()
        texts = [whole[begin:end].decode("utf-8", "replace") for begin, end in pairwise(bounds)]
        return cls(texts, vectors, fingerprint(model))


def write_index(
    path: str | Path,
    index: TextIndex,
    tensors: Mapping[str, AnyArray] | None = None,
    about: Mapping[str, str] | None = None,
) -> None:
    """Write the vectors of an index to a safetensors file, in half precision, and what else is to be remembered."""
    from safetensors.numpy import save

    if not index.made_by:
        raise InputError("An index is saved with the fingerprint of its model; make it by TextIndex.build.")
    arrays = {"vectors": index.vectors.astype(np.float16, copy=False), **(tensors or {})}
    told = {**(about or {}), "format": FORMAT, "model": index.made_by}
    write_atomic(Path(path), save(arrays, metadata=told))


def read_index(path: str | Path, model: Model) -> tuple[AnyArray, dict[str, AnyArray], dict[str, str]]:
    """Return the vectors of a file that `write_index` wrote, its other arrays, and what else is remembered.

    Raises:
        InputError: If the file is not an index, or of another model.
    """
    try:
        tensors, told = read_tensors(Path(path), mapped=True)
    except (ValueError, OSError) as error:
        raise InputError(f"{path} is not an index of texts ({error}). {REMEDY}") from None
    vectors = tensors.pop("vectors", np.empty(0))
    if told.get("format") != FORMAT or vectors.ndim != 2 or vectors.dtype != np.float16:
        raise InputError(f"{path} is not an index of texts. {REMEDY}")
    if told.get("model") != fingerprint(model) or vectors.shape[1] != model.dim:
        raise InputError(f"{path} was built with another model. {REMEDY}")
    return vectors, tensors, told


def _nearest(cosines: FloatArray, k: int) -> list[IndexArray]:
    """Return the places of the k largest cosines of each row, and of all that rounding could have kept from them."""
    count = min(k, cosines.shape[1])
    least = -np.partition(-cosines, count - 1, axis=1)[:, count - 1] - SLACK
    return [np.flatnonzero(row >= below) for row, below in zip(cosines, least, strict=True)]


def fingerprint(model: Model) -> str:
    """Return what tells a model from others: its name, words, training record and part for texts."""
    part = model.parts.get("texts")
    told = [model.name, model.dim, len(model), model.record, None if part is None else part.described]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]
