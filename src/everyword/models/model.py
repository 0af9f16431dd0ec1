"""A good vector for every word: stored if the word is known, made from known words and its spelling if not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.models.blend.blender import NEGLIGIBLE, Blender
from everyword.models.blend.gate import Gate
from everyword.models.explanation import Explanation, Origin, Share, Source, source_of
from everyword.models.imputer import Imputer
from everyword.models.known import KnownWords
from everyword.text.normalise import Normaliser, listed_words
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

UNKNOWN = -1


class Model:
    """Words → vectors. Made by `everyword.load`; needs no torch.

    Every method normalises words by the rule saved with the model, so "Cat" and " cat" are "cat".
    """

    def __init__(
        self,
        name: str,
        normalise: Normaliser,
        imputer: Imputer,
        known: KnownWords,
        record: Mapping[str, Any],
        *,
        gate: Gate | None = None,
    ) -> None:
        self.name = name
        self.normalise = normalise
        self.imputer = imputer
        self.known_words = known
        self.record = record
        """How the model was trained: configuration, seed, checksums of the data, versions."""
        self.gate = gate
        """What weighs known words of similar spelling; without a gate, spelling alone decides on unknown words."""
        self.blender = Blender(known, imputer, gate) if gate is not None and len(known) else None
        """What makes vectors of unknown words from known ones and spelling, if there is a gate and something known."""

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return self.imputer.dim

    def __repr__(self) -> str:
        return f"Model({self.name!r}, dim={self.dim}, known={len(self.known_words):,})"

    def encode(self, words: str | Iterable[str]) -> FloatArray:
        """Vectors of words, (n, dim) float32; of a single word, (dim,).

        Never NaN. A word of which nothing is known gets zeros; `source` tells which those are.
        """
        if isinstance(words, str):
            return self._encode_one(self.normalise(words))
        spelt = self._normalised(words)
        vectors, unknown = self._stored(spelt)
        if len(unknown):
            vectors[unknown] = self._made([spelt[place] for place in unknown])
        return vectors

    def _encode_one(self, spelt: str) -> FloatArray:
        # A word on its own should not pay for the bookkeeping of many.
        row = self.known_words.row_of.get(spelt)
        vectors = self._made([spelt]) if row is None else self.known_words.matrix.floats(slice(row, row + 1))
        vector: FloatArray = vectors[0]
        return vector

    def _stored(self, spelt: list[str]) -> tuple[FloatArray, IndexArray]:
        """Rows for words, filled for those whose vector is stored, and the places of the others."""
        row_of = self.known_words.row_of.get
        rows = np.fromiter((row_of(word, UNKNOWN) for word in spelt), dtype=np.int64, count=len(spelt))
        unknown = np.flatnonzero(rows == UNKNOWN)
        if not len(unknown):
            return self.known_words.matrix.floats(rows), unknown
        vectors = np.empty((len(spelt), self.dim), dtype=np.float32)
        known = np.flatnonzero(rows != UNKNOWN)
        vectors[known] = self.known_words.matrix.floats(rows[known])
        return vectors, unknown

    def _made(self, spelt: list[str]) -> FloatArray:
        """Vectors of words that are not stored."""
        return (self.blender or self.imputer)(spelt)

    def encode_with_origins(self, words: Iterable[str]) -> tuple[FloatArray, list[Origin]]:
        """Vectors of words and where each comes from, at the cost of `encode`."""
        spelt = self._normalised(words)
        vectors, unknown = self._stored(spelt)
        origins = [Origin(Source.KNOWN, 1.0)] * len(spelt)
        if len(unknown):
            vectors[unknown], made_from = self._made_with_origins([spelt[place] for place in unknown])
            for place, origin in zip(unknown.tolist(), made_from, strict=True):
                origins[place] = origin
        return vectors, origins

    def _made_with_origins(self, spelt: list[str]) -> tuple[FloatArray, list[Origin]]:
        if self.blender is not None:
            return self.blender.with_origins(spelt)
        usable = self.imputer.units.usable
        return self.imputer(spelt), [Origin(Source.INFERRED if usable(word) else Source.NONE, 0.0) for word in spelt]

    def infer(self, words: Iterable[str]) -> FloatArray:
        """Vectors made from spelling alone, also for words whose vector is stored; no known word is looked at."""
        return self.imputer(self._normalised(words))

    def __getitem__(self, word: str) -> FloatArray:
        return self.encode(self._one_word(word))

    def known(self, word: str) -> bool:
        """Whether the word's vector is stored; otherwise it would be inferred."""
        return self.normalise(self._one_word(word)) in self.known_words.row_of

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.known(word)

    def source(self, word: str) -> Source:
        """Where the vector of a word comes from: known, retrieved, inferred or none."""
        return self.explain(word).source

    def explain(self, word: str) -> Explanation:
        """Where the vector of a word comes from, which known words it is blended from, and how sure it is."""
        spelt = self.normalise(self._one_word(word))
        if spelt in self.known_words.row_of:
            return Explanation(spelt, Source.KNOWN, (), 0.0, 1.0)
        return self._explain_unknown(spelt)

    def _explain_unknown(self, spelt: str) -> Explanation:
        if not self.imputer.units.usable(spelt):
            return Explanation(spelt, Source.NONE, (), 0.0, 0.0)
        if self.blender is None:
            return Explanation(spelt, Source.INFERRED, (), 1.0, None)
        return self._explain_blend(spelt, self.blender)

    def _explain_blend(self, spelt: str, blender: Blender) -> Explanation:
        blend = blender.blend([spelt])
        rows, weights = blend.mixture.candidates.row.tolist(), blend.mixture.weights
        shares = [
            Share(self.known_words.words[row], share)
            for row, share in zip(rows, weights.candidates.tolist(), strict=True)
            if share >= NEGLIGIBLE
        ]
        form_share = float(weights.form[0])
        return Explanation(
            spelt,
            source_of(form_share),
            tuple(sorted(shares, key=lambda share: -share.share)),
            form_share,
            float(blend.confidence[0]),
        )

    def without(self, words: Iterable[str]) -> Model:
        """The same model as if these words were not stored: it then makes of them what it makes of new words."""
        return self.with_known(self.known_words.without(self._normalised(words)))

    def with_known(self, known: KnownWords, record: Mapping[str, Any] | None = None) -> Model:
        """The same model with other words stored, and perhaps another record of how it came about."""
        kept = self.record if record is None else record
        return Model(self.name, self.normalise, self.imputer, known, kept, gate=self.gate)

    def nearest(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """The known words nearest to a word by cosine, the word itself left out; none for a zero vector."""
        if k < 1:
            raise InputError(f"k must be 1 or more. Got {k} instead.")
        vector = self[word]
        return self.known_words.nearest(vector, k, leave_out=self.normalise(word)) if vector.any() else []

    def similarity(self, first: str, second: str) -> float:
        """Cosine of two words' vectors; 0.0 if either has none."""
        one, other = unit_rows(self.encode([self._one_word(first), self._one_word(second)]))
        return float(np.clip(one @ other, -1.0, 1.0))

    def vectors_for(self, words: Iterable[str]) -> VectorTable:
        """A plain table for any words, each once, under the spelling given."""
        unique = list(dict.fromkeys(listed_words(words)))
        return VectorTable(unique, self.encode(unique))

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the model to a folder that `everyword.load` reads."""
        from everyword.models.write import write_model

        write_model(self, Path(folder))

    def push_to_hub(self, repo_id: str, *, private: bool = False, token: str | None = None) -> str:
        """Upload the model to the Hugging Face hub and return its address; needs the extra `hub`."""
        from everyword.models.hub import push

        return push(self, repo_id, private=private, token=token)

    def _normalised(self, words: Iterable[str]) -> list[str]:
        return list(map(self.normalise, listed_words(words)))

    @staticmethod
    def _one_word(word: str) -> str:
        if not isinstance(word, str):
            raise InputError(f"A word must be text. Got {word!r}, of type {type(word).__name__}, instead.")
        return word
