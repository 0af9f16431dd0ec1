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
from everyword.arrays import IndexArray
from everyword.atomic import write_atomic
from everyword.extras import require
from everyword.files import fingerprint
from everyword.language_models.heads import save_for_transformers
from everyword.learning.device import pick_device
from everyword.learning.hooks import EpochReport, GradientClipping, Report
from everyword.learning.loop import CHECKPOINT, RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.sampling import rare_weights
from everyword.learning.schedules import linear_schedule
from everyword.systems.tiny_bert.config import TinyBertConfig, TinyBertRun
from everyword.systems.tiny_bert.masked_corpus import (
    FIRST,
    MASK,
    MOST_PIECES,
    SPECIAL,
    MaskedCorpus,
    load_corpus,
    prepare_corpus,
)

PURPOSE = "Training a small BERT"
RECORD = "training.json"
BLOCKS_AT_ONCE = 256
"""Blocks that are scored together."""
LEAST = 1e-30
MASKED, REPLACED = 0.8, 0.9
"""Of the pieces to be predicted, 80 % are masked, 10 % are replaced by others, and 10 % stay as they are."""


def prepare(run: TinyBertRun) -> MaskedCorpus:
    """Return the corpus of a run, made from its texts, or as it is in its folder if there are none."""
    if not run.texts:
        return load_corpus(run.folder)
    (run.folder / CHECKPOINT).unlink(missing_ok=True)  # of a run that this one replaces
    chosen = run.config
    return prepare_corpus(
        run.texts,
        run.folder,
        vocabulary=chosen.vocabulary,
        vocabulary_sentences=chosen.vocabulary_sentences,
        length=chosen.length,
        report=run.report,
    )


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


class Training:
    """The network, its corpus, and the loop that trains it. Each step depends on its number and the seed only."""

    def __init__(self, run: TinyBertRun, corpus: MaskedCorpus) -> None:
        self.run, self.config, self.corpus = run, run.config, corpus
        self.device = pick_device(run.device)
        held = max(1, round(run.config.held_out * len(corpus.starts)))
        self.train_starts, self.held_starts = corpus.starts[:-held], corpus.starts[-held:]
        self.steps = max(1, len(self.train_starts) // run.config.batch)
        self.network = _network(run.config, len(corpus.vocabulary)).to(self.device)
        # int16 holds the same bits; torch looks up few kinds of numbers in uint16.
        self.pieces = torch.from_numpy(np.array(corpus.pieces).view(np.int16)).to(self.device)
        self.weights = self._weights()
        self._pieces_seen = 0
        self.loop = TrainingLoop(
            self.network,
            _optimiser(self.network, run.config, self.device),
            epochs=run.config.epochs,
            batches=self._batches,
            loss=self._loss,
            learning_rate=linear_schedule(run.config.rate, run.config.epochs, run.config.warm_up),
            evaluate=self.held_out,
            hooks=[GradientClipping(self.network, run.config.clip), EpochReport(self._report)],
            run=RunContext(run.folder, run.resume),
            fingerprint=fingerprint([_described(run.config), corpus.sha256]),
            checkpoint_steps=run.config.checkpoint_steps,
        )

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
        vocabulary = {piece: number for number, piece in enumerate(self.corpus.vocabulary)}
        tokenizer = transformers.BertTokenizerFast(vocab=vocabulary, model_max_length=self.config.length)
        save_for_transformers(self.network.eval(), tokenizer, output)
        record = {"config": asdict(self.config), "corpus_sha256": self.corpus.sha256, **self.held_out()}
        write_atomic(output / RECORD, json.dumps(record, indent=2) + "\n")

    @torch.no_grad()
    def held_out(self) -> dict[str, float]:
        """Return loss and accuracy (in percent) on masked pieces of the held-out blocks, always the same ones."""
        self.network.eval()
        losses, right, total = 0.0, 0, 0
        generator = torch.Generator(self.device).manual_seed(self.config.seed)
        for start in range(0, len(self.held_starts), BLOCKS_AT_ONCE):
            logits, targets = self._guesses(self.held_starts[start : start + BLOCKS_AT_ONCE], generator)
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
        logits, targets = self._guesses(starts, torch.Generator(self.device).manual_seed(seed), self.weights)
        return nn.functional.cross_entropy(logits, targets)

    def _guesses(
        self, starts: IndexArray, generator: torch.Generator, weights: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the logits of hidden pieces, and what these are; the head reads only those, which saves most work."""
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
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            states = self.network.bert(input_ids=hidden.shown).last_hidden_state
            asked = states.gather(1, hidden.positions[..., None].expand(-1, -1, states.shape[2]))
            logits = self.network.cls(asked).flatten(0, 1)
        return logits.float(), hidden.targets.flatten()

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


class MaskedBatch(NamedTuple):
    """The input of the model, and what it is to predict where."""

    shown: Tensor
    positions: Tensor
    """The positions to predict in each row; as many in every row, so that a GPU need not wait for the number."""
    targets: Tensor


def hide_pieces(
    ids: Tensor,
    count: int,
    *,
    mask: int,
    first_plain: int,
    vocabulary: int,
    generator: torch.Generator,
    weights: Tensor | None = None,
) -> MaskedBatch:
    """Hide `count` pieces of each row; those below `first_plain` are special and are never chosen.

    With weights, pieces are drawn one after the other in proportion to theirs: the largest of u^(1/w) with random u.
    """
    scores = torch.rand(ids.shape, generator=generator, device=ids.device)
    if weights is not None:
        scores = (scores.clamp_min(LEAST).log() * (weights.mean() / weights.clamp_min(LEAST))[ids]).exp()
    positions = scores.masked_fill(ids < first_plain, -1.0).topk(count, dim=1).indices
    targets = ids.gather(1, positions)
    fate = torch.rand(positions.shape, generator=generator, device=ids.device)
    others = torch.randint(first_plain, vocabulary, positions.shape, generator=generator, device=ids.device)
    seen = torch.where(fate < MASKED, mask, torch.where(fate < REPLACED, others, targets))
    return MaskedBatch(ids.scatter(1, positions, seen), positions, targets)


def _described(chosen: TinyBertConfig) -> dict[str, Any]:
    """The configuration as older runs have it, which know no rarity."""
    return {name: value for name, value in config.to_dict(chosen).items() if name != "rarity" or value}


def _network(chosen: TinyBertConfig, vocabulary: int) -> Any:
    transformers = require("transformers", PURPOSE)
    shape = transformers.BertConfig(
        vocab_size=vocabulary,
        hidden_size=chosen.width,
        num_hidden_layers=chosen.layers,
        num_attention_heads=chosen.heads,
        intermediate_size=chosen.inner,
        max_position_embeddings=chosen.length,
        hidden_dropout_prob=chosen.dropout,
        attention_probs_dropout_prob=chosen.dropout,
        pad_token_id=0,
    )
    with torch.random.fork_rng():
        torch.manual_seed(chosen.seed)
        return transformers.BertForMaskedLM(shape)


def _optimiser(network: nn.Module, chosen: TinyBertConfig, device: torch.device) -> TorchOptimiser:
    groups = [
        {"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": chosen.weight_decay},
        {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    fused = device.type == "cuda"
    return TorchOptimiser(torch.optim.AdamW(groups, lr=chosen.rate, betas=(0.9, 0.98), fused=fused))
