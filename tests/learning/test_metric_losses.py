"""Acceptance tests of the metric losses (Coria and others 2020)."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.learning.classification import ClassificationLoss, CrossEntropy
from everyword.learning.metric_losses import (
    AdditiveAngularMargin,
    Center,
    CongenerousCosine,
    Contrastive,
    SigmoidTriplet,
)

WIDTH, LABELS = 6, 3
TARGETS = torch.tensor([0, 0, 1, 1, 2, 0])
EVERY = pytest.mark.parametrize("kind", [CongenerousCosine, AdditiveAngularMargin, Center, Contrastive, SigmoidTriplet])


def batch() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(6, WIDTH, generator=generator), torch.randn(6, LABELS, generator=generator)


def made(kind: type[ClassificationLoss], **options: float) -> ClassificationLoss:
    torch.manual_seed(1)
    return kind(WIDTH, LABELS, **options)


def value(loss: ClassificationLoss, features: Tensor, scores: Tensor, targets: Tensor = TARGETS) -> float:
    return float(loss(features, scores, targets).detach())


def test_without_a_margin_the_angular_loss_is_the_congenerous_cosine() -> None:
    plain, angular = made(CongenerousCosine, scale=7.0), made(AdditiveAngularMargin, scale=7.0, margin=0.0)
    assert value(angular, *batch()) == pytest.approx(value(plain, *batch()))
    assert value(made(AdditiveAngularMargin, scale=7.0, margin=0.3), *batch()) > value(plain, *batch())


def test_the_congenerous_cosine_of_unit_vectors_is_a_softmax_of_cosines() -> None:
    features, scores = batch()
    centres = F.normalize(torch.randn(LABELS, WIDTH, generator=torch.Generator().manual_seed(5)), dim=1)
    loss = CongenerousCosine(WIDTH, LABELS, scale=1.0, centres=centres)
    units = F.normalize(features, dim=1)
    assert value(loss, units, scores) == pytest.approx(float(F.cross_entropy(units @ centres.T, TARGETS)))


def test_a_centre_without_weight_is_cross_entropy() -> None:
    features, scores = batch()
    plain = value(made(CrossEntropy), features, scores)
    assert value(made(Center, weight=0.0), features, scores) == pytest.approx(plain)
    loss = made(Center, weight=3.0)
    near = F.cosine_similarity(features, loss.get_parameter("centres").detach()[TARGETS])
    assert value(loss, features, scores) == pytest.approx(plain + 1.5 * float((1 - near).square().mean().detach()))


def test_same_vectors_of_a_class_and_orthogonal_ones_of_others_have_no_contrast_to_learn() -> None:
    features = torch.eye(WIDTH)[TARGETS]
    assert value(made(Contrastive, margin=1.0), features, batch()[1]) == pytest.approx(0, abs=1e-6)
    assert value(made(Contrastive, margin=1.5), features, batch()[1]) > 0


def test_contrast_equals_a_loop_over_pairs() -> None:
    features, scores = batch()
    squared, plain = [], []
    for i in range(6):
        for j in range(i + 1, 6):
            distance = 1 - float(F.cosine_similarity(features[i], features[j], dim=0))
            off = distance if TARGETS[i] == TARGETS[j] else max(0.9 - distance, 0.0)
            squared.append(off**2)
            plain.append(off)
    assert value(made(Contrastive, margin=0.9), features, scores) == pytest.approx(sum(squared) / 15, rel=1e-5)
    found = Contrastive(WIDTH, LABELS, margin=0.9, squared=False)
    assert value(found, features, scores) == pytest.approx(sum(plain) / 15, rel=1e-5)


def test_triplets_equal_a_loop_and_are_one_half_where_both_are_as_near() -> None:
    features, scores = batch()
    assert value(made(SigmoidTriplet), torch.ones(6, WIDTH), scores) == pytest.approx(0.5)
    near = F.normalize(features, dim=1) @ F.normalize(features, dim=1).T
    terms = [
        torch.sigmoid(4 * (near[a, n] - near[a, p]))
        for a in range(6)
        for p in range(6)
        for n in range(6)
        if a != p and TARGETS[a] == TARGETS[p] and TARGETS[a] != TARGETS[n]
    ]
    assert value(made(SigmoidTriplet, scale=4.0), features, scores) == pytest.approx(float(sum(terms)) / len(terms))


@EVERY
def test_directions_alone_count(kind: type[ClassificationLoss]) -> None:
    features, scores = batch()
    sizes = torch.tensor([[0.1], [5.0], [1.0], [3.0], [0.5], [9.0]])
    assert value(made(kind), features * sizes, scores) == pytest.approx(value(made(kind), features, scores), rel=1e-4)


@EVERY
def test_slopes_are_finite_where_vectors_are_equal_or_opposite(kind: type[ClassificationLoss]) -> None:
    loss = made(kind)
    own = dict(loss.named_parameters())
    centre = own.get("weights", own.get("centres", torch.ones(LABELS, WIDTH))).detach()
    features = (centre[TARGETS] * torch.tensor([[1.0], [-1.0], [1.0], [-1.0], [2.0], [1.0]])).requires_grad_()
    loss(features, batch()[1], TARGETS).backward()
    assert features.grad is not None
    assert torch.isfinite(features.grad).all()


@EVERY
def test_a_batch_without_pairs_has_a_loss_that_can_be_learnt_from(kind: type[ClassificationLoss]) -> None:
    features = torch.ones(1, WIDTH, requires_grad=True)
    found = made(kind)(features, torch.zeros(1, LABELS, requires_grad=True), torch.tensor([1]))
    found.backward()
    assert torch.isfinite(found)


@pytest.mark.parametrize("kind", [CongenerousCosine, AdditiveAngularMargin, Contrastive, SigmoidTriplet])
def test_the_output_layer_settles_on_directions_of_classes(kind: type[ClassificationLoss]) -> None:
    features = torch.eye(WIDTH)[TARGETS] + 0.01
    loss = made(kind)
    optimiser = torch.optim.Adam(loss.parameters(), lr=0.1) if list(loss.parameters()) else None
    for _ in range(60 if optimiser else 0):
        assert optimiser is not None
        optimiser.zero_grad()
        loss(features, torch.zeros(6, LABELS), TARGETS).backward()
        optimiser.step()
    output = nn.Linear(WIDTH, LABELS)
    loss.settle(output, features, TARGETS)
    assert loss.unit
    assert loss.settles
    assert torch.equal(output(F.normalize(features, dim=1)).argmax(dim=1), TARGETS)
    assert not output.bias.any()


def test_frozen_centres_stay() -> None:
    loss = CongenerousCosine(WIDTH, LABELS, centres=torch.ones(LABELS, WIDTH), freeze=True)
    assert not any(parameter.requires_grad for parameter in loss.parameters())


def test_wrong_options_are_told() -> None:
    with pytest.raises(InputError, match=r"The scale must be above 0\. Got 0"):
        made(CongenerousCosine, scale=0)
    with pytest.raises(InputError, match=r"The margin must be 0 or more\. Got -1"):
        made(AdditiveAngularMargin, margin=-1)
    with pytest.raises(InputError, match="must have the shape"):
        CongenerousCosine(WIDTH, LABELS, centres=torch.ones(2, 2))
