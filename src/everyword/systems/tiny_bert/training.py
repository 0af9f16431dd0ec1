"""The training of a small BERT, step by step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config
from everyword.arrays import IndexArray
from everyword.atomic import write_atomic
from everyword.extras import require
from everyword.language_models.heads import save_for_transformers
from everyword.learning.checkpoint import Progress, load_checkpoint, save_checkpoint
from everyword.learning.device import pick_device
from everyword.learning.log import TrainingLog
from everyword.learning.schedules import linear_factor
from everyword.systems.tiny_bert.config import PURPOSE, Run, TinyBertConfig
from everyword.systems.tiny_bert.masked_corpus import FIRST, MASK, MOST_PIECES, SPECIAL, MaskedCorpus
from everyword.systems.tiny_bert.masking import hide_pieces

CHECKPOINT, LOG, RECORD = "checkpoint.safetensors", "log.jsonl", "training.json"
BLOCKS_AT_ONCE = 256
"""Blocks that are scored together."""


class Training:
    """The network, its optimiser and how far they have come. Each step depends on its number and the seed only."""

    def __init__(self, run: Run, corpus: MaskedCorpus) -> None:
        self.run, self.config, self.corpus = run, run.config, corpus
        self.device = pick_device(run.device)
        held = max(1, round(run.config.held_out * len(corpus.starts)))
        self.train_starts, self.held_starts = corpus.starts[:-held], corpus.starts[-held:]
        self.steps_an_epoch = max(1, len(self.train_starts) // run.config.batch)
        self.progress = Progress()
        self.network = _network(run.config, len(corpus.vocabulary)).to(self.device)
        self.optimiser = _optimiser(self.network, run.config, self.device)
        # int16 holds the same bits; torch looks up few kinds of numbers in uint16.
        self.pieces = torch.from_numpy(np.array(corpus.pieces).view(np.int16)).to(self.device)
        described = json.dumps([config.to_dict(run.config), corpus.sha256], sort_keys=True)
        self.stamp = hashlib.sha256(described.encode()).hexdigest()
        self.log = TrainingLog(run.folder / LOG, fresh=not run.resume)

    def steps(self) -> Iterator[None]:
        """All steps that are still to be done; saved now and then, and at the end of each epoch."""
        losses, begun = [], perf_counter()
        while self.progress.epoch < self.config.epochs:
            for places in self._rest_of_epoch():
                losses.append(self._step(places))
                self.progress.step += 1
                yield
                if self.progress.step % self.config.checkpoint_steps == 0:
                    self.save()
            self.progress.epoch, self.progress.step = self.progress.epoch + 1, 0
            self._tell_epoch(losses, perf_counter() - begun)
            losses, begun = [], perf_counter()
            self.save()

    def save(self) -> None:
        """Keep all that is needed to go on."""
        weights = dict(self.network.state_dict())
        state = self.optimiser.state_dict()["state"]
        moments = {f"{number}.{name}": value for number, of_one in state.items() for name, value in of_one.items()}
        groups = {"network": weights, "optimiser": moments}
        save_checkpoint(self.run.folder / CHECKPOINT, groups, self.progress, self.stamp)

    def load(self) -> None:
        """Go on from what `save` kept."""
        groups, self.progress = load_checkpoint(self.run.folder / CHECKPOINT, self.stamp)
        self.network.load_state_dict(groups["network"])
        full = self.optimiser.state_dict()
        for key, value in groups.get("optimiser", {}).items():
            number, name = key.split(".")
            full["state"].setdefault(int(number), {})[name] = value
        self.optimiser.load_state_dict(full)

    def finish(self, output: Path) -> None:
        """Save the network and its tokenizer as transformers does, with a record of the training."""
        transformers = require("transformers", PURPOSE)
        vocabulary = {piece: number for number, piece in enumerate(self.corpus.vocabulary)}
        tokenizer = transformers.BertTokenizerFast(vocab=vocabulary, model_max_length=self.config.length)
        save_for_transformers(self.network.eval(), tokenizer, output)
        loss, accuracy = self.held_out()
        record = {"corpus_sha256": self.corpus.sha256, "held_out_loss": loss, "held_out_accuracy": accuracy}
        write_atomic(output / RECORD, json.dumps({"config": asdict(self.config), **record}, indent=2) + "\n")

    @torch.no_grad()
    def held_out(self) -> tuple[float, float]:
        """Loss and accuracy (in percent) on masked pieces of the blocks that are not trained on, always the same."""
        self.network.eval()
        losses, right, total = 0.0, 0, 0
        generator = torch.Generator(self.device).manual_seed(self.config.seed)
        for start in range(0, len(self.held_starts), BLOCKS_AT_ONCE):
            logits, targets = self._guesses(self.held_starts[start : start + BLOCKS_AT_ONCE], generator)
            losses += float(nn.functional.cross_entropy(logits, targets, reduction="sum"))
            right, total = right + int((logits.argmax(dim=1) == targets).sum()), total + len(targets)
        return losses / total, 100 * right / total

    def _rest_of_epoch(self) -> Iterator[IndexArray]:
        order = np.random.default_rng([self.config.seed, self.progress.epoch]).permutation(len(self.train_starts))
        for step in range(self.progress.step, self.steps_an_epoch):
            yield self.train_starts[order[step * self.config.batch : (step + 1) * self.config.batch]]

    def _step(self, starts: IndexArray) -> Tensor:
        done = self.progress.epoch * self.steps_an_epoch + self.progress.step
        share = linear_factor((done + 1) / (self.config.epochs * self.steps_an_epoch + 1), self.config.warm_up)
        for group in self.optimiser.param_groups:
            group["lr"] = share * self.config.rate
        seed = int(np.random.default_rng([self.config.seed, done]).integers(1 << 62))
        torch.manual_seed(seed)  # for dropout: a resumed run goes on as if it had never stopped
        self.network.train()
        logits, targets = self._guesses(starts, torch.Generator(self.device).manual_seed(seed))
        loss = nn.functional.cross_entropy(logits, targets)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.optimiser.step()
        return loss.detach()

    def _guesses(self, starts: IndexArray, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """The logits of hidden pieces, and what they are; the head reads only those, most of its work is saved."""
        ids = self._blocks(starts)
        hidden = hide_pieces(
            ids,
            max(1, round(self.config.masked * self.config.length)),
            mask=MASK,
            first_plain=len(SPECIAL),
            vocabulary=len(self.corpus.vocabulary),
            generator=generator,
        )
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            states = self.network.bert(input_ids=hidden.shown).last_hidden_state
            asked = states.gather(1, hidden.places[..., None].expand(-1, -1, states.shape[2]))
            logits = self.network.cls(asked).flatten(0, 1)
        return logits.float(), hidden.targets.flatten()

    def _blocks(self, starts: IndexArray) -> Tensor:
        first = torch.from_numpy(np.ascontiguousarray(starts)).to(self.device, non_blocking=True)
        inside = torch.arange(self.config.length - 1, device=self.device)
        pieces = self.pieces[first[:, None] + inside].long() & (MOST_PIECES - 1)
        return nn.functional.pad(pieces, (1, 0), value=FIRST)

    def _tell_epoch(self, losses: Sequence[Tensor], seconds: float) -> None:
        loss, accuracy = self.held_out()
        trained = float(torch.stack(list(losses)).mean()) if losses else float("nan")
        pieces = len(losses) * self.config.batch * self.config.length / max(seconds, 1e-9)
        epoch = self.progress.epoch
        self.log.write(epoch=epoch, loss=trained, held_out_loss=loss, held_out_accuracy=accuracy, seconds=seconds)
        self.run.tell(
            f"epoch {epoch}: loss {trained:.3f}, held out {loss:.3f}, {accuracy:.1f} % right, "
            f"{pieces:,.0f} pieces a second"
        )


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


def _optimiser(network: nn.Module, chosen: TinyBertConfig, device: torch.device) -> torch.optim.Optimizer:
    groups = [
        {"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": chosen.weight_decay},
        {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=chosen.rate, betas=(0.9, 0.98), fused=device.type == "cuda")
