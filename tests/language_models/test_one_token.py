from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import torch

from everyword.errors import ConfigError
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.one_token import ContextReader, OneTokenConfig, one_token_table
from everyword.language_models.templates import tokenize_in_template
from everyword.vectors.neighbours import unit_rows

QUICK = OneTokenConfig(iterations=600, learning_rate=0.02, start="zeros", layers="no_last", tolerance=0)
WORDS = ["a", "cat", "dog", "the"]


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found: np.ndarray = (unit_rows(one) * unit_rows(other)).sum(axis=1)
    return found


def test_words_of_one_piece_are_found_again(model: LanguageModel) -> None:
    found = one_token_table(model, WORDS, QUICK)

    assert found.words == WORDS
    assert cosines(found.matrix, input_table(model, WORDS).matrix).mean() > 0.9


@pytest.mark.parametrize("layers", ["all", "no_last"])
def test_a_word_of_several_pieces_disturbs_less_than_the_mean_of_them(model: LanguageModel, layers: str) -> None:
    word = "walking dogs"
    config = OneTokenConfig(iterations=150, learning_rate=0.02, layers=layers)  # type: ignore[arg-type]
    found, start = (
        one_token_table(model, [word], changed).matrix
        for changed in (config, OneTokenConfig(iterations=1, learning_rate=1e-9))
    )
    text = tokenize_in_template(model, [word], "a {}")[0]
    ids = torch.tensor([text.ids[slice(*text.spans[0])]])
    lengths = torch.tensor([ids.shape[1]])
    around = ContextReader(model, without_last=layers == "no_last")
    pieces = [text.ids[0] for text in model.tokenize(["the", "cat", "dog", "sat", "city", "is"], bare=True)]
    losses = [
        sum(float(around.loss(ids, lengths, torch.from_numpy(vector), *pair)[0]) for pair in permutations(pieces, 2))
        for vector in (found, start)
    ]

    assert losses[0] < losses[1]


def test_a_word_alone_gets_what_it_gets_among_others(bert: LanguageModel) -> None:
    config = OneTokenConfig(iterations=30, learning_rate=0.01, words_per_batch=2)

    among = one_token_table(bert, ["cat", "walking dogs", "mats", "dog", "the"], config)
    alone = one_token_table(bert, ["dog"], config)

    np.testing.assert_allclose(among["dog"], alone["dog"], atol=1e-4)
    assert len(among) == 5


def test_words_of_different_lengths_in_one_batch_get_what_they_get_alone(model: LanguageModel) -> None:
    words = ["cat", "walking dogs", "mats"]
    together, apart = (  # from zeros: where a vector is right from the start, Adam would enlarge what rounding leaves
        one_token_table(
            model, words, OneTokenConfig(iterations=20, learning_rate=0.01, words_per_batch=size, start="zeros")
        )
        for size in (3, 1)
    )

    assert together.words == words
    np.testing.assert_allclose(together.matrix, apart.matrix, atol=1e-4)


def test_words_that_do_not_improve_are_done_early(bert: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, plain = 0, ContextReader.loss

    def counted(*arguments: object) -> object:
        nonlocal steps
        steps += 1
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ContextReader, "loss", counted)
    one_token_table(bert, ["cat"], OneTokenConfig(iterations=500, window=5, patience=2, learning_rate=1e-9))

    assert steps <= 50


def test_unknown_letters_are_left_out(bert: LanguageModel) -> None:
    with pytest.warns(UserWarning, match="1 of 2 words are left out, because the tokenizer"):
        assert one_token_table(bert, ["猫", "cat"], OneTokenConfig(iterations=1)).words == ["cat"]


def test_values_that_cannot_be(bert: LanguageModel) -> None:
    with pytest.raises(
        ConfigError, match=r"iterations must be 1 or more. Got 0 instead; .*learning_rate must be above 0"
    ):
        one_token_table(bert, ["cat"], OneTokenConfig(iterations=0, learning_rate=0))
