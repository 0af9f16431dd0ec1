from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.language_models.input_embeddings import input_table, single_piece_words
from everyword.language_models.language_model import LanguageModel


def test_word_pieces_that_are_words(bert: LanguageModel) -> None:
    row = bert.tokenizer.convert_tokens_to_ids("cat")

    with pytest.warns(UserWarning, match=r"2 of 4 words are left out, .* not one piece .*: 'dogs', 'new york'"):
        table = input_table(bert, ["cat", "dogs", "new york", "Dog"])

    assert table.words == ["cat", "Dog"]
    np.testing.assert_array_equal(table["cat"], bert.input_matrix()[row])


def test_a_byte_pair_word_is_the_piece_with_the_blank_before_it(roberta: LanguageModel) -> None:
    row = roberta.tokenizer.convert_tokens_to_ids("Ġcat")

    np.testing.assert_array_equal(input_table(roberta, ["cat"])["cat"], roberta.input_matrix()[row])


def test_all_words_of_a_model(model: LanguageModel) -> None:
    words = single_piece_words(model)

    assert {"cat", "the", "walked"} <= set(words)
    # Endings, special pieces, and pieces that need a blank of their own before them.
    assert not {"##s", "[CLS]", "<s>", "", "ed", "rk"} & set(words)
    assert input_table(model).words == list(words)
    np.testing.assert_array_equal(input_table(model).matrix, model.input_matrix()[list(words.values())])


def test_a_list_without_a_whole_word_is_refused(model: LanguageModel) -> None:
    with pytest.raises(InputError, match=r"None of 1 words gets a vector, .*; take the vector of the bare word"):
        input_table(model, ["xylophonist"])
