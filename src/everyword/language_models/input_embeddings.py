"""Extract the input vectors of a language model, for words that are a single piece."""

from __future__ import annotations

from collections.abc import Sequence

from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.templates import tokenize_in_template
from everyword.vectors.table import VectorTable

PRECEDING_WORD = "a"
IN_TEXT = PRECEDING_WORD + " {}"
"""A word is tokenized after another one, because the pieces of byte-pair tokenizers include the blank before a word."""


def input_table(model: LanguageModel, words: Sequence[str] | None = None) -> VectorTable:
    """Extract rows of the model's input matrix for words that are a single piece.

    Args:
        model: The language model.
        words: The words; by default, all words that are a single piece.

    Returns:
        A table of the words and their rows. Words of several pieces are left out, with a warning that counts them.

    Raises:
        InputError: If no word is a single piece.
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
    """Return the words that are a single piece, with that piece, in the order of the vocabulary."""
    tokenizer = model.tokenizer
    special = set(tokenizer.all_special_ids)
    pieces = [piece for piece in range(len(tokenizer)) if piece not in special]
    tokens = tokenizer.convert_ids_to_tokens(pieces)
    spelt = [tokenizer.convert_tokens_to_string([token]).strip() for token in tokens]
    # A continuation such as ##ing, or half of a letter's bytes, is not what its spelling is cut into.
    found = zip(spelt, pieces, single_pieces(model, spelt), strict=True)
    return {word: piece for word, piece, single in found if word and piece == single}


def single_pieces(model: LanguageModel, words: Sequence[str]) -> list[int | None]:
    """Return the piece of each word that adds a single piece to a text, or None; it may cover the blank before."""
    without_word = len(model.tokenize([PRECEDING_WORD])[0].ids)
    return [
        text.ids[text.spans[0].start] if len(text.ids) == without_word + 1 and not text.spans[0].empty else None
        for text in tokenize_in_template(model, words, IN_TEXT)
    ]
