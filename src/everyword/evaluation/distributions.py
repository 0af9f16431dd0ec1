"""Tails of distributions that tests of means and regressions need, for whole degrees of freedom."""

from __future__ import annotations

from math import atan, cos, erfc, exp, lgamma, log, pi, sin, sqrt

ENOUGH = 1e-12


def t_tail(t: float, freedom: int) -> float:
    """Return how likely a value of Student's distribution is farther from 0 than t, on both sides.

    >>> round(t_tail(2.776445, 4), 4), round(t_tail(1.96, 100_000), 3)
    (0.05, 0.05)
    """
    angle = atan(abs(t) / sqrt(freedom))
    square, term = cos(angle) ** 2, (cos(angle) if freedom % 2 else 1.0)
    total, first = 0.0, 1 if freedom % 2 else 0
    for step in range(first, freedom - 1, 2):  # of cosines to the powers 1, 3, … or 0, 2, …
        total += term
        term *= square * (step + 1) / (step + 2)
    inside = 2 / pi * (angle + sin(angle) * total) if freedom % 2 else sin(angle) * total
    return min(1.0, max(0.0, 1.0 - inside))


def t_quantile(share: float, freedom: int) -> float:
    """Return the t beyond which a share of the distribution lies, on both sides.

    >>> round(t_quantile(0.05, 10), 4)
    2.2281
    """
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > share:
        high *= 2
    while high - low > ENOUGH * high:
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > share else (low, middle)
    return high


def chi_squared_tail(value: float, freedom: int) -> float:
    """Return how likely a value of the chi-squared distribution is larger.

    >>> round(chi_squared_tail(3.841459, 1), 4), round(chi_squared_tail(5.991465, 2), 4)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    half = value / 2
    tail, done = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)
    for below in range(done, freedom, 2):
        tail += exp(below / 2 * log(half) - half - lgamma(below / 2 + 1))
    return min(1.0, tail)


def f_tail(value: float, above: int, below: int) -> float:
    """Return how likely a value of Fisher's distribution is larger, given the degrees of freedom above and below.

    >>> round(f_tail(4.964603, 1, 10), 4), round(f_tail(3.354131, 2, 27), 4)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    return _incomplete_beta(below / 2, above / 2, below / (below + above * value))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-300
    numerator, denominator = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    fraction = denominator
    for step in range(1, 500):
        for term in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            denominator = 1 / (1 + term * denominator or tiny)
            numerator = 1 + term / numerator or tiny
            change = numerator * denominator
            fraction *= change
        if abs(change - 1) < ENOUGH:
            break
    return front * fraction
