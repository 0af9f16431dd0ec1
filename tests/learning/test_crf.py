from __future__ import annotations

import itertools
import math

import pytest
import torch

from everyword.learning.crf import CRF, barred_in_spans, mask_of

TAGS = 3


@pytest.fixture(params=range(3))
def crf(request: pytest.FixtureRequest) -> CRF:
    generator = torch.Generator().manual_seed(request.param)
    made = CRF(TAGS).double()
    for weight in made.parameters():
        weight.requires_grad_(False)
        weight.data = torch.randn(weight.shape, generator=generator, dtype=torch.float64)
    return made


def by_hand(crf: CRF, emissions: torch.Tensor, tags: tuple[int, ...]) -> float:
    score = float(crf.start[tags[0]] + crf.end[tags[-1]])
    score += sum(float(emissions[place, tag]) for place, tag in enumerate(tags))
    return score + sum(float(crf.transitions[one, other]) for one, other in itertools.pairwise(tags))


@pytest.mark.parametrize("length", [1, 2, 4])
def test_likelihood_and_best_tags_equal_those_of_all_sequences(crf: CRF, length: int) -> None:
    emissions = torch.randn(length, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(length))
    scores = {tags: by_hand(crf, emissions, tags) for tags in itertools.product(range(TAGS), repeat=length)}
    total = math.log(sum(math.exp(score) for score in scores.values()))

    mask = torch.ones(1, length, dtype=torch.bool)
    for tags, score in scores.items():
        likelihood = crf.log_likelihood(emissions[None], torch.tensor([tags]), mask)
        assert float(likelihood) == pytest.approx(score - total)
        assert float(crf.loss(emissions[None], torch.tensor([tags]), mask)) == pytest.approx((total - score) / length)
    assert tuple(crf.decode(emissions[None], mask)[0]) == max(scores, key=scores.__getitem__)


def test_padding_changes_nothing(crf: CRF) -> None:
    emissions = torch.randn(3, 5, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    tags = torch.randint(TAGS, (3, 5), generator=torch.Generator().manual_seed(1))
    mask = mask_of(torch.tensor([5, 1, 3]), 5)

    together = crf.log_likelihood(emissions, tags, mask)
    best = crf.decode(emissions, mask)

    for place, length in enumerate([5, 1, 3]):
        here = slice(place, place + 1), slice(length)
        torch.testing.assert_close(crf.log_likelihood(emissions[here], tags[here], mask[here])[0], together[place])
        assert crf.decode(emissions[here], mask[here]) == [best[place]]
    torch.testing.assert_close(crf.loss(emissions, tags, mask), -together.sum() / 9)


def test_sentences_without_tokens_count_for_nothing(crf: CRF) -> None:
    emissions = torch.randn(2, 3, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    tags, mask = torch.zeros(2, 3, dtype=torch.int64), mask_of(torch.tensor([3, 0]), 3)

    assert crf.decode(emissions, mask)[1] == []
    torch.testing.assert_close(crf.loss(emissions, tags, mask), crf.loss(emissions[:1], tags[:1], mask[:1]))


def test_all_weights_are_trained() -> None:
    crf = CRF(TAGS)
    crf.loss(
        torch.randn(2, 4, TAGS), torch.tensor([[0, 1, 2, 0], [2, 1, 0, 0]]), mask_of(torch.tensor([4, 3]), 4)
    ).backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in crf.parameters())


def test_marginals_are_shares_of_all_sequences(crf: CRF) -> None:
    length = 4
    emissions = torch.randn(length, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    weights = {tags: math.exp(by_hand(crf, emissions, tags)) for tags in itertools.product(range(TAGS), repeat=length)}
    padded = torch.cat([emissions, torch.randn(2, TAGS, dtype=torch.float64)])[None]

    found = crf.marginals(padded, mask_of(torch.tensor([length]), length + 2))

    for place in range(length):
        for tag in range(TAGS):
            share = sum(weight for tags, weight in weights.items() if tags[place] == tag) / sum(weights.values())
            assert float(found[0, place, tag]) == pytest.approx(share)
    assert not found[0, length:].any()


def test_barred_tags_are_never_given(crf: CRF) -> None:
    barred = barred_in_spans(["B-X", "I-X", "O"])
    assert barred is not None
    emissions = torch.tensor([[[0.0, 50.0, 0.0]] * 4], dtype=torch.float64)

    assert crf.decode(emissions, torch.ones(1, 4, dtype=torch.bool), barred) == [[0, 1, 1, 1]]


@pytest.mark.parametrize("length", [1, 2, 3, 8])
def test_a_sum_by_halves_is_the_sum_step_by_step(crf: CRF, length: int) -> None:
    generator = torch.Generator().manual_seed(length)
    scores = torch.randn(3, length, TAGS, generator=generator, dtype=torch.float64)
    mask = mask_of(torch.tensor([length, max(1, length - 1), 1]), length)

    torch.testing.assert_close(crf._log_total_by_halves(scores, mask), crf._log_total(scores, mask))


def test_spans_with_closing_marks_are_closed(crf: CRF) -> None:
    barred = barred_in_spans(["B-X", "E-X", "S-X"])
    assert barred is not None
    wants_to_begin = torch.tensor([[[50.0, 0.0, 0.0]] * 3], dtype=torch.float64)

    assert crf.decode(wants_to_begin, torch.ones(1, 3, dtype=torch.bool), barred) in ([[0, 1, 2]], [[2, 0, 1]])
