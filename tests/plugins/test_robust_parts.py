"""The parts of a robust language model: which pieces are a word, who gets a vector, where it goes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.explanation import Source
from everyword.models.model import Model
from everyword.plugins.transformers.choices import MISSPELT_SHARE, choice_of
from everyword.plugins.transformers.robust_input import SplitWords
from everyword.plugins.transformers.strategies import Slots


def test_punctuation_and_special_tokens_belong_to_no_word(tokenizer: Any) -> None:
    split = SplitWords(tokenizer, len(tokenizer))
    ids = tokenizer([f"(weasel),weasel;{tokenizer.mask_token}weasel's"], return_tensors="np")["input_ids"]

    spelt = [split.spelling(word.pieces) for word in split.find(ids)]

    assert set(spelt) == {"weasel"}


def test_a_blank_that_is_a_piece_belongs_to_the_word_behind_it(tokenizer: Any) -> None:
    split = SplitWords(tokenizer, len(tokenizer))
    ids = tokenizer.encode("the kitten", add_special_tokens=False)
    (word,) = split.find(np.array([ids]))
    assert split.spelling(word.pieces) == "kitten"
    assert list(word.pieces) == ids[1:]


def test_which_words_get_a_vector(tiny_dan_model: Model) -> None:
    words = ["ban", "bann", "plinnnes", "trusting", "sorug"]
    vectors, origins = tiny_dan_model.encode_with_origins(words)
    known = [origin.source is Source.KNOWN for origin in origins]
    sure = [origin.largest_share >= MISSPELT_SHARE for origin in origins]
    assert any(known)
    for kind, chosen in (
        ("split", [True] * len(words)),
        ("unknown", [not there for there in known]),
        ("misspelt", [not there and one for there, one in zip(known, sure, strict=True)]),
    ):
        given, used = choice_of(tiny_dan_model, kind, None, np.empty(0, dtype=np.float32))(words)
        assert used.tolist() == chosen
        np.testing.assert_array_equal(given, vectors)


def test_words_of_several_pieces_that_the_base_of_the_imputer_knows(
    tiny_adapted_model: AdaptedModel, tokenizer: Any
) -> None:
    """They are spelt right and keep their pieces; their misspellings get the mean of what is known of them."""
    word, rows = tiny_adapted_model.base.known_words.words[0], torch.randn(len(tokenizer), tiny_adapted_model.dim)
    assert not tiny_adapted_model.known(word)

    vectors, used = choice_of(tiny_adapted_model, "misspelt", tokenizer, rows.numpy())([word])

    assert not used[0]
    pieces = tokenizer.encode(f"the {word}", add_special_tokens=False)[1:]
    mapped = tiny_adapted_model[word]
    readable = tokenizer.unk_token_id not in pieces
    expected = (mapped + rows[pieces].mean(dim=0).numpy()) / 2 if readable else mapped
    np.testing.assert_allclose(vectors[0], expected, atol=1e-4)


counts = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=4)


@given(counts, st.booleans())
def test_slots_keep_the_order_of_what_stays(counts: list[list[int]], left: bool) -> None:
    table = np.array(counts)
    table[:, 0] = np.maximum(table[:, 0], 1)  # a text keeps its first piece
    slots = Slots(table, left)
    pieces = torch.arange(table.size).reshape(table.shape) + 1

    moved = slots.moved(pieces, 0)

    for row, of_row in enumerate(table.tolist()):
        expected = [int(pieces[row, place]) for place, count in enumerate(of_row) for _ in range(count)]
        padding = [0] * (moved.shape[1] - len(expected))
        assert moved[row].tolist() == (padding + expected if left else expected + padding)
    back = slots.restored(moved[:, :, None])[:, :, 0]
    stays = torch.from_numpy(table > 0)
    assert torch.equal(back[stays], pieces[stays])
