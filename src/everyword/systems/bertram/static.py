"""Models for tables instead of encoders, with contexts as bags of words: A La Carte, FCM, Attentive Mimicking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch

from everyword import config as configuration
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext
from everyword.space.linear_map import HELD_OUT_EVERY, LinearMap, fit_map
from everyword.systems.bertram.config import StaticConfig, Weights
from everyword.systems.bertram.context_model import ContextModel
from everyword.systems.bertram.form import NgramForm
from everyword.systems.bertram.loop import Batch, BatchLoss, ContextSampler, Generators, train_stage
from everyword.systems.bertram.masking import MaskedSentence, UnusedSentences, check_contexts, masked_contexts
from everyword.systems.bertram.network import Contexts, FormContextNetwork, owners_of
from everyword.text.word_pattern import WORD_PATTERN
from everyword.vectors.table import VectorTable

NO_WORD = " "
"""The mask in a bag of words, where only known words count."""
MOST_IN_TRAINING = 1000
FEWEST_WORDS = 2 * HELD_OUT_EVERY
"""A tenth of the words chooses the strength of the ridge; fewer than two of them choose nothing."""


class Bags(NamedTuple):
    """The contexts of one word that contain at least one known word."""

    means: FloatArray
    """(contexts, dim)."""
    sizes: FloatArray
    """The number of known words in each."""

    @property
    def mean_of_all(self) -> FloatArray:
        """The mean over the words of all contexts; zeros if there is none."""
        mean: FloatArray = self.sizes @ self.means / max(self.sizes.sum(), np.float32(1))
        return mean


def bags_of(table: VectorTable, contexts: Sequence[MaskedSentence]) -> Bags:
    """Return the mean vector of each context; those without a known word are skipped."""
    rows = [found for context in contexts if (found := list(_known_rows(table, context.text)))]
    means = [table.matrix[found].mean(axis=0) for found in rows]
    sizes = np.array([len(found) for found in rows], dtype=np.float32)
    return Bags(np.array(means, dtype=np.float32).reshape(len(rows), table.dim), sizes)


def _known_rows(table: VectorTable, text: str) -> Iterator[int]:
    """Yield the rows of the known words of a text, as they are spelt or in lower case."""
    for run in WORD_PATTERN.findall(text):
        row = table.index.get(run)
        if row is None:
            row = table.index.get(run.lower())
        if row is not None:
            yield row


class ALaCarte(ContextModel):
    """A linear map, in closed form, from the mean of the words around a word to its vector.

    It does not use the spelling: a word without contexts gets zeros.
    """

    def __init__(self, table: VectorTable, to_vector: LinearMap) -> None:
        self.table, self.map = table, to_vector

    @classmethod
    def train(cls, table: VectorTable, contexts: Mapping[str, Sequence[str]], *, seed: int = 0) -> ALaCarte:
        """Fit the map to words that have a vector in the table and sentences.

        Args:
            table: The vectors of known words.
            contexts: A mapping from words to their sentences.
            seed: Decides which sentences of a word with very many are used.

        Returns:
            The fitted model.

        Raises:
            InputError: If there are too few words with a vector and a sentence.
        """
        words, bags = trained_words(table, contexts, MOST_IN_TRAINING, seed)
        if len(words) < FEWEST_WORDS:
            raise InputError(f"A La Carte needs at least {FEWEST_WORDS} words with contexts. Got {len(words)} instead.")
        means = np.stack([of_word.mean_of_all for of_word in bags])
        targets = table.select(words).matrix
        length = float(np.linalg.norm(targets, axis=1).mean())
        return cls(table, fit_map(means, targets, length=length).map)

    @property
    def dim(self) -> int:
        """Length of the table's vectors."""
        return self.table.dim

    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, unused: UnusedSentences) -> FloatArray:
        masked = masked_contexts(contexts, NO_WORD, most, unused)
        return self.map(np.stack([bags_of(self.table, of_word).mean_of_all for of_word in masked]))


