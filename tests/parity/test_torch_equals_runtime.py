"""The NumPy forward pass gives what the torch encoder gives, for every registered encoder."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
import torch

from everyword import registry
from everyword.text.units import Sequences

SIZE, DIM = 400, 24
OPTIONS = [
    {},
    {"kernel": "sqrt"},
    {"rank": 7},
    {"attention": 5},
    {"width": 40},
    *({"head": head} for head in ("mlp", "relu", "highway", "linear")),
    {"char_dim": 5, "hidden": 9},
    {"widths": (1, 2, 5), "filters": 7},
    {"heads": 1, "layers": 3, "feed_forward": 11},
    {"rows": 13},
    {"width": 9, "hidden": 33, "blocks": 2},
]


def options_of(name: str) -> list[dict[str, object]]:
    known = {item.name for item in fields(registry.encoders.get(name).Config)}
    return [options for options in OPTIONS if options.keys() <= known]


CASES = [(name, options) for name in registry.encoders for options in options_of(name)]


def random_words(rng: np.random.Generator, count: int) -> Sequences:
    return Sequences.of(rng.integers(1, SIZE, size=rng.integers(1, 40)).tolist() for _ in range(count))


def test_every_option_above_belongs_to_an_encoder() -> None:
    assert all(any(case == options for _, case in CASES) for options in OPTIONS)


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_parity_within_a_hundred_thousandth(name: str, options: dict[str, object]) -> None:
    kind = registry.encoders.get(name)
    torch.manual_seed(3)
    encoder = kind(SIZE, DIM, kind.Config(initial_scale=0.3, **options)).eval()
    words = random_words(np.random.default_rng(0), 300)
    forward = registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())
    with torch.no_grad():
        expected = encoder(torch.from_numpy(words.padded()).long()).numpy()
    np.testing.assert_allclose(forward(words), expected, rtol=1e-4, atol=1e-5)
    assert forward.dim == DIM


@pytest.mark.parametrize("name", list(registry.encoders))
def test_a_vector_does_not_depend_on_the_rest_of_the_batch(name: str) -> None:
    encoder = registry.encoders.get(name)(SIZE, DIM).eval()
    forward = registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())
    words = random_words(np.random.default_rng(2), 200)
    together = forward(words)
    alone = np.concatenate([forward(words.take(np.array([place]))) for place in range(len(words))])
    np.testing.assert_allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("name", list(registry.encoders))
def test_no_words_give_an_empty_array(name: str) -> None:
    encoder = registry.encoders.get(name)(SIZE, DIM).eval()
    assert registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())(Sequences.of([])).shape == (
        0,
        DIM,
    )
