"""The gate of `everyword.models.blend` as a torch network: training, calibration and folding into arrays.

It is trained on two kinds of unknown words: misspellings, whose right word is known, and words that are simply new. The
loss is the cosine distance of the blend from the teacher's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.models.blend.blender import Blender, signs_of_certainty
from everyword.models.blend.comparison import FEATURES, LETTER_PAIRS, LetterFeatures, compare
from everyword.models.blend.gate import BEST_FEATURES, LETTER_TABLES, SIGNS, Gate, best_of_each
from everyword.models.retrieval.candidates import MOST, CandidateFinder
from everyword.models.retrieval.runs import run_starts
from everyword.systems.spelling.encoders.base import to_array
from everyword.vectors.neighbours import unit_rows

NO_CANDIDATE = -1e9
"""The score of a slot without a candidate."""


@dataclass(frozen=True)
class GateConfig:
    """Size and training of the gate."""

    hidden: Count = 32
    form_hidden: Count = 16
    letter_width: Count = 4
    """Length of what is learnt of each pair of letters."""
    epochs: Count = 10
    batch: Count = 512
    learning_rate: float = 3e-3
    decay: float = 0.75
    """The rate is multiplied by this after each epoch."""
    confidence_hidden: Count = 8
    seed: int = 0


@dataclass(frozen=True)
class GateExamples:
    """Unknown words with the features of their candidates, padded to `MOST` slots, and their target vectors."""

    features: Tensor
    """(words, MOST, FEATURES)"""
    letter_pairs: Tensor
    rows: Tensor
    """The rows of the candidates among the known words."""
    present: Tensor
    """Which slots hold a candidate."""
    best: Tensor
    """The features of the form's score."""
    form: Tensor
    """Unit vectors inferred from spelling alone."""
    targets: Tensor
    """Unit vectors of the teacher."""

    @classmethod
    def of(cls, words: Sequence[str], form: FloatArray, targets: FloatArray, finder: CandidateFinder) -> GateExamples:
        """Find the candidates of words that the finder does not know, and compute their features."""
        candidates = finder.find(words)
        comparison = compare(LetterFeatures.of(words), LetterFeatures.of(finder.words), candidates)
        starts = run_starts(candidates.query)
        nth = np.arange(len(candidates)) - starts[candidates.query]

        def padded(values: FloatArray | IndexArray, width: int) -> Tensor:
            filled = np.zeros((len(words), MOST, width), dtype=values.dtype)
            filled[candidates.query, nth] = values.reshape(len(values), width)
            return torch.from_numpy(filled)

        return cls(
            features=padded(comparison.features, len(FEATURES)),
            letter_pairs=padded(comparison.letter_pairs, len(LETTER_TABLES)),
            rows=padded(candidates.row, 1)[..., 0],
            present=padded(np.ones(len(candidates), dtype=np.int64), 1)[..., 0] > 0,
            best=torch.from_numpy(best_of_each(comparison, candidates)),
            form=torch.from_numpy(unit_rows(form)),
            targets=torch.from_numpy(unit_rows(targets)),
        )

    def __len__(self) -> int:
        return len(self.targets)

    def take(self, chosen: Tensor) -> GateExamples:
        """Return some of the words."""
        return GateExamples(**{name: tensor[chosen] for name, tensor in vars(self).items()})


