"""Learn one input vector for a word of several pieces: the one that changes the outputs around the word least.

The word stands between two pieces drawn at random. The model's outputs for everything around the word are recorded;
then the word's pieces are replaced by one free vector, which is trained to reproduce those outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.config import check
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.extras import require
from everyword.language_models.input_embeddings import BEFORE, INSIDE_A_TEXT, single_piece_words
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import tokenize_in_template
from everyword.vectors.table import VectorTable

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
"""Adam's usual numbers."""
WORDS_A_BATCH = {"cpu": 128, "cuda": 1024}


@dataclass(frozen=True)
class OneTokenConfig:
    """How long and how exactly a vector is looked for."""

    iterations: int = 4000
    """At most; 4,000 are advised for BERT, 8,000 for large RoBERTa models."""
    learning_rate: float = 1e-3
    words_a_batch: int | None = None
    """None takes 128 on a CPU and 1,024 on a GPU; the vectors are the same."""
    layers: Literal["all", "no_last"] = "all"
    """Which outputs are to stay as they were; no_last leaves out the last layer, as the first public program did."""
    start: Literal["mean", "zeros"] = "mean"
    """Where a vector begins: at the mean of the word's pieces, or at zero."""
    window: int = 100
    """So many iterations are judged together."""
    tolerance: float = 0.01
    """A word is done when its mean loss has fallen by less than this share in a window, `patience` times in a row."""
    patience: int = 3
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        for name in ("iterations", "words_a_batch", "window", "patience"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                yield f"{name} must be 1 or more. Got {getattr(self, name)} instead"
        if self.learning_rate <= 0:
            yield f"learning_rate must be above 0. Got {self.learning_rate} instead"
        if self.tolerance < 0:
            yield f"tolerance must be 0 or more. Got {self.tolerance} instead"


def one_token_table(
    model: LanguageModel,
    words: Sequence[str],
    config: OneTokenConfig | None = None,
    *,
    show_progress: bool = False,
) -> VectorTable:
    """A vector for each word, whatever the number of its pieces; a word alone gets the same as among others.

    Words that the tokenizer does not know are left out, with a warning that counts them.
    """
    config = config or OneTokenConfig()
    check(config)
    words = unique_words(words)
    read = [text.ids[slice(*text.spans[0])] for text in tokenize_in_template(model, words, INSIDE_A_TEXT)]
    known = [place for place, pieces in enumerate(read) if pieces]
    warn_left_out(
        [word for word, pieces in zip(words, read, strict=True) if not pieces],
        len(words),
        f"the tokenizer of {model.name} knows no pieces for them",
        "choose a model made for these letters",
    )
    matrix = np.empty((len(words), model.input_dim), dtype=np.float32)
    drawn = _drawn_pieces(model, config)
    surroundings = ContextReader(model, without_last=config.layers == "no_last")
    bar = require("tqdm", "The progress bar").tqdm(total=len(known), disable=not show_progress, unit="word")
    most = config.words_a_batch or WORDS_A_BATCH.get(model.device.type, WORDS_A_BATCH["cpu"])
    with bar:
        for batch in _of_equal_length(read, known, most):
            matrix[batch] = _search(surroundings, [read[place] for place in batch], drawn, config)
            bar.update(len(batch))
    return VectorTable([words[place] for place in known], matrix[known])


def _drawn_pieces(model: LanguageModel, config: OneTokenConfig) -> IndexArray:
    """The piece before and the piece after the word at each iteration; the same for all words."""
    whole = np.array(list(single_piece_words(model).values()), dtype=np.int64)
    return np.random.default_rng(config.seed).choice(whole, size=(config.iterations, 2))


def _of_equal_length(read: Sequence[Sequence[int]], places: Sequence[int], most: int) -> Iterator[list[int]]:
    by_length: dict[int, list[int]] = {}
    for place in places:
        by_length.setdefault(len(read[place]), []).append(place)
    for _, group in sorted(by_length.items()):
        for first in range(0, len(group), most):
            yield group[first : first + most]


class _Walk(NamedTuple):
    """Vectors under way and what Adam remembers of each; a word's row knows nothing of the others."""

    vectors: Tensor
    first: Tensor
    second: Tensor

    def step(self, gradient: Tensor, number: int, rate: float) -> None:
        """Move all vectors, as the optimiser Adam does."""
        self.first.mul_(FIRST_MOMENT).add_(gradient, alpha=1 - FIRST_MOMENT)
        self.second.mul_(SECOND_MOMENT).addcmul_(gradient, gradient, value=1 - SECOND_MOMENT)
        mean = self.first / (1 - FIRST_MOMENT**number)
        spread = (self.second / (1 - SECOND_MOMENT**number)).sqrt() + TINY
        self.vectors.sub_(rate * mean / spread)

    def only(self, rows: Tensor) -> _Walk:
        """Some of the words."""
        return _Walk(*(part[rows] for part in self))


def _search(
    surroundings: ContextReader, pieces: Sequence[Sequence[int]], drawn: IndexArray, config: OneTokenConfig
) -> FloatArray:
    """The vectors of words of equally many pieces; those that are done are not computed any longer."""
    model = surroundings.model
    ids = torch.tensor(pieces, device=model.device)
    start = surroundings.rows(ids).mean(dim=1)
    walk = _Walk(torch.zeros_like(start) if config.start == "zeros" else start, *torch.zeros(2, *start.shape).to(start))
    found = torch.empty_like(start)
    active = torch.arange(len(pieces), device=model.device)
    sums, before = torch.zeros(2, len(pieces), device=model.device).unbind()
    before, waited = before + torch.inf, torch.zeros(len(pieces), dtype=torch.int64, device=model.device)
    for number, (left, right) in enumerate(drawn.tolist(), start=1):
        loss, gradient = surroundings.loss(ids, walk.vectors, left, right)
        walk.step(gradient, number, config.learning_rate)
        sums += loss
        if number % config.window:
            continue
        waited = torch.where(sums < before * (1 - config.tolerance), 0, waited + 1)
        before, sums = torch.minimum(before, sums), torch.zeros_like(sums)
        going = waited < config.patience
        if not going.all():
            found[active[~going]] = walk.vectors[~going]
            active, ids, walk = active[going], ids[going], walk.only(going)
            sums, before, waited = sums[going], before[going], waited[going]
        if not len(active):
            break
    found[active] = walk.vectors
    vectors: FloatArray = found.cpu().numpy()
    return vectors


class ContextReader:
    """Reads a word between two pieces and before a full stop, with its own pieces or with one vector for them."""

    def __init__(self, model: LanguageModel, *, without_last: bool) -> None:
        self.model = model
        # Around the slot, the input itself does not depend on what stands in it.
        self._layers = slice(1, model.layers if without_last else model.layers + 1)
        before, after = model.frame()
        stop = tokenize_in_template(model, ["."], BEFORE + " {}")[0]
        self._before, self._after = before, [*stop.ids[slice(*stop.spans[0])], *after]

    def rows(self, ids: Tensor) -> Tensor:
        """Input vectors of pieces."""
        found: Tensor = self.model.network.get_input_embeddings()(ids).detach().float()
        return found

    def loss(self, ids: Tensor, vectors: Tensor, left: int, right: int) -> tuple[Tensor, Tensor]:
        """How far the outputs around each word move when its pieces become a vector, and which way lessens it."""
        wanted = len(self._before) + 1
        rows_before = self._rows_for([*self._before, left], len(ids))
        rows_after = self._rows_for([right, *self._after], len(ids))
        with torch.no_grad():
            whole = self._outputs(torch.cat([rows_before, self.rows(ids), rows_after], dim=1))
        free = vectors.detach().clone().requires_grad_()
        slotted = self._outputs(torch.cat([rows_before, free[:, None], rows_after], dim=1))
        apart = [
            (one[:, :wanted] - other[:, :wanted]).square().mean(dim=(1, 2))
            + (one[:, wanted + ids.shape[1] :] - other[:, wanted + 1 :]).square().mean(dim=(1, 2))
            for one, other in zip(whole, slotted, strict=True)
        ]
        loss = torch.stack(apart).sum(dim=0)
        (gradient,) = torch.autograd.grad(loss.sum(), free)
        return loss.detach(), gradient

    def _rows_for(self, pieces: list[int], words: int) -> Tensor:
        return self.rows(torch.tensor(pieces, device=self.model.device)).expand(words, -1, -1)

    def _outputs(self, rows: Tensor) -> list[Tensor]:
        result = self.model.network(inputs_embeds=rows.to(self.model.network.dtype), output_hidden_states=True)
        return [layer.float() for layer in result.hidden_states[self._layers]]
