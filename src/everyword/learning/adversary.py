"""A language adversary: features that do not show which language, table or frequency band a word comes from.

A discriminator learns to tell the classes of feature vectors apart. Gradient reversal turns what it learns against the
encoder: the features move where the classes are harder to tell apart (Ganin and others, 2016). The two losses are
learnt in turn, not summed, so that the examples of the adversary need no labels of the task:

    optimiser = TorchOptimiser(torch.optim.Adam(network.parameters(), lr=1e-3))
    adversary = Adversary(
        AdversaryConfig(strength=1e-3, every=10),
        examples=lambda step: (rows, languages),       # of any text
        encode=lambda rows: network.features(rows),    # (examples, dim), through the weights to be changed
        optimiser=optimiser,
        dim=300,
        classes=2,
    )
    TrainingLoop(network, optimiser, ..., hooks=[adversary])

With the strength 0 the discriminator learns, and the training of the network is the same to the bit as without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword import config as configs
from everyword.config import Count, Natural, NonNegative, Positive
from everyword.errors import InputError
from everyword.learning.hooks import Hook, Report
from everyword.learning.loop import mixed_seed
from everyword.learning.optimisers import Optimiser, TorchOptimiser

STEEPNESS = 10.0
"""How fast a ramp rises: at a tenth of its steps the strength is 46 % of the full one, at half of them 99 %."""

WITHOUT_MOMENTUM = (0.0, 0.99)
"""The moments of the discriminator's Adam. With momentum, discriminator and encoder circle each other for longer."""


@dataclass(frozen=True)
class AdversaryConfig:
    """How a discriminator learns, and how strongly it acts on the encoder."""

    strength: NonNegative = 1e-3
    """λ, by which the reversed gradient is multiplied."""
    every: Count = 10
    """Steps of the task for each step of the adversary."""
    ramp: Natural = 0
    """Steps of the task over which the strength rises from 0; with 0 it is constant."""
    hidden: Count = 100
    learning_rate: Positive = 1e-3
    """Of the discriminator; the encoder has that of its own optimiser."""
    lead: Natural = 0
    """Steps that the discriminator takes alone before each step of both."""
    decay: NonNegative = 1.0
    """Weight decay of the discriminator, without which it and the encoder may chase each other in circles."""
    seed: Natural = 0


class _GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, strength: float) -> Tensor:
        ctx.strength = strength
        return features.view_as(features)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return -ctx.strength * gradients[0], None


def reverse_gradient(features: Tensor, strength: float = 1.0) -> Tensor:
    """Return the features as they are; on the way back their gradient is multiplied by minus the strength."""
    reversed_features: Tensor = _GradientReversal.apply(features, strength)  # type: ignore[no-untyped-call]
    return reversed_features


def strength_at(config: AdversaryConfig, step: int) -> float:
    """Return the strength after some steps of the task.

    >>> ramped = AdversaryConfig(strength=0.5, ramp=100)
    >>> [round(strength_at(ramped, step), 3) for step in (0, 10, 50, 100, 900)]
    [0.0, 0.231, 0.493, 0.5, 0.5]
    """
    if not config.ramp:
        return config.strength
    done = min(step / config.ramp, 1.0)
    full = 2 / (1 + math.exp(-STEEPNESS)) - 1
    return config.strength * (2 / (1 + math.exp(-STEEPNESS * done)) - 1) / full


class Discriminator(nn.Module):
    """Features → scores of classes, through one hidden layer."""

    def __init__(self, dim: int, classes: int, hidden: int = 100) -> None:
        super().__init__()
        self.hidden = nn.Linear(dim, hidden)
        self.output = nn.Linear(hidden, classes)

    def forward(self, features: Tensor) -> Tensor:
        """Features (examples, dim) → (examples, classes)."""
        scores: Tensor = self.output(torch.relu(self.hidden(features)))
        return scores


