"""What every registered encoder promises."""

from __future__ import annotations

from dataclasses import fields

import pytest
import torch

from everyword import registry
from everyword.text.units import PAD, UNK

EVERY_ENCODER = pytest.mark.parametrize("name", list(registry.encoders))
FACTORED = [
    name for name in registry.encoders if "rank" in {f.name for f in fields(registry.encoders.get(name).Config)}
]


def make(name: str, size: int = 30, dim: int = 8, **options: object) -> torch.nn.Module:
    torch.manual_seed(1)
    kind = registry.encoders.get(name)
    return kind(size, dim, kind.Config(**options)).eval()


@EVERY_ENCODER
def test_padding_never_changes_a_vector(name: str) -> None:
    encoder = make(name, initial_scale=0.3)
    ids = torch.tensor([[2, 9, 3, 11, 4]])
    padded = torch.cat([ids, torch.full((1, 6), PAD)], dim=1)
    torch.testing.assert_close(encoder(ids), encoder(padded), rtol=1e-5, atol=1e-6)


@EVERY_ENCODER
def test_a_vector_is_the_same_among_longer_words(name: str) -> None:
    encoder = make(name, initial_scale=0.3)
    short, long = torch.tensor([[5, 9, PAD, PAD, PAD]]), torch.tensor([[7, 8, 9, 10, 11]])
    torch.testing.assert_close(
        encoder(torch.cat([long, short, long]))[1:2], encoder(short[:, :2]), rtol=1e-5, atol=1e-6
    )


@EVERY_ENCODER
def test_every_parameter_gets_a_gradient(name: str) -> None:
    encoder = make(name, initial_scale=0.3)
    torch.nn.functional.mse_loss(encoder(torch.randint(2, 30, (16, 7))), torch.randn(16, 8)).backward()
    for parameter_name, parameter in encoder.named_parameters():
        assert parameter.grad is not None, parameter_name
        gradient = parameter.grad.coalesce().values() if parameter.grad.is_sparse else parameter.grad
        assert gradient.abs().sum() > 0, parameter_name


@EVERY_ENCODER
def test_padding_and_the_unknown_unit_start_at_zero(name: str) -> None:
    table = make(name).units.matrix()
    assert not table[PAD].any()
    assert not table[UNK].any()


@EVERY_ENCODER
def test_the_initial_scale_is_the_spread_of_the_unit_vectors(name: str) -> None:
    table = make(name, size=5000, dim=20, initial_scale=0.03).units.embedding.weight
    assert float(table[2:].detach().std()) == pytest.approx(0.03, rel=0.05)


@EVERY_ENCODER
def test_the_same_seed_gives_the_same_start(name: str) -> None:
    one, other = make(name).state_dict(), make(name).state_dict()
    assert all(torch.equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("name", FACTORED)
def test_a_factored_table_is_narrower_and_still_trains(name: str) -> None:
    encoder = make(name, size=1000, rank=4)
    assert encoder.parameter_count() < make(name, size=1000).parameter_count()
    encoder(torch.randint(2, 1000, (4, 5))).sum().backward()
    assert encoder.units.widen.weight.grad.abs().sum() > 0
