"""Weights, form, gate: the formulas against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.models.model import Model
from everyword.systems.bertram.config import NgramsConfig
from everyword.systems.bertram.form import RARE, ModelForm, NgramForm
from everyword.systems.bertram.network import (
    CONTEXT,
    FORM,
    GATE,
    LEAST_AGREEMENT,
    Contexts,
    FormContextNetwork,
    agreement,
    owners_of,
    ratio_weights,
    softmax_weights,
)

DIM = 4


def network(weights: str = "ratio", gated: bool = True) -> FormContextNetwork:
    torch.manual_seed(1)
    form = NgramForm.of_words(["cat", "cats", "mat"], DIM, NgramsConfig(fewest_words=1, initial_scale=1.0))
    return FormContextNetwork(form, DIM, weights, gated=gated)  # type: ignore[arg-type]


def some_contexts(*counts: int) -> Contexts:
    torch.manual_seed(2)
    return Contexts(torch.randn(sum(counts), DIM), owners_of(counts, torch.device("cpu")), len(counts))


def test_ratio_weights_are_those_of_the_published_loop() -> None:
    contexts, net = some_contexts(3, 1, 2), network()
    assert net.attention is not None
    contexts.vectors.abs_()  # so that contexts agree and no guard is needed
    with torch.no_grad():
        net.attention.weight.copy_(torch.eye(DIM))
        weights = net.weights(contexts)
        expected = []
        for word in range(3):
            projected = net.attention(contexts.vectors[contexts.owners == word])
            scores = [sum(float(one @ other) / DIM**0.5 for other in projected) for one in projected]
            expected += [score / sum(scores) for score in scores]

    np.testing.assert_allclose(weights.numpy(), expected, rtol=1e-5)


@settings(deadline=None)
@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=12))
def test_weights_sum_to_one_and_are_bounded(numbers: list[float]) -> None:
    scores, owners = torch.tensor(numbers), torch.zeros(len(numbers), dtype=torch.int64)

    for weights in (ratio_weights(scores, owners, 1), softmax_weights(scores, owners, 1)):
        assert float(weights.sum()) == pytest.approx(1, abs=1e-4)
        assert float(weights.abs().max()) <= 1.001 / LEAST_AGREEMENT


def test_contexts_that_cancel_each_other_count_alike_and_have_a_finite_gradient() -> None:
    projected = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], requires_grad=True)
    owners = torch.zeros(2, dtype=torch.int64)

    weights = ratio_weights(agreement(projected, owners, 1), owners, 1)
    weights.square().sum().backward()  # type: ignore[no-untyped-call]

    assert weights.tolist() == [0.5, 0.5]
    assert projected.grad is not None
    assert projected.grad.isfinite().all()


@pytest.mark.parametrize("how", ["ratio", "softmax", "uniform"])
def test_one_context_has_all_the_weight_and_equal_ones_share_it(how: str) -> None:
    net = network(how)
    same = torch.ones(3, DIM)

    assert net.weights(some_contexts(1)).tolist() == pytest.approx([1])
    assert net.weights(Contexts(same, torch.zeros(3, dtype=torch.int64), 1)).tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("how", ["ratio", "softmax", "uniform"])
def test_permuted_contexts_have_permuted_weights_and_one_vector(how: str) -> None:
    net, contexts = network(how), some_contexts(5)
    order = torch.tensor([3, 1, 4, 0, 2])
    turned = contexts._replace(vectors=contexts.vectors[order])
    forms = net.form(["cat"])

    torch.testing.assert_close(net.weights(turned), net.weights(contexts)[order])
    torch.testing.assert_close(net(turned, forms)[0], net(contexts, forms)[0])


def test_the_gate_is_the_published_formula() -> None:
    net, contexts = network("uniform"), some_contexts(2, 3)
    forms = net.form(["cat", "mat"])
    assert net.gate is not None

    vectors, _ = net(contexts, forms)

    for word in range(2):
        context = contexts.vectors[contexts.owners == word].mean(dim=0)
        share = 1 / (1 + torch.exp(-(net.gate.weight[0] @ torch.cat([forms[word], context]) + net.gate.bias[0])))
        assert 0 < share < 1
        mapped = net.to_space.weight @ context + net.to_space.bias
        torch.testing.assert_close(vectors[word], share * mapped + (1 - share) * forms[word])


def test_the_words_of_all_contexts_can_be_one_bag() -> None:
    net = network("words")
    contexts = some_contexts(2)._replace(sizes=torch.tensor([1.0, 3.0]))

    assert net.weights(contexts).tolist() == [0.25, 0.75]


def test_only_the_asked_parts_learn() -> None:
    net = network()
    for parts, names in (({FORM}, {"form"}), ({CONTEXT, GATE}, {"attention", "to_space", "gate"})):
        net.train_only(parts)
        learning = {name.partition(".")[0] for name, weights in net.named_parameters() if weights.requires_grad}
        assert learning == names


def test_the_form_is_the_mean_of_all_ngrams_with_the_shared_row_counted() -> None:
    form = NgramForm.of_words(["ab", "ab", "abc"], DIM, NgramsConfig(fewest_words=2))

    assert form.listed == [RARE, "<ab"]  # "ab" stands twice in the list and counts once
    assert len(form.rows("ab")) == 3  # <ab  <ab>  ab>
    assert form.rows("AB ") == form.rows("ab")
    table = form.table.weight
    torch.testing.assert_close(form(["ab"])[0], (table[1] + 2 * table[0]) / 3)


@pytest.mark.parametrize("word", ["", "x", "🦜", "a" * 500])
def test_every_word_has_a_form(word: str) -> None:
    assert network().form([word]).isfinite().all()


def test_hidden_ngrams_depend_on_the_draw_and_never_hide_a_whole_word() -> None:
    form = NgramForm.of_words(["cat", "cats", "mat"], DIM, NgramsConfig(fewest_words=1, dropout=0.9))

    def drawn(seed: int) -> torch.Tensor:
        found: torch.Tensor = form(["cats"], [np.random.default_rng(seed)])
        return found

    assert torch.equal(drawn(0), drawn(0))
    assert len({tuple(drawn(seed)[0].tolist()) for seed in range(20)}) > 1
    assert all(drawn(seed).abs().sum() > 0 for seed in range(20))


def test_a_model_gives_the_form_by_a_linear_map(tiny_model: Model) -> None:
    known = tiny_model.known_words.words[0]
    for which in ("infer", "encode"):
        form = ModelForm(tiny_model, DIM, which)
        given = torch.from_numpy(tiny_model.infer([known]) if which == "infer" else tiny_model.encode([known]))
        for training in (True, False):
            form.train(training)
            torch.testing.assert_close(form([known, known])[1:], form.map(given))
