from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.language_models import templates as module
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import template_table

from .naive import all_outputs, word_vector

WORDS = ["cat", "walking", "New York", "naïve", "a", "dogs", "citywalk"]
POOLED = {
    "mean": lambda pieces: pieces.mean(axis=0),
    "max": lambda pieces: pieces.max(axis=0),
    "cls": lambda pieces: pieces[0],
}


@pytest.mark.parametrize("pool", POOLED)
def test_the_bare_word_is_what_the_model_makes_of_it_alone(model: LanguageModel, pool: str) -> None:
    table = template_table(model, WORDS, pool=pool)

    assert table.words == WORDS
    for word in WORDS:
        np.testing.assert_allclose(table[word], POOLED[pool](all_outputs(model, word)), atol=1e-5)


def test_templates_are_averaged_over_the_pieces_of_the_word(model: LanguageModel) -> None:
    table = template_table(model, WORDS, ["the {} sat", "on {}."], pool="word", layers=[1])

    for word in WORDS:
        first = word_vector(model, f"the {word} sat", 4, 4 + len(word), layer=1)
        second = word_vector(model, f"on {word}.", 3, 3 + len(word), layer=1)
        np.testing.assert_allclose(table[word], (first + second) / 2, atol=1e-5)


def test_neither_order_nor_batches_matter(model: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = template_table(model, WORDS)
    monkeypatch.setattr(module, "TEXTS_AT_ONCE", 2)

    table = template_table(model, WORDS[::-1])

    assert table.words == WORDS[::-1]
    np.testing.assert_allclose(table.select(WORDS).matrix, expected.matrix, atol=1e-5)


def test_a_repeated_word_has_one_row(bert: LanguageModel) -> None:
    assert template_table(bert, ["cat", "dog", "cat"]).words == ["cat", "dog"]


def test_braces_in_a_word_are_letters(roberta: LanguageModel) -> None:
    table = template_table(roberta, ["{}", "{0}"], ["the {}"], pool="word")

    np.testing.assert_allclose(table["{}"], word_vector(roberta, "the {}", 4, 6), atol=1e-5)


def test_words_the_tokenizer_does_not_know_are_left_out_and_counted(bert: LanguageModel) -> None:
    with pytest.warns(UserWarning, match=r"2 of 3 words are left out, because the tokenizer .* knows no .*: '☃', ' '"):
        table = template_table(bert, ["☃", "cat", " "])

    assert table.words == ["cat"]


def test_a_list_that_the_tokenizer_does_not_know_at_all_is_refused(bert: LanguageModel) -> None:
    with pytest.raises(InputError, match=r"None of 2 words gets a vector, because .* \('☃', '♞'\); choose a model"):
        template_table(bert, ["☃", "♞"])


def test_an_empty_list_is_refused(bert: LanguageModel) -> None:
    with pytest.raises(InputError, match="The list of words is empty; give at least one word"):
        template_table(bert, [])


def test_half_a_character_is_refused(bert: LanguageModel) -> None:
    with pytest.raises(InputError, match="holds half of a character; leave it out"):
        template_table(bert, ["cat", "\ud800"])


@pytest.mark.parametrize("template", ["the meaning of", "{} and {}", "{0}"])
def test_a_template_needs_one_place_for_the_word(bert: LanguageModel, template: str) -> None:
    with pytest.raises(InputError) as caught:
        template_table(bert, ["cat"], ["{}", template])

    assert f"such as 'the meaning of {{}}'. Got {template!r} instead." in str(caught.value)


def test_no_template_is_refused(bert: LanguageModel) -> None:
    with pytest.raises(InputError, match="At least one template is needed"):
        template_table(bert, ["cat"], [])


def test_an_unknown_pooling_gets_a_suggestion(bert: LanguageModel) -> None:
    with pytest.raises(InputError, match="There is no pooling 'men': did you mean 'mean'"):
        template_table(bert, ["cat"], pool="men")
