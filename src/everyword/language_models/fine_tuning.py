"""Fine-tuning of a transformer that classifies texts: all weights are trained, and the best epoch on dev is kept.

The network is anything that `AutoModelForSequenceClassification` loads, plain or with word vectors inserted. It is
trained in place. Labels are the numbers of the network's outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config as configuration
from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Natural, NonNegative, Positive, Range
from everyword.errors import InputError
from everyword.learning.batching import by_length, shuffled
from everyword.learning.device import half_precision
from everyword.learning.hooks import EpochReport, GradientClipping, Hook, Report
from everyword.learning.loop import TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.learning.schedules import linear_schedule

Rewrite = Callable[[str, Random], str]
"""Returns a text as it is shown in one epoch."""
Labels = Sequence[int] | FloatArray
"""The number of the label of each text or, if a text may have several, 0 and 1 for each label, (texts, labels)."""
SEVERAL = "multi_label_classification"


@dataclass(frozen=True)
class FineTuning:
    """How a classifier is fine-tuned."""

    epochs: Count = 3
    batch: Count = 32
    rate: Positive = 5e-5
    """The highest learning rate: it rises linearly, then falls linearly to 0."""
    warm_up: Annotated[float, Range(0, 1, open_high=True)] = 0.1
    """The share of all steps in which it rises."""
    weight_decay: NonNegative = 0.01
    clip: Positive = 1.0
    """The largest norm of a gradient."""
    longest: Count = 128
    """The maximum number of pieces of a text; the rest is cut off."""
    freeze_embeddings: bool = False
    """Whether the vectors of pieces, positions and segments stay fixed."""
    seed: Natural = 0


class LabelledPasses:
    """Labelled texts that a network reads in batches, as arrays of their numbers: what techniques ask for.

    Args:
        network: A transformer with a classification head.
        tokenizer: Its tokenizer.
        texts: The texts.
        labels: Their labels; none are needed for scores.
        longest: The maximum number of pieces of a text.
    """

    def __init__(
        self, network: Any, tokenizer: Any, texts: Sequence[str], labels: Labels = (), *, longest: int
    ) -> None:
        self.network, self.tokenizer, self.longest = network, tokenizer, longest
        own = np.asarray(labels)
        kind = torch.float32 if own.ndim == 2 else torch.long
        self.labels = torch.tensor(own, dtype=kind, device=network.device)
        self._last: tuple[IndexArray, Any] | None = None
        self.show(texts)
        self.lengths = np.array([len(ids) for ids in self._pieces.get("input_ids", [])], dtype=np.int64)

    def show(self, texts: Sequence[str]) -> None:
        """Read these texts in place of the ones so far, under the same labels."""
        self._last = None
        self._pieces = dict(self.tokenizer(list(texts), truncation=True, max_length=self.longest)) if texts else {}

    def loss(self, indices: IndexArray) -> Tensor:
        """Return the mean cross-entropy of a batch, summed over labels if a text may have several."""
        scores, labels = self.scores(indices), self.labels[torch.from_numpy(indices)]
        if labels.ndim == 2:
            return labels.shape[1] * nn.functional.binary_cross_entropy_with_logits(scores, labels)
        return nn.functional.cross_entropy(scores, labels)

    def scores(self, indices: IndexArray) -> Tensor:
        """Return the scores of labels, (texts, labels)."""
        with half_precision(self.network.device):
            scores: Tensor = self.network(**self._batch(indices)).logits
        return scores.float()

    def pieces(self, indices: IndexArray) -> Tensor:
        """Return which places of the padded batch are pieces, (texts, pieces)."""
        mask: Tensor = self._batch(indices)["attention_mask"]
        return mask.bool()

    def _batch(self, indices: IndexArray) -> Any:
        """Return a padded batch; the last one is kept, since a technique may read it several times."""
        if self._last is None or self._last[0] is not indices:
            chosen = {name: [values[index] for index in indices] for name, values in self._pieces.items()}
            padded = self.tokenizer.pad(chosen, padding=True, return_tensors="pt", verbose=False)
            self._last = indices, padded.to(self.network.device)
        return self._last[1]


def fine_tune(  # noqa: PLR0917 (texts and labels stand side by side)
    network: Any,
    tokenizer: Any,
    train_texts: Sequence[str],
    train_labels: Labels,
    dev_texts: Sequence[str],
    dev_labels: Labels,
    config: FineTuning | None = None,
    *,
    rewrite: Rewrite | None = None,
    techniques: Callable[[LabelledPasses], Sequence[Hook]] | None = None,
    report: Callable[[str], None] | None = None,
) -> Any:
    """Fine-tune a network, which then has the weights of the epoch with the best accuracy on dev.

    The same seed gives the same weights on one machine; the caller's random numbers are left as they were.

    Args:
        network: A transformer with a classification head; it is trained in place, on its device.
        tokenizer: The tokenizer of the network.
        train_texts: The texts to learn from.
        train_labels: A label per text, the number of one of the network's outputs; or 0 and 1 for each output.
        dev_texts: The texts that choose the best epoch.
        dev_labels: Their labels.
        config: Settings; by default those of `FineTuning`.
        rewrite: Returns a text of train as it is shown in an epoch, called anew in each; dev stays as it is.
        techniques: Returns hooks of the training, such as adversarial training or pruning.
        report: Gets a line of text after each epoch.

    Returns:
        The network, in evaluation mode.

    Raises:
        ConfigError: If a setting is invalid.
        InputError: If texts and labels do not go together.
    """
    config = config or FineTuning()
    configuration.check(config)
    _check("train", train_texts, train_labels, network.config.num_labels)
    _check("dev", dev_texts, dev_labels, network.config.num_labels)
    passes = LabelledPasses(network, tokenizer, train_texts, train_labels, longest=config.longest)
    rng, rewriting = np.random.default_rng(config.seed), Random(config.seed)
    if passes.labels.ndim == 2:
        network.config.problem_type = SEVERAL
    if config.freeze_embeddings:
        network.base_model.embeddings.requires_grad_(False)

    def batches(_epoch: int, _first_step: int) -> list[IndexArray]:
        if rewrite:
            passes.show([rewrite(text, rewriting) for text in train_texts])
        return shuffled(passes.lengths, config.batch, rng)

    run_tuning(
        network,
        config,
        batches=batches,
        loss=passes.loss,
        dev=lambda: accuracy(network, tokenizer, dev_texts, dev_labels, longest=config.longest),
        hooks=techniques(passes) if techniques else (),
        report=report,
    )
    return network


def run_tuning(
    network: Any,
    config: FineTuning,
    *,
    batches: Callable[[int, int], list[IndexArray]],
    loss: Callable[[IndexArray], Tensor],
    dev: Callable[[], float],
    hooks: Sequence[Hook] = (),
    report: Callable[[str], None] | None = None,
) -> None:
    """Train a network in place; it then has the weights of the epoch with the best score on dev."""

    def report_epoch(found: Report) -> None:
        if report:
            report(f"epoch {found['epoch']}: loss {found['loss']:.4f}, dev {found['dev']:.2f} %")

    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        TrainingLoop(
            network,
            _optimiser(network, config),
            epochs=config.epochs,
            batches=batches,
            loss=loss,
            learning_rate=linear_schedule(config.rate, config.epochs, config.warm_up),
            evaluate=lambda: {"dev": dev()},
            best="dev",
            hooks=[GradientClipping(network, config.clip), *hooks, EpochReport(report_epoch)],
        ).run()


def predict(
    network: Any, tokenizer: Any, texts: Sequence[str], *, longest: int = FineTuning.longest, batch: int = 128
) -> FloatArray:
    """Return the probability of each label, a row per text."""
    network.eval()
    found: FloatArray = np.zeros((len(texts), network.config.num_labels), dtype=np.float32)
    passes = LabelledPasses(network, tokenizer, texts, longest=longest)
    for indices in by_length(passes.lengths, batch):
        with torch.inference_mode():
            scores = passes.scores(indices)
            several = network.config.problem_type == SEVERAL
            found[indices] = (scores.sigmoid() if several else scores.softmax(dim=-1)).cpu().numpy()
    return found


def accuracy(
    network: Any, tokenizer: Any, texts: Sequence[str], labels: Labels, *, longest: int = FineTuning.longest
) -> float:
    """Return the percentage of texts with the correct label, or micro F1 if a text may have several."""
    found, gold = predict(network, tokenizer, texts, longest=longest), np.asarray(labels)
    if gold.ndim == 2:
        either = float((found >= 0.5).sum() + gold.sum())
        return 200 * float(gold[found >= 0.5].sum()) / either if either else 0.0
    return 100 * float((found.argmax(axis=1) == gold).mean())


def new_classifier(source: Any, labels: int, *, device: str = "auto", seed: int = 0) -> tuple[Any, Any]:
    """Return a language model with a fresh head for this many labels, or a saved classifier, and its tokenizer."""
    from everyword.language_models.heads import load_with_head

    # Whatever the precision of the file: small steps are lost in half of it.
    options = {"num_labels": labels, "dtype": torch.float32}
    return load_with_head(source, "SequenceClassification", device=device, new_head=seed, **options)


def _check(what: str, texts: Sequence[str], labels: Labels, outputs: int) -> None:
    if len(texts) != len(labels) or not texts:
        raise InputError(
            f"{what} needs one or more texts and a label for each. Got {len(texts)} texts and {len(labels)} labels."
        )
    numbers = np.asarray(labels)
    if numbers.ndim == 2:
        if numbers.shape[1] != outputs:
            raise InputError(f"The labels of {what} need {outputs} columns, one for each output of the network.")
        return
    if wrong := sorted({int(label) for label in numbers if not 0 <= label < outputs}):
        raise InputError(f"The labels of {what} must be 0 to {outputs - 1}, outputs of the network. Got {wrong[0]}.")


def _optimiser(network: Any, config: FineTuning) -> TorchOptimiser:
    learnt = [parameter for parameter in network.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in learnt if p.ndim > 1], "weight_decay": config.weight_decay},
        {"params": [p for p in learnt if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return TorchOptimiser(torch.optim.AdamW(groups, lr=config.rate))
