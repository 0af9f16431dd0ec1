"""The input vectors of a language model, for words that are one piece to it."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import tokenize_in_template
from everyword.vectors.table import VectorTable

BEFORE = "a"
INSIDE_A_TEXT = BEFORE + " {}"
"""A word stands behind another one, because byte-pair tokenizers have a piece for it with the blank before it."""


def input_table(model: LanguageModel, words: Sequence[str] | None = None) -> VectorTable:
    """The rows of the model's input matrix for words that are one piece; by default, for all words it has.

    Words of several pieces are left out, with a warning that counts them.
    """
    if words is None:
        piece_of = single_piece_words(model)
        return VectorTable(list(piece_of), model.input_matrix()[list(piece_of.values())])
    listed = unique_words(words)
    piece_of = {
        word: piece for word, piece in zip(listed, single_pieces(model, listed), strict=True) if piece is not None
    }
    warn_left_out(
        [word for word in listed if word not in piece_of],
        len(listed),
        f"they are not one piece to the tokenizer of {model.name}",
        "take the vector of the bare word instead",
    )
    return VectorTable(list(piece_of), model.input_matrix()[list(piece_of.values())])


def single_piece_words(model: LanguageModel) -> dict[str, int]:
    """The words that have a piece of their own, and that piece, in the order of the vocabulary."""
    tokenizer = model.tokenizer
    special = set(tokenizer.all_special_ids)
    pieces = [piece for piece in range(len(tokenizer)) if piece not in special]
    tokens = tokenizer.convert_ids_to_tokens(pieces)
    spelt = [tokenizer.convert_tokens_to_string([token]).strip() for token in tokens]
    # A continuation such as ##ing, or half of a letter's bytes, is not what its spelling is cut into.
    found = zip(spelt, pieces, single_pieces(model, spelt), strict=True)
    return {word: piece for word, piece, only in found if word and piece == only}


def single_pieces(model: LanguageModel, words: Sequence[str]) -> list[int | None]:
    """The piece of each word that adds just one piece to a text; the blank before it may be one of its own."""
    without_word = len(model.tokenise([BEFORE])[0].ids)
    return [
        text.ids[text.spans[0].start] if len(text.ids) == without_word + 1 and not text.spans[0].empty else None
        for text in tokenize_in_template(model, words, INSIDE_A_TEXT)
    ]
