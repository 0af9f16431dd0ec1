"""The form-context model and Attentive Mimicking: a table instead of an encoder, contexts as bags of words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch

from everyword import config as configuration
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.learning.device import pick_device
from everyword.learning.log import TrainingLog
from everyword.systems.bertram.bags import NO_WORD, Bags, bags_of
from everyword.systems.bertram.batches import Batch, Drawing
from everyword.systems.bertram.config import StaticConfig, Weights
from everyword.systems.bertram.context_model import ContextModel
from everyword.systems.bertram.form import NgramForm
from everyword.systems.bertram.loop import LOG, Draws, Loop, Measured, Place
from everyword.systems.bertram.masking import LeftOut, check_contexts, masked_contexts
from everyword.systems.bertram.network import Contexts, FormContextNetwork, owners_of
from everyword.vectors.table import VectorTable


class AttentiveMimicking(ContextModel):
    """Form by n-grams, contexts by their mean vectors weighed by agreement, and a gate between both."""

    NAME = "attentive-mimicking"
    WEIGHTS: Weights | None = None
    """How contexts are weighed, where the configuration has no say in it."""

    def __init__(self, table: VectorTable, network: FormContextNetwork) -> None:
        self.table, self.network = table, network.eval()

    @classmethod
    def train(
        cls,
        table: VectorTable,
        contexts: Mapping[str, Sequence[str]],
        config: StaticConfig | None = None,
        *,
        place: Place | None = None,
        device: str = "cpu",
    ) -> AttentiveMimicking | None:
        """Learn from words that have a vector in the table and sentences; None if Ctrl-C came first."""
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
        return model if _fit(model, words, bags, config, place or Place()) else None

    @property
    def dim(self) -> int:
        """Length of the vectors: that of the table's."""
        return self.table.dim

    def _vectors(self, contexts: Mapping[str, Sequence[str]], most: int, left_out: LeftOut) -> FloatArray:
        bags = [bags_of(self.table, of_word) for of_word in masked_contexts(contexts, NO_WORD, most, left_out)]
        with torch.no_grad():
            forms = self.network.form(list(contexts))
            found: FloatArray = forms.cpu().numpy()
            seen = [place for place, of_word in enumerate(bags) if len(of_word.sizes)]
            if seen:
                some = forms[torch.tensor(seen, device=forms.device)]
                combined, _ = self.network(laid_out([bags[place] for place in seen], forms.device), some)
                found[seen] = combined.cpu().numpy()
        return found


class FormContextModel(AttentiveMimicking):
    """The same without attention: the words of all contexts are one bag."""

    NAME = "form-context-model"
    WEIGHTS: Weights | None = "words"


def trained_words(
    table: VectorTable, contexts: Mapping[str, Sequence[str]], most: int, seed: int
) -> tuple[list[str], list[Bags]]:
    """The words with a vector and a context that says anything, and those contexts."""
    check_contexts(contexts)
    left_out = LeftOut()
    known = {word: sentences for word, sentences in contexts.items() if word in table}
    masked = masked_contexts(known, NO_WORD, most, left_out, seed)
    left_out.tell()
    bags = {word: bags_of(table, of_word) for word, of_word in zip(known, masked, strict=True)}
    usable = [word for word, of_word in bags.items() if len(of_word.sizes)]
    if not usable:
        raise InputError(
            f"None of {len(contexts):,} words has both a vector in the table and a sentence with known words; "
            "give sentences for words of the table."
        )
    return usable, [bags[word] for word in usable]


def laid_out(bags: Sequence[Bags], device: torch.device) -> Contexts:
    """The contexts of several words for the network."""
    vectors = torch.from_numpy(np.concatenate([of_word.means for of_word in bags])).to(device)
    sizes = torch.from_numpy(np.concatenate([of_word.sizes for of_word in bags])).to(device)
    return Contexts(vectors, owners_of([len(of_word.sizes) for of_word in bags], device), len(bags), sizes)


def _fit(
    model: AttentiveMimicking, words: Sequence[str], bags: Sequence[Bags], config: StaticConfig, place: Place
) -> bool:
    if place.folder is not None and not place.resume:
        TrainingLog(place.folder / LOG, fresh=True)
    network = model.network
    device = network.to_space.weight.device
    targets = torch.from_numpy(model.table.select(words).matrix).to(device)
    counts = np.array([len(of_word.sizes) for of_word in bags], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    drawing = Drawing(config.contexts_a_word, config.contexts_a_word, words_a_batch=config.words_a_batch)

    def measure(batch: Batch, draws: Draws) -> Measured:
        chosen = zip(batch.rows, batch.contexts, strict=True)
        shown = [Bags(*(part[places - starts[row]] for part in bags[row])) for row, places in chosen]
        forms = network.form([words[row] for row in batch.rows], draws)
        vectors, weights = network(laid_out(shown, device), forms)
        loss = (vectors - targets[torch.from_numpy(batch.rows).to(device)]).square().sum()
        return Measured(loss, int((weights < 0).sum()), len(weights))

    return Loop(
        model.NAME,
        network,
        config,
        batches=lambda epoch: drawing.epoch(counts, config.seed, epoch),
        measure=measure,
        place=place,
        stamp=_stamp(config, words, bags, targets.cpu().numpy()),
        seed=config.seed,
    ).run()


def _stamp(config: StaticConfig, words: Sequence[str], bags: Sequence[Bags], targets: FloatArray) -> str:
    digest = hashlib.sha256(json.dumps([configuration.to_dict(config), list(words)], sort_keys=True).encode())
    digest.update(targets.tobytes())
    for of_word in bags:
        digest.update(of_word.means.tobytes())
    return digest.hexdigest()
