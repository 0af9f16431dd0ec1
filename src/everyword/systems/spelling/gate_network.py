"""The gate of `everyword.models.blend` as a torch network: training, calibration and folding into arrays.

It is trained on several kinds of unknown words: misspellings, whose right word is known, and words that are simply new.
The loss is the cosine distance of the blend from the teacher's vector and, for a misspelling whose right word is among
the candidates, also minus the logarithm of that candidate's share among them: which word is meant is one question,
whether the word is new is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.config import Count
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.models.blend.alignment import FEATURES, INPUTS, LETTER_PAIRS, LETTER_TABLES, WordShapes, align
from everyword.models.blend.blender import Blender, signs_of_certainty
from everyword.models.blend.reading_gate import (
    BEST_FEATURES,
    LOWEST,
    NO_CANDIDATE,
    REACH,
    READING_SIGNS,
    SCORES_TOLD,
    TRIGRAMS,
    ReadingGate,
    likeliness,
)
from everyword.models.known import KnownWords
from everyword.models.retrieval.letter_rows import LETTERS, WIDTH
from everyword.models.retrieval.similar_words import MOST, SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords
from everyword.systems.spelling.encoders.base import to_array
from everyword.vectors.neighbours import unit_rows

UNKNOWN_WORD = -1
"""The right row of a word that is new."""
WORDS_AT_ONCE = 2048
SELDOM = 5


@dataclass(frozen=True)
class GateConfig:
    """Size and training of the gate."""

    hidden: Count = 32
    form_hidden: Count = 16
    letter_width: Count = 4
    """Length of what is learnt of each pair of letters."""
    epochs: Count = 8
    batch: Count = 256
    learning_rate: float = 4e-3
    decay: float = 0.65
    """The rate is multiplied by this after each epoch."""
    ranking: float = 1.0
    """Weight of the right candidate's logarithm beside the cosine of the blend."""
    confidence_hidden: Count = 16
    reach: Count = REACH
    """How many of the most frequent words are candidates."""
    seed: int = 0


@dataclass(frozen=True)
class UnknownWords:
    """Words that are not known, and what is known of them."""

    words: Sequence[str]
    form: FloatArray
    """Vectors inferred from spelling alone."""
    targets: FloatArray
    """Vectors of the teacher."""
    right: IndexArray | None = None
    """The rows of the words that were meant; None if the words are new."""


@dataclass(frozen=True)
class GateExamples:
    """Unknown words with the features of their candidates, padded to `MOST` places, and the worth of their blends."""

    features: Tensor
    """(words, MOST, INPUTS), in half precision: there are many."""
    letter_pairs: Tensor
    rows: Tensor
    """The rows of the candidates among the known words."""
    present: Tensor
    """Which places hold a candidate."""
    to_target: Tensor
    """(words, MOST + 1): cosines of the candidates and, last, of the form to the teacher's vector,"""
    to_each_other: Tensor
    """(words, MOST + 1, MOST + 1): and to each other. The cosine of a blend depends on nothing else."""
    likeliness: Tensor
    """What `likeliness` says of each word."""
    right: Tensor
    """The row of the word that was meant, `UNKNOWN_WORD` if it is new."""

    @classmethod
    def of(cls, unknown: UnknownWords, finder: SimilarWords, known: KnownWords, trigrams: FloatArray) -> GateExamples:
        """Find the candidates of words that are not known, and compute their features.

        The finder looks for the first of the known words.
        """
        shapes, parts = WordShapes(finder.index.spelt), list[tuple[AnyArray, ...]]()
        for first in range(0, len(unknown.words), WORDS_AT_ONCE):
            part = slice(first, first + WORDS_AT_ONCE)
            spelt = SpeltWords.of(unknown.words[part])
            pairs = finder.find(spelt)
            alignment, size = align(WordShapes(spelt), shapes, pairs), (len(spelt), MOST)
            features = np.zeros((*size, INPUTS), dtype=np.float16)
            letter_pairs = np.zeros((*size, len(LETTER_TABLES)), dtype=np.int16)
            rows, present = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
            features[pairs.query, pairs.nth] = alignment.features.T
            letter_pairs[pairs.query, pairs.nth] = alignment.letter_pairs.T
            rows[pairs.query, pairs.nth] = pairs.row
            present[pairs.query, pairs.nth] = True
            sources = unit_rows(known.matrix.floats(rows.ravel())).reshape(*size, known.dim)
            sources = np.concatenate([sources, unit_rows(unknown.form[part])[:, None]], axis=1)
            to_target = np.einsum("nkd,nd->nk", sources, unit_rows(unknown.targets[part]))
            to_each_other = (sources @ sources.transpose(0, 2, 1)).astype(np.float16)
            likely = likeliness(spelt, trigrams)
            parts.append((features, letter_pairs, rows.astype(np.int32), present, to_target, to_each_other, likely))
        right = np.full(len(unknown.words), UNKNOWN_WORD) if unknown.right is None else unknown.right
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return cls(*map(torch.from_numpy, [*columns, right]))

    def __len__(self) -> int:
        return len(self.right)

    def take(self, chosen: Tensor) -> GateExamples:
        """Return some of the words."""
        return GateExamples(**{name: tensor[chosen] for name, tensor in vars(self).items()})


