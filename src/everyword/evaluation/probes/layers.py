"""The layers of a transformer as representations: vectors of pieces, averaged to vectors of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from everyword.arrays import AnyArray
from everyword.errors import InputError
from everyword.evaluation.probes.representation import NAMED_LAYERS, Representation, Texts
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.files import fingerprint
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import Span, batches_by_length
from everyword.language_models.pooling import mean_of_spans

WINDOW = 250
"""Pieces that are read at a time; longer texts are cut between words."""
MOST_PIECES = 16
"""Further pieces of a word are left out."""
MOST_KEPT = 1 << 31
"""Bytes of vectors that are kept for the next layer."""


class Window(NamedTuple):
    """A text or a part of one: the row of its first word, and the pieces of each word."""

    row: int
    words: list[list[int]]

    @property
    def length(self) -> int:
        """The number of pieces."""
        return sum(map(len, self.words))


class TransformerLayers(Representation):
    """The words of texts as a transformer sees them, at some of its layers.

    Args:
        model: The language model.
        kept: The layers that can be asked for; 0 is the input.
        source: Its folder, for questions to the head that predicts words.
    """

    policy = "pieces"

    def __init__(self, model: LanguageModel, kept: Sequence[int], source: str | None = None) -> None:
        self.model, self.kept, self.source = model, tuple(kept), source
        self.name, self.dim, self.layers = Path(model.name).name, model.dim, model.layers
        self.fingerprint = model.weights_fingerprint()
        self.layer = self.kept[-1]
        self._last: dict[str, TokenVectors] = {}
        """The vectors of texts that were read lately, which the next layer will ask for."""

    def tokens(self, texts: Texts, layer: int | None = None) -> TokenVectors:
        """Return the vectors of words at one layer."""
        chosen = self.layer if layer is None else layer
        if chosen not in self.kept:
            raise InputError(f"{self.name} was opened for the layers {', '.join(map(str, self.kept))}. Got {chosen}.")
        found = self.all_layers(texts)
        place = self.kept.index(chosen)
        return TokenVectors(found.vectors[:, place : place + 1].astype(np.float32), found.starts)

    def all_layers(self, texts: Texts) -> TokenVectors:
        """Return the vectors of words at all layers for which it was opened, in half precision."""
        key = fingerprint([list(text) for text in texts])
        if key not in self._last:
            found = TokenVectors.of(self._vectors(texts), [len(text) for text in texts])
            while self._last and sum(one.vectors.nbytes for one in (found, *self._last.values())) > MOST_KEPT:
                self._last.pop(next(iter(self._last)))  # the oldest
            self._last[key] = found
        return self._last[key]

    @torch.inference_mode()
    def _vectors(self, texts: Texts) -> AnyArray:
        before, after = self.model.special_pieces()
        longest = min(WINDOW, self.model.longest - len(before) - len(after))
        windows = list(self._windows(texts, longest))
        found = np.zeros((sum(map(len, texts)), len(self.kept), self.dim), dtype=np.float16)
        lengths = [one.length + len(before) + len(after) for one in windows]
        for batch in batches_by_length(lengths, self.model.pieces_per_batch):
            some = [windows[index] for index in batch]
            ids = [[*before, *(piece for word in one.words for piece in word), *after] for one in some]
            padded, mask = self.model.pad(ids)
            hidden = self.model.network(
                input_ids=padded, attention_mask=mask.long(), output_hidden_states=True
            ).hidden_states
            rows, owners, spans = _words(some, len(before))
            for place, layer in enumerate(self.kept):
                found[rows, place] = mean_of_spans(hidden[layer].float(), owners, spans).cpu().numpy()
        return found

    def _windows(self, texts: Texts, longest: int) -> Iterator[Window]:
        row = 0
        for text in texts:
            window = Window(row, [])
            for word in piece_ids(self.model, text):
                if window.words and window.length + len(word) > longest:
                    yield window
                    window = Window(row, [])
                window.words.append(word[:longest])
                row += 1
            if window.words:
                yield window


def _words(windows: Sequence[Window], first: int) -> tuple[list[int], list[int], list[Span]]:
    """Return for each word of windows its row, the number of its window, and where its pieces are."""
    rows, owners, spans = [], [], []
    for number, window in enumerate(windows):
        begin = first
        for place, word in enumerate(window.words):
            rows.append(window.row + place)
            owners.append(number)
            spans.append(Span(begin, begin + len(word)))
            begin += len(word)
    return rows, owners, spans


def piece_ids(model: LanguageModel, words: Sequence[str]) -> list[list[int]]:
    """Return the pieces of each word; a word without any is one unknown piece."""
    unknown = model.tokenizer.unk_token_id or 0
    return [
        list(encoding.ids)[:MOST_PIECES] or [unknown]
        for encoding in model.tokenize([f" {word}" for word in words], bare=True)
    ]


def open_layers(name: str, layers: Sequence[int] | str, device: str) -> list[Representation]:
    """Open a transformer and return it at each of the layers: one of `NAMED_LAYERS` or numbers, 0 being the input."""
    model = LanguageModel.load(name, device=device)
    if isinstance(layers, str):
        if layers not in NAMED_LAYERS:
            raise InputError(f"The layers must be all, last, middle or numbers such as 3,6. Got {layers!r} instead.")
        named = {"all": range(model.layers + 1), "last": [model.layers], "middle": [model.layers // 2]}
        layers = named[layers]
    model.check_layers(layers)
    kept = [layer % (model.layers + 1) if layer < 0 else layer for layer in layers]
    opened = TransformerLayers(model, sorted(set(kept)), name)
    return [opened.at(layer) for layer in opened.kept]
