"""Logistic regression of many classes, in NumPy: quick enough to be fitted for every cut of the same features.

The softmax's curvature is at most half that of least squares, whose Gram matrix is known beforehand (Böhning, 1992).
With it as the metric, accelerated gradient steps need no search for a step size and care little how columns are scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray, IndexArray

ROUNDS = 40
TOLERANCE = 1e-3
"""Steps end where the mean change of a prediction of the training rows would be this small."""
TINY = 1e-9


@dataclass(frozen=True)
class LogisticRegression:
    """Weights of each class, the last row being the constant."""

    weights: FloatArray
    scale: np.float32

    @classmethod
    def fit(cls, rows: FloatArray, labels: IndexArray, strength: float) -> LogisticRegression:
        """Fit to rows and labels from 0 up; the penalty is the square of the weights over 2 × strength.

        One scale is put on all columns, so that the strength means the same for features of any size.
        """
        spread = float(np.sqrt(rows.var(axis=0, dtype=np.float64).mean()))
        scale = np.float32(1 / spread if spread > 0 else 1.0)
        inputs, classes = _with_constant(rows * scale), int(labels.max()) + 1
        wanted = np.zeros((len(rows), classes), dtype=np.float32)
        wanted[np.arange(len(rows)), labels] = 1
        penalty = np.full(inputs.shape[1], 1 / (strength * len(rows)), dtype=np.float32)
        penalty[-1] = 0
        gram = (inputs.T @ inputs).astype(np.float64) / (2 * len(rows))
        inverse = np.linalg.inv(gram + np.diag(penalty + TINY * np.trace(gram))).astype(np.float32)
        weights = looked_at = np.zeros((inputs.shape[1], classes), dtype=np.float32)
        momentum = 1.0
        for _ in range(ROUNDS):
            errors = _softmax(inputs @ looked_at) - wanted
            step = inverse @ (inputs.T @ errors / len(rows) + penalty[:, None] * looked_at)
            new = looked_at - step
            turned_back = float(np.vdot(step, new - weights)) > 0
            following = 1.0 if turned_back else (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            looked_at = new + np.float32(0.0 if turned_back else (momentum - 1) / following) * (new - weights)
            weights, momentum = new, following
            if np.sqrt(2 * float(np.einsum("ij,ij->", step, gram.astype(np.float32) @ step))) < TOLERANCE:
                break
        return cls(weights, scale)

    def predict(self, rows: FloatArray) -> IndexArray:
        """Return the likeliest class of each row."""
        found: IndexArray = self.scores(rows).argmax(axis=1)
        return found

    def probabilities(self, rows: FloatArray) -> FloatArray:
        """Return the probability of each class, (rows, classes)."""
        return _softmax(self.scores(rows))

    def scores(self, rows: FloatArray) -> FloatArray:
        """Return the logarithm of these probabilities, up to a constant per row."""
        found: FloatArray = _with_constant(rows * self.scale) @ self.weights
        return found


def _with_constant(rows: FloatArray) -> FloatArray:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


def _softmax(values: FloatArray) -> FloatArray:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: FloatArray = powers / powers.sum(axis=1, keepdims=True)
    return shares
