"""What a causal language model with attributes knows: perplexity, attributes of the next word, similarity of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from everyword.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from everyword.corpus.lexicons.attributes import AttributeLexicon, plain
from everyword.evaluation.average_precision import mean_average_precision
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.systems.tiny_bert.masked_corpus import cut_sentences, sentences_of
from everyword.systems.tiny_bert.tokenizer import FIRST, tokenizer_of
from everyword.systems.tiny_bert.train import Training
from everyword.vectors.neighbours import unit_rows

BLOCKS_AT_ONCE = 32
RARE_BELOW = 20
"""Words with fewer occurrences in the training text are rare."""
BANDS = ((0, 4), (5, 19), (20, 99), (100, 999), (1000, None))
MAP_STATES = 5_000
"""States after which attributes of the next word are ranked."""

Vector = Callable[[str], FloatArray | None]


class TextLosses(NamedTuple):
    """Negative log-likelihoods of the words of a text, and these words by number."""

    losses: FloatArray
    targets: IndexArray

    def perplexity(self, chosen: BoolArray | slice = slice(None)) -> float:
        """Return the perplexity of some of the words."""
        return float(np.exp(self.losses[chosen].mean(dtype=np.float64)))


@torch.no_grad()
def read_text(training: Training, path: Path) -> TextLosses:
    """Return how surprised a causal model is by each word of a text, in blocks that do not overlap."""
    training.network.eval()
    losses, targets = [], []
    for ids in text_blocks(training, path):
        found = training.read(ids)
        lost = F.cross_entropy(training.logits(found.states), found.targets, reduction="none")
        losses.append(lost.cpu().numpy())
        targets.append(found.targets.cpu().numpy())
    return TextLosses(np.concatenate(losses), np.concatenate(targets))


def text_blocks(training: Training, path: Path) -> list[Tensor]:
    """Return a text as blocks of words with a marker before each; the last one is shorter."""
    pieces, _ = cut_sentences(tokenizer_of(training.corpus.vocabulary), sentences_of([path]))
    numbers, own = torch.from_numpy(pieces.astype(np.int64)), training.config.length - 1
    whole = len(numbers) // own
    blocks = [*torch.split(numbers[: whole * own].view(whole, own), BLOCKS_AT_ONCE), numbers[None, whole * own :]]
    return [F.pad(block, (1, 0), value=FIRST).to(training.device) for block in blocks if block.numel()]


def by_frequency(found: TextLosses, counts: IndexArray) -> dict[str, dict[str, float]]:
    """Return the perplexity, and the number, of words by their count in the training text."""
    bands = {}
    for low, high in BANDS:
        chosen = (counts[found.targets] >= low) & (counts[found.targets] <= (high or counts.max()))
        if chosen.any():
            name = f"{low} to {high}" if high else f"{low} or more"
            bands[name] = {"words": int(chosen.sum()), "perplexity": found.perplexity(chosen)}
    return bands


@torch.no_grad()
def next_attributes(training: Training, path: Path, seed: int = 0) -> float | None:
    """Return the mean average precision of the attributes of the next word, in percent."""
    layer = training.layer
    if layer is None or layer.bias is None:
        return None
    training.network.eval()
    scores, right = [], []
    for ids in sampled_blocks(training, path, seed):
        found = training.read(ids)
        scores.append(layer.logits(found.states.float()).cpu().numpy())
        right.append(right_attributes(layer.ids[found.targets].cpu().numpy(), scores[-1].shape[1]))
    return 100 * mean_average_precision(np.concatenate(scores)[:MAP_STATES], np.concatenate(right)[:MAP_STATES])


def sampled_blocks(training: Training, path: Path, seed: int) -> list[Tensor]:
    """Return some blocks of a text, enough for the states that are asked."""
    blocks = torch.cat([block for block in text_blocks(training, path) if block.shape[1] == training.config.length])
    count = -(-MAP_STATES // (training.config.length - 1))
    chosen = np.random.default_rng(seed).permutation(len(blocks))[:count]
    return list(torch.split(blocks[torch.from_numpy(chosen).to(blocks.device)], BLOCKS_AT_ONCE))


def right_attributes(ids: IndexArray, count: int) -> BoolArray:
    """Return rows of numbers of attributes, from 1, as a matrix of which are there."""
    right = np.zeros((len(ids), count + 1), dtype=bool)
    np.put_along_axis(right, ids, True, axis=1)
    return right[:, 1:]


@torch.no_grad()
def trained_vectors(training: Training, lexicon: AttributeLexicon | None) -> Vector:
    """Return the vectors of words: of the model, or of attributes for words that only the lexicon knows."""
    network, layer = training.network, training.layer
    known = {word: number for number, word in enumerate(training.corpus.vocabulary)}
    everything = torch.arange(len(known), device=training.device)
    matrix = network.get_input_embeddings()(everything).float().cpu().numpy()

    def vector(word: str) -> FloatArray | None:
        number = known.get(plain(word))
        if number is not None:
            row: FloatArray = matrix[number]
            return row
        if layer is None or lexicon is None or training.attributes is None or not layer.embed:
            return None
        ids = torch.from_numpy(training.attributes.of([word], lexicon.of)).to(training.device)
        with torch.no_grad():
            mean: FloatArray = layer.means(ids)[0].float().cpu().numpy()
        return mean if ids.any() else None

    return vector


def correlation(data: SimilaritySet, chosen: BoolArray, vector: Vector) -> float | None:
    """Return Spearman's correlation of cosines with human scores over chosen pairs, in percent; unknown words are 0."""
    pairs = [data.pairs[row] for row in np.flatnonzero(chosen).tolist()]
    found = {word: vector(word) for pair in pairs for word in pair}
    dim = next((len(one) for one in found.values() if one is not None), None)
    if dim is None:
        return None
    table: Mapping[str, AnyArray] = {word: np.zeros(dim) if one is None else one for word, one in found.items()}
    first, second = (unit_rows(np.stack([table[pair[side]] for pair in pairs]).astype(np.float32)) for side in (0, 1))
    cosines = (first * second).sum(axis=1)
    return 100 * spearman(cosines, data.scores[chosen]) if cosines.std() > 0 else None


def known_pairs(
    data: SimilaritySet, known: Callable[[str], bool], listed: Callable[[str], bool]
) -> Sequence[BoolArray]:
    """Return which pairs have two known words, and which have a word that is listed only."""
    both = np.array([known(one) and known(two) for one, two in data.pairs])
    either = np.array([all(known(word) or listed(word) for word in pair) for pair in data.pairs])
    return both, either & ~both