class GateNetwork(nn.Module):
    """Scores of candidates and of the form, as `ReadingGate` computes them."""

    def __init__(self, config: GateConfig) -> None:
        super().__init__()
        self.letters = nn.Parameter(0.05 * torch.randn(len(LETTER_TABLES), LETTER_PAIRS, config.letter_width))
        self.inner = nn.Linear(INPUTS, config.hidden)
        self.letters_inner = nn.Linear(len(LETTER_TABLES) * config.letter_width, config.hidden, bias=False)
        self.outer = nn.Linear(config.hidden, 1, bias=False)
        self.form_inner = nn.Linear(BEST_FEATURES, config.form_hidden)
        self.form_outer = nn.Linear(config.form_hidden, 1)

    def forward(self, examples: GateExamples) -> Tensor:
        """Return the logarithms of the shares of all candidates and, last, of the form: (words, MOST + 1)."""
        pairs = examples.letter_pairs.long()
        letters = torch.cat([F.embedding(pairs[..., k], table) for k, table in enumerate(self.letters)], dim=2)
        features = examples.features.float()
        hidden = F.relu(self.inner(features) + self.letters_inner(letters))
        scores = self.outer(hidden)[..., 0].masked_fill(~examples.present, float(NO_CANDIDATE))
        best = torch.cat([_best_of_each(features, scores, examples.present), examples.likeliness], dim=1)
        form = self.form_outer(F.relu(self.form_inner(best)))
        return torch.cat([scores, form], dim=1).log_softmax(dim=1)

    def fold(self) -> dict[str, FloatArray]:
        """Return the tables of `ReadingGate`, with the letter tables multiplied by the hidden layer in advance."""
        by_table = self.letters_inner.weight.chunk(len(LETTER_TABLES), dim=1)
        folded = {
            name: table @ weight.T for name, table, weight in zip(LETTER_TABLES, self.letters, by_table, strict=True)
        }
        folded |= {
            "features": self.inner.weight.T,
            "bias": self.inner.bias,
            "score": self.outer.weight[0],
            "form.features": self.form_inner.weight.T,
            "form.bias": self.form_inner.bias,
            "form.score": self.form_outer.weight[0],
            "form.score_bias": self.form_outer.bias,
        }
        with torch.no_grad():
            return {name: to_array(table) for name, table in folded.items()}


def _best_of_each(features: Tensor, scores: Tensor, present: Tensor) -> Tensor:
    highest, places = scores.topk(SCORES_TOLD, dim=1)
    best = features[torch.arange(len(features)), places[:, 0], : len(FEATURES)]
    counts = present.sum(dim=1, keepdim=True) / MOST
    return torch.cat([best, highest.clamp(min=float(LOWEST)) / 8, counts], dim=1)


