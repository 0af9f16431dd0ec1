"""Training of one game, or of several side by side, by the evidence lower bound with a weighted divergence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword import config as configs
from everyword.errors import InputError
from everyword.files import fingerprint
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext, TrainingLoop
from everyword.learning.optimisers import TorchOptimiser
from everyword.systems.codes.config import CodesConfig
from everyword.systems.codes.network import Games
from everyword.systems.codes.strings import split, strings_of
from everyword.systems.codes.trained import TrainedCode

STEPS_PER_EPOCH = 1000
"""After so many steps, a checkpoint is saved and a line logged."""


@dataclass(frozen=True)
class CodesRun:
    """Games to train: their settings, and where the state is kept."""

    configs: Sequence[CodesConfig]
    """They may differ in bits, beta and seed only."""
    device: str = "cpu"
    context: RunContext = field(default_factory=RunContext)


class GameLosses(nn.Module):
    """The loss of each game."""

    def __init__(self, games: Games, beta: Sequence[float]) -> None:
        super().__init__()
        self.games = games
        self.register_buffer("beta", torch.tensor(beta), persistent=False)
        self.beta: Tensor

    def forward(self, strings: Tensor, noise: Tensor) -> Tensor:
        """Return the losses of a round, (games,)."""
        played = self.games(strings, noise)
        losses: Tensor = played.reconstruction.mean(dim=1) + self.beta * played.divergence.mean(dim=1)
        return losses


class CodesTraining:
    """Games, their strings, and the loop that trains them."""

    def __init__(self, run: CodesRun) -> None:
        for one in run.configs:
            configs.check(one)
        self.configs, first = run.configs, run.configs[0]
        if any(replace(one, bits=first.bits, beta=first.beta, seed=first.seed) != first for one in run.configs):
            raise InputError("Games that are trained together may differ in bits, beta and seed only.")
        self.device = pick_device(run.device)
        self.games = Games(run.configs).to(self.device)
        self.strings = torch.from_numpy(np.stack([strings_of(split(one)[0], one) for one in run.configs]))
        self.strings = self.strings.to(self.device, torch.int32)
        self.losses: Any = GameLosses(self.games, [one.beta for one in run.configs]).to(self.device)
        self._recorded = self.device.type != "cuda"
        self.loop = TrainingLoop(
            self.games,
            TorchOptimiser(torch.optim.Adam(self.games.parameters(), lr=first.learning_rate)),
            epochs=-(-first.steps // STEPS_PER_EPOCH),
            batches=self._batches,
            loss=self._loss,
            learning_rate=self._rate,
            seed=first.seed,
            run=run.context,
            fingerprint=fingerprint([configs.to_dict(one) for one in run.configs]),
        )

    def train(self) -> list[TrainedCode] | None:
        """Train to the end and return the games; None if Ctrl-C came first."""
        return self.trained() if self.loop.run() else None

    def trained(self) -> list[TrainedCode]:
        """Return the games as they are now, each by itself."""
        weights = {name: value.detach().cpu() for name, value in self.games.state_dict().items()}
        return [TrainedCode.of_game(config, weights, number) for number, config in enumerate(self.configs)]

    def _batches(self, epoch: int, first: int) -> list[int]:
        last = min(STEPS_PER_EPOCH, self.configs[0].steps - epoch * STEPS_PER_EPOCH)
        return list(range(first, last))

    def _rate(self, epoch: int, step: int, _steps: int) -> float:
        done = (epoch * STEPS_PER_EPOCH + step) / self.configs[0].steps
        return self.configs[0].learning_rate * min(1.0, 2 * (1 - done))

    def _loss(self, _step: int) -> Tensor:
        """Return the sum of the games' losses; the loop has seeded the random numbers of this step."""
        games, strings, batch = len(self.games), self.strings.shape[1], self.configs[0].batch
        rows = torch.randint(strings, (games, batch), device=self.device)
        chosen = self.strings[torch.arange(games, device=self.device)[:, None], rows].long()
        noise = torch.rand(games, batch, self.games.bits, device=self.device)
        if not self._recorded:
            # A step is a thousand small operations, which a GPU would mostly wait for: they are recorded as one.
            self.losses = torch.cuda.make_graphed_callables(self.losses, (chosen, noise))
            self._recorded = True
        loss: Tensor = self.losses(chosen, noise).sum()
        return loss


def train_codes(run: CodesRun) -> list[TrainedCode] | None:
    """Train one or more games.

    Args:
        run: Settings, device, and where the state is kept.

    Returns:
        The code of each game; None if Ctrl-C came first and the run can be resumed.

    Raises:
        InputError: If games differ in more than bits, beta and seed.
    """
    return CodesTraining(run).train()
