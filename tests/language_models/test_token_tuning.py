from __future__ import annotations

from pathlib import Path

import pytest

from everyword.errors import InputError
from everyword.language_models.fine_tuning import FineTuning
from everyword.language_models.token_tuning import fine_tune_tagger, new_tagger, tag_words

SENTENCES = [("the", "cat", "walked"), ("the", "city"), ("cat", "the", "city"), ("city", "walked", "the")] * 8
TAGS = [[int(word in ("cat", "city")) for word in words] for words in SENTENCES]


def test_a_tagger_learns_and_long_sentences_are_cut_off(tiny_bert_folder: Path) -> None:
    network, tokenizer = new_tagger(tiny_bert_folder, 2, device="cpu")

    def right() -> float:
        found = tag_words(network, tokenizer, SENTENCES, cut_off=0)
        return sum(one == other for one, other in zip(found, TAGS, strict=True)) / len(TAGS)

    fine_tune_tagger(network, tokenizer, SENTENCES, TAGS, right, FineTuning(epochs=40, batch=8, rate=1e-2))
    assert right() > 0.9
    [found] = tag_words(network, tokenizer, [("the", "cat", "city", "cat")], cut_off=7, longest=4)
    assert found[2:] == [7, 7], "two words and two special pieces"
    assert tag_words(network, tokenizer, [("cat",), SENTENCES[0]], cut_off=0)[1] == TAGS[0], "padding changes nothing"


def test_every_word_needs_a_tag(tiny_bert_folder: Path) -> None:
    network, tokenizer = new_tagger(tiny_bert_folder, 2, device="cpu")
    with pytest.raises(InputError, match="a tag for each of their words"):
        fine_tune_tagger(network, tokenizer, [("the", "cat")], [[0]], lambda: 0.0)