def cosines(shares: Tensor, examples: GateExamples) -> Tensor:
    """Return the cosine of each blend of candidates and form to the teacher's vector."""
    towards = (shares * examples.to_target).sum(dim=1)
    length = torch.einsum("nj,njk,nk->n", shares, examples.to_each_other.float(), shares)
    return towards / length.clamp(min=1e-6).sqrt()


def train_gate(kinds: Sequence[GateExamples], config: GateConfig) -> GateNetwork:
    """Train on several kinds of unknown words, each counting alike in every batch whatever its number of words."""
    torch.manual_seed(config.seed)
    network = GateNetwork(config)
    steps = max(1, max(map(len, kinds)) // config.batch)
    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters())),
        epochs=config.epochs,
        batches=lambda _epoch, first: range(first, steps),
        loss=lambda _step: torch.stack([_loss(network, kind, config) for kind in kinds]).sum(),
        learning_rate=lambda epoch, _step, _steps: config.learning_rate * config.decay**epoch,
    ).run()
    return network


def _loss(network: GateNetwork, examples: GateExamples, config: GateConfig) -> Tensor:
    chosen = examples.take(torch.randint(len(examples), (config.batch,)))
    shares = network(chosen)
    is_right = chosen.present & (chosen.rows == chosen.right[:, None])
    among_candidates = shares[:, :-1].log_softmax(dim=1)
    missed = -(among_candidates * is_right).sum() / config.batch
    loss: Tensor = (1 - cosines(shares.exp(), chosen)).mean() + config.ranking * missed
    return loss


def calibrate(blender: Blender, words: Sequence[str], targets: FloatArray, config: GateConfig) -> dict[str, FloatArray]:
    """Fit the tables of `Confidence` to the true cosines of the blends of words."""
    mixture = blender.mix(words)
    true = (unit_rows(mixture.blended) * unit_rows(targets)).sum(axis=1)
    return _fit_expectation(torch.from_numpy(signs_of_certainty(mixture)), torch.from_numpy(true), config)


def _fit_expectation(signs: Tensor, true: Tensor, config: GateConfig) -> dict[str, FloatArray]:
    torch.manual_seed(config.seed)
    inner, outer = nn.Linear(len(READING_SIGNS), config.confidence_hidden), nn.Linear(config.confidence_hidden, 1)
    network = nn.Sequential(inner, nn.ReLU(), outer)
    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters(), lr=0.01)),
        epochs=1,
        batches=lambda _epoch, _first: range(1000),
        loss=lambda _step: F.mse_loss(network(signs)[:, 0], true),
    ).run()
    tables = {
        "signs": inner.weight.T,
        "bias": inner.bias,
        "score": outer.weight[0],
        "score_bias": outer.bias,
    }
    with torch.no_grad():
        return {name: to_array(table) for name, table in tables.items()}


def assemble_gate(
    network: GateNetwork, trigrams: FloatArray, confidence: dict[str, FloatArray], reach: int = REACH
) -> ReadingGate:
    """Return the trained gate with its confidence."""
    tables = {f"confidence.{name}": table for name, table in confidence.items()}
    return ReadingGate({**network.fold(), **tables, "trigrams": trigrams}, reach)


def trigram_logarithms(words: SpeltWords) -> FloatArray:
    """Return the logarithm of the probability of each letter after two others in words, as `likeliness` takes it."""
    letters = np.zeros((len(words), WIDTH + 2), dtype=np.int64)
    letters[:, 1:-1] = words.letters
    inside = letters[:, 1:-1] != 0
    place = (letters[:, :-2] * LETTERS + letters[:, 1:-1]) * LETTERS + letters[:, 2:]
    triples = np.bincount(place[inside], minlength=TRIGRAMS).reshape(LETTERS, LETTERS, LETTERS)
    pairs, singles = triples.sum(axis=0), triples.sum(axis=(0, 1))
    likely = (singles + 1) / (singles + 1).sum()
    for counts in (pairs, triples):  # what was seldom seen is told by fewer letters
        likely = (counts + SELDOM * likely) / (counts.sum(axis=-1, keepdims=True) + SELDOM)
    logarithms: FloatArray = np.log(likely).astype(np.float32).ravel()
    return logarithms
