"""Learn one input vector for a word of several pieces: the one that changes the outputs around the word least.

The word stands between two pieces drawn at random. The model's outputs for everything around the word are recorded;
then the word's pieces are replaced by one free vector, which is trained to reproduce those outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, NonNegative, Positive, check
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.extras import require
from everyword.language_models.input_embeddings import IN_TEXT, single_piece_words
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import tokenize_in_template
from everyword.vectors.table import VectorTable

FIRST_MOMENT, SECOND_MOMENT, EPSILON = 0.9, 0.999, 1e-8
"""Adam's usual settings."""
WORDS_PER_BATCH = {"cpu": 128, "cuda": 4096}


@dataclass(frozen=True)
class OneTokenConfig:
    """How long and how exactly a vector is trained."""

    iterations: Count = 4000
    """Maximum number of iterations; 4,000 are advised for BERT, 8,000 for large RoBERTa models."""
    learning_rate: Positive = 1e-3
    words_per_batch: Count | None = None
    """None uses 128 on a CPU and 4,096 on a GPU; the vectors are the same."""
    layers: Literal["all", "no_last"] = "all"
    """Which outputs to reproduce; no_last leaves out the last layer, as the first public program did."""
    start: Literal["mean", "zeros"] = "mean"
    """Where a vector starts: at the mean of the word's pieces, or at zero."""
    window: Count = 100
    """How many iterations are judged together."""
    tolerance: NonNegative = 0.01
    """A word is done when its mean loss has fallen by less than this fraction per window, `patience` times in a row."""
    patience: Count = 3
    seed: int = 0


def one_token_table(
    model: LanguageModel,
    words: Sequence[str],
    config: OneTokenConfig | None = None,
    *,
    show_progress: bool = False,
) -> VectorTable:
    """Learn an input vector for each word, whatever the number of its pieces.

    A word's vector does not depend on the other words.

    Args:
        model: The language model.
        words: The words or phrases.
        config: How long and how exactly to train.
        show_progress: Show a progress bar.

    Returns:
        A table of the words. Words that the tokenizer does not know are left out, with a warning that counts them.

    Raises:
        ConfigError: If a setting is invalid.
        InputError: If the tokenizer knows no word.
    """
    config = config or OneTokenConfig()
    check(config)
    words = unique_words(words)
    pieces = [text.ids[slice(*text.spans[0])] for text in tokenize_in_template(model, words, IN_TEXT)]
    known = [index for index, own in enumerate(pieces) if own]
    warn_left_out(
        [word for word, own in zip(words, pieces, strict=True) if not own],
        len(words),
        f"the tokenizer of {model.name} knows no pieces for them",
        "choose a model made for these letters",
    )
    matrix = np.empty((len(words), model.input_dim), dtype=np.float32)
    neighbours = _draw_neighbours(model, config)
    reader = ContextReader(model, without_last=config.layers == "no_last")
    bar = require("tqdm", "The progress bar").tqdm(total=len(known), disable=not show_progress, unit="word")
    most = config.words_per_batch or WORDS_PER_BATCH.get(model.device.type, WORDS_PER_BATCH["cpu"])
    known_by_length = sorted(known, key=lambda index: len(pieces[index]))
    with bar:
        for first in range(0, len(known), most):
            batch = known_by_length[first : first + most]
            matrix[batch] = _train(reader, [pieces[index] for index in batch], neighbours, config)
            bar.update(len(batch))
    return VectorTable([words[index] for index in known], matrix[known])


def _draw_neighbours(model: LanguageModel, config: OneTokenConfig) -> IndexArray:
    """Draw the piece before and the piece after the word at each iteration, the same for all words."""
    whole = np.array(list(single_piece_words(model).values()), dtype=np.int64)
    return np.random.default_rng(config.seed).choice(whole, size=(config.iterations, 2))


class _AdamState(NamedTuple):
    """Vectors in training and Adam's moments; the rows of words are independent of each other."""

    vectors: Tensor
    first: Tensor
    second: Tensor

    def step(self, gradient: Tensor, number: int, rate: float) -> None:
        """Take a step of Adam with all vectors."""
        self.first.mul_(FIRST_MOMENT).add_(gradient, alpha=1 - FIRST_MOMENT)
        self.second.mul_(SECOND_MOMENT).addcmul_(gradient, gradient, value=1 - SECOND_MOMENT)
        mean = self.first / (1 - FIRST_MOMENT**number)
        spread = (self.second / (1 - SECOND_MOMENT**number)).sqrt() + EPSILON
        self.vectors.sub_(rate * mean / spread)

    def take(self, rows: Tensor) -> _AdamState:
        """Return the state of some words."""
        return _AdamState(*(tensor[rows] for tensor in self))


