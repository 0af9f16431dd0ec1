from __future__ import annotations

import pytest

from everyword.language_models.mentions import MentionFinder


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("cat", "The cat, a Cat-like CAT; category concat cat_s", ["cat", "Cat", "CAT", "cat"]),
        ("new york", "New York, new\tyork, new-york, New, York", ["New York", "new\tyork"]),
        ("covid-19", "Covid-19 and covid 19", ["Covid-19"]),
        ("don't", "I don't, DON'T", ["don't", "DON'T"]),
        ("York", "new york", ["york"]),
        ("c++", "c++ and c", []),
        ("größe", "GRÖSSE GRÖßE", ["GRÖßE"]),
        ("i̇stanbul", "İstanbul", ["İstanbul"]),
        ("cafe\u0301", "Caf\u00e9 cafe\u0301 cafe", ["Caf\u00e9", "cafe\u0301"]),
        ("हिन्दी", "हिन्दी, हिन्द", ["हिन्दी"]),
        ("b2b", "b2b b2 b", ["b2b"]),
    ],
)
def test_where_words_are_found(word: str, text: str, found: list[str]) -> None:
    spans = [mention.letters for mention in MentionFinder([word]).find(text)]

    assert [text[span.start : span.stop] for span in spans] == found


def test_a_word_inside_a_phrase_counts_too() -> None:
    mentions = MentionFinder(["york", "new york", "new"])

    assert [mentions.spellings[found.row] for found in mentions.find("New York")] == ["new", "new york", "york"]


def test_spellings_that_differ_in_case_share_a_row() -> None:
    mentions = MentionFinder(["Paris", "rome", "paris"])

    assert mentions.spellings == ["paris", "rome"]
    assert mentions.row_of_word == [0, 1, 0]
