"""The quick way to cut plain sentences gives what the pattern of tokens gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from everyword.sentences.tokens import PLAIN, TOKEN, token_spans, tokens_of


@given(st.text("aBcX  ,.!?'-1é", max_size=12))
def test_the_quick_way_cuts_the_same(text: str) -> None:
    assert tokens_of(text) == TOKEN.findall(text) == [span.text for span in token_spans(text)]


def test_plain_sentences_take_the_quick_way() -> None:
    assert PLAIN.fullmatch("Two women, both smiling, walk along the beach.")
    assert not PLAIN.fullmatch("Two women don't walk.")
    assert not PLAIN.fullmatch("Mr. Wu walks.")
    assert tokens_of("Two women,both smiling !") == ["Two", "women", "both", "smiling"]
