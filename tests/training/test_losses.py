from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from everyword import registry
from everyword.encoders.pam_stacked import PamStacked, PamStackedConfig
from everyword.training.losses import LossOptions, align_uniform, contrastive, contrastive_one_sided, cosine, mse

EVERY_LOSS = pytest.mark.parametrize("name", list(registry.losses))


def pair(rows: int = 6, dim: int = 5) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(rows, dim, generator=generator), torch.randn(rows, dim, generator=generator)


def cos(a: Tensor, b: Tensor) -> float:
    return float(a @ b / a.norm() / b.norm())


def test_contrastive_equals_a_double_loop_over_all_pairs() -> None:
    outputs, targets = pair()
    rows, tau, total = [*targets, *outputs], 0.07, 0.0
    for i, row in enumerate(rows):
        partner = (i + len(outputs)) % len(rows)
        others = [math.exp(cos(row, rows[j]) / tau) for j in range(len(rows)) if j != i]
        total -= math.log(math.exp(cos(row, rows[partner]) / tau) / sum(others))
    assert float(contrastive(outputs, targets)) == pytest.approx(total / len(rows), rel=1e-4)


def test_one_sided_contrastive_is_equation_3() -> None:
    outputs, targets = pair()
    total = 0.0
    for i, target in enumerate(targets):
        logits = [cos(target, output) / 0.5 for output in outputs]
        total -= logits[i] - math.log(sum(map(math.exp, logits)))
    loss = contrastive_one_sided(outputs, targets, LossOptions(temperature=0.5))
    assert float(loss) == pytest.approx(total / len(outputs), rel=1e-5)


def test_align_uniform_equals_its_definition() -> None:
    outputs, targets = pair()
    one, other = (rows / rows.norm(dim=1, keepdim=True) for rows in (outputs, targets))
    align = float((one - other).square().sum(dim=1).mean())

    def uniform(rows: Tensor) -> float:
        pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
        return math.log(sum(math.exp(-2 * float((rows[i] - rows[j]).square().sum())) for i, j in pairs) / len(pairs))

    expected = align + 0.5 * (uniform(one) + uniform(other)) / 2
    assert float(align_uniform(outputs, targets, LossOptions(uniformity_weight=0.5))) == pytest.approx(
        expected, rel=1e-5
    )


def test_mse_sees_lengths_and_cosine_does_not() -> None:
    outputs, _ = pair()
    assert float(mse(2 * outputs, outputs)) > 0.1
    assert float(cosine(2 * outputs, outputs)) == pytest.approx(0, abs=1e-6)


@EVERY_LOSS
def test_losses_that_claim_directions_only_ignore_lengths(name: str) -> None:
    loss = registry.losses.get(name)
    outputs, targets = pair()
    same = float(loss(outputs, targets)) == pytest.approx(float(loss(3 * outputs, 0.5 * targets)), rel=1e-5)
    assert same == loss.direction_only


@EVERY_LOSS
def test_a_perfect_output_is_the_best_output(name: str) -> None:
    loss = registry.losses.get(name)
    outputs, targets = pair()
    assert float(loss(targets.clone(), targets)) < float(loss(outputs, targets))


@EVERY_LOSS
def test_every_loss_can_be_driven_to_its_optimum_on_ten_words(name: str) -> None:
    loss = registry.losses.get(name)
    torch.manual_seed(0)
    encoder = PamStacked(40, 6, PamStackedConfig(dropout=0.0, initial_scale=0.3))
    ids, targets = torch.randint(5, 40, (10, 6)), torch.randn(10, 6)
    table = torch.optim.SparseAdam(encoder.units.parameters(), lr=0.02)
    dense = torch.optim.Adam([p for n, p in encoder.named_parameters() if not n.startswith("units")], lr=0.02)
    for _ in range(400):
        value = loss(encoder(ids), targets)
        table.zero_grad()
        dense.zero_grad()
        value.backward()
        table.step()
        dense.step()
    # Alignment and uniformity may trade places, so a loss can end below that of the targets themselves.
    assert float(value.detach()) <= float(loss(targets.clone(), targets)) + 0.02
