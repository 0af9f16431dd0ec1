"""Tests of means over restarts: against a baseline, and between several representations."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, stdev

from everyword.errors import InputError
from everyword.evaluation.distributions import f_tail, t_tail


def one_sample_t(values: Sequence[float], baseline: float) -> float:
    """Return how likely a mean as far from a baseline is by chance, on both sides.

    >>> round(one_sample_t([1.0, 2.0, 3.0], 0.0), 4)
    0.0742
    """
    if len(values) < 2:
        raise InputError(f"A test of a mean needs two values or more. Got {len(values)}.")
    distance, error = fmean(values) - baseline, stdev(values) / sqrt(len(values))
    if error == 0:
        return 1.0 if distance == 0 else 0.0
    return t_tail(distance / error, len(values) - 1)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Return probabilities of several tests, adjusted for their number by Holm's method, in the given order.

    >>> [round(one, 3) for one in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    adjusted, highest = [1.0] * len(order), 0.0
    for place, number in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - place) * probabilities[number]))
        adjusted[number] = highest
    return adjusted


def analysis_of_variance(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return F and how likely a larger one is if all groups had one mean.

    >>> f, p = analysis_of_variance([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]])
    >>> round(f, 2), round(p, 4)
    (13.0, 0.0066)
    """
    values = [value for group in groups for value in group]
    between, within = len(groups) - 1, len(values) - len(groups)
    if between < 1 or within < 1 or not all(groups):
        raise InputError("An analysis of variance needs two groups or more, and more values than groups.")
    mean = fmean(values)
    explained = sum(len(group) * (fmean(group) - mean) ** 2 for group in groups) / between
    rest = sum((value - fmean(group)) ** 2 for group in groups for value in group) / within
    if rest == 0:
        return (inf, 0.0) if explained else (0.0, 1.0)
    return explained / rest, f_tail(explained / rest, between, within)