def _train(
    reader: ContextReader, pieces: Sequence[Sequence[int]], neighbours: IndexArray, config: OneTokenConfig
) -> FloatArray:
    """Train the vectors of some words; words that are done leave the batch."""
    device = reader.model.device
    ids, present = reader.model.pad(pieces)
    lengths = present.sum(dim=1)
    start = (reader.input_vectors(ids) * present[..., None]).sum(dim=1) / lengths[:, None]
    first = torch.zeros_like(start) if config.start == "zeros" else start
    state = _AdamState(first, *torch.zeros(2, *start.shape).to(start))
    result = torch.empty_like(start)
    active = torch.arange(len(pieces), device=device)
    sums, before = torch.zeros(2, len(pieces), device=device).unbind()
    before, waited = before + torch.inf, torch.zeros(len(pieces), dtype=torch.int64, device=device)
    for number, (left, right) in enumerate(neighbours.tolist(), start=1):
        loss, gradient = reader.loss(ids, lengths, state.vectors, left, right)
        state.step(gradient, number, config.learning_rate)
        sums += loss
        if number % config.window:
            continue
        waited = torch.where(sums < before * (1 - config.tolerance), 0, waited + 1)
        before, sums = torch.minimum(before, sums), torch.zeros_like(sums)
        going = waited < config.patience
        if not going.all():
            result[active[~going]] = state.vectors[~going]
            active, ids, lengths, state = active[going], ids[going], lengths[going], state.take(going)
            sums, before, waited = sums[going], before[going], waited[going]
        if not len(active):
            break
    result[active] = state.vectors
    vectors: FloatArray = result.cpu().numpy()
    return vectors


class ContextReader:
    """Computes the outputs around a word, with its own pieces or with one vector instead of them.

    The word stands between two pieces and before a full stop.
    """

    def __init__(self, model: LanguageModel, *, without_last: bool) -> None:
        self.model = model
        # Around the slot, the input itself does not depend on what stands in it.
        self._layers = slice(1, model.layers if without_last else model.layers + 1)
        before, after = model.special_pieces()
        stop = tokenize_in_template(model, ["."], IN_TEXT)[0]
        self._before, self._after = before, [*stop.ids[slice(*stop.spans[0])], *after]

    def input_vectors(self, ids: Tensor) -> Tensor:
        """Return the input vectors of pieces."""
        found: Tensor = self.model.network.get_input_embeddings()(ids).detach().float()
        return found

    def loss(self, ids: Tensor, lengths: Tensor, vectors: Tensor, left: int, right: int) -> tuple[Tensor, Tensor]:
        """Return how far the outputs around each word move when a vector replaces its pieces, and the gradient.

        Args:
            ids: The pieces of the words, padded (words, pieces).
            lengths: How many pieces each word has.
            vectors: The vectors that replace them.
            left: The piece before every word.
            right: The piece after it.
        """
        position, width = len(self._before) + 1, ids.shape[1]
        rows_before = self._repeated([*self._before, left], len(ids))
        rows_after = self._repeated([right, *self._after], len(ids))
        with torch.no_grad():
            rows = torch.cat([rows_before, self.input_vectors(ids), rows_after], dim=1)
            places = torch.arange(rows.shape[1], device=ids.device)
            padding = (width - lengths)[:, None]
            # Padding moves from behind the word to the end of the text, so that positions are those of a text.
            order = torch.where(places < position + lengths[:, None], places, (places + padding) % rows.shape[1])
            whole = self._outputs(_chosen(rows, order), places < rows.shape[1] - padding)
        free = vectors.detach().clone().requires_grad_()
        replaced = self._outputs(torch.cat([rows_before, free[:, None], rows_after], dim=1))
        behind = position + lengths[:, None] + torch.arange(rows_after.shape[1], device=ids.device)
        distances = [
            (one[:, :position] - other[:, :position]).square().mean(dim=(1, 2))
            + (_chosen(one, behind) - other[:, position + 1 :]).square().mean(dim=(1, 2))
            for one, other in zip(whole, replaced, strict=True)
        ]
        loss = torch.stack(distances).sum(dim=0)
        (gradient,) = torch.autograd.grad(loss.sum(), free)
        return loss.detach(), gradient

    def _repeated(self, pieces: list[int], words: int) -> Tensor:
        return self.input_vectors(torch.tensor(pieces, device=self.model.device)).expand(words, -1, -1)

    def _outputs(self, rows: Tensor, present: Tensor | None = None) -> list[Tensor]:
        mask = {} if present is None else {"attention_mask": present.long()}
        network = self.model.network
        result = network(inputs_embeds=rows.to(network.dtype), output_hidden_states=True, **mask)
        return [layer.float() for layer in result.hidden_states[self._layers]]


def _chosen(rows: Tensor, places: Tensor) -> Tensor:
    """Return the rows at some places of each text (texts, places, dim)."""
    return rows.gather(1, places[..., None].expand(-1, -1, rows.shape[2]))
