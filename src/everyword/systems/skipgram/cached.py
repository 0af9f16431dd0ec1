"""Training on cached outputs: centres in random order, one set of negative samples for a whole batch.

Nothing here depends on the data for its shape, and the gradients are written out, so a step is a handful of kernels;
on a GPU it is recorded once and replayed.

    centre       u = U (o - m) / d
    products     s_j = u · v_j of the context words, t_n = u · v_n of the negatives
    mixture      p = sum_j a_j s_j                          dL/dp = -sigmoid(-p)
    attention    dp/ds_j = a_j (1 + c (s_j - p))            c = 1, or 1 / root of the dimension; 0 without gradient
    negatives    dL/dt_n = sigmoid(t_n) k / (number of shared negatives)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.learning.loop import check_loss, mixed_seed
from everyword.learning.optimisers import BETAS, MOMENTS, TINY, clipped_rows
from everyword.systems.skipgram.config import Rule, SkipgramConfig
from everyword.systems.skipgram.network import ContextTable, weighted_sums
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import WordSampler, kept_share
from everyword.systems.skipgram.state_cache import StateCache

LAST_RATE = 1e-4
"""The share of the learning rate that is left at the end."""
STEPS_AT_ONCE = 64
"""Random numbers are drawn for this many steps."""


@dataclass(frozen=True)
class Tokens:
    """All words of a corpus, one after the other, on the device."""

    rows: Tensor
    sentence: Tensor
    """Which sentence each word is in."""
    centres: Tensor
    """The place of each centre, in the order of the cached outputs."""

    @classmethod
    def of(cls, prepared: PreparedCorpus, device: torch.device) -> Tokens:
        """Read all parts."""
        rows, sentence, seen, reached = [], [], [], 0
        for part in prepared.parts():
            rows.append(part.rows.astype(np.int64))
            sentence.append(np.repeat(np.arange(reached, reached + len(part)), part.words))
            seen.append(part.sizes > 0)
            reached += len(part)
        arrays = (np.concatenate(rows), np.concatenate(sentence), np.flatnonzero(np.concatenate(seen)))
        return cls(*(torch.from_numpy(array).to(device) for array in arrays))

    def context(self, centres: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
        """Return the words around some centres, and which of them are in the same sentence (centres, offsets)."""
        at = self.centres[centres]
        raw = at[:, None] + offsets
        places = raw.clamp(min=0, max=len(self.rows) - 1)
        inside = (raw == places) & (self.sentence[places] == self.sentence[at][:, None])
        return self.rows[places], inside


Step = Callable[[Tensor, Tensor, Tensor, Tensor], None]
"""Centres, negatives, random numbers and the learning rate."""
STEPS_RECORDED = 16
"""A GPU replays this many steps at once; starting them one by one would take longer than they do."""


def recorded(
    step: Step, centres: Tensor, negatives: Tensor, noise: Tensor
) -> Callable[[Tensor, Tensor, Tensor, Sequence[float]], None]:
    """Return what takes several steps, each with a row of every tensor and a rate; on a GPU they are recorded once.

    The tensors have the shapes of those of a step, which at a rate of zero must change nothing.
    """
    device = centres.device
    if device.type != "cuda":

        def one_by_one(*given: Any) -> None:
            for one, two, three, speed in zip(*given, strict=True):
                step(one, two, three, torch.tensor(speed))

        return one_by_one
    buffers = [part.expand(STEPS_RECORDED, *part.shape).clone() for part in (centres, negatives, noise)]
    rates = torch.zeros(STEPS_RECORDED, device=device)
    stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(stream):
        for _ in range(3):
            step(buffers[0][0], buffers[1][0], buffers[2][0], rates[0])
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        for index in range(STEPS_RECORDED):
            step(buffers[0][index], buffers[1][index], buffers[2][index], rates[index])

    def replay(one: Tensor, two: Tensor, three: Tensor, speeds: Sequence[float]) -> None:
        for first in range(0, len(speeds), STEPS_RECORDED):
            some = torch.tensor(speeds[first : first + STEPS_RECORDED])
            for part, given in zip(buffers, (one, two, three), strict=True):
                part[: len(some)].copy_(given[first : first + len(some)])
            rates.zero_()  # what is left over changes nothing
            rates[: len(some)].copy_(some)
            graph.replay()

    return replay


class RowMover:
    """SGD, Adagrad or Adam for the rows of a table that a step names, any of them many times.

    It does what `RowOptimiser` does, with a rate on the device. A row that occurs twice is moved once, by the sum of
    its gradients. A GPU is not asked which rows there are, since it would have to wait for the answer: it writes such a
    row twice. On a CPU the answer is cheaper than the writing.
    """

    def __init__(self, table: Tensor, rule: Rule, clip: float = 0.0) -> None:
        self.table, self.rule, self.clip = table, rule, clip
        self._distinct = table.device.type == "cpu"
        self._sums = torch.empty(0) if self._distinct else torch.zeros_like(table)
        self._moments = {
            name: table.new_zeros((len(table), 1) if name == "steps" else table.shape) for name in MOMENTS[rule]
        }

    def move(self, rows: Tensor, gradients: Tensor, rate: Tensor) -> None:
        """Move rows against their gradients; a rate of zero changes nothing."""
        self.apply(*self.total(rows, gradients), rate)

    def total(self, rows: Tensor, gradients: Tensor) -> tuple[Tensor, Tensor]:
        """Return rows, each once on a CPU, and for each the sum of the gradients of all that are the same row."""
        if self._distinct:
            rows, owners = torch.unique(rows, return_inverse=True)
            return rows, gradients.new_zeros(len(rows), gradients.shape[1]).index_add_(0, owners, gradients)
        self._sums.index_add_(0, rows, gradients)
        total = self._sums[rows]
        self._sums.index_fill_(0, rows, 0.0)
        return rows, total

    def apply(self, rows: Tensor, total: Tensor, rate: Tensor) -> None:
        """Move rows against the sums of their gradients."""
        if self.clip:
            total = clipped_rows(total, self.clip)
        if self._distinct and self.rule == "sgd":
            self.table.index_add_(0, rows, total * -rate)  # the same, in one pass over the rows
            return
        before = {name: values[rows] for name, values in self._moments.items()}
        moved = total.any(dim=1, keepdim=True) & (rate > 0)
        step, moments = self._step(before, total)
        self.table.index_copy_(0, rows, self.table[rows] - torch.where(moved, rate * step, 0.0))
        for name, values in self._moments.items():
            values.index_copy_(0, rows, torch.where(moved, moments[name], before[name]))

    def _step(self, before: dict[str, Tensor], total: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        if self.rule == "sgd":
            return total, {}
        if self.rule == "adagrad":
            squares = before["squares"] + total.square()
            return total / (squares + TINY).sqrt(), {"squares": squares}
        one, two = BETAS
        steps = before["steps"] + 1
        mean = torch.lerp(total, before["mean"], one)
        squares = torch.lerp(total.square(), before["squares"], two)
        spread = (squares / (1 - two**steps)).sqrt() + 1e-8
        return mean / (1 - one**steps) / spread, {"steps": steps, "mean": mean, "squares": squares}


class CachedTrainer:
    """Trains a table of context vectors on cached outputs."""

    def __init__(
        self, network: ContextTable, cache: StateCache, prepared: PreparedCorpus, config: SkipgramConfig
    ) -> None:
        self.network, self.cache, self.config = network, cache, config
        self.device = network.projection.device
        self.tokens = Tokens.of(prepared, self.device)
        counts = torch.from_numpy(prepared.vocabulary.counts).double()
        self.sampler = WordSampler(prepared.vocabulary.counts, power=config.power, subsample=0, device=self.device)
        self._kept = kept_share(counts / counts.sum(), config.subsample).float().to(self.device)
        own = [0] if config.own_word else []
        around = range(1, config.window + 1)
        self._offsets = torch.tensor([*(-one for one in around), *own, *around], device=self.device)
        self.size = min(config.centres, len(self.tokens.centres))
        tables = (network.table.weight.data, network.projection.data)
        of_rows = 0.0 if config.clip_together else config.clip
        self._table, self._projection = (RowMover(table, config.rule, of_rows) for table in tables)
        self._every_row = torch.arange(len(network.projection), device=self.device)
        self._loss = torch.zeros((), device=self.device, dtype=torch.float64)
        self._recorded = recorded(
            self._step,
            torch.zeros(self.size, dtype=torch.int64, device=self.device),
            torch.zeros(config.shared_negatives, dtype=torch.int64, device=self.device),
            torch.ones(self.size, len(self._offsets), device=self.device),
        )

    @property
    def steps(self) -> int:
        """Steps per epoch; a few centres that do not fill a batch wait for another epoch."""
        return len(self.tokens.centres) // self.size

    @torch.no_grad()
    def epoch(self, number: int, watch: Callable[[int], None] | None = None) -> dict[str, float]:
        """Train one epoch and return its loss per centre and its seconds; `watch` is told now and then of the steps."""
        started, config = perf_counter(), self.config
        generator = torch.Generator(self.device).manual_seed(mixed_seed(config.seed, number))
        order = torch.randperm(len(self.tokens.centres), generator=generator, device=self.device)
        take_steps, total = self._recorded, self.steps * config.epochs
        self._loss.zero_()
        for first in range(0, self.steps, STEPS_AT_ONCE):
            some = min(STEPS_AT_ONCE, self.steps - first)
            shape = (some, config.shared_negatives)
            drawn = torch.rand(shape, generator=generator, device=self.device, dtype=torch.float64)
            negatives = self.sampler.words(drawn)
            noise = torch.rand((some, self.size, len(self._offsets)), generator=generator, device=self.device)
            done = [(number * self.steps + first + index) / total for index in range(some)]
            centres = order[first * self.size : (first + some) * self.size].view(some, self.size)
            take_steps(centres, negatives, noise, [config.rate * max(1 - share, LAST_RATE) for share in done])
            if watch is not None:
                watch(number * self.steps + first + some)
        loss = float(self._loss) / (self.steps * self.size)
        report = {"epoch": number + 1, "loss": loss, "seconds": perf_counter() - started}
        check_loss(report)
        return report

    def _step(self, centres: Tensor, negatives: Tensor, noise: Tensor, rate: Tensor) -> None:
        """Move the table and the projection against the gradient of the loss, summed over a batch."""
        network, table = self.network, self.network.table.weight
        context, mask = self.tokens.context(centres, self._offsets)
        mask = (mask & (noise < self._kept[context])).to(table.dtype)
        states = network.standardised(self.cache.states[centres].float())
        projected = states @ network.projection.T
        words, drawn = table[context], table[negatives]
        products = torch.bmm(words, projected[:, :, None]).squeeze(2)
        against = projected @ drawn.T
        to_context, pairs, loss = self._pull(products, mask)
        push = torch.sigmoid(against) * (pairs * (self.config.negatives / len(negatives)))[:, None]
        loss = loss - (F.logsigmoid(-against) * self.config.negatives / len(negatives)).sum(dim=1) * pairs
        to_projected = torch.bmm(to_context[:, None, :], words).squeeze(1) + push @ drawn
        rows, total, gradients = self._of_rows(context, to_context, projected, negatives, push.T @ projected)
        to_projection = to_projected.T @ states
        if self.config.clip_together and self.config.clip:
            # Where every occurrence of a row has the sum, its products with the summands are the square of the sum.
            squares = (total * gradients).sum() + to_projection.square().sum()
            norm = squares.clamp(min=0).sqrt()
            share = self.config.clip / norm.clamp(min=self.config.clip)
            total, to_projection = total * share, to_projection * share
        self._table.apply(rows, total, rate)
        self._projection.apply(self._every_row, to_projection, rate)
        self._loss.add_(loss.sum() * (rate > 0))

    def _of_rows(
        self, context: Tensor, to_context: Tensor, projected: Tensor, negatives: Tensor, to_drawn: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the rows to move, the sum of the gradients of each, and what of it is due to each occurrence."""
        rows = torch.cat([context.flatten(), negatives])
        if self.device.type != "cpu":
            to_words = (to_context[:, :, None] * projected[:, None, :]).flatten(0, 1)
            gradients = torch.cat([to_words, to_drawn])
            return *self._table.total(rows, gradients), gradients
        # On a CPU the outer products would take longer than the sorting that makes sums without them.
        rows, owners = torch.unique(rows, return_inverse=True)
        of_context, of_drawn = owners.split([context.numel(), len(negatives)])
        centres = torch.arange(len(context)).repeat_interleave(context.shape[1])
        total = weighted_sums(of_context, len(rows), centres, projected, to_context.flatten())
        total.index_add_(0, of_drawn, to_drawn)
        return rows, total, total

    def _pull(self, products: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gradient of each product, the number of positive pairs of each centre, and its loss."""
        config = self.config
        if config.weighing == "each":
            return -torch.sigmoid(-products) * mask, mask.sum(dim=1), -(F.logsigmoid(products) * mask).sum(dim=1)
        there = mask.amax(dim=1)
        scale = {"equal": 0.0, "attention": 1.0, "scaled-attention": config.dim**-0.5}[config.weighing]
        low = torch.finfo(products.dtype).min
        weights = (products * scale).masked_fill(mask == 0, low).softmax(dim=1) * mask
        mixture = (weights * products).sum(dim=1)
        through = 0.0 if config.stop_gradient else scale
        slope = weights * (1 + through * (products - mixture[:, None]))
        pull = -torch.sigmoid(-mixture) * there
        return pull[:, None] * slope, there, -F.logsigmoid(mixture) * there
