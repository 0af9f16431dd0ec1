"""Training on paraphrases: texts of a pair are to be more similar than each of them and the hardest negative.

Negatives are searched once per mega-batch, with the weights of that moment, and kept beside the network: a resumed
training has the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_sequence

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import RowwiseAdam
from everyword.models.known import WORDS
from everyword.models.model import Model
from everyword.systems.operators.config import OperatorsConfig
from everyword.systems.operators.networks import (
    Encoded,
    build_network,
    margin_loss,
    most_similar,
)
from everyword.systems.operators.pairs import Paraphrases, ScoredPairs
from everyword.systems.operators.trained import TrainedTexts
from everyword.vectors.neighbours import unit_rows

SCORE = "pearson"


@dataclass(frozen=True)
class OperatorsRun:
    """One training: its settings, its paraphrases and where its state is kept."""

    config: OperatorsConfig
    pairs: Paraphrases
    model: Model | None = None
    """Gives the word vectors that operators are maps of."""
    dev: ScoredPairs | None = None
    """Pairs of texts with scores, by which the best epoch is chosen."""
    context: RunContext = field(default_factory=RunContext)


class OperatorsTraining:
    """A network, its paraphrases, and the loop that trains it."""

    def __init__(self, run: OperatorsRun) -> None:
        configs.check(run.config)
        self.run, self.config = run, run.config
        self.words = words_of(run)
        self.pairs = run.pairs.rows(self.words, run.config.longest)
        vectors = vectors_of(run.model, self.words) if run.config.method == "mapped" else None
        self.network = build_network(
            run.config, len(self.words), None if vectors is None else torch.from_numpy(vectors)
        )
        together = run.config.batch * run.config.mega_batch
        self.network.register_buffer("negatives", torch.zeros(2 * together, dtype=torch.int64))
        self._texts: list[IndexArray] = []
        self._texts_of: tuple[int, int] | None = None
        self.loop = TrainingLoop(
            self.network,
            RowwiseAdam(self.network, run.config.learning_rate),
            epochs=run.config.epochs,
            batches=self._batches,
            loss=self._loss,
            seed=run.config.seed,
            evaluate=self._evaluate if run.dev else None,
            best=SCORE if run.dev else None,
            run=run.context,
            fingerprint=fingerprint([configs.to_dict(run.config), run.pairs.sha256, len(self.pairs)]),
        )

    def train(self) -> TrainedTexts | None:
        """Train to the end and return what was learnt; None if Ctrl-C came first."""
        return self.trained() if self.loop.run() else None

    def trained(self) -> TrainedTexts:
        """Return the network as it is now, with its words."""
        record = {
            "config": configs.to_dict(self.config),
            "pairs": dict(self.run.pairs.files),
            "model": self.run.model.name if self.run.model else None,
        }
        return TrainedTexts(self.network, self.words, self.config, record)

    def _evaluate(self) -> dict[str, float]:
        assert self.run.dev is not None
        cosines = self.trained().similarities(self.run.dev.first, self.run.dev.second)
        return {SCORE: 100 * float(np.corrcoef(cosines, self.run.dev.scores)[0, 1])}

    def _order(self, epoch: int) -> IndexArray:
        return np.random.default_rng([self.config.seed, epoch]).permutation(len(self.pairs))

    def _batches(self, epoch: int, first: int) -> list[int]:
        """Return the numbers of the steps; what they train on follows from the epoch."""
        return list(range(first, -(-len(self.pairs) // self.config.batch)))

    def _loss(self, step: int) -> Tensor:
        chosen, batch = self.config, self.config.batch
        number, place = divmod(step, chosen.mega_batch)
        texts = self._mega_batch(self.loop.progress.epoch, number)
        negatives: Tensor = self.network.negatives  # type: ignore[assignment]
        if place == 0:
            with torch.no_grad():
                negatives[: len(texts)] = most_similar(self.network(packed(texts)), contents(texts))
        pairs = range(place * batch, min((place + 1) * batch, len(texts) // 2))
        own = [2 * pair for pair in pairs], [2 * pair + 1 for pair in pairs]
        wrong = [negatives[side].tolist() for side in own]
        encoded: Encoded = self.network(packed([texts[row] for rows in (*own, *wrong) for row in rows]))
        parts = [encoded.rows(slice(part * len(pairs), (part + 1) * len(pairs))) for part in range(4)]
        loss = margin_loss(parts[0], parts[1], (parts[2], parts[3]), chosen.used_margin)
        return loss + chosen.prior * encoded.penalty / len(pairs)

    def _mega_batch(self, epoch: int, number: int) -> list[IndexArray]:
        """Return the texts of a mega-batch, those of a pair one after the other, some with their words shuffled."""
        if self._texts_of != (epoch, number):
            together = self.config.batch * self.config.mega_batch
            order = self._order(epoch)[number * together : (number + 1) * together]
            rng = np.random.default_rng([self.config.seed, epoch, number])
            texts = [text for pair in order for text in self.pairs[pair]]
            self._texts = [rng.permutation(text) if rng.random() < self.config.scramble else text for text in texts]
            self._texts_of = (epoch, number)
        return self._texts


def packed(texts: Sequence[NDArray[np.int64]]) -> PackedSequence:
    """Return texts as torch reads them, word by word."""
    return pack_sequence([torch.from_numpy(text) for text in texts], enforce_sorted=False)


def contents(texts: Sequence[NDArray[np.int64]]) -> Tensor:
    """Return a number per text, the same for texts of the same words in any order."""
    numbers: dict[bytes, int] = {}
    return torch.tensor([numbers.setdefault(np.sort(text).tobytes(), len(numbers)) for text in texts])


def words_of(run: OperatorsRun) -> list[str]:
    """Return the words that get operators or vectors of their own."""
    words = run.pairs.vocabulary(run.config.min_count)
    if run.config.method != "mapped":
        return words
    if run.model is None:
        raise InputError("Operators that are maps of word vectors need a model; give one.")
    frequent = run.model.known_words.sections.get(WORDS, range(len(run.model)))[: run.config.words]
    return list(dict.fromkeys([*run.pairs.vocabulary(1), *run.model.known_words.words[frequent.start : frequent.stop]]))


def vectors_of(model: Model | None, words: Sequence[str]) -> FloatArray:
    """Return the unit vectors of words."""
    assert model is not None
    return unit_rows(model.encode(words))


def train_operators(run: OperatorsRun) -> TrainedTexts | None:
    """Train on paraphrases.

    Args:
        run: Settings, paraphrases, and where the state is kept.

    Returns:
        What was learnt; None if Ctrl-C came first and the run can be resumed.

    Raises:
        InputError: If operators are to be maps of word vectors and there is no model.
    """
    return OperatorsTraining(run).train()
