"""Ridge regression from the source's vectors to the target's.

Mikolov, Le and Sutskever, "Exploiting Similarities among Languages for Machine Translation" (2013), with a penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Positive
from everyword.space.alignment.base import Affine, Maps, Method
from everyword.space.filling import DEFAULT_RIDGE, regression
from everyword.space.linear_map import ridge_regression
from everyword.space.moments import Moments

ENOUGH_TO_HOLD_OUT = 100


@dataclass(frozen=True)
class Ridge(Method):
    """The affine map with the least squared error plus a penalty; tables may differ in dimension."""

    NAME: ClassVar[str] = "ridge.v1"
    PREPARE: ClassVar[str] = "unit-rows"
    penalty: Positive | None = None
    """Relative to the mean variance of the source; None chooses one on a tenth of the pairs."""

    def learn(self, source: FloatArray, target: FloatArray) -> Maps:
        """The regression; the target stays as it is."""
        still = Affine.of(np.eye(target.shape[1]))
        if self.penalty is None and len(source) >= ENOUGH_TO_HOLD_OUT:
            matrix, offset, ridge = ridge_regression(source, target)
            return Maps(Affine(matrix, offset), still, {"ridge": ridge})
        ridge = self.penalty or DEFAULT_RIDGE
        moments = Moments.of(np.concatenate([source, target], axis=1))
        given = np.arange(source.shape[1] + target.shape[1]) < source.shape[1]
        slopes = regression(moments.covariance, given, ridge)
        offset64 = moments.mean[~given] - moments.mean[given] @ slopes
        return Maps(Affine.of(slopes, offset64), still, {"ridge": ridge})
