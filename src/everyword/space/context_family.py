"""The distributions over contexts that a pair of word and context vectors defines, seen from a reference.

A word w with the vector u gives a context c the probability p_w(c) ∝ exp(u · v_c + b_c). The words are an exponential
family, whose sufficient statistics are the context vectors v_c. Seen from a reference distribution p0, these are
centred (dv_c = v_c - E[v]), and their covariance is the Fisher matrix I = E[dv dvᵀ], both expectations under p0.

Everything is computed in blocks of words and in logarithms, with the largest of each word subtracted: a factor that a
word's weights have in common changes the length of its vector only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.space.moments import EMPTY, DoubleArray, single
from everyword.space.rows import blocks, checked_rows
from everyword.vectors.context_pair import ContextModel, ContextPair

Reference = Literal["uniform", "model-unigram", "model-joint", "unigram"]
"""A reference distribution over contexts: all alike; the mean of the words' own distributions, by their counts; the
marginal of exp(u · v + b) over all pairs; or the counts of the corpus."""
Combine = Literal["u", "v", "u+v"]
"""What stands for a word: its word vector, its context vector or the sum."""
PRODUCTS_AT_ONCE = 1 << 25
"""Products of words and contexts in memory: 128 MB."""


@dataclass(frozen=True)
class ContextFamily:
    """Centred context vectors, and what is added to their products with a word."""

    contexts: FloatArray
    """dv_c, a row per context."""
    log_reference: FloatArray
    """ln p0(c)."""
    log_ratio: FloatArray
    """b_c - ln p0(c): together with u · dv_c it is ln(p_w(c) / p0(c)), up to a number that w's contexts share."""
    fisher: DoubleArray

    @classmethod
    def fit(cls, pair: ContextPair, words: FloatArray, model: ContextModel, reference: Reference) -> ContextFamily:
        """Compute reference, centred contexts and Fisher matrix.

        Args:
            pair: Words, contexts and counts; its biases are used if it has them.
            words: What stands for the words of the pair, for references that the model itself gives.
            model: Whether u · v estimates ln p(c | w), or with negative sampling ln(p(c | w) / q(c)).
            reference: The distribution from which words are seen.
        """
        contexts = checked_rows(pair.contexts, pair.words)
        added = _added(pair, model)
        log_reference = _log_reference(pair, words, contexts, added, reference)
        p0 = np.exp(log_reference)
        centred = contexts - single(p0 @ contexts)
        return cls(centred, single(log_reference), single(added - log_reference), _fisher(centred, p0))

    def tilted_means(self, words: FloatArray, powers: Sequence[float]) -> Iterator[tuple[slice, list[FloatArray]]]:
        """Yield blocks of words with, for each power k, the mean of dv under p0 (p_w / p0)^k, normalised."""
        for part, ratios in self._ratios(words):
            weights = np.empty_like(ratios)
            means = []
            for power in powers:
                np.multiply(ratios, np.float32(power), out=weights)
                weights += self.log_reference
                weights -= weights.max(axis=1, keepdims=True)
                np.exp(weights, out=weights)
                mean = weights @ self.contexts
                mean /= weights.sum(axis=1, keepdims=True)
                means.append(mean)
            yield part, means

    def best_means(self, words: FloatArray, top: int, weighted: bool) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of words with the mean of dv over the `top` contexts of largest p_w / p0, perhaps by that."""
        for part, ratios in self._ratios(words):
            if top == 1:
                yield part, self.contexts[ratios.argmax(axis=1)]
                continue
            best = np.argpartition(ratios, -top, axis=1)[:, -top:]
            logs = np.take_along_axis(ratios, best, axis=1)
            weights = np.exp(logs - logs.max(axis=1, keepdims=True)) if weighted else np.ones_like(logs)
            weights /= weights.sum(axis=1, keepdims=True)
            yield part, np.einsum("wk,wkd->wd", weights, self.contexts[best])

    def log_means(self, words: FloatArray) -> FloatArray:
        """Return Σ p0(c) ln(p_w(c) / p0(c)) dv_c, which is linear in the word."""
        weights: DoubleArray = np.exp(self.log_reference.astype(np.float64)) * self.log_ratio
        shift: DoubleArray = weights @ self.contexts
        means: FloatArray = words @ single(self.fisher) + single(shift)
        return means

    def _ratios(self, words: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of ln(p_w(c) / p0(c)), up to a number per word, in a matrix that is used again."""
        for part, products in _products(words, self.contexts):
            yield part, np.add(products, self.log_ratio, out=products)


