"""Alpha vectors and limit vectors: the identities of the paper, and pairs that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from everyword.errors import ConfigError, EverywordError, InputError
from everyword.space import AlphaVectors, LimitVectors, Pipeline, alpha_vectors, context_family, load_record
from everyword.space.record import load_alpha, load_pipeline
from everyword.vectors.context_pair import ContextPair
from everyword.vectors.neighbours import unit_rows

Doubles = npt.NDArray[np.float64]
N, D = 60, 5


def made(n: int = N, d: int = D, seed: int = 0, **known: Any) -> ContextPair:
    rng = np.random.default_rng(seed)
    vectors, contexts = rng.normal(size=(2, n, d)).astype(np.float32)
    counts = rng.integers(1, 1000, n)
    return ContextPair([f"w{row}" for row in range(n)], vectors, contexts, **{"counts": counts, **known})


PAIR = made()
SHARES: Doubles = PAIR.counts / PAIR.counts.sum()  # type: ignore[union-attr, operator]
UNIFORM: Doubles = np.full(N, 1 / N)


def formula(
    pair: ContextPair, alpha: float, p0: Doubles, *, added: Doubles | float = 0.0, fisher: bool = True
) -> Doubles:
    """The definition, word by word as it is printed, of U+V and in double precision."""
    u, v = (pair.vectors + pair.contexts).astype(np.float64), pair.contexts.astype(np.float64)
    scores = np.exp(u @ v.T + added)
    p = scores / scores.sum(axis=1, keepdims=True)
    dv = v - p0 @ v
    information = (dv * p0[:, None]).T @ dv
    if alpha == 1:
        weights = p0 * (np.log(p) - np.log(p0))
    else:
        weights = p0 * 2 / (1 - alpha) * ((p / p0) ** ((1 - alpha) / 2) - 1)
    made = np.linalg.solve(information, (weights @ dv).T).T
    made = made @ np.linalg.cholesky(information) if fisher else made
    unit: Doubles = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


@pytest.mark.parametrize("alpha", [-3, 0, 0.5, 1, 1.6, 4])
@pytest.mark.parametrize(("reference", "p0"), [("uniform", UNIFORM), ("unigram", SHARES)])
@pytest.mark.parametrize("metric", ["fisher", "identity"])
def test_the_printed_formula(alpha: float, reference: Any, p0: Doubles, metric: Any) -> None:
    settings = AlphaVectors(alpha=alpha, reference=reference, metric=metric)
    expected = formula(PAIR, alpha, p0, fisher=metric == "fisher")
    np.testing.assert_allclose(alpha_vectors(PAIR, settings).table.matrix, expected, atol=2e-4)


def test_with_negative_sampling_the_noise_distribution_counts() -> None:
    settings = AlphaVectors(alpha=-1, reference="uniform", model="negative-sampling")
    expected = formula(PAIR, -1, UNIFORM, added=0.75 * np.log(SHARES))
    np.testing.assert_allclose(alpha_vectors(PAIR, settings).table.matrix, expected, atol=2e-4)
    of_pair = alpha_vectors(made(model="negative-sampling"), AlphaVectors(alpha=-1, reference="uniform"))
    np.testing.assert_allclose(of_pair.table.matrix, expected, atol=2e-4)


def test_biases_count_unless_they_are_left_out() -> None:
    biases = np.linspace(-1, 1, N, dtype=np.float32)
    pair = made(biases=biases)
    with_them = alpha_vectors(pair, AlphaVectors(alpha=0, reference="uniform")).table.matrix
    without = alpha_vectors(pair, AlphaVectors(alpha=0, reference="uniform", biases=False)).table.matrix
    np.testing.assert_allclose(with_them, formula(PAIR, 0, UNIFORM, added=biases.astype(np.float64)), atol=2e-4)
    np.testing.assert_allclose(without, formula(PAIR, 0, UNIFORM), atol=2e-4)


def test_references_that_the_model_gives() -> None:
    scores = np.exp((PAIR.vectors + PAIR.contexts).astype(np.float64) @ PAIR.contexts.T)
    marginal = SHARES @ (scores / scores.sum(axis=1, keepdims=True))
    joint = scores.sum(axis=0) / scores.sum()
    for reference, p0 in (("model-unigram", marginal), ("model-joint", joint)):
        settings = AlphaVectors(alpha=-1, reference=reference)  # type: ignore[arg-type]
        np.testing.assert_allclose(alpha_vectors(PAIR, settings).table.matrix, formula(PAIR, -1, p0), atol=5e-3)


@pytest.mark.parametrize(("combine", "expected"), [("u", PAIR.vectors), ("u+v", PAIR.vectors + PAIR.contexts)])
def test_alpha_1_and_a_uniform_reference_give_the_trained_vectors(combine: Any, expected: Any) -> None:
    settings = AlphaVectors(alpha=1, reference="uniform", combine=combine, metric="identity", unit=False)
    np.testing.assert_allclose(alpha_vectors(PAIR, settings).table.matrix, expected, atol=1e-4)


def test_a_reference_in_the_family_is_subtracted() -> None:
    u0 = np.array([0.3, -0.2, 0.1, 0.5, -0.4])
    scores = np.exp(PAIR.contexts.astype(np.float64) @ u0)
    counts = np.rint(scores / scores.sum() * 1e12).astype(np.int64)
    settings = AlphaVectors(alpha=1, combine="u", metric="identity", unit=False)
    found = alpha_vectors(made(counts=counts), settings).table.matrix
    np.testing.assert_allclose(found, PAIR.vectors - u0, atol=1e-4)


def test_the_fisher_matrix_and_its_metric() -> None:
    plain, baked = (alpha_vectors(PAIR, AlphaVectors(alpha=-2, metric=m, unit=False)) for m in ("identity", "fisher"))  # type: ignore[arg-type]
    fisher = baked.record.fisher.astype(np.float64)
    np.testing.assert_allclose(fisher, fisher.T, atol=1e-6)
    assert np.linalg.eigvalsh(fisher).min() > 0
    products = plain.table.matrix @ fisher @ plain.table.matrix.T
    lengths = np.sqrt(np.diag(products))
    cosines = unit_rows(baked.table.matrix) @ unit_rows(baked.table.matrix).T
    np.testing.assert_allclose(cosines, products / np.outer(lengths, lengths), atol=1e-4)


def test_limit_vectors_are_the_whitened_vectors_of_the_best_contexts() -> None:
    found = alpha_vectors(PAIR, LimitVectors(reference="uniform", unit=False)).table.matrix
    v = PAIR.contexts.astype(np.float64)
    dv = v - v.mean(axis=0)
    best = ((PAIR.vectors + PAIR.contexts) @ PAIR.contexts.T).argmax(axis=1)
    root = np.linalg.cholesky(dv.T @ dv / N)
    np.testing.assert_allclose(found, np.linalg.solve(root, dv[best].T).T, atol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_several_best_contexts(weighted: bool) -> None:
    settings = LimitVectors(reference="unigram", metric="identity", top=3, weighted=weighted, unit=False)
    found = alpha_vectors(PAIR, settings).table.matrix
    logs = (PAIR.vectors + PAIR.contexts).astype(np.float64) @ PAIR.contexts.T - np.log(SHARES)
    best = np.argsort(-logs, axis=1)[:, :3]
    ratios = np.exp(np.take_along_axis(logs, best, axis=1)) if weighted else np.ones((N, 3))
    dv = PAIR.contexts - SHARES @ PAIR.contexts
    means = np.einsum("wk,wkd->wd", ratios / ratios.sum(axis=1, keepdims=True), dv[best])
    information = (dv * SHARES[:, None]).T @ dv
    np.testing.assert_allclose(found, np.linalg.solve(information, means.T).T, rtol=1e-3, atol=1e-4)


def test_alpha_falls_towards_the_limit_without_overflow() -> None:
    limit = alpha_vectors(PAIR, LimitVectors()).table.matrix
    agreement = []
    for alpha in (-1, -10, -100, -1000):
        found = alpha_vectors(PAIR, AlphaVectors(alpha=alpha)).table.matrix
        assert np.isfinite(found).all()
        agreement.append(float((found * limit).sum(axis=1).mean()))
    assert agreement == sorted(agreement)
    assert agreement[-1] > 0.99
    assert np.isfinite(alpha_vectors(PAIR, AlphaVectors(alpha=1000)).table.matrix).all()


@pytest.mark.parametrize("settings", [AlphaVectors(alpha=-2, reference="model-unigram"), LimitVectors(top=3)])
def test_the_size_of_blocks_changes_nothing(settings: AlphaVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = alpha_vectors(PAIR, settings).table.matrix
    monkeypatch.setattr(context_family, "PRODUCTS_AT_ONCE", 7 * N)
    np.testing.assert_allclose(alpha_vectors(PAIR, settings).table.matrix, whole, atol=1e-4)


@pytest.mark.parametrize("settings", [AlphaVectors(alpha=-2), LimitVectors(top=3, weighted=True, combine="u")])
def test_a_saved_record_changes_later_words_in_the_same_way(settings: AlphaVectors, tmp_path: Path) -> None:
    table, record = alpha_vectors(PAIR, settings)
    record.save(tmp_path / "record")
    again = load_alpha(tmp_path / "record")
    assert again.settings == settings
    np.testing.assert_allclose(again.fisher, record.fisher)
    np.testing.assert_allclose(again.apply(PAIR.vectors[:7], PAIR.contexts[:7]), table.matrix[:7], atol=1e-5)
    later = np.concatenate([PAIR.vectors[:3], np.zeros((1, D), np.float32)])
    made_up = again.apply(later)
    assert np.isfinite(made_up).all()
    assert not made_up[3].any()
    if settings.combine == "u":
        np.testing.assert_allclose(made_up[:3], table.matrix[:3], atol=1e-5)


def test_context_vectors_of_new_words_are_predicted() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(400, D)).astype(np.float32)
    contexts = (vectors @ rng.normal(size=(D, D)) + 0.1).astype(np.float32)
    pair = ContextPair([f"w{row}" for row in range(400)], vectors, contexts)
    table, record = alpha_vectors(pair, AlphaVectors(alpha=0, reference="uniform"))
    np.testing.assert_allclose(record.apply(vectors), table.matrix, atol=0.05)


def test_records_are_checked(tmp_path: Path) -> None:
    _, record = alpha_vectors(PAIR)
    record.save(tmp_path / "alpha")
    with pytest.raises(InputError, match="is a record of alpha vectors; apply it with 'everyword alpha --record"):
        load_pipeline(tmp_path / "alpha")
    Pipeline.fit("centre", PAIR.vectors).save(tmp_path / "other")
    with pytest.raises(InputError, match="is a record of post-processing"):
        load_alpha(tmp_path / "other")
    path = tmp_path / "alpha" / "record.json"
    described = json.loads(path.read_text())
    for wrong in ({"name": "beta.v1"}, {"options": {"top": 0}}, {"ridge": None}, {"options": None}):
        path.write_text(json.dumps({**described, **wrong}))
        with pytest.raises(EverywordError):
            load_record(tmp_path / "alpha")
    with pytest.raises(InputError, match="fitted to vectors of dimension 5 and cannot be applied to those of dim"):
        record.apply(np.zeros((1, 4), np.float32))
    with pytest.raises(InputError, match="Each word needs a context vector"):
        record.apply(PAIR.vectors[:2], PAIR.contexts[:1])


def flat() -> ContextPair:
    """A pair whose context vectors have two equal columns."""
    contexts = PAIR.contexts.copy()
    contexts[:, 1] = contexts[:, 0]
    return ContextPair(PAIR.words, PAIR.vectors, contexts, PAIR.counts)


def test_few_words_need_a_ridge() -> None:
    few = made(4, 6)
    with pytest.raises(InputError, match=r"vary in 3 of 6 directions only.* or a ridge such as 0\.001"):
        alpha_vectors(few)
    with pytest.raises(InputError, match="vary in 4 of 5 directions only"):
        alpha_vectors(flat())
    for pair in (few, flat()):
        assert np.isfinite(alpha_vectors(pair, LimitVectors(ridge=0.001)).table.matrix).all()


def broken(value: float) -> ContextPair:
    contexts = PAIR.contexts.copy()
    contexts[3, 2] = value
    return ContextPair(PAIR.words, PAIR.vectors, contexts, PAIR.counts)


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (made(counts=None), "The unigram reference needs the counts of its words"),
        (made(counts=np.zeros(N, np.int64)), "The count of a word must be 1 or more. Got 0 for 'w0'"),
        (broken(float("nan")), "The vector of 'w3' holds NaN or infinity"),
        (broken(float("inf")), "The vector of 'w3' holds NaN or infinity"),
        (made(N, 1), "need at least 2 words and 2 dimensions. Got 60 words of dimension 1"),
        (made(1, D), "Got 1 words of dimension 5"),
        (ContextPair(PAIR.words, PAIR.vectors, np.ones((N, D), np.float32), PAIR.counts), "All context vectors are"),
    ],
)
def test_pairs_that_cannot_be_used(pair: ContextPair, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        alpha_vectors(pair)
    assert sentence in str(caught.value)


def test_negative_sampling_needs_counts() -> None:
    with pytest.raises(InputError, match="trained with negative sampling needs the counts"):
        alpha_vectors(made(counts=None), LimitVectors(reference="uniform", model="negative-sampling"))


@pytest.mark.parametrize("wrong", [{"top": 0}, {"ridge": -1.0}, {"metric": "euclid"}, {"reference": "zipf"}])
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        alpha_vectors(PAIR, LimitVectors(**wrong))