class GateNetwork(nn.Module):
    """Scores of candidates and of the form, as `Gate` computes them."""

    def __init__(self, config: GateConfig) -> None:
        super().__init__()
        self.letters = nn.Parameter(0.05 * torch.randn(len(LETTER_TABLES), LETTER_PAIRS, config.letter_width))
        self.inner = nn.Linear(len(FEATURES), config.hidden)
        self.letters_inner = nn.Linear(len(LETTER_TABLES) * config.letter_width, config.hidden, bias=False)
        self.outer = nn.Linear(config.hidden, 1, bias=False)
        self.form_inner = nn.Linear(BEST_FEATURES, config.form_hidden)
        self.form_outer = nn.Linear(config.form_hidden, 1)

    def forward(self, examples: GateExamples) -> Tensor:
        """Return the shares of all candidates and, last, of the form: (words, MOST + 1)."""
        looked_up = [self.letters[k, examples.letter_pairs[..., k]] for k in range(len(LETTER_TABLES))]
        letters = torch.cat(looked_up, dim=2)
        hidden = F.relu(self.inner(examples.features) + self.letters_inner(letters))
        scores = self.outer(hidden)[..., 0].masked_fill(~examples.present, NO_CANDIDATE)
        form = self.form_outer(F.relu(self.form_inner(examples.best)))
        return torch.cat([scores, form], dim=1).softmax(dim=1)

    def fold(self) -> dict[str, FloatArray]:
        """Return the tables of `Gate`, with the letter tables multiplied by the hidden layer in advance."""
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


def blend(shares: Tensor, examples: GateExamples, known: Tensor) -> Tensor:
    """Return the weighted mean of candidates and form."""
    candidates = torch.einsum("nk,nkd->nd", shares[:, :-1], known[examples.rows])
    return candidates + shares[:, -1:] * examples.form


def train_gate(kinds: Sequence[GateExamples], known: FloatArray, config: GateConfig) -> GateNetwork:
    """Train on several kinds of unknown words, each counting alike in every batch whatever its number of words."""
    torch.manual_seed(config.seed)
    network, vectors = GateNetwork(config), torch.from_numpy(unit_rows(known))
    steps = max(1, max(map(len, kinds)) // config.batch)
    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters())),
        epochs=config.epochs,
        batches=lambda _epoch, first: range(first, steps),
        loss=lambda _step: torch.stack([_distance(network, kind, vectors, config.batch) for kind in kinds]).sum(),
        learning_rate=lambda epoch, _step, _steps: config.learning_rate * config.decay**epoch,
    ).run()
    return network


def _distance(network: GateNetwork, examples: GateExamples, vectors: Tensor, batch: int) -> Tensor:
    chosen = examples.take(torch.randint(len(examples), (batch,)))
    return (1 - F.cosine_similarity(blend(network(chosen), chosen, vectors), chosen.targets)).mean()


def calibrate(blender: Blender, words: Sequence[str], targets: FloatArray, config: GateConfig) -> dict[str, FloatArray]:
    """Fit the tables of `Confidence` to the true cosines of the blends of words."""
    mixture = blender.mix(words)
    cosines = (unit_rows(mixture.blended) * unit_rows(targets)).sum(axis=1)
    return _fit_expectation(torch.from_numpy(signs_of_certainty(mixture)), torch.from_numpy(cosines), config)


def _fit_expectation(signs: Tensor, cosines: Tensor, config: GateConfig) -> dict[str, FloatArray]:
    torch.manual_seed(config.seed)
    inner, outer = nn.Linear(len(SIGNS), config.confidence_hidden), nn.Linear(config.confidence_hidden, 1)
    network = nn.Sequential(inner, nn.ReLU(), outer)
    TrainingLoop(
        network,
        TorchOptimiser(torch.optim.Adam(network.parameters(), lr=0.01)),
        epochs=1,
        batches=lambda _epoch, _first: range(1000),
        loss=lambda _step: F.mse_loss(network(signs)[:, 0], cosines),
    ).run()
    tables = {
        "signs": inner.weight.T,
        "bias": inner.bias,
        "score": outer.weight[0],
        "score_bias": outer.bias,
    }
    with torch.no_grad():
        return {name: to_array(table) for name, table in tables.items()}


def assemble_gate(network: GateNetwork, confidence: dict[str, FloatArray]) -> Gate:
    """Return the trained gate with its confidence."""
    return Gate(network.fold() | {f"confidence.{name}": table for name, table in confidence.items()})
