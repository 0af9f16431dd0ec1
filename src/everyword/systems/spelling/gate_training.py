"""Train the gate of an encoder on misspellings and new words, and calibrate its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray
from everyword.config import Natural
from everyword.corpus.codespell_split import CANDIDATES, Pair, load_split
from everyword.errors import InputError
from everyword.models.blend.blender import Blender
from everyword.models.blend.gate import Gate
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.retrieval.candidates import CandidateFinder
from everyword.systems.spelling.gate_network import GateConfig, GateExamples, assemble_gate, calibrate, train_gate

if TYPE_CHECKING:
    from everyword.systems.spelling.preparation import TrainingData


FLAT_RANKS = 100
"""The first words of a language are function words, seldom misspelt; up to this rank they are drawn about equally."""
TWO_ERRORS = 0.2
"""The fraction of made-up misspellings with two errors."""


@dataclass(frozen=True)
class BlendConfig:
    """Whether unknown words are blended from known ones, and what the gate learns from."""

    enabled: bool = False
    misspellings: str | None = None
    """Tab-separated wrong and right with a header line; the pairs kept for evaluation are left out, with all other
    misspellings of their right words."""
    made_up: Natural = 30_000
    """How many misspellings of known words are made up by the corruptions."""
    corruptions: tuple[str, ...] = ("swap", "drop", "insert", "keyboard")
    network: GateConfig = field(default_factory=GateConfig)

    def problems(self) -> Iterator[str]:
        """Yield a message for each unknown corruption."""
        for name in self.corruptions:
            if name not in registry.corruptions:
                yield f"there is no corruption {name!r}"


def learn_gate(config: BlendConfig, prepared: TrainingData, form_encoder: FormEncoder, known: KnownWords) -> Gate:
    """Train the gate and its confidence on misspellings of known words and on words held out from training.

    Held-out words and those kept for evaluation are hidden while it learns, as new words are. A misspelling that is
    one of them, or another known word, is skipped.
    """
    hidden = {*prepared.held_out_words, *prepared.evaluated_words}
    visible, real_words = known.without(hidden), hidden.union(known.words)
    finder = CandidateFinder(visible.words)
    made = [*listed_misspellings(config, known, visible), *made_up_misspellings(config, visible)]
    typos = [(wrong, right) for wrong, right in made if wrong not in real_words]
    if not typos:
        raise InputError("There are no misspellings to learn from; name a file or raise blend.made_up.")
    wrong = [wrong for wrong, _ in typos]
    right = visible.matrix.floats(np.array([visible.index[right] for _, right in typos]))
    new, new_targets = prepared.held_out_words, prepared.held_out_targets
    kinds = [
        GateExamples.of(wrong, form_encoder(wrong), right, finder),
        GateExamples.of(new, form_encoder(new), new_targets, finder),
    ]
    network = train_gate(kinds, visible.matrix.floats(), config.network)
    blender = Blender(visible, form_encoder, Gate(network.fold()))
    words, targets = _balanced(wrong, right, new, new_targets)
    return assemble_gate(network, calibrate(blender, words, targets, config.network))


def listed_misspellings(config: BlendConfig, known: KnownWords, visible: KnownWords) -> list[Pair]:
    """Return the listed misspellings of visible words that are not kept for evaluation."""
    if config.misspellings is None:
        return []
    pairs = load_split(Path(config.misspellings), known.words[:CANDIDATES]).training
    return [(wrong, right) for wrong, right in pairs if right in visible.index]


def made_up_misspellings(config: BlendConfig, visible: KnownWords) -> list[Pair]:
    """Make up misspellings of known words, frequent ones more often, with one error or two."""
    rng, misspell = np.random.default_rng(config.network.seed), Random(config.network.seed)
    odds = 1 / (np.arange(len(visible)) + FLAT_RANKS)  # Zipf: a word is misspelt as often as it is written
    drawn = rng.choice(len(visible), size=config.made_up, p=odds / odds.sum())
    corruptions = [registry.corruptions.get(name) for name in config.corruptions]
    pairs = []
    for row in drawn.tolist():
        right = wrong = visible.words[row]
        for _ in range(1 + (misspell.random() < TWO_ERRORS)):
            wrong = misspell.choice(corruptions)(wrong, misspell)
        if wrong:  # of a word of one letter nothing may be left
            pairs.append((wrong, right))
    return pairs


def _balanced(
    first: list[str], first_targets: FloatArray, second: list[str], second_targets: FloatArray
) -> tuple[list[str], FloatArray]:
    """Draw equally many words of both kinds: confidence is calibrated for texts with as many typos as new words."""
    count = min(len(first), len(second))
    rows = [np.random.default_rng(0).permutation(len(words))[:count] for words in (first, second)]
    words = [first[row] for row in rows[0]] + [second[row] for row in rows[1]]
    return words, np.concatenate([first_targets[rows[0]], second_targets[rows[1]]])
