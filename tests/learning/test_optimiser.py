from __future__ import annotations

import torch

from everyword.learning.optimisers import RowwiseAdam
from everyword.systems.spelling.encoders.pam_stacked import PamStacked


def test_only_the_rows_of_the_batch_move() -> None:
    torch.manual_seed(0)
    encoder = PamStacked(50, 4)
    before = encoder.units.embedding.weight.detach().clone()
    optimiser = RowwiseAdam(encoder, 0.1)
    ids = torch.tensor([[2, 7, 9], [2, 9, 11]])
    for _ in range(3):
        optimiser.zero_grad()
        encoder(ids).square().sum().backward()
        optimiser.step()
    moved = (encoder.units.embedding.weight.detach() != before).any(dim=1).nonzero().flatten().tolist()
    assert moved == [2, 7, 9, 11]


def test_the_learning_rate_can_be_changed() -> None:
    encoder = PamStacked(50, 4)
    before = [parameter.detach().clone() for parameter in encoder.parameters()]
    optimiser = RowwiseAdam(encoder, 0.1)
    optimiser.set_learning_rate(0.0)
    encoder(torch.tensor([[2, 7, 9]])).sum().backward()
    optimiser.step()
    for old, new in zip(before, encoder.parameters(), strict=True):
        torch.testing.assert_close(old, new.detach())
