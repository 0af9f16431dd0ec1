from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.learning.sampling import rare_weights


def test_rare_items_are_preferred() -> None:
    weights = rare_weights(np.array([1, 4, 100, 10_000]))
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights) < 0).all()
    assert weights[0] / weights[2] == pytest.approx(10)
    assert rare_weights(np.array([3, 9]), 0.0) == pytest.approx(0.5)
    assert rare_weights(np.array([0, 1])) == pytest.approx(0.5)


def test_weights_of_nothing() -> None:
    with pytest.raises(InputError, match="at least one count"):
        rare_weights(np.array([]))
