"""Sums, maxima and numbers of the vectors that words had in a corpus: what a pass over it adds up, and can resume."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.word_list import tell_left_out
from everyword.errors import InputError, did_you_mean
from everyword.learning.stamped import read_stamped, write_stamped
from everyword.vectors.table import VectorTable

CHECKPOINT = "occurrences.safetensors"
POOLS = ("mean", "max")


class Occurrences:
    """What has been seen of each word. Both poolings are kept: reading a corpus again costs hours, this memory."""

    def __init__(
        self, words: list[str], row_of_word: Sequence[int], rows: int, dim: int, device: torch.device | str = "cpu"
    ) -> None:
        self.words = words
        self.parts = 0
        """How many parts of the corpus are added."""
        self.counts: IndexArray = np.zeros(rows, dtype=np.int64)
        self._row_of_word = np.array(row_of_word)
        self._sums = torch.zeros(rows, dim, device=device)
        self._maxima = torch.full((rows, dim), -torch.inf, device=device)
        self._path: Path | None = None
        self._stamp = ""

    @torch.inference_mode()
    def add(self, rows: Sequence[int], vectors: Tensor) -> None:
        """One vector for each row; a row may come several times."""
        index = torch.tensor(rows, device=vectors.device)
        self._sums.index_add_(0, index, vectors)
        self._maxima.scatter_reduce_(0, index[:, None].expand_as(vectors), vectors, "amax")
        np.add.at(self.counts, rows, 1)

    def table(self, pool: str = "mean") -> VectorTable:
        """The words that occurred, each with the "mean" or the "max" of its vectors."""
        if pool not in POOLS:
            raise InputError(f"There is no pooling {pool!r} over occurrences: {did_you_mean(pool, POOLS)}")
        counts = self.counts[self._row_of_word]
        tell_left_out(
            [self.words[place] for place in np.flatnonzero(counts == 0)],
            len(self.words),
            "they do not occur in the corpus",
            "give a larger corpus",
        )
        seen = np.flatnonzero(counts)
        rows = self._row_of_word[seen]
        matrix: FloatArray = (self._maxima if pool == "max" else self._sums)[torch.from_numpy(rows)].cpu().numpy()
        if pool == "mean":
            matrix /= self.counts[rows, None].astype(np.float32)
        return VectorTable([self.words[place] for place in seen], matrix)

    def keep_in(self, run_folder: Path, stamp: str) -> None:
        """Where `save` writes and `restore` reads; the stamp says what the numbers belong to."""
        run_folder.mkdir(parents=True, exist_ok=True)
        self._path, self._stamp = run_folder / CHECKPOINT, stamp

    def save(self) -> None:
        """Write the checkpoint, if there is a place for it."""
        if self._path is not None:
            arrays = {"sums": self._sums.cpu().numpy(), "maxima": self._maxima.cpu().numpy(), "counts": self.counts}
            write_stamped(self._path, arrays, {"parts": self.parts}, self._stamp)

    def restore(self) -> None:
        """Go on from the checkpoint."""
        assert self._path is not None  # a resumed run has a folder
        arrays, header = read_stamped(self._path, self._stamp)
        self._sums.copy_(torch.from_numpy(arrays["sums"]))
        self._maxima.copy_(torch.from_numpy(arrays["maxima"]))
        self.counts[:] = arrays["counts"]
        self.parts = header["parts"]
