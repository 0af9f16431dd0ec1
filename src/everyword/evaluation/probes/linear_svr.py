"""Linear support vector regression of many targets at once, in NumPy.

It minimises half the square of the weights plus `strength` times the sum of errors: their absolute values, or their
squares. With squares, and no width within which errors are free, it is ridge regression and has a closed form. With
absolute values, the alternating direction method of multipliers splits it into a ridge regression, whose matrix is
factorised once for all targets, and a step that shrinks errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray

Doubles = npt.NDArray[np.float64]
Loss = Literal["squared", "absolute"]
ROUNDS = 200
TOLERANCE = 1e-4
RELAXATION = 1.6
FREE = 1e-6
"""The penalty of the constant."""


@dataclass(frozen=True)
class LinearSvr:
    """Weights of each target, for standardised columns; the last row is the constant."""

    weights: Doubles
    centre: Doubles
    scale: Doubles
    target_centre: Doubles
    target_scale: Doubles

    @classmethod
    def fit(cls, rows: AnyArray, targets: AnyArray, strength: float, loss: Loss = "squared") -> LinearSvr:
        """Fit to rows (items, columns) and targets (items, targets); both are standardised first."""
        centre, scale = _moments(rows)
        target_centre, target_scale = _moments(targets)
        inputs = _with_constant((rows - centre) / scale)
        wanted = (targets - target_centre) / target_scale
        solve = _least_squares if loss == "squared" else _least_deviations
        return cls(solve(inputs, wanted, strength), centre, scale, target_centre, target_scale)

    def predict(self, rows: AnyArray) -> Doubles:
        """Return the values of all targets, (items, targets)."""
        found: Doubles = _with_constant((rows - self.centre) / self.scale) @ self.weights
        return found * self.target_scale + self.target_centre


def _moments(values: AnyArray) -> tuple[Doubles, Doubles]:
    numbers = np.asarray(values, dtype=np.float64)
    spread = numbers.std(axis=0)
    return numbers.mean(axis=0), np.where(spread > 1e-12, spread, 1.0)


def _with_constant(rows: Doubles) -> Doubles:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def _penalty(inputs: Doubles) -> Doubles:
    penalty = np.eye(inputs.shape[1])
    penalty[-1, -1] = FREE
    return penalty


def _least_squares(inputs: Doubles, wanted: Doubles, strength: float) -> Doubles:
    gram = inputs.T @ inputs + _penalty(inputs) / (2 * strength)
    return np.asarray(np.linalg.solve(gram, inputs.T @ wanted), dtype=np.float64)


def _least_deviations(inputs: Doubles, wanted: Doubles, strength: float) -> Doubles:
    weight = 2 * strength  # of the constraint: errors of half the spread of a target are shrunk to 0 in one step
    step = weight * (np.linalg.inv(_penalty(inputs) + weight * (inputs.T @ inputs)) @ inputs.T)
    errors, dual = np.zeros_like(wanted), np.zeros_like(wanted)
    weights = np.zeros((inputs.shape[1], wanted.shape[1]))
    for _ in range(ROUNDS):
        before = weights
        weights = np.asarray(step @ (wanted - errors - dual), dtype=np.float64)
        fitted = RELAXATION * (inputs @ weights) + (1 - RELAXATION) * (wanted - errors)
        open_errors = wanted - fitted - dual
        errors = np.sign(open_errors) * np.maximum(np.abs(open_errors) - strength / weight, 0)
        dual = errors - open_errors
        if np.abs(weights - before).max() < TOLERANCE:
            break
    return weights
