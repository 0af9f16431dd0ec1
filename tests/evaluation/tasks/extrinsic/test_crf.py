from __future__ import annotations

import itertools
import math

import pytest
import torch

from everyword.systems.taggers.bilstm import Crf

TAGS = 3


@pytest.fixture(params=range(3))
def crf(request: pytest.FixtureRequest) -> Crf:
    generator = torch.Generator().manual_seed(request.param)
    made = Crf(TAGS).double()
    for weight in made.parameters():
        weight.requires_grad_(False)
        weight.data = torch.randn(weight.shape, generator=generator, dtype=torch.float64)
    return made


def by_hand(crf: Crf, emissions: torch.Tensor, tags: tuple[int, ...]) -> float:
    score = float(crf.start[tags[0]] + crf.end[tags[-1]])
    score += sum(float(emissions[place, tag]) for place, tag in enumerate(tags))
    return score + sum(float(crf.transitions[one, other]) for one, other in itertools.pairwise(tags))


@pytest.mark.parametrize("length", [1, 2, 4])
def test_likelihood_and_best_tags_equal_those_of_all_sequences(crf: Crf, length: int) -> None:
    emissions = torch.randn(length, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(length))
    scores = {tags: by_hand(crf, emissions, tags) for tags in itertools.product(range(TAGS), repeat=length)}
    total = math.log(sum(math.exp(score) for score in scores.values()))

    lengths = torch.tensor([length])
    for tags, score in scores.items():
        likelihood = crf.log_likelihood(emissions[None], torch.tensor([tags]), lengths)
        assert float(likelihood) == pytest.approx(score - total)
    assert tuple(crf.best(emissions[None], lengths)[0]) == max(scores, key=scores.__getitem__)


def test_padding_changes_nothing(crf: Crf) -> None:
    emissions = torch.randn(3, 5, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    tags = torch.randint(TAGS, (3, 5), generator=torch.Generator().manual_seed(1))
    lengths = torch.tensor([5, 1, 3])

    together = crf.log_likelihood(emissions, tags, lengths)
    best = crf.best(emissions, lengths)

    for place, length in enumerate(lengths.tolist()):
        alone = emissions[place : place + 1, :length], tags[place : place + 1, :length], lengths[place : place + 1]
        torch.testing.assert_close(crf.log_likelihood(*alone)[0], together[place])
        assert crf.best(alone[0], alone[2]) == [best[place]]