class AttentiveMimicking(ContextModel):
    """Form vectors by n-grams, context vectors weighted by how well they agree, and a gate between both."""

    NAME = "attentive-mimicking"
    WEIGHTS: Weights | None = None
    """How contexts are weighted, if the model and not its configuration decides that."""

    def __init__(self, table: VectorTable, network: FormContextNetwork) -> None:
        self.table, self.network = table, network.eval()

    @classmethod
    def train(
        cls,
        table: VectorTable,
        contexts: Mapping[str, Sequence[str]],
        config: StaticConfig | None = None,
        *,
        run: RunContext | None = None,
        device: str = "cpu",
    ) -> AttentiveMimicking | None:
        """Learn from words that have a vector in the table and sentences.

        Args:
            table: The vectors of known words.
            contexts: A mapping from words to their sentences.
            config: Settings; by default those of `StaticConfig`.
            run: The run folder, which is needed to resume, and whether to resume and to show progress.
            device: Where to compute: auto, cpu or cuda.

        Returns:
            The trained model, or None if Ctrl-C stopped a training that can be resumed.

        Raises:
            InputError: If no word has both a vector and a sentence with known words.
        """
        config = config or StaticConfig()
        configuration.check(config)
        if cls.WEIGHTS is not None:
            config = replace(config, weights=cls.WEIGHTS)
        words, bags = trained_words(table, contexts, config.contexts_a_word, config.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            form = NgramForm.of_words(words, table.dim, config.ngrams)
            network = FormContextNetwork(form, table.dim, config.weights, gated=True).to(pick_device(device))
        model = cls(table, network)
        return model if _fit(model, words, bags, config, run or RunContext()) else None

    @property
    def dim(self) -> int:
        """Length of the table's vectors."""
        return self.table.dim

    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, unused: UnusedSentences) -> FloatArray:
        bags = [bags_of(self.table, of_word) for of_word in masked_contexts(contexts, NO_WORD, most, unused)]
        with torch.no_grad():
            return self.network.vectors(
                list(contexts),
                [index for index, of_word in enumerate(bags) if len(of_word.sizes)],
                lambda seen, forms: self.network(laid_out([bags[index] for index in seen], forms.device), forms)[0],
            )


class FormContextModel(AttentiveMimicking):
    """Attentive Mimicking without attention: the words of all contexts are one bag."""

    NAME = "form-context-model"
    WEIGHTS: Weights | None = "words"


def trained_words(
    table: VectorTable, contexts: Mapping[str, Sequence[str]], most: int, seed: int
) -> tuple[list[str], list[Bags]]:
    """Return the words with a vector and a context with known words, and those contexts."""
    check_contexts(contexts)
    known = {word: sentences for word, sentences in contexts.items() if word in table}
    masked = masked_contexts(known, NO_WORD, most, seed=seed)
    bags = {word: bags_of(table, of_word) for word, of_word in zip(known, masked, strict=True)}
    usable = [word for word, of_word in bags.items() if len(of_word.sizes)]
    if not usable:
        raise InputError(
            f"None of {len(contexts):,} words has both a vector in the table and a sentence with known words; "
            "give sentences for words of the table."
        )
    return usable, [bags[word] for word in usable]


def laid_out(bags: Sequence[Bags], device: torch.device) -> Contexts:
    """Return the contexts of several words as the network reads them."""
    vectors = torch.from_numpy(np.concatenate([of_word.means for of_word in bags])).to(device)
    sizes = torch.from_numpy(np.concatenate([of_word.sizes for of_word in bags])).to(device)
    return Contexts(vectors, owners_of([len(of_word.sizes) for of_word in bags], device), len(bags), sizes)


def _fit(
    model: AttentiveMimicking, words: Sequence[str], bags: Sequence[Bags], config: StaticConfig, run: RunContext
) -> bool:
    network = model.network
    device = network.to_space.weight.device
    targets = torch.from_numpy(model.table.select(words).matrix).to(device)
    counts = np.array([len(of_word.sizes) for of_word in bags], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    sampler = ContextSampler(config.contexts_a_word, config.contexts_a_word, words_a_batch=config.words_a_batch)

    def batch_loss(batch: Batch, generators: Generators) -> BatchLoss:
        chosen = zip(batch.rows, batch.contexts, strict=True)
        shown = [Bags(*(part[contexts - starts[row]] for part in bags[row])) for row, contexts in chosen]
        forms = network.form([words[row] for row in batch.rows], generators)
        vectors, weights = network(laid_out(shown, device), forms)
        return BatchLoss.of(vectors, targets[torch.from_numpy(batch.rows).to(device)], weights)

    return train_stage(
        model.NAME,
        network,
        config,
        batches=lambda epoch: sampler.epoch(counts, config.seed, epoch),
        batch_loss=batch_loss,
        run=run,
        fingerprint=_fingerprint(config, words, bags, targets.cpu().numpy()),
        seed=config.seed,
    )


def _fingerprint(config: StaticConfig, words: Sequence[str], bags: Sequence[Bags], targets: FloatArray) -> str:
    digest = hashlib.sha256(json.dumps([configuration.to_dict(config), list(words)], sort_keys=True).encode())
    digest.update(targets.tobytes())
    for of_word in bags:
        digest.update(of_word.means.tobytes())
    return digest.hexdigest()
