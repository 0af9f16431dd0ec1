from __future__ import annotations

import numpy as np
import pytest

from everyword.models.forward.arithmetic import positional_kernel
from everyword.systems.spelling.encoders.pam_parallel import PamParallel, PamPositional
from everyword.systems.spelling.encoders.pam_stacked import PamStacked


def test_the_parallel_form_has_the_parameters_of_the_reference() -> None:
    assert PamParallel(21_257, 300).parameter_count() == 6_667_564
    assert PamParallel(21_257, 100).parameter_count() == 2_162_564


def test_the_positional_form_has_the_parameters_of_the_reference_but_the_dead_ones() -> None:
    unused_self_attention = 2 * (300 * 32 + 32)
    assert PamPositional(21_257, 300).parameter_count() == 6_577_564 - unused_self_attention


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
