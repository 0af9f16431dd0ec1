"""The NumPy forward pass gives what the torch encoder gives, for every registered encoder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from everyword import registry
from everyword.training.examples import pad

SIZE, DIM = 400, 24
OPTIONS = [{}, {"kernel": "sqrt"}, {"rank": 7}, {"attention": 5}]


def random_words(rng: np.random.Generator, count: int) -> list[list[int]]:
    return [rng.integers(1, SIZE, size=rng.integers(1, 40)).tolist() for _ in range(count)]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", list(registry.encoders))
def test_parity_within_a_hundred_thousandth(name: str, options: dict[str, object]) -> None:
    kind = registry.encoders.get(name)
    torch.manual_seed(3)
    encoder = kind(SIZE, DIM, replace(kind.Config(initial_scale=0.3), **options)).eval()
    words = random_words(np.random.default_rng(0), 300)
    forward = registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())
    with torch.no_grad():
        expected = encoder(torch.from_numpy(pad(words)).long()).numpy()
    np.testing.assert_allclose(forward(words), expected, rtol=1e-4, atol=1e-5)
    assert forward.dim == DIM


def test_a_stacked_module_may_be_wider_than_its_vectors() -> None:
    kind = registry.encoders.get("pam-stacked.v1")
    encoder = kind(SIZE, DIM, kind.Config(width=40, initial_scale=0.3)).eval()
    words = random_words(np.random.default_rng(1), 50)
    forward = registry.forward_passes.get("pam-stacked.v1")(encoder.fold(), encoder.runtime_config())
    with torch.no_grad():
        expected = encoder(torch.from_numpy(pad(words)).long()).numpy()
    np.testing.assert_allclose(forward(words), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", list(registry.encoders))
def test_a_vector_does_not_depend_on_the_rest_of_the_batch(name: str) -> None:
    encoder = registry.encoders.get(name)(SIZE, DIM).eval()
    forward = registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())
    words = random_words(np.random.default_rng(2), 200)
    together = forward(words)
    alone = np.concatenate([forward([word]) for word in words])
    np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.parametrize("name", list(registry.encoders))
def test_no_words_give_an_empty_array(name: str) -> None:
    encoder = registry.encoders.get(name)(SIZE, DIM).eval()
    assert registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())([]).shape == (0, DIM)
