"""Pre-training of a small BERT: it learns from a corpus to predict masked words, and is saved for transformers.

Small enough for minutes on a GPU; what it does not know of rare words is the reason for it. Once the corpus is prepared
it needs torch, transformers and NumPy only.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config
from everyword.arrays import BoolArray, IndexArray
from everyword.atomic import write_atomic
from everyword.corpus.lexicons.attributes import AttributeLexicon
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import checksum, fingerprint
from everyword.language_models.attribute_vectors import LEXICON, SavedAttributes
from everyword.language_models.attributes import AttributeEmbedding, AttributeTable, attribute_loss, folded
from everyword.language_models.heads import save_for_transformers
from everyword.learning.device import half_precision, pick_device
from everyword.learning.hooks import EpochReport, GradientClipping, Report
from everyword.learning.loop import CHECKPOINT, RunContext, TrainingLoop
from everyword.learning.sampling import rare_weights
from everyword.learning.schedules import linear_schedule
from everyword.systems.tiny_bert.config import AttributeConfig, TinyBertConfig, TinyBertRun
from everyword.systems.tiny_bert.masked_corpus import MOST_PIECES, MaskedCorpus, load_corpus, prepare_corpus
from everyword.systems.tiny_bert.masking import hide_pieces
from everyword.systems.tiny_bert.network import PURPOSE, add_attributes, head_states, make_network, make_optimiser
from everyword.systems.tiny_bert.tokenizer import BYTE_PAIRS, FIRST, MASK, SPECIAL, for_transformers

RECORD = "training.json"
BLOCKS_AT_ONCE = 256
"""Blocks that are scored together."""


def prepare(run: TinyBertRun) -> MaskedCorpus:
    """Return the corpus of a run, made from its texts, or as it is in its folder if there are none."""
    if not run.texts:
        return load_corpus(run.folder)
    chosen, lexicon = run.config, AttributeLexicon.read(run.attributes) if run.attributes else None
    for of_another_run in (CHECKPOINT, LEXICON):
        (run.folder / of_another_run).unlink(missing_ok=True)
    prepared = prepare_corpus(
        run.texts,
        run.folder,
        vocabulary=chosen.vocabulary,
        vocabulary_sentences=chosen.vocabulary_sentences,
        length=chosen.length,
        units=chosen.units,
        report=run.report,
    )
    if lexicon is not None:
        lexicon.write(run.folder / LEXICON)
    return prepared


def train(run: TinyBertRun, output: Path) -> bool:
    """Train a small BERT and save it.

    Args:
        run: Configuration, run folder and texts; with `resume`, the folder's corpus and checkpoint are used.
        output: The folder that the model, its tokenizer and a record of its training are saved to.

    Returns:
        False if Ctrl-C came first, and the run can be resumed.
    """
    training = Training(run, load_corpus(run.folder) if run.resume else prepare(run))
    if not training.loop.run():
        return False
    training.finish(output)
    return True


class Guesses(NamedTuple):
    """States of the head, the pieces that they are to predict, and those that the model has read there."""

    states: Tensor
    targets: Tensor
    read: Tensor


class Training:
    """The network, its corpus, and the loop that trains it. Each step depends on its number and the seed only."""

    def __init__(self, run: TinyBertRun, corpus: MaskedCorpus) -> None:
        self.run, self.config, self.corpus = run, run.config, corpus
        self.device = pick_device(run.device)
        held = max(1, round(run.config.held_out * len(corpus.starts)))
        self.train_starts, self.held_starts = corpus.starts[:-held], corpus.starts[-held:]
        self.steps = max(1, len(self.train_starts) // run.config.batch)
        self.network = make_network(run.config, len(corpus.vocabulary))
        self.attributes = self._add_attributes()
        self.network.to(self.device)
        # int16 holds the same bits; torch looks up few kinds of numbers in uint16.
        self.pieces = torch.from_numpy(np.array(corpus.pieces).view(np.int16)).to(self.device)
        self.weights = self._weights()
        self._pieces_seen = 0
        self.loop = TrainingLoop(
            self.network,
            make_optimiser(self.network, run.config, self.device),
            epochs=run.config.epochs,
            batches=self._batches,
            loss=self._loss,
            learning_rate=linear_schedule(run.config.rate, run.config.epochs, run.config.warm_up),
            evaluate=self.held_out,
            hooks=[GradientClipping(self.network, run.config.clip), EpochReport(self._report)],
            run=RunContext(run.folder, run.resume),
            fingerprint=fingerprint([_described(run.config), corpus.sha256, *self._lexicon_checksum()]),
            checkpoint_steps=run.config.checkpoint_steps,
        )

    @property
    def layer(self) -> AttributeEmbedding | None:
        """The input vectors, if words have attributes."""
        found = self.network.get_input_embeddings()
        return found if isinstance(found, AttributeEmbedding) else None

    def _add_attributes(self) -> AttributeTable | None:
        path = self.run.folder / LEXICON
        if not path.exists():
            if self.config.attributes != AttributeConfig():
                raise InputError("Settings of attributes are given, but no lexicon; name one by --attributes.")
            return None
        if self.config.units == BYTE_PAIRS:
            raise InputError("Attributes belong to words, and byte pairs are parts of them; leave out --attributes.")
        table = add_attributes(self.network, self.corpus.vocabulary, AttributeLexicon.read(path), self.config)
        have: BoolArray = np.any(table.ids > 0, axis=1)
        share = have[np.asarray(self.corpus.pieces)].mean()
        words = f"{have.sum():,} of {len(have):,} {self.config.units}, {share:.0%} of the text"
        self.run.report(f"{len(table.names):,} attributes of {words}")
        return table

    def _lexicon_checksum(self) -> list[str]:
        return [checksum(self.run.folder / LEXICON)] if self.attributes else []

    def _weights(self) -> Tensor | None:
        """Return how likely each piece is to be chosen for prediction; None if all are alike."""
        if not self.config.rarity:
            return None
        counts = np.bincount(self.corpus.pieces, minlength=len(self.corpus.vocabulary))
        weights = rare_weights(counts[len(SPECIAL) :], -self.config.rarity)
        padded = np.concatenate([np.zeros(len(SPECIAL)), weights])
        return torch.from_numpy(padded.astype(np.float32)).to(self.device)

    def finish(self, output: Path) -> None:
        """Save the network and its tokenizer as transformers does, with a record of the training."""
        transformers = require("transformers", PURPOSE)
        chosen, vocabulary, scores = self.config, self.corpus.vocabulary, self.held_out()
        tokenizer = for_transformers(transformers, vocabulary, chosen.units, chosen.length, self.run.folder)
        network = folded(self.network) if self.layer else self.network
        if chosen.saved == "bfloat16":
            network = network.to(torch.bfloat16)
        save_for_transformers(network.eval(), tokenizer, output)
        record = {"config": asdict(self.config), "corpus_sha256": self.corpus.sha256, **scores}
        if self.layer and self.layer.embed and self.attributes:
            lexicon = AttributeLexicon.read(self.run.folder / LEXICON)
            vectors = self.layer.attributes[1:].detach().float().cpu().numpy()
            SavedAttributes(self.attributes.names, vectors, lexicon, self.config.attributes.inflected).save(output)
        write_atomic(output / RECORD, json.dumps(record, indent=2) + "\n")

    @torch.no_grad()
    def held_out(self) -> dict[str, float]:
        """Return loss and accuracy (in percent) on pieces of the held-out blocks, if masked always the same ones."""
        self.network.eval()
        losses, right, total = 0.0, 0, 0
        generator = torch.Generator(self.device).manual_seed(self.config.seed)
        for start in range(0, len(self.held_starts), BLOCKS_AT_ONCE):
            guesses = self._guesses(self.held_starts[start : start + BLOCKS_AT_ONCE], generator)
            logits, targets = self.logits(guesses.states), guesses.targets
            losses += float(nn.functional.cross_entropy(logits, targets, reduction="sum"))
            right, total = right + int((logits.argmax(dim=1) == targets).sum()), total + len(targets)
        return {"held_out_loss": losses / total, "held_out_accuracy": 100 * right / total}

    def _batches(self, epoch: int, first_step: int) -> list[IndexArray]:
        order = np.random.default_rng([self.config.seed, epoch]).permutation(len(self.train_starts))
        size = self.config.batch
        return [self.train_starts[order[step * size : (step + 1) * size]] for step in range(first_step, self.steps)]

    def _loss(self, starts: IndexArray) -> Tensor:
        done = self.loop.progress.epoch * self.steps + self.loop.progress.step
        seed = int(np.random.default_rng([self.config.seed, done]).integers(1 << 62))
        torch.manual_seed(seed)  # for dropout: a resumed run goes on as if it had never stopped
        self._pieces_seen += self.config.batch * self.config.length
        guesses = self._guesses(starts, torch.Generator(self.device).manual_seed(seed), self.weights)
        loss = nn.functional.cross_entropy(self.logits(guesses.states), guesses.targets)
        return loss + self.attribute_loss(guesses)

    def attribute_loss(self, guesses: Guesses) -> Tensor | float:
        """Return the weighted loss of the attributes of words; 0 if they are not predicted."""
        used, layer = self.config.attributes, self.layer
        if layer is None or layer.bias is None:
            return 0.0
        ids = layer.ids[guesses.targets if used.target == "predicted" else guesses.read]
        with half_precision(self.device):
            logits = layer.logits(guesses.states)
        return used.weight * attribute_loss(logits.float(), ids)

    def logits(self, states: Tensor) -> Tensor:
        """Return the logits of all pieces after states of the head."""
        with half_precision(self.device):
            found: Tensor = self.network.get_output_embeddings()(states)
        return found.float()

    def _guesses(self, starts: IndexArray, generator: torch.Generator, weights: Tensor | None = None) -> Guesses:
        return self.read(self._blocks(starts)) if self.config.causal else self._masked(starts, generator, weights)

    def read(self, ids: Tensor) -> Guesses:
        """Return what a causal model knows before each piece of blocks but the first."""
        with half_precision(self.device):
            states = self.network.base_model(input_ids=ids[:, :-1]).last_hidden_state
            return Guesses(head_states(self.network, states).flatten(0, 1), ids[:, 1:].flatten(), ids[:, :-1].flatten())

    def _masked(self, starts: IndexArray, generator: torch.Generator, weights: Tensor | None) -> Guesses:
        """Return the states of hidden pieces; the head reads only those, which saves most work."""
        ids = self._blocks(starts)
        hidden = hide_pieces(
            ids,
            max(1, round(self.config.masked * self.config.length)),
            mask=MASK,
            first_plain=len(SPECIAL),
            vocabulary=len(self.corpus.vocabulary),
            generator=generator,
            weights=weights,
        )
        with half_precision(self.device):
            states = self.network.base_model(input_ids=hidden.shown).last_hidden_state
            asked = states.gather(1, hidden.positions[..., None].expand(-1, -1, states.shape[2]))
            shown = hidden.shown.gather(1, hidden.positions)
            return Guesses(head_states(self.network, asked).flatten(0, 1), hidden.targets.flatten(), shown.flatten())

    def _blocks(self, starts: IndexArray) -> Tensor:
        first = torch.from_numpy(np.ascontiguousarray(starts)).to(self.device, non_blocking=True)
        inside = torch.arange(self.config.length - 1, device=self.device)
        pieces = self.pieces[first[:, None] + inside].long() & (MOST_PIECES - 1)
        return nn.functional.pad(pieces, (1, 0), value=FIRST)

    def _report(self, report: Report) -> None:
        speed = self._pieces_seen / max(report["seconds"], 1e-9)
        self._pieces_seen = 0
        self.run.report(
            f"epoch {report['epoch']}: loss {report['loss']:.3f}, held out {report['held_out_loss']:.3f}, "
            f"{report['held_out_accuracy']:.1f} % right, {speed:,.0f} pieces per second"
        )


def _described(chosen: TinyBertConfig) -> dict[str, Any]:
    """The configuration as older runs have it, without the settings that they do not know."""
    plain = config.to_dict(TinyBertConfig())
    newer = ("rarity", "units", "causal", "attributes", "saved")
    return {name: value for name, value in config.to_dict(chosen).items() if name not in newer or value != plain[name]}
