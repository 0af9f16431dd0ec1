from __future__ import annotations

import numpy as np
import pytest

from everyword.evaluation.average_precision import mean_average_precision


def test_a_toy_ranking() -> None:
    scores = np.array([[0.9, 0.8, 0.7, 0.1], [0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    right = np.array([[True, False, True, False], [True, False, False, False], [False] * 4])
    first, second = (1 + 2 / 3) / 2, 1 / 4  # the last row has nothing right and does not count
    assert mean_average_precision(scores, right) == pytest.approx((first + second) / 2)
    assert mean_average_precision(scores, np.zeros_like(right)) == 0.0
