"""Train the gate of an encoder on misspellings and new words, and calibrate its confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from everyword import registry
from everyword.arrays import FloatArray
from everyword.config import Natural
from everyword.corpus.codespell_split import CANDIDATES, Pair, load_split
from everyword.corpus.human_misspellings import load_human_misspellings, load_normalisations
from everyword.errors import InputError
from everyword.models.blend.blender import Blender
from everyword.models.blend.reading_gate import ReadingGate
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.retrieval.similar_words import SimilarWords
from everyword.systems.spelling.gate_network import (
    GateConfig,
    GateExamples,
    UnknownWords,
    assemble_gate,
    calibrate,
    train_gate,
    trigram_logarithms,
)
from everyword.systems.spelling.respelling import respell

if TYPE_CHECKING:
    from everyword.systems.spelling.preparation import TrainingData


CALIBRATE_ONE_IN = 6
"""One in so many right words, and new words, is kept from the gate to calibrate its confidence."""
FLAT_RANKS = 100
"""The first words of a language are function words, seldom misspelt; up to this rank they are drawn about equally."""
LISTED, HUMAN, BY_EAR, OF_FINGERS = 2.0, 3.0, 2.0, 3.0
"""The weights of kinds of misspellings."""
ERRORS_BY_EAR, SLIPS = (0.4, 0.3, 0.2, 0.1), (0.8, 0.15, 0.05)
"""The fractions of made-up misspellings with one error, with two and so on."""


@dataclass(frozen=True)
class BlendConfig:
    """Whether unknown words are blended from known ones, and what the gate learns from."""

    enabled: bool = False
    misspellings: str | None = None
    """Tab-separated wrong and right with a header line; the pairs kept for evaluation are left out, with all other
    misspellings of their right words."""
    human_misspellings: str | None = None
    """The same, by poor spellers; words that judge are left out by the rule of `corpus.human_misspellings`."""
    normalisations: str | None = None
    """Words of messages and their normal forms, a tab between them; the same rule."""
    made_up: Natural = 60_000
    """How many misspellings of known words are made up, as many by ear as by the corruptions."""
    corruptions: tuple[str, ...] = ("swap", "drop", "insert", "keyboard")
    network: GateConfig = field(default_factory=GateConfig)

    @property
    def files(self) -> list[str]:
        """Return the files that it learns from."""
        return [file for file in (self.misspellings, self.human_misspellings, self.normalisations) if file is not None]

    def with_files(self, changed: Callable[[str], str]) -> BlendConfig:
        """Return the same with every file changed."""
        listed, human, normal = (
            None if file is None else changed(file)
            for file in (self.misspellings, self.human_misspellings, self.normalisations)
        )
        return replace(self, misspellings=listed, human_misspellings=human, normalisations=normal)

    def problems(self) -> Iterator[str]:
        """Yield a message for each unknown corruption."""
        for name in self.corruptions:
            if name not in registry.corruptions:
                yield f"there is no corruption {name!r}"


def learn_gate(
    config: BlendConfig, prepared: TrainingData, form_encoder: FormEncoder, known: KnownWords
) -> ReadingGate:
    """Train the gate and its confidence on misspellings of known words and on words held out from training.

    Held-out words and those kept for evaluation are hidden while it learns, as new words are. A misspelling that is
    one of them, or another known word, is skipped.
    """
    hidden = {*prepared.held_out_words, *prepared.evaluated_words}
    visible, real_words = known.without(hidden), hidden.union(known.words)
    finder = SimilarWords(visible.words[: config.network.reach])
    kinds = [
        (weight, [(wrong, right) for wrong, right in pairs if wrong not in real_words])
        for weight, pairs in (
            (LISTED, listed_misspellings(config, known, visible)),
            (HUMAN, human_misspellings(config, visible)),
            (BY_EAR, made_up_misspellings(config, finder.words, by_ear=True)),
            (OF_FINGERS, made_up_misspellings(config, finder.words, by_ear=False)),
        )
    ]
    kinds = [(weight, pairs) for weight, pairs in kinds if pairs]
    if not kinds:
        raise InputError("There are no misspellings to learn from; name a file or raise blend.made_up.")
    unknown = [_misspelt(pairs, visible, form_encoder) for _, pairs in kinds]
    new = prepared.held_out_words
    unknown.append(UnknownWords(new, form_encoder(new), prepared.held_out_targets))
    # What the gate has learnt it does better than the rest: confidence is for the rest.
    learnt, judged = zip(*(kind.parted(CALIBRATE_ONE_IN) for kind in unknown), strict=True)
    trigrams = trigram_logarithms(finder.index.spelt)
    *misspelt, unseen = (GateExamples.of(kind, finder, visible, trigrams) for kind in learnt)
    network = train_gate(misspelt, [weight for weight, _ in kinds], unseen, config.network)
    gate = assemble_gate(network, trigrams, {}, config.network.reach)
    words, targets = _balanced([*judged, *judged[-1:] * (len(judged) - 2)])
    confidence = calibrate(Blender(visible, form_encoder, gate), words, targets, config.network)
    return assemble_gate(network, trigrams, confidence, config.network.reach)


def _misspelt(pairs: Sequence[Pair], visible: KnownWords, form_encoder: FormEncoder) -> UnknownWords:
    wrong, right = [wrong for wrong, _ in pairs], np.array([visible.index[right] for _, right in pairs])
    return UnknownWords(wrong, form_encoder(wrong), visible.matrix.floats(right), right)


def listed_misspellings(config: BlendConfig, known: KnownWords, visible: KnownWords) -> list[Pair]:
    """Return the listed misspellings of visible words that are not kept for evaluation."""
    if config.misspellings is None:
        return []
    pairs = load_split(Path(config.misspellings), known.words[:CANDIDATES]).training
    return [(wrong, right) for wrong, right in pairs if right in visible.index]


def human_misspellings(config: BlendConfig, visible: KnownWords) -> list[Pair]:
    """Return the misspellings and normalisations of visible words that people wrote, less those that judge."""
    pairs = []
    if config.human_misspellings is not None:
        pairs += load_human_misspellings(Path(config.human_misspellings))
    if config.normalisations is not None:
        pairs += load_normalisations(Path(config.normalisations))
    return [(wrong, right) for wrong, right in pairs if right in visible.index]


def made_up_misspellings(config: BlendConfig, words: Sequence[str], *, by_ear: bool) -> list[Pair]:
    """Make up misspellings of words, frequent ones more often, by ear or by slips of the fingers."""
    rng, misspell = np.random.default_rng(config.network.seed), Random(config.network.seed)
    odds = 1 / (np.arange(len(words)) + FLAT_RANKS)  # Zipf: a word is misspelt as often as it is written
    drawn = rng.choice(len(words), size=config.made_up // 2, p=odds / odds.sum())
    corruptions = [respell] if by_ear else [registry.corruptions.get(name) for name in config.corruptions]
    errors, pairs = ERRORS_BY_EAR if by_ear else SLIPS, []
    for row in drawn.tolist():
        right = wrong = words[row]
        for _ in range(misspell.choices(range(1, 1 + len(errors)), errors)[0]):
            wrong = misspell.choice(corruptions)(wrong, misspell)
        if wrong and wrong != right:  # of a word of one letter nothing may be left
            pairs.append((wrong, right))
    return pairs


def _balanced(kinds: Sequence[UnknownWords]) -> tuple[list[str], FloatArray]:
    """Draw equally many words of all kinds: confidence is calibrated for texts with as many typos as new words."""
    count = min(len(kind.words) for kind in kinds)
    drawn = [np.random.default_rng(0).permutation(len(kind.words))[:count] for kind in kinds]
    words = [kind.words[row] for kind, rows in zip(kinds, drawn, strict=True) for row in rows.tolist()]
    return words, np.concatenate([kind.targets[rows] for kind, rows in zip(kinds, drawn, strict=True)])
