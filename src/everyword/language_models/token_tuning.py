"""Fine-tuning of a transformer that tags words: the tag of a word is read off its first piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.language_models.fine_tuning import FineTuning, run_tuning
from everyword.language_models.heads import load_with_head
from everyword.learning.batching import by_length, shuffled
from everyword.learning.device import half_precision

IGNORED = -100
"""The target of places that are not the first piece of a word."""
Sentences = Sequence[Sequence[str]]
Tags = Sequence[Sequence[int]]
"""The number of the tag of each word."""


class TaggedPasses:
    """Sentences, cut into words, that a network reads in batches, as arrays of their numbers."""

    def __init__(self, network: Any, tokenizer: Any, sentences: Sentences, tags: Tags = (), *, longest: int) -> None:
        self.network, self.tokenizer, self.tags = network, tokenizer, tags
        cut = tokenizer(
            [list(words) for words in sentences], is_split_into_words=True, truncation=True, max_length=longest
        )
        self._pieces = {name: cut[name] for name in cut}
        self.first = [_first_pieces(cut.word_ids(row), len(own)) for row, own in enumerate(sentences)]
        """The place of the first piece of each word; -1 for a word that is cut off."""
        self.lengths = np.array([len(ids) for ids in cut["input_ids"]], dtype=np.int64)

    def loss(self, indices: IndexArray) -> Tensor:
        """Return the mean cross-entropy of the words of a batch."""
        scores = self.scores(indices)
        targets = np.full(scores.shape[:2], IGNORED, dtype=np.int64)
        for row, index in enumerate(indices):
            seen = self.first[index] >= 0
            targets[row, self.first[index][seen]] = np.asarray(self.tags[index])[seen]
        return nn.functional.cross_entropy(
            scores.flatten(0, 1), torch.from_numpy(targets).flatten().to(scores.device), ignore_index=IGNORED
        )

    def scores(self, indices: IndexArray) -> Tensor:
        """Return the scores of tags, (sentences, pieces, tags)."""
        chosen = {name: [values[index] for index in indices] for name, values in self._pieces.items()}
        padded = self.tokenizer.pad(chosen, padding=True, return_tensors="pt", verbose=False).to(self.network.device)
        with half_precision(self.network.device):
            scores: Tensor = self.network(**padded).logits
        return scores.float()


def _first_pieces(word_of_piece: Sequence[int | None], words: int) -> IndexArray:
    """Return the place of the first piece of each word.

    >>> _first_pieces([None, 0, 0, 1, None], 3).tolist()
    [1, 3, -1]
    """
    found = np.full(words, -1, dtype=np.int64)
    for place in range(len(word_of_piece) - 1, -1, -1):
        if (word := word_of_piece[place]) is not None:
            found[word] = place
    return found


def fine_tune_tagger(  # noqa: PLR0917 (sentences and tags stand side by side)
    network: Any,
    tokenizer: Any,
    train: Sentences,
    train_tags: Tags,
    dev: Callable[[], float],
    config: FineTuning | None = None,
) -> Any:
    """Fine-tune a network in place, which then has the weights of the epoch that is best on dev.

    Args:
        network: A transformer with a head for tags.
        tokenizer: Its tokenizer.
        train: The words of the sentences to learn from.
        train_tags: The number of the tag of each word, one of the network's outputs.
        dev: Returns the score of the network on what chooses the best epoch.
        config: Settings; by default those of `FineTuning`.
    """
    config = config or FineTuning()
    if not train or [len(words) for words in train] != [len(tags) for tags in train_tags]:
        raise InputError("A tagger needs one or more sentences, and a tag for each of their words.")
    passes = TaggedPasses(network, tokenizer, train, train_tags, longest=config.longest)
    rng = np.random.default_rng(config.seed)
    run_tuning(
        network,
        config,
        batches=lambda _epoch, _first_step: shuffled(passes.lengths, config.batch, rng),
        loss=passes.loss,
        dev=dev,
    )
    return network


def tag_words(
    network: Any,
    tokenizer: Any,
    sentences: Sentences,
    *,
    cut_off: int,
    longest: int = FineTuning.longest,
    batch: int = 128,
) -> list[list[int]]:
    """Return the number of the most probable tag of each word; words that are cut off get the tag `cut_off`."""
    network.eval()
    passes = TaggedPasses(network, tokenizer, sentences, longest=longest)
    found: list[list[int]] = [[] for _ in sentences]
    for indices in by_length(passes.lengths, batch):
        with torch.inference_mode():
            best = passes.scores(indices).argmax(dim=-1).cpu().numpy()
        for row, index in enumerate(indices):
            first = passes.first[index]
            found[index] = np.where(first >= 0, best[row, first], cut_off).tolist()
    return found


def new_tagger(source: Any, tags: int, *, device: str = "auto", seed: int = 0) -> tuple[Any, Any]:
    """Return a language model with a fresh head for this many tags, and its tokenizer."""
    options = {"num_labels": tags, "dtype": torch.float32}
    return load_with_head(source, "TokenClassification", device=device, new_head=seed, **options)
