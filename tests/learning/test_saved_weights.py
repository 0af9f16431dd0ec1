"""Saved weights go into a network of their size; one of another size is refused before there is memory for it."""

from __future__ import annotations

import numpy as np
import pytest
from torch import nn

from everyword.learning.saved_weights import check_sizes, loaded

WEIGHTS = {"weight": np.arange(6, dtype=np.float32).reshape(2, 3), "bias": np.ones(2, dtype=np.float32)}
TERABYTES = 1 << 20


def test_weights_of_the_right_size_are_put_in() -> None:
    network = loaded(lambda: nn.Linear(3, 2), WEIGHTS)
    assert network.weight.tolist() == WEIGHTS["weight"].tolist()
    assert network.bias.tolist() == [1, 1]


@pytest.mark.parametrize("inputs", [4, TERABYTES * TERABYTES])
def test_a_network_of_another_size_is_refused(inputs: int) -> None:
    with pytest.raises(ValueError, match="its weights weight do not fit its configuration"):
        check_sizes(lambda: nn.Linear(inputs, 2), WEIGHTS)


def test_weights_too_many_and_too_few_are_named() -> None:
    with pytest.raises(ValueError, match="its weights bias, other do not fit"):
        loaded(lambda: nn.Linear(3, 2), {"weight": WEIGHTS["weight"], "other": WEIGHTS["bias"]})
