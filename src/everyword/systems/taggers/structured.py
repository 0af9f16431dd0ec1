"""Tags that are spelt symbol by symbol, with a memory of the tags before (Bhargava and Penn 2020)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.learning.crf import mask_of
from everyword.systems.taggers.bilstm import SentenceEncoder, TokenInput, inside_of

SYMBOL = 64
"""The length of the vector of a symbol."""


class Spelt(NamedTuple):
    """The symbols of a word's tag, and the probability that they were given."""

    symbols: tuple[str, ...]
    probability: float


class SpeltTagger(SentenceEncoder):
    """Words → BiLSTM → an LSTM that writes the tags of all words, symbol by symbol, one after the other.

    After the last symbol of a tag it writes an end and goes on to the next word.

    Args:
        read: From rows of words to inputs.
        spelt: The symbols of each tag of train.
        hidden: States of the LSTM over words, both directions together; the one that writes has half as many.
        dropout: Of inputs and states.
        layers: Of the LSTM over words.
        locked: Whether dropout hides the same coordinates at all tokens of a sentence.
        history: Whether it goes on from the state after the tag before, or anew at each word.
        ends: Whether tags have ends; without them each tag is one symbol.
    """

    def __init__(
        self,
        read: TokenInput,
        spelt: Sequence[Sequence[str]],
        *,
        hidden: int,
        dropout: float,
        layers: int = 1,
        locked: bool = False,
        history: bool = True,
        ends: bool = True,
    ) -> None:
        super().__init__(read, hidden=hidden, dropout=dropout, layers=layers, locked=locked)
        self.history, self.ends = history, ends
        self.symbols = sorted({symbol for tag in spelt for symbol in tag})
        self.end = len(self.symbols)
        """The number of the end, which also stands before the first tag."""
        self.longest = max(map(len, spelt))
        width = self.each_way
        self.project = nn.Linear(2 * width, width)
        self.embedding = nn.Embedding(len(self.symbols) + 1, SYMBOL)
        self.writer = nn.LSTM(width + SYMBOL, width, batch_first=True)
        self.output = nn.Linear(width, len(self.symbols) + 1)
        number = {symbol: place for place, symbol in enumerate(self.symbols)}
        rows = [[number[symbol] for symbol in tag] + [self.end] * ends for tag in spelt]
        table = torch.tensor([row + [-1] * (self.longest + ends - len(row)) for row in rows])
        self.table: Tensor
        self.register_buffer("table", table, persistent=False)
        self._begin()

    def _begin(self) -> None:
        """Set the first weights: He's for the projection, orthogonal ones for what recurs, Glorot's for the rest."""
        nn.init.kaiming_uniform_(self.project.weight, nonlinearity="relu")
        for name, weight in [*self.lstm.named_parameters(), *self.writer.named_parameters()]:
            if "weight_hh" in name:
                for gate in weight.detach().chunk(4):
                    nn.init.orthogonal_(gate)
            elif "weight_ih" in name:
                nn.init.xavier_uniform_(weight)
        nn.init.xavier_uniform_(self.output.weight)

    def words(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return what is read of each word when its tag is written."""
        return torch.relu(self.project(self.states(rows, lengths)))

    def loss(self, rows: Tensor, lengths: Tensor, tags: Tensor) -> Tensor:
        """Return the negative log-likelihood per symbol, each given the correct ones before."""
        words, inside = self.words(rows, lengths), inside_of(rows, lengths)
        spelt = self.table[tags].masked_fill(~inside[:, :, None], -1)
        if self.history:
            place = torch.arange(rows.shape[1], device=rows.device)[None, :, None].expand_as(spelt)
            written = spelt >= 0
            targets, places = (_lines(numbers, written) for numbers in (spelt, place))
            words = words.gather(1, places.clamp(min=0)[:, :, None].expand(-1, -1, words.shape[2]))
        else:
            targets = spelt[inside]
            words = words[inside][:, None].expand(-1, targets.shape[1], -1)
        start = torch.full_like(targets[:, :1], self.end)
        before = torch.cat([start, targets[:, :-1].clamp(min=0)], dim=1)
        states, _ = self.writer(self.dropout(torch.cat([words, self.embedding(before)], dim=2)))
        scores = self.output(self.dropout(states))
        return F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=-1)

    @torch.no_grad()
    def spell(self, rows: Tensor, lengths: Tensor, beam: int = 1) -> list[list[Spelt]]:
        """Return the tag of each word of each sentence, the most probable of those that a beam search finds.

        Args:
            rows: Rows of words, (sentences, positions).
            lengths: Of sentences.
            beam: How many beginnings are followed; 1 takes the best symbol at each step.
        """
        words = self.words(rows, lengths)
        sizes = lengths.to(rows.device)
        if not self.history:
            inside = inside_of(rows, lengths)
            single = words[inside][:, None]
            flat = iter(self._search(single, sizes.new_ones(len(single)), beam))
            return [[next(flat)[0] for _ in range(size)] for size in lengths.tolist()]
        return self._search(words, sizes, beam)

    def _search(self, words: Tensor, lengths: Tensor, beam: int) -> list[list[Spelt]]:
        found = _Search(self, words, lengths, 1).run()
        if beam > 1:
            # A beam may lose what the best symbol at each step would have led to.
            wide = _Search(self, words, lengths, min(beam, self.end + 1)).run()
            found = [max(pair, key=lambda one: one[0]) for pair in zip(found, wide, strict=True)]
        return [sentence for _, sentence in found]


class _Search:
    """The beginnings that are followed: (sentences, beam) each."""

    def __init__(self, network: SpeltTagger, words: Tensor, lengths: Tensor, beam: int) -> None:
        self.network, self.words, self.lengths, self.beam = network, words, lengths, beam
        shape, device = (len(words), beam), words.device
        self.score = torch.full(shape, -torch.inf, device=device)
        self.score[:, 0] = 0.0
        self.place = torch.zeros(shape, dtype=torch.int64, device=device)
        """The word whose tag is being written."""
        self.count = torch.zeros_like(self.place)
        """Symbols of that tag so far."""
        self.before = torch.full_like(self.place, network.end)
        self.state = [torch.zeros(*shape, network.writer.hidden_size, device=device) for _ in range(2)]
        self.steps: list[tuple[Tensor, Tensor, Tensor]] = []
        """For each step where a beginning comes from, its new symbol, and the log-probability of the symbol."""

    def run(self) -> list[tuple[float, list[Spelt]]]:
        """Write all tags; return the log-probability of each sentence's, and its tags."""
        most = int(self.lengths.max()) * (self.network.longest + self.network.ends)
        for step in range(most):
            if step % 8 == 0 and bool((self.place >= self.lengths[:, None]).all()):
                break
            self._step()
        return self._read()

    def _step(self) -> None:
        network, done = self.network, self.place >= self.lengths[:, None]
        shown = self.place.clamp(max=self.words.shape[1] - 1)[:, :, None].expand(-1, -1, self.words.shape[2])
        inputs = torch.cat([self.words.gather(1, shown), network.embedding(self.before)], dim=2)
        state = tuple(one.flatten(0, 1)[None].contiguous() for one in self.state)
        out, state = network.writer(inputs.flatten(0, 1)[:, None], state)
        given = self._allowed(F.log_softmax(network.output(out[:, 0]), dim=1).view(*done.shape, -1), done)
        self.score, best = (self.score[:, :, None] + given).flatten(1).topk(self.beam, dim=1)
        parent, symbol = best // given.shape[2], best % given.shape[2]
        gained = given.flatten(1).gather(1, best)
        self.state = [_rows_of(one[0].view(*done.shape, -1), parent) for one in state]
        place, count, done = (one.gather(1, parent) for one in (self.place, self.count, done))
        ended = ~done & (symbol == network.end) if network.ends else ~done
        self.place, self.count, self.before = place + ended, (count + 1).masked_fill(ended, 0), symbol
        self.steps.append((parent, symbol.masked_fill(done, -1), gained))

    def _allowed(self, given: Tensor, done: Tensor) -> Tensor:
        """Return log-probabilities under the rules: a tag has a symbol, and no more than the longest of train."""
        is_end = torch.arange(given.shape[2], device=given.device) == self.network.end
        if self.network.ends:
            barred = torch.where(
                is_end, (self.count == 0)[:, :, None], (self.count >= self.network.longest)[:, :, None]
            )
        else:
            barred = is_end.expand_as(given)
        given = given.masked_fill(barred, -torch.inf)
        # What is complete stays as it is and costs nothing.
        return torch.where(done[:, :, None], torch.where(is_end, 0.0, -torch.inf), given)

    def _read(self) -> list[tuple[float, list[Spelt]]]:
        """Follow the best of each sentence back to its beginning."""
        kept = torch.zeros(len(self.words), 1, dtype=torch.int64, device=self.words.device)
        symbols, gains = [], []
        for parent, symbol, gained in reversed(self.steps):
            symbols.append(symbol.gather(1, kept))
            gains.append(gained.gather(1, kept))
            kept = parent.gather(1, kept)
        lines = torch.cat(symbols[::-1], dim=1).tolist(), torch.cat(gains[::-1], dim=1).tolist()
        scores = self.score[:, 0].tolist()
        return [(score, self._tags(*line)) for score, *line in zip(scores, *lines, strict=True)]

    def _tags(self, numbers: Sequence[int], gains: Sequence[float]) -> list[Spelt]:
        network, found, symbols, total = self.network, [], [], 0.0
        for number, gained in zip(numbers, gains, strict=True):
            if number < 0:
                break
            total += gained
            if number != network.end:
                symbols.append(network.symbols[number])
            if number == network.end or not network.ends:
                found.append(Spelt(tuple(symbols), math.exp(min(total, 0.0))))
                symbols, total = [], 0.0
        return found


def _lines(numbers: Tensor, chosen: Tensor) -> Tensor:
    """Return the chosen numbers of each sentence in one line, (sentences, most), filled up with -1."""
    sizes = chosen.sum(dim=(1, 2))
    found = numbers.new_full((len(numbers), int(sizes.max())), -1)
    found[mask_of(sizes, found.shape[1])] = numbers[chosen]
    return found


def _rows_of(state: Tensor, parent: Tensor) -> Tensor:
    return state.gather(1, parent[:, :, None].expand(-1, -1, state.shape[2]))