def _products(words: FloatArray, contexts: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
    step = max(1, min(len(words), PRODUCTS_AT_ONCE // len(contexts)))
    buffer = np.empty((step, len(contexts)), dtype=np.float32)
    for start in range(0, len(words), step):
        part = slice(start, min(start + step, len(words)))
        yield part, np.matmul(words[part], contexts.T, out=buffer[: part.stop - part.start])


def _added(pair: ContextPair, model: ContextModel) -> DoubleArray:
    """Return what is added to the products of each context: ln q(c), a bias, or nothing."""
    if model == "negative-sampling":
        shares = _log_shares(pair, "A pair that was trained with negative sampling")
        return pair.power * shares
    return np.zeros(len(pair)) if pair.biases is None else pair.biases.astype(np.float64)


def _log_shares(pair: ContextPair, what: str) -> DoubleArray:
    """Return the logarithms of the relative frequencies of the words."""
    if pair.counts is None:
        raise InputError(
            f"{what} needs the counts of its words; give them (--counts in the shell), or choose the uniform reference "
            "and the model softmax."
        )
    if len(pair.counts) and pair.counts.min() < 1:
        worst = pair.words[int(pair.counts.argmin())]
        raise InputError(f"The count of a word must be 1 or more. Got {pair.counts.min()} for {worst!r}.")
    counts = pair.counts.astype(np.float64)
    shares: DoubleArray = np.log(counts) - np.log(counts.sum())
    return shares


def _log_reference(
    pair: ContextPair, words: FloatArray, contexts: FloatArray, added: DoubleArray, reference: Reference
) -> DoubleArray:
    if reference == "uniform":
        return np.full(len(pair), -np.log(len(pair)))
    if reference == "unigram":
        return _log_shares(pair, "The unigram reference")
    if reference == "model-joint":
        found = _log_joint(words, contexts, single(added))
    else:
        prior = np.full(len(pair), -np.log(len(pair))) if pair.counts is None else _log_shares(pair, "The pair")
        found = np.log(_mean_distribution(words, contexts, single(added), np.exp(prior)))
    # No context is impossible: one that no word expects would be infinitely far from all of them.
    found = np.maximum(found, found.max() + np.log(np.finfo(np.float32).tiny))
    normalised: DoubleArray = found - found.max() - np.log(np.exp(found - found.max()).sum())
    return normalised


def _mean_distribution(words: FloatArray, contexts: FloatArray, added: FloatArray, prior: DoubleArray) -> DoubleArray:
    """Return Σ p(w) p_w(c)."""
    total = np.zeros(len(contexts))
    for part, products in _products(words, contexts):
        np.add(products, added, out=products)
        np.subtract(products, products.max(axis=1, keepdims=True), out=products)
        np.exp(products, out=products)
        total += single(prior[part] / products.sum(axis=1)) @ products
    return np.maximum(total, np.finfo(np.float64).tiny)


def _log_joint(words: FloatArray, contexts: FloatArray, added: FloatArray) -> DoubleArray:
    """Return ln Σ exp(u_w · v_c + b_c) over all words, up to a number."""
    total, highest = np.zeros(len(contexts)), np.full(len(contexts), -np.inf)
    for _, products in _products(words, contexts):
        np.add(products, added, out=products)
        peak = np.maximum(highest, products.max(axis=0))
        total *= np.exp(highest - peak)
        np.subtract(products, single(peak), out=products)
        total += np.exp(products, out=products).sum(axis=0, dtype=np.float64)
        highest = peak
    joint: DoubleArray = np.log(total) + highest
    return joint


def _fisher(centred: FloatArray, p0: DoubleArray) -> DoubleArray:
    dim = centred.shape[1]
    total = np.zeros((dim, dim))
    for part in blocks(len(centred), dim):
        rows = centred[part].astype(np.float64)
        total += (rows * p0[part, None]).T @ rows
    return total


def cholesky_factor(fisher: DoubleArray, ridge: float) -> DoubleArray:
    """Return L of the Fisher matrix, I = L Lᵀ, with `ridge` times its mean eigenvalue added to the diagonal."""
    dim, eigenvalues = len(fisher), np.linalg.eigvalsh(fisher)
    if eigenvalues[-1] <= 0:
        raise InputError("All context vectors are the same; they do not distinguish words.")
    rank = int((eigenvalues > EMPTY * eigenvalues[-1]).sum())
    if rank < dim and ridge == 0:
        raise InputError(
            f"The context vectors vary in {rank} of {dim} directions only, so that the Fisher matrix has no inverse; "
            "give more words, or a ridge such as 0.001."
        )
    root: DoubleArray = np.linalg.cholesky(fisher + ridge * np.trace(fisher) / dim * np.eye(dim))
    return root
