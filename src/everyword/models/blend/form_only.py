"""Vectors of unknown words from their spelling alone, for a model without gate or known words."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.arrays import FloatArray
from everyword.models.explanation import Explanation, Origin, Source
from everyword.models.form_encoder import FormEncoder


class FormOnly:
    """A form encoder that answers as a blender does."""

    def __init__(self, form_encoder: FormEncoder) -> None:
        self.form_encoder = form_encoder

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of normalised words; zeros for a word about which nothing is known."""
        return self.form_encoder(words)

    def with_origins(self, words: Sequence[str]) -> tuple[FloatArray, list[Origin]]:
        """Return the vectors of normalised words, and the origin of each."""
        usable = self.form_encoder.units.usable
        return self.form_encoder(words), [
            Origin(Source.INFERRED if usable(word) else Source.NONE, 0.0) for word in words
        ]

    def with_explanations(self, words: Sequence[str]) -> tuple[FloatArray, list[Explanation]]:
        """Return the vectors of normalised words, and an explanation of each."""
        usable = self.form_encoder.units.usable
        return self.form_encoder(words), [
            Explanation(word, Source.INFERRED, (), 1.0, None)
            if usable(word)
            else Explanation(word, Source.NONE, (), 0.0, 0.0)
            for word in words
        ]
