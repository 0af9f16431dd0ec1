"""Training of inference, alone or with semantic roles, and the trained system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword import config as configs
from everyword.arrays import IndexArray
from everyword.corpus.labelled.bio import span_scores
from everyword.corpus.labelled.pairs import LABELS, Pairs
from everyword.corpus.labelled.roles import PREDICATE, Roles
from everyword.errors import InputError
from everyword.learning.batching import by_length, shuffled
from everyword.learning.crf import CRF, barred_in_spans, mask_of
from everyword.learning.device import pick_device
from everyword.learning.hooks import EpochReport, GradientClipping, Report
from everyword.learning.loop import TrainingLoop
from everyword.learning.multitask import Pass, TaskBatch, TaskBatches
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import slanted_triangular
from everyword.systems.inference.config import InferenceConfig
from everyword.systems.inference.encoders import Encoder
from everyword.systems.inference.network import SharedNetwork, padded_tags

INFERENCE, ROLES = "inference", "roles"
AT_ONCE = 512


class InferenceModel:
    """A trained network: labels of pairs, and roles of the words of sentences."""

    def __init__(self, network: SharedNetwork, tags: Sequence[str]) -> None:
        self.network, self.tags = network, tuple(tags)

    @torch.no_grad()
    def predict(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
        """Return entailment, neutral or contradiction for each pair."""
        self.network.eval()
        items = self.network.encoder.pair_items(premises, hypotheses)
        found = np.zeros(len(items), dtype=np.int64)
        for rows in by_length(_lengths(items), AT_ONCE):
            found[rows] = self.network.pair_scores([items[row] for row in rows]).argmax(dim=1).cpu().numpy()
        return [LABELS[label] for label in found]

    def accuracy(self, pairs: Pairs) -> float:
        """Return the share of pairs with the right label, in percent."""
        predicted = self.predict(pairs.premises, pairs.hypotheses)
        return 100 * float(np.mean([one == other for one, other in zip(predicted, pairs.labels, strict=True)]))

    @torch.no_grad()
    def tag(self, sentences: Sequence[Roles]) -> list[list[str]]:
        """Return the best valid IOB2 tags of each sentence (Viterbi); no I- follows anything but its own type."""
        self.network.eval()
        device = next(self.network.parameters()).device
        chain, barred = CRF(len(self.tags)).to(device), barred_in_spans(self.tags, device)
        items = self.network.encoder.word_items(sentences)
        found: list[list[str]] = [[] for _ in sentences]
        for rows in by_length(_lengths(items), AT_ONCE // 2):
            batch = [items[row] for row in rows]
            scores = self.network.role_scores(batch).log_softmax(dim=2)
            words = torch.tensor([len(item.starts) for item in batch], device=device)
            paths = chain.decode(scores, mask_of(words, scores.shape[1]), barred)
            for row, path in zip(rows.tolist(), paths, strict=True):
                # A sentence that was cut has no predicted roles behind the cut.
                found[row] = [self.tags[tag] for tag in path] + ["O"] * (len(sentences[row].tokens) - len(path))
        return found

    def role_f1(self, sentences: Sequence[Roles]) -> float:
        """Return F1 over the spans of roles, in percent; the predicate itself is given and does not count."""
        gold, predicted = (
            [["O" if tag.endswith(f"-{PREDICATE}") and len(tag) == 3 else tag for tag in tags] for tags in part]
            for part in ([one.tags for one in sentences], self.tag(sentences))
        )
        return span_scores(gold, predicted)["f1"]


def train_inference(
    make_encoder: Callable[[], Encoder],
    pairs: Pairs,
    dev: Pairs,
    roles: Sequence[Roles],
    config: InferenceConfig,
    *,
    device: str = "cpu",
    report: Callable[[str], None] | None = None,
) -> InferenceModel:
    """Train a system; it has the weights of the epoch with the best accuracy on dev.

    Args:
        make_encoder: Returns a fresh encoder; it is called after the seed is set.
        pairs: Pairs of texts to learn from.
        dev: Pairs that choose the epoch.
        roles: Predicates with their roles; not used if `config.roles` is "none".
        config: Settings.
        device: The device of torch.
        report: Gets a line of text after each epoch.
    """
    configs.check(config)
    if not len(pairs) or not len(dev) or (config.roles != "none" and not roles):
        raise InputError("Training needs pairs, pairs to choose the epoch by, and roles unless they are left out.")
    tags = sorted({tag for one in roles for tag in one.tags} | {"O"})
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        encoder = make_encoder()
        tasks = _Tasks(encoder, pairs, roles if config.roles != "none" else (), tags, config)
        encoder.set_scale()
        network = SharedNetwork(encoder, len(tags)).to(pick_device(device))
        model = InferenceModel(network, tags)
        drawn = TaskBatches(
            tasks.passes,
            "proportional" if config.roles == "none" else config.roles,
            epochs=config.epochs,
            seed=config.seed,
        )
        TrainingLoop(
            network,
            TorchOptimiser(_adam(network, config.rate)),
            epochs=config.epochs,
            batches=drawn.batches,
            loss=lambda batch: tasks.loss(network, batch),
            learning_rate=slanted_triangular(config.rate, config.epochs),
            seed=config.seed,
            evaluate=lambda: {"dev": model.accuracy(dev)},
            best="dev",
            hooks=[GradientClipping(network, config.clip), EpochReport(lambda found: _say(found, report))],
        ).run()
    return model


class _Tasks:
    """The items of both tasks, in batches of similar length."""

    def __init__(
        self,
        encoder: Encoder,
        pairs: Pairs,
        roles: Sequence[Roles],
        tags: Sequence[str],
        config: InferenceConfig,
    ) -> None:
        self.config = config
        self.pairs: list[Any] = encoder.pair_items(pairs.premises, pairs.hypotheses)
        self.labels = torch.tensor([LABELS.index(label) for label in pairs.labels])
        self.sentences: list[Any] = encoder.word_items(roles)
        number = {tag: place for place, tag in enumerate(tags)}
        self.tags = [
            np.array([number[tag] for tag in one.tags[: len(item.starts)]])
            for one, item in zip(roles, self.sentences, strict=True)
        ]
        self.passes = {INFERENCE: self._pass(self.pairs, 0)}
        if roles:
            self.passes[ROLES] = self._pass(self.sentences, 1)

    def _pass(self, items: Sequence[Any], task: int) -> Pass:
        lengths = _lengths(items)
        return lambda number: shuffled(
            lengths, self.config.batch, np.random.default_rng([self.config.seed, task, number])
        )

    def loss(self, network: SharedNetwork, drawn: TaskBatch) -> Tensor:
        rows: IndexArray = drawn.batch
        if drawn.task == INFERENCE:
            return network.pair_loss([self.pairs[row] for row in rows], self.labels[torch.from_numpy(rows)])
        return network.role_loss([self.sentences[row] for row in rows], padded_tags([self.tags[row] for row in rows]))


def _adam(network: SharedNetwork, rate: float) -> torch.optim.AdamW:
    weights = list(network.parameters())
    return torch.optim.AdamW(weights, lr=rate, weight_decay=0.01, fused=weights[0].is_cuda)


def _lengths(items: Sequence[Any]) -> IndexArray:
    """Return how much of a batch each item takes: its longer part."""
    return np.array([max(len(item[0]), len(item[1])) for item in items], dtype=np.int64)


def _say(found: Report, report: Callable[[str], None] | None) -> None:
    if report is not None:
        report(f"epoch {found['epoch']}: loss {found['loss']:.4f}, dev {found['dev']:.2f} %")
