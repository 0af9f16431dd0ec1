"""The gate of `everyword.models.blend` as a torch network: training, calibration and folding into arrays.

It is trained on several kinds of unknown words: misspellings, whose right word is known, and words that are simply new.
The loss is the cosine distance of the blend from the teacher's vector; for a misspelling whose right word is among the
candidates, also minus the logarithm of that candidate's share among them; and for every word minus the logarithm of the
probability that it is misspelt, or is not: which word is meant is one question, whether the word is new is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
    SOFTNESS,
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
    epochs: Count = 15
    batch: Count = 256
    learning_rate: float = 4e-3
    """At the beginning; it falls evenly to nothing."""
    new_words: float = 0.5
    """Weight of all new words beside that of all misspellings: most words that a large model lacks are misspelt."""
    ranking: float = 1.0
    """Weight of the right candidate's logarithm beside the cosine of the blend,"""
    telling: float = 0.2
    """and of the logarithm of the probability that a word is misspelt, or is not."""
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

    def parted(self, one_in: int) -> tuple[UnknownWords, UnknownWords]:
        """Return most words, and about one in so many, which share no right word with the others."""
        apart = (np.arange(len(self.words)) if self.right is None else self.right) % one_in == 0
        most, few = (self._some(rows.nonzero()[0]) for rows in (~apart, apart))
        return (most, few) if len(most.words) and len(few.words) else (self, self)

    def _some(self, rows: IndexArray) -> UnknownWords:
        right = None if self.right is None else self.right[rows]
        return UnknownWords([self.words[row] for row in rows.tolist()], self.form[rows], self.targets[rows], right)


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


class Weighed(NamedTuple):
    """What the network makes of words."""

    meant: Tensor
    """(words, MOST): the scores of candidates as the word that was meant."""
    new: Tensor
    """(words, MOST + 1): the shares of all candidates and, last, of the form if the word is new."""
    sign: Tensor
    """The logarithm of the odds that each word is misspelt."""

    def shares(self, softness: float = SOFTNESS) -> Tensor:
        """Return the shares of all candidates and of the form."""
        misspelt = self.sign.sigmoid()[:, None]
        return (1 - misspelt) * self.new + F.pad(misspelt * (softness * self.meant).softmax(dim=1), (0, 1))


class GateNetwork(nn.Module):
    """Scores of candidates and of the form, as `ReadingGate` computes them."""

    def __init__(self, config: GateConfig) -> None:
        super().__init__()
        self.letters = nn.Parameter(0.05 * torch.randn(len(LETTER_TABLES), LETTER_PAIRS, config.letter_width))
        self.inner = nn.Linear(INPUTS, config.hidden)
        self.letters_inner = nn.Linear(len(LETTER_TABLES) * config.letter_width, config.hidden, bias=False)
        self.outer = nn.Linear(config.hidden, 2, bias=False)
        self.form_inner = nn.Linear(BEST_FEATURES, config.form_hidden)
        self.form_outer = nn.Linear(config.form_hidden, 2)

    def forward(self, examples: GateExamples) -> Weighed:
        """Weigh the candidates and forms of words."""
        pairs = examples.letter_pairs.long()
        letters = torch.cat([F.embedding(pairs[..., k], table) for k, table in enumerate(self.letters)], dim=2)
        features = examples.features.float()
        hidden = F.relu(self.inner(features) + self.letters_inner(letters))
        absent, some = ~examples.present[..., None], examples.present.any(dim=1)
        meant, relatives = self.outer(hidden).masked_fill(absent, float(NO_CANDIDATE)).unbind(dim=2)
        best = torch.cat([_best_of_each(features, meant, relatives, examples.present), examples.likeliness], dim=1)
        sign, form = self.form_outer(F.relu(self.form_inner(best))).split(1, dim=1)
        new = torch.cat([relatives, form], dim=1).softmax(dim=1)
        return Weighed(meant, new, sign[:, 0].masked_fill(~some, float(NO_CANDIDATE)))

    def fold(self) -> dict[str, FloatArray]:
        """Return the tables of `ReadingGate`, with the letter tables multiplied by the hidden layer in advance."""
        by_table = self.letters_inner.weight.chunk(len(LETTER_TABLES), dim=1)
        folded = {
            name: table @ weight.T for name, table, weight in zip(LETTER_TABLES, self.letters, by_table, strict=True)
        }
        folded |= {
            "features": self.inner.weight.T,
            "bias": self.inner.bias,
            "score": self.outer.weight.T,
            "form.features": self.form_inner.weight.T,
            "form.bias": self.form_inner.bias,
            "form.score": self.form_outer.weight.T,
            "form.score_bias": self.form_outer.bias,
        }
        with torch.no_grad():
            return {name: to_array(table) for name, table in folded.items()}


def _best_of_each(features: Tensor, meant: Tensor, relatives: Tensor, present: Tensor) -> Tensor:
    highest, places = meant.topk(SCORES_TOLD, dim=1)
    best = features[torch.arange(len(features)), places[:, 0], : len(FEATURES)]
    scores = torch.cat([highest, relatives.amax(dim=1, keepdim=True)], dim=1)
    counts = present.sum(dim=1, keepdim=True) / MOST
    return torch.cat([best, scores.clamp(min=float(LOWEST)) / 8, counts], dim=1)


def cosines(shares: Tensor, examples: GateExamples) -> Tensor:
    """Return the cosine of each blend of candidates and form to the teacher's vector."""
    towards = (shares * examples.to_target).sum(dim=1)
    length = torch.einsum("nj,njk,nk->n", shares, examples.to_each_other.float(), shares)
    return towards / length.clamp(min=1e-6).sqrt()


def train_gate(
    misspelt: Sequence[GateExamples], weights: Sequence[float], new: GateExamples, config: GateConfig
) -> GateNetwork:
    """Train on kinds of misspellings, each with a weight whatever its number of words, and on new words."""
    torch.manual_seed(config.seed)
    network = GateNetwork(config)
    steps = max(1, max(map(len, (*misspelt, new))) // config.batch)

    def loss(_step: int) -> Tensor:
        wrong = [weight * _loss(network, kind, config) for weight, kind in zip(weights, misspelt, strict=True)]
        return torch.stack(wrong).sum() / sum(weights) + config.new_words * _loss(network, new, config)

    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters())),
        epochs=config.epochs,
        batches=lambda _epoch, first: range(first, steps),
        loss=loss,
        learning_rate=lambda epoch, step, _steps: config.learning_rate * (1 - (epoch + step / steps) / config.epochs),
    ).run()
    return network


def _loss(network: GateNetwork, examples: GateExamples, config: GateConfig) -> Tensor:
    chosen = examples.take(torch.randint(len(examples), (config.batch,)))
    weighed = network(chosen)
    is_right = chosen.present & (chosen.rows == chosen.right[:, None])
    among_candidates = weighed.meant.log_softmax(dim=1)
    missed = -(among_candidates * is_right).sum() / config.batch
    told = F.binary_cross_entropy_with_logits(weighed.sign.clamp(min=float(LOWEST)), is_right.any(dim=1).float())
    loss: Tensor = (
        (1 - cosines(weighed.shares(softness=1), chosen)).mean() + config.ranking * missed + config.telling * told
    )
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
        TorchOptimiser(torch.optim.AdamW(network.parameters(), weight_decay=0.01)),
        epochs=1,
        batches=lambda _epoch, _first: range(1000),
        loss=lambda _step: F.mse_loss(network(signs)[:, 0], true),
        learning_rate=lambda _epoch, step, steps: 0.02 * (1 - step / steps),
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
