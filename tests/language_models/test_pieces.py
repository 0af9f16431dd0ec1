from __future__ import annotations

import pytest

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import Span, tokenize_spans

TEXT = "The naïve dogs, walking"
NAIVE, DOGS, WALKING = Span(4, 9), Span(10, 14), Span(16, 23)


def spelt(model: LanguageModel, text: str, *spans: Span) -> list[list[str]]:
    (read,) = tokenize_spans(model, [text], [spans])
    tokens = model.tokenizer.convert_ids_to_tokens(read.ids)
    return [tokens[span.start : span.stop] for span in read.spans]


def test_word_pieces_belong_to_their_words(bert: LanguageModel) -> None:
    assert spelt(bert, TEXT, NAIVE, DOGS, WALKING) == [["na", "##i", "##v", "##e"], ["dog", "##s"], ["walking"]]


def test_byte_pairs_belong_to_their_words_and_lone_blanks_to_none(roberta: LanguageModel) -> None:
    assert spelt(roberta, TEXT, NAIVE, DOGS) == [["n", "a", "Ã", "¯", "v", "e"], ["Ġdog", "s"]]


def test_a_blank_that_a_piece_covers_does_not_join_it_to_the_word_before(roberta: LanguageModel) -> None:
    roberta.tokenizer.backend_tokenizer.post_processor.trim_offsets = False
    try:
        assert spelt(roberta, "the dog", Span(0, 3), Span(4, 7))[1] == ["Ġdog"]
    finally:
        roberta.tokenizer.backend_tokenizer.post_processor.trim_offsets = True


@pytest.mark.parametrize("span", [Span(0, 1), Span(0, 4)])
def test_a_word_with_an_unknown_piece_is_not_seen(bert: LanguageModel, span: Span) -> None:
    assert spelt(bert, "☃cat", span) == [[]]


def test_letters_that_the_tokenizer_drops_are_not_seen(bert: LanguageModel) -> None:
    assert spelt(bert, "\x07\x07 cat", Span(0, 2), Span(3, 6)) == [[], ["cat"]]


def test_what_is_cut_off_is_not_seen(model: LanguageModel) -> None:
    text = "cat " * 200 + "dog"

    assert spelt(model, text, Span(800, 803)) == [[]]
