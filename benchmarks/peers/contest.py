"""The model, its peers and the data that they are compared on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from everyword import registry
from everyword.arrays import FloatArray
from everyword.corpus.codespell_split import CANDIDATES
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_model
from everyword.evaluation.robustness.noise import FAMILIES
from everyword.models.model import Model
from peers.names import FORM, SYMSPELL, USER
from peers.ranks import corrected_vectors
from peers.spellers import Corrector
from peers.trained import Peer, Workshop


def as_unknown(model: Model, words: Sequence[str]) -> FloatArray:
    """Return vectors as if the model had never stored these words."""
    return model.without(words).encode(words)


FREQUENT = 150_000
"""Typos are made of this many of the most frequent words: phrases and foreign words are no words with a typo."""


@dataclass(frozen=True)
class Contest:
    """The model, its peers and the data that they are compared on."""

    model: Model
    folder: Path
    workshop: Workshop
    teacher: Path | None
    held_out: Path | None
    rounds: int

    @property
    def data(self) -> Path:
        return self.workshop.data

    @cached_property
    def peers(self) -> list[Peer]:
        return self.workshop.peers()

    @cached_property
    def candidates(self) -> list[str]:
        """Return the most frequent words of the model."""
        return list(self.model.known_words.words[:CANDIDATES])

    def models(self) -> dict[str, EvaluatedModel]:
        """Return every model that gives vectors to all words, with the same candidates."""
        return {
            USER: evaluated_model(self.model, "encode", candidates=CANDIDATES),
            FORM: evaluated_model(self.model, "infer", candidates=CANDIDATES),
            **{peer.name: peer.model(self.candidates) for peer in self.peers},
        }

    def corrected(self) -> EvaluatedModel:
        """Return the model's stored vectors behind a spelling corrector."""
        known, spell = self.model.known_words, self.model.normalise
        look_up = corrected_vectors(known.index, known.matrix.floats(), Corrector(known.words).best)
        return EvaluatedModel(SYMSPELL, "spelling", lambda words: look_up(list(map(spell, words))), known.words, spell)

    def unknown_words(self, count: int, seed: int) -> list[str]:
        """Return typos of frequent known words that are neither known themselves nor twice in the list."""
        rng, typos, frequent = Random(seed), dict[str, None](), self.model.known_words.first(FREQUENT).words
        kinds = [registry.corruptions.get(name) for name in FAMILIES["typo"]]
        while len(typos) < count:
            typo = rng.choice(kinds)(rng.choice(frequent), rng)
            if not self.model.known(typo):
                typos[typo] = None
        return list(typos)
