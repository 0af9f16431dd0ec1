from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from everyword import registry
from everyword.learning.losses import (
    LossOptions,
    aam,
    align_uniform,
    coco,
    contrastive,
    contrastive_one_sided,
    cosine,
    mse,
)
from everyword.systems.spelling.encoders.pam_stacked import PamStacked, PamStackedConfig

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


def test_contrastive_keeps_away_from_targets_without_an_output() -> None:
    outputs, targets = pair()
    outputs, rows, tau, total = outputs[:4], [*targets, *outputs[:4]], 0.07, 0.0
    partners = {**{i: 6 + i for i in range(4)}, **{6 + i: i for i in range(4)}}
    for i, partner in partners.items():
        others = [math.exp(cos(rows[i], rows[j]) / tau) for j in range(len(rows)) if j != i]
        total -= math.log(math.exp(cos(rows[i], rows[partner]) / tau) / sum(others))
    assert float(contrastive(outputs, targets)) == pytest.approx(total / 8, rel=1e-4)


def test_one_sided_contrastive_is_equation_3() -> None:
    outputs, targets = pair()
    total = 0.0
    for i, target in enumerate(targets):
        logits = [cos(target, output) / 0.5 for output in outputs]
        total -= logits[i] - math.log(sum(map(math.exp, logits)))
    loss = contrastive_one_sided(outputs, targets, LossOptions(temperature=0.5))
    assert float(loss) == pytest.approx(total / len(outputs), rel=1e-5)


def test_words_as_classes_have_their_targets_as_centres() -> None:
    outputs, targets = pair()
    outputs, options = outputs[:4], LossOptions(temperature=0.5, margin=0.3)
    plain = margins = 0.0
    for i, output in enumerate(outputs):
        near = [cos(output, target) for target in targets]
        others = sum(math.exp(near[j] / 0.5) for j in range(6) if j != i)
        wider = math.cos(math.acos(near[i]) + 0.3)
        plain -= near[i] / 0.5 - math.log(others + math.exp(near[i] / 0.5))
        margins -= wider / 0.5 - math.log(others + math.exp(wider / 0.5))
    assert float(coco(outputs, targets, options)) == pytest.approx(plain / 4, rel=1e-5)
    assert float(aam(outputs, targets, options)) == pytest.approx(margins / 4, rel=1e-5)


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
    for step in range(600):
        # Distances without a flat bottom are reached only by ever smaller steps.
        for group in (*table.param_groups, *dense.param_groups):
            group["lr"] = 0.03 * 0.99**step
        value = loss(encoder(ids), targets)
        table.zero_grad()
        dense.zero_grad()
        value.backward()
        table.step()
        dense.step()
    # Alignment and uniformity may trade places, so a loss can end below that of the targets themselves.
    assert float(value.detach()) <= float(loss(targets.clone(), targets)) + 0.02


class TestDistances:
    """The acceptance tests of the reconstruction distances (Stratos 2017)."""

    U = torch.tensor([[1.0, 2.0, -2.0], [0.0, 3.0, 4.0]])
    V = torch.tensor([[0.0, 0.0, 0.0], [0.0, 3.0, -1.0]])

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("manhattan", (5 + 5) / 2),
            ("euclidean", (3 + 5) / 2),
            ("squared", (9 + 25) / 2),
            ("mse", (9 + 25) / 6),
            ("maximum", (2 + 5) / 2),
        ],
    )
    def test_by_hand(self, name: str, expected: float) -> None:
        loss = registry.losses.get(name)
        assert float(loss(self.U, self.V)) == pytest.approx(expected)
        assert float(loss(self.V, self.U)) == pytest.approx(expected)

    def test_cosine_by_hand(self) -> None:
        one, other = torch.tensor([[3.0, 4.0]]), torch.tensor([[4.0, 3.0]])
        assert float(cosine(one, other)) == pytest.approx(1 - 24 / 25)

    @EVERY_LOSS
    def test_gradients_are_those_of_finite_differences(self, name: str) -> None:
        loss = registry.losses.get(name)
        outputs, targets = (rows.double() for rows in pair(rows=4, dim=3))
        outputs.requires_grad_()
        assert torch.autograd.gradcheck(lambda rows: loss(rows, targets), outputs, eps=1e-6, atol=1e-5)

    @EVERY_LOSS
    def test_a_perfect_output_has_a_finite_gradient(self, name: str) -> None:
        outputs, _ = pair()
        outputs.requires_grad_()
        registry.losses.get(name)(outputs, outputs.detach().clone()).backward()
        assert torch.isfinite(outputs.grad).all()

    def test_coordinates_that_tie_share_the_gradient_of_the_maximum(self) -> None:
        outputs = torch.tensor([[2.0, -2.0, 1.0]], requires_grad=True)
        registry.losses.get("maximum")(outputs, torch.zeros(1, 3)).backward()
        assert outputs.grad.tolist() == [[0.5, -0.5, 0.0]]

    @staticmethod
    def constant_fit(name: str, targets: Tensor) -> Tensor:
        """What a student with constant features learns: one number a dimension, the same for all words."""
        theta = torch.zeros(targets.shape[1], requires_grad=True)
        optimiser = torch.optim.Adam([theta], lr=0.1)
        for step in range(1500):
            optimiser.param_groups[0]["lr"] = 0.1 * 0.993**step
            optimiser.zero_grad()
            registry.losses.get(name)(theta.expand_as(targets), targets).backward()
            optimiser.step()
        return theta.detach()

    COLUMN = torch.tensor([[1.0], [2.0], [3.0], [2.5], [9.0]])

    @pytest.mark.parametrize(("name", "expected"), [("manhattan", 2.5), ("squared", 3.5)])
    def test_constant_features_give_the_median_or_the_mean(self, name: str, expected: float) -> None:
        assert float(self.constant_fit(name, self.COLUMN)) == pytest.approx(expected, abs=1e-2)

    def test_the_largest_deviation_over_a_vector_is_least_at_the_mid_range(self) -> None:
        # The maximum is taken over the coordinates of a word: one free number for a whole vector.
        targets = torch.tensor([[1.0, 2.0, 3.0, 2.5, 9.0]])
        theta = torch.zeros(1, 1, requires_grad=True)
        optimiser = torch.optim.Adam([theta], lr=0.1)
        for step in range(1500):
            optimiser.param_groups[0]["lr"] = 0.1 * 0.993**step
            optimiser.zero_grad()
            registry.losses.get("maximum")(theta.expand_as(targets), targets).backward()
            optimiser.step()
        assert float(theta.detach()) == pytest.approx((1 + 9) / 2, abs=1e-2)

    def test_an_outlier_pulls_the_mean_and_not_the_median(self) -> None:
        spoilt = self.COLUMN.clone()
        spoilt[-1] *= 1000
        change = {
            name: float((self.constant_fit(name, spoilt) - self.constant_fit(name, self.COLUMN)).abs())
            for name in ("manhattan", "squared")
        }
        assert change["manhattan"] < 1e-3
        assert change["squared"] > 1

    def test_gradient_descent_on_squares_finds_ordinary_least_squares(self) -> None:
        generator = torch.Generator().manual_seed(4)
        features, targets = torch.randn(20, 3, generator=generator), torch.randn(20, 2, generator=generator)
        theta = torch.zeros(3, 2, requires_grad=True)
        for _ in range(500):
            registry.losses.get("squared")(features @ theta, targets).backward()
            with torch.no_grad():
                theta -= 0.1 * theta.grad
            theta.grad = None
        torch.testing.assert_close(theta.detach(), torch.linalg.lstsq(features, targets).solution, rtol=1e-3, atol=1e-4)