class Adversary(Hook):
    """Lets a discriminator learn, and the encoder unlearn, in turn with the task.

    Several processes stay alike if `examples` depends on the step alone.

    Args:
        config: Its strength and pace.
        examples: Returns the inputs of a step, counted from 0, and their classes, a tensor of numbers from 0.
        encode: Returns the features of inputs, (examples, dim), with gradients to the weights that are to change.
        optimiser: Moves those weights, usually the optimiser of the loop. Weights without a gradient must stay as they
            are, as those of torch do.
        dim: Length of the features.
        classes: How many classes there are, two or more.
        device: The device of the features.
    """

    def __init__(
        self,
        config: AdversaryConfig,
        *,
        examples: Callable[[int], tuple[Any, Tensor]],
        encode: Callable[[Any], Tensor],
        optimiser: Optimiser,
        dim: int,
        classes: int,
        device: str | torch.device = "cpu",
    ) -> None:
        configs.check(config)
        if classes < 2:
            raise InputError(f"An adversary tells two classes or more apart. Got {classes} instead.")
        self.config, self.examples, self.encode, self.optimiser = config, examples, encode, optimiser
        self.device = torch.device(device)
        self.steps = 0
        """Steps of the task so far."""
        with self._own_random_numbers():
            self.discriminator = Discriminator(dim, classes, config.hidden).to(self.device)
        self._learner = TorchOptimiser(
            torch.optim.AdamW(
                self.discriminator.parameters(),
                lr=config.learning_rate,
                betas=WITHOUT_MOMENTUM,
                weight_decay=config.decay,
            )
        )
        self._accuracy_sum, self._turns = torch.zeros((), device=self.device), 0

    @property
    def strength(self) -> float:
        """The strength at this step."""
        return strength_at(self.config, self.steps)

    def after_step(self) -> None:
        self.steps += 1
        if self.steps % self.config.every == 0:
            with self._own_random_numbers():
                self.learn()

    def learn(self) -> None:
        """Take a step of the discriminator and, unless the strength is 0, of the encoder against it."""
        turn = self.steps // self.config.every - 1
        first = turn * (self.config.lead + 1)
        for step in range(first, first + self.config.lead):
            self._learn(*self.examples(step), strength=0.0)
        accuracy = self._learn(*self.examples(first + self.config.lead), strength=self.strength)
        self._accuracy_sum += accuracy
        self._turns += 1

    def _learn(self, inputs: Any, classes: Tensor, strength: float) -> Tensor:
        with torch.set_grad_enabled(strength > 0):
            features = self.encode(inputs)
        if strength:
            self.optimiser.zero_grad()
        self._learner.zero_grad()
        scores = self.discriminator(reverse_gradient(features, strength))
        F.cross_entropy(scores, classes).backward()  # type: ignore[no-untyped-call]
        self._learner.step()
        if strength:
            self.optimiser.step()
        accuracy: Tensor = (scores.detach().argmax(dim=1) == classes).float().mean()
        return accuracy

    def after_epoch(self, report: Report) -> None:
        """Report the accuracy of the discriminator over the epoch."""
        if self._turns:
            report["adversary_accuracy"] = float(self._accuracy_sum) / self._turns
            self._accuracy_sum, self._turns = torch.zeros_like(self._accuracy_sum), 0

    def state(self) -> dict[str, Tensor]:
        weights = {f"discriminator.{name}": tensor for name, tensor in self.discriminator.state_dict().items()}
        moments = {f"learner.{name}": tensor for name, tensor in self._learner.state().items()}
        counts = torch.tensor([self.steps, self._turns])
        return {**weights, **moments, "counts": counts, "accuracy_sum": self._accuracy_sum}

    def load_state(self, state: Mapping[str, Tensor]) -> None:
        def part(start: str) -> dict[str, Tensor]:
            return {name.removeprefix(start): tensor for name, tensor in state.items() if name.startswith(start)}

        self.discriminator.load_state_dict(part("discriminator."))
        self._learner.load_state(part("learner."))
        self.steps, self._turns = map(int, state["counts"])
        self._accuracy_sum = state["accuracy_sum"].to(self.device)

    def _own_random_numbers(self) -> AbstractContextManager[None]:
        return _random_numbers(mixed_seed(self.config.seed, self.steps), self.device)


@contextmanager
def _random_numbers(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch, and let its random numbers go on afterwards as if nothing had happened."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def probe_accuracy(features: Tensor, classes: Tensor, *, hidden: int = 100, steps: int = 300, seed: int = 0) -> float:
    """Return how often a fresh discriminator, trained on one half of the features, is right about the other half.

    Args:
        features: Vectors, (examples, dim); not changed.
        classes: The class of each, numbers from 0.
        hidden: Width of the discriminator.
        steps: Steps of Adam over batches of 256.
        seed: Decides halves, weights and batches.
    """
    classes = classes.to(features.device)
    with _random_numbers(mixed_seed(seed), features.device):
        order = torch.randperm(len(features)).to(features.device)
        train, test = order[: len(order) // 2], order[len(order) // 2 :]
        probe = Discriminator(features.shape[1], int(classes.max()) + 1, hidden).to(features.device)
        optimiser = torch.optim.Adam(probe.parameters(), lr=3e-3)
        for _ in range(steps):
            rows = train[torch.randint(len(train), (256,)).to(features.device)]
            optimiser.zero_grad()
            F.cross_entropy(probe(features[rows].detach()), classes[rows]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        with torch.no_grad():
            return float((probe(features[test]).argmax(dim=1) == classes[test]).float().mean())


class SharedFeatures(nn.Module):
    """F(x) = tanh(W x), one map for the words of all languages, on which a language adversary can act."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.map = nn.Linear(dim, dim, bias=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Inputs (..., dim) → features (..., dim)."""
        return torch.tanh(self.map(inputs))
