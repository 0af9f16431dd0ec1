"""What is learnt of single words, and averages of weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from everyword.learning.averaging import WeightAveraging
from everyword.learning.characters import characters_of
from everyword.learning.dropout import LockedDropout
from everyword.learning.schedules import falling
from everyword.learning.word_forms import WordForms, frequent_words
from everyword.learning.word_vectors import WordVectors

WORDS = [["Ada", "saw", "1984", "unknown"]]


@pytest.fixture
def words() -> WordVectors:
    table = WordVectors(lambda given: np.ones((len(given), 3), dtype=np.float32), 3)
    table.rows(WORDS)
    return table


def test_words_of_train_have_vectors_of_their_own_and_others_zeros(words: WordVectors) -> None:
    forms = WordForms(["0000", "Ada"], lookup=2, shapes=1, tuned=3, hidden=0.9).eval()
    forms.use(words)
    rows = torch.tensor([[1, 2, 3, 4]])

    lookup, shapes = forms.beside(rows)
    assert forms.dim == lookup.shape[2] + shapes.shape[2] == 3
    assert lookup.any(dim=2).tolist() == [[True, False, True, False]]
    assert len(set(shapes.flatten().tolist())) == 3  # title, lower, number, lower

    vectors = words.look_up(rows)
    torch.testing.assert_close(forms.tune(rows, vectors), vectors)
    assert forms.offsets is not None
    with torch.no_grad():
        forms.offsets.weight[1:] = 1.0
    assert forms.tune(rows, vectors)[0, :, 0].tolist() == [2.0, 1.0, 2.0, 1.0]


def test_hidden_words_are_unknown_in_training_only(words: WordVectors) -> None:
    forms = WordForms(["Ada", "saw"], lookup=2, hidden=0.5)
    forms.use(words)
    rows = torch.ones(1, 200, dtype=torch.int64)
    torch.manual_seed(0)

    seen = float(forms.train().beside(rows)[0].any(dim=2).float().mean())
    assert 0.3 < seen < 0.7
    assert bool(forms.eval().beside(rows)[0].any(dim=2).all())


def test_frequent_words_count_all_numbers_of_a_form_together() -> None:
    assert frequent_words([["1984", "1985", "once"], ["Ada", "Ada"]], 2) == ["0000", "Ada"]


def test_an_average_stands_in_until_the_end_of_the_epoch() -> None:
    layer = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        layer.weight.fill_(0.0)
    average = WeightAveraging(layer, 0.5)
    for value in (1.0, 3.0):
        with torch.no_grad():
            layer.weight.fill_(value)
        average.after_step()

    again = WeightAveraging(layer, 0.5)
    again.load_state(average.state())
    for one in (average, again):
        one.use()
        # A tenth of 0 and nine of 1, then two elevenths of that and nine of 3.
        assert layer.weight.detach().item() == pytest.approx(2 / 11 * 0.9 + 9 / 11 * 3)
        one.after_epoch({})
        assert layer.weight.detach().item() == 3.0


def test_locked_dropout_hides_the_same_coordinates_at_all_tokens() -> None:
    torch.manual_seed(0)
    dropped = LockedDropout(0.5)(torch.ones(4, 5, 8))

    assert all(bool((dropped[:, place] == dropped[:, 0]).all()) for place in range(5))
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    torch.testing.assert_close(LockedDropout(0.5).eval()(torch.ones(2, 2, 2)), torch.ones(2, 2, 2))


def test_rates_fall() -> None:
    assert falling(1.0, 10, "decay", 0.5)(2, 0, 7) == 0.5
    cosine = falling(1.0, 10, "cosine")
    assert cosine(1, 0, 7) > cosine(5, 0, 7) > cosine(9, 6, 7) > 0


@pytest.mark.parametrize("network", ["lstm", "cnn"])
def test_a_word_is_spelt_the_same_beside_a_longer_one(network: str) -> None:
    encoder = characters_of("abcdefgh", 3, network)  # type: ignore[arg-type]
    short, long = encoder.ids("abc"), encoder.ids("hgfedcba")
    alone = encoder.module(torch.tensor([short]))
    beside = encoder.module(torch.tensor([list(short) + [0] * 5, long]))

    assert alone.shape == (1, encoder.dim)
    torch.testing.assert_close(alone[0], beside[0])
