"""Learn from a sentence encoder how much words count in texts, and what text vectors add to word vectors.

A text is (Σ gᵢ uᵢ) M + Σ eᵢ P: unit vectors uᵢ of words with gains gᵢ, a map M of the sum, and corrections eᵢ of a few
numbers for frequent words. Gains are a curve over the rank of a word plus a difference of its own, so that words that
no text had follow the curve. The loss compares a text with the encoder's vector of it (reduced by principal components)
and the cosines of all pairs of a batch with the encoder's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from everyword.arrays import FloatArray, IndexArray
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import linear_schedule
from everyword.models.known import KnownWords
from everyword.sentences.weights import Corrections, TextWeights
from everyword.systems.sentences.config import TextWeightsConfig
from everyword.systems.sentences.text_data import Bags, BagTensors

WARM_UP = 0.05
BANDS = 12
"""Points of the curve of gains over the logarithm of the rank, in each section."""


class TextNetwork(nn.Module):
    """Bags → vectors, with all that is learnt."""

    units: Tensor
    curve_place: Tensor

    def __init__(self, known: KnownWords, weights: TextWeights, made: Tensor, config: TextWeightsConfig) -> None:
        super().__init__()
        self.config, self.words = config, len(known)
        units = torch.from_numpy(known.rows(slice(None)))
        self.register_buffer("units", F.normalize(torch.cat([units, made.float()]), dim=1), persistent=False)
        self.register_buffer("curve_place", torch.from_numpy(_curve_places(known)), persistent=False)
        gains = torch.from_numpy(np.log(weights.gains))
        place = self.curve_place.long()
        points = torch.zeros(int(place.max()) + 2)
        counts = torch.zeros_like(points).index_add_(0, place, torch.ones(len(place)))
        points = points.index_add_(0, place, gains) / counts.clamp(min=1)
        points[-1] = points[-2]
        self.curve = nn.Parameter(points)
        self.differences = nn.Parameter(torch.zeros(self.words))
        self.made_gain = nn.Parameter(torch.zeros(1))
        self.turn = nn.Parameter(torch.eye(known.dim))
        size = config.correction_size
        generator = torch.Generator().manual_seed(config.seed)
        self.corrections = nn.Parameter(torch.zeros(min(config.corrected_words, self.words) + 1, max(size, 1)))
        self.basis = nn.Parameter(torch.randn(max(size, 1), known.dim, generator=generator) / known.dim**0.5)

    def gains(self, rows: Tensor) -> Tensor:
        """Return how much stored words count, by their rows, and vectors that were made, which stand behind them."""
        made = rows >= self.words
        rows = rows.clamp(max=self.words - 1)
        place = self.curve_place[rows]
        low = place.long()
        curve = torch.lerp(self.curve[low], self.curve[low + 1], place - low)
        return torch.where(made, self.made_gain, curve + self.differences[rows]).exp()

    def forward(self, rows: Tensor, shares: Tensor, offsets: Tensor) -> Tensor:
        """Return the vectors of bags."""
        weights = self.gains(rows) * shares
        vectors = F.embedding_bag(rows, self.units, offsets, mode="sum", per_sample_weights=weights) @ self.turn
        if self.config.correction_size:
            last = len(self.corrections) - 1  # of words without a correction: zeros, by a share of zero
            corrected = torch.where(rows < last, shares, torch.zeros_like(shares))
            added = F.embedding_bag(
                rows.clamp(max=last), self.corrections, offsets, mode="sum", per_sample_weights=corrected
            )
            vectors = vectors + added @ self.basis
        return vectors

    def weights(self, start: TextWeights) -> TextWeights:
        """Return what was learnt, for a model to use; lengths of texts stay about as they were."""
        with torch.no_grad():
            gains = self.gains(torch.arange(self.words + 1, device=self.curve.device)).cpu().numpy()
            turn = self.turn.detach().cpu().numpy().astype(np.float32)
            corrections = None
            if self.config.correction_size:
                values = self.corrections[:-1].detach().cpu().numpy()
                basis = self.basis.detach().cpu().numpy()
                corrections = Corrections.pack(values, basis, self.config.correction_bytes)
        return TextWeights(gains[:-1].astype(np.float32), float(gains[-1]), start.terms, turn, corrections)


def _curve_places(known: KnownWords) -> FloatArray:
    """Return where each word stands on the curve: by the logarithm of its rank in its section."""
    places = np.zeros(len(known), dtype=np.float32)
    first = 0
    for rows in known.sections.values():
        if len(rows):
            ranks = np.log(np.arange(1, len(rows) + 1)) / np.log(max(len(rows), 2))
            places[rows.start : rows.stop] = first + ranks * (BANDS - 1.001)
            first += BANDS
    return places


class TextTraining:
    """Texts, their vectors by an encoder, and the network that learns from them."""

    def __init__(
        self,
        known: KnownWords,
        start: TextWeights,
        bags: Bags,
        teacher: Tensor,
        config: TextWeightsConfig,
        *,
        teacher_of: IndexArray,
        device: str = "cpu",
    ) -> None:
        """Prepare a training.

        Args:
            known: The stored words.
            start: Weights to start from.
            bags: The texts.
            teacher: The encoder's vectors, of length 1.
            config: How to learn.
            teacher_of: The row of the encoder's vector of each text; misspelt copies share those of their texts.
            device: Where to compute.
        """
        self.start, self.config, self.device, self.count = start, config, device, len(bags)
        self.network = TextNetwork(known, start, torch.from_numpy(bags.made), config).to(device)
        self.data, self.teacher = BagTensors.of(bags, device), teacher.to(device)
        self.row_of = torch.from_numpy(teacher_of).to(device)
        self.target = _fitted_targets(self.network, self.data, self.teacher, self.row_of)

    def run(
        self, evaluate: Callable[[], Mapping[str, float]] | None = None, run: RunContext | None = None
    ) -> TextWeights | None:
        """Learn weights; None if the training was interrupted."""
        config, network = self.config, self.network
        own = [network.corrections, network.differences]
        plain = [network.curve, network.made_gain, network.turn, network.basis]
        optimiser = torch.optim.AdamW(
            [
                {"params": plain, "weight_decay": 0.0},
                {"params": own, "weight_decay": config.decay / config.learning_rate},
            ],
            lr=config.learning_rate,
        )
        loop = TrainingLoop(
            network,
            TorchOptimiser(optimiser),
            epochs=config.epochs,
            batches=self._batches,
            loss=self._loss,
            learning_rate=linear_schedule(config.learning_rate, config.epochs, WARM_UP),
            seed=config.seed,
            evaluate=evaluate,
            run=run,
            fingerprint=f"{config} {self.count}",
        )
        return network.weights(self.start) if loop.run() else None

    def _batches(self, epoch: int, first: int) -> Iterable[Tensor]:
        generator = torch.Generator().manual_seed(self.config.seed * 1000 + epoch)
        order = torch.randperm(self.count, generator=generator).to(self.device)
        size = min(self.config.batch_size, self.count)
        return [order[begin : begin + size] for begin in range(0, self.count - size + 1, size)][first:]

    def _loss(self, texts: Tensor) -> Tensor:
        made = F.normalize(self.network(*self.data.batch(texts)), dim=1)
        wanted = self.teacher[self.row_of[texts]].float()
        own = 1 - (made * F.normalize(wanted @ self.target, dim=1)).sum(dim=1).mean()
        return own + self.config.pair_weight * _pair_loss(made, wanted, self.row_of[texts], self.config.temperature)

    def vectors(self, bags: Bags) -> FloatArray:
        """Return the vectors of other texts, of length 1, as the network is now."""
        network, kept = self.network, self.network.units
        with torch.no_grad():
            extra = F.normalize(torch.from_numpy(bags.made).float().to(self.device), dim=1)
            network.units = torch.cat([kept[: network.words], extra])
            tensors = BagTensors.of(bags, self.device)
            found = F.normalize(network(*tensors.batch(torch.arange(len(bags), device=self.device))), dim=1)
            network.units = kept
        return found.cpu().numpy().astype(np.float32)


def _fitted_targets(network: TextNetwork, data: BagTensors, teacher: Tensor, row_of: Tensor) -> Tensor:
    """Return a map of the encoder's vectors into the space of words: its best rotation onto the first vectors."""
    with torch.no_grad():
        texts = torch.arange(min(len(row_of), 200_000), device=teacher.device)
        made = F.normalize(network(*data.batch(texts)), dim=1)
        wanted = teacher[row_of[texts]].float()
        left, _, right = torch.linalg.svd(wanted.T @ made, full_matrices=False)
        rotation: Tensor = left @ right
        return rotation


def _pair_loss(made: Tensor, wanted: Tensor, rows: Tensor, temperature: float) -> Tensor:
    """Return how far the cosines of texts to the others of a batch are from the encoder's."""
    same = rows[:, None] == rows[None, :]
    ours = (made @ made.T / temperature).masked_fill(same, -1e4)
    theirs = (wanted @ wanted.T / temperature).masked_fill(same, -1e4)
    return F.kl_div(F.log_softmax(ours, dim=1), F.log_softmax(theirs, dim=1), log_target=True, reduction="batchmean")
