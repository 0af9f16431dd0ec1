from __future__ import annotations

import numpy as np
import pytest
import torch

from everyword import registry
from everyword.encoders.pam_parallel import PamParallel, PamParallelConfig
from everyword.encoders.pam_stacked import PamStacked, PamStackedConfig
from everyword.models.forward.positions import positional_kernel
from everyword.text.mixed import PAD, UNK

EVERY_ENCODER = pytest.mark.parametrize("name", list(registry.encoders))


def make(name: str, size: int = 30, dim: int = 8) -> torch.nn.Module:
    torch.manual_seed(1)
    return registry.encoders.get(name)(size, dim).eval()


@EVERY_ENCODER
def test_padding_never_changes_a_vector(name: str) -> None:
    encoder = make(name)
    ids = torch.tensor([[2, 9, 3, 11, 4]])
    padded = torch.cat([ids, torch.full((1, 6), PAD)], dim=1)
    torch.testing.assert_close(encoder(ids), encoder(padded), rtol=1e-5, atol=1e-7)


@EVERY_ENCODER
def test_every_parameter_gets_a_gradient(name: str) -> None:
    encoder = make(name).train()
    encoder(torch.randint(2, 30, (16, 7))).square().sum().backward()
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
def test_a_factored_table_is_narrower_and_still_trains(name: str) -> None:
    kind = registry.encoders.get(name)
    encoder = kind(1000, 8, kind.Config(rank=4))
    assert encoder.parameter_count() < make(name, size=1000).parameter_count()
    encoder(torch.randint(2, 1000, (4, 5))).sum().backward()
    assert encoder.units.widen.weight.grad.abs().sum() > 0


def test_the_parallel_form_has_the_parameters_of_the_reference() -> None:
    assert PamParallel(21_257, 300).parameter_count() == 6_667_564
    assert PamParallel(21_257, 100).parameter_count() == 2_162_564


def test_the_stacked_form_has_the_parameters_of_equations_4_and_5() -> None:
    width, attention = 300, 32
    projections = 2 * width * width + 2 * width * attention  # W_V and W_O; queries and keys
    assert PamStacked(21_257, width).parameter_count() == 21_257 * width + projections == 6_576_300


@pytest.mark.parametrize(
    ("dim", "scale", "expected"),
    [
        (300, "root4", [0.55, 0.205, 0.017]),
        (768, "root4", [0.78, 0.11]),
        (100, "root4", [0.35, 0.21, 0.06]),
        (300, "sqrt", [0.195]),
    ],
)
def test_the_kernel_has_the_published_weights(dim: int, scale: str, expected: list[float]) -> None:
    middle = positional_kernel(21, dim, scale)[10]
    np.testing.assert_allclose(middle[10 : 10 + len(expected)], expected, atol=6e-3)
    np.testing.assert_allclose(middle.sum(), 1, rtol=1e-6)
    np.testing.assert_allclose(middle[9], middle[11], rtol=1e-5)


def test_the_initial_scale_is_the_spread_of_the_unit_vectors() -> None:
    for kind, options in ((PamStacked, PamStackedConfig), (PamParallel, PamParallelConfig)):
        table = kind(5000, 20, options(initial_scale=0.03)).units.embedding.weight
        assert float(table[2:].detach().std()) == pytest.approx(0.03, rel=0.05)
