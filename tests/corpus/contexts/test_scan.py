from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.config import check
from everyword.corpus.contexts import scan
from everyword.corpus.contexts.scan import Scan, ScanResult, split_sentences
from everyword.corpus.contexts.spec import SentenceBounds
from everyword.corpus.contexts.word_matcher import MAX_WORDS, HashTable, WordMatcher
from everyword.corpus.contexts.word_spans import WordSpans
from everyword.errors import ConfigError, InputError
from everyword.language_models.mentions import MentionFinder

from .made_corpus import WORDS, naive, sentences

ODD = [
    "Ἀθῆναι ΟΔΟΣ οδος",
    "ISTANBUL İstanbul ıstanbul",
    "cafe\u0301 CAFÉ café",
    "\u0301a b\u0301\u0302",
    "a_b __ 1a",
    "\u1112\u1161\u11ab 한",
    "",
    "ß ẞ",
]


def found_in(lines: list[str], words: list[str], most: int = 100, blocks: int = 1) -> ScanResult:
    made = Scan(WordMatcher(words), most, SentenceBounds())
    step = -(-len(lines) // blocks)
    for start in range(0, len(lines), step):
        made.add("\n".join(lines[start : start + step]))
    return made.finish()


def counts_by_mentions(lines: list[str], words: list[str]) -> list[int]:
    mentions = MentionFinder(words)
    rows = [mention.row for line in lines for mention in mentions.find(line)]
    return np.bincount(rows, minlength=len(mentions.spellings)).tolist()


def test_words_and_phrases_are_counted_as_mentions_finds_them() -> None:
    lines = sentences(2000)

    assert found_in(lines, WORDS).counts.tolist() == counts_by_mentions(lines, WORDS)
    assert sum(counts_by_mentions(lines, WORDS)) > 2000


def test_odd_letters_are_counted_as_mentions_finds_them() -> None:
    words = [word for line in ODD for word in line.split()]

    assert found_in(ODD, words).counts.tolist() == counts_by_mentions(ODD, words)


@settings(deadline=None)
@given(st.lists(st.text("aAbB éÉΣσ\u0301-_.İ1\xa0", max_size=20), min_size=1, max_size=6))
def test_any_letters_are_counted_as_mentions_finds_them(lines: list[str]) -> None:
    words = ["a", "ab", "É", "σ", "a-b", "a b", "1", "bé b"]

    assert found_in(lines, words).counts.tolist() == counts_by_mentions(lines, words)


def test_the_sentences_are_those_in_which_a_word_stands() -> None:
    lines = sentences(300)
    found = found_in(lines, WORDS, most=10_000)

    for row, (_, expected) in enumerate(naive(lines, WordMatcher(WORDS).spellings).values()):
        places = found.numbers[found.keys >> np.uint64(40) == row]
        assert {found.sentences[place] for place in places} == expected


def test_blocks_and_what_is_thrown_away_early_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = sentences(1500)
    whole = found_in(lines, WORDS, most=5)
    monkeypatch.setattr(scan, "MAX_PENDING", 50)

    parts = found_in(lines, WORDS, most=5, blocks=40)

    assert whole.keys.tolist() == parts.keys.tolist()
    assert [whole.sentences[place] for place in whole.numbers] == [parts.sentences[place] for place in parts.numbers]
    assert np.bincount((parts.keys >> np.uint64(40)).astype(int)).max() == 5


def test_a_sentence_with_a_word_twice_is_one_context_and_two_counts() -> None:
    found = found_in(["a cat saw a cat there", '"A cat saw  a cat there!"'], ["cat"])

    assert found.counts.tolist() == [4]
    assert found.sentences == ["a cat saw a cat there"]


def test_short_sentences_count_and_are_no_contexts() -> None:
    found = found_in(["a cat sat", "the cat sat there"], ["cat"])

    assert (found.counts.tolist(), found.sentences) == ([2], ["the cat sat there"])


def test_long_lines_are_cut_at_sentence_ends_and_then_by_words() -> None:
    line = "Mr. X came (at 5 p.m.) to see us all. " + "Word " * 7 + 'he said "go." Then it was over.'

    assert split_sentences(line, 10) == [
        "Mr.",
        "X came (at 5 p.m.) to see us all.",
        'Word Word Word Word Word Word Word he said "go."',
        "Then it was over.",
    ]
    assert " ".join(split_sentences("a " * 25, 10)).split() == ["a"] * 25


@pytest.mark.parametrize(
    ("shortest", "longest", "problem"),
    [
        (0, 5, "shortest must be 1 or more. Got 0 instead"),
        (5, 4, "shortest must not be above longest. Got 5 and 4 instead"),
        (-1, -1, "longest must be 1 or more. Got -1 instead"),
    ],
)
def test_bounds_that_hold_nothing_are_refused(shortest: int, longest: int, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        check(SentenceBounds(shortest, longest))


def test_words_that_no_text_can_hold_are_known() -> None:
    wanted = WordMatcher(["cat", "c++", "...", "Cat", "e-mail"])

    assert wanted.row_of_word == [0, 1, 2, 0, 3]
    assert wanted.unfindable.tolist() == [1, 2]


def test_too_many_words_are_refused() -> None:
    with pytest.raises(InputError, match=r"At most 16,777,216 words can be searched for\. Got .*; divide the list\."):
        WordMatcher(range(MAX_WORDS + 1))  # type: ignore[arg-type]


def test_numbers_in_the_same_slot_are_told_apart() -> None:
    numbers = np.random.default_rng(0).integers(0, 2**63, 5000).astype(np.uint64)
    index = HashTable(numbers, np.arange(5000))

    assert index.rows(numbers).tolist() == list(range(5000))
    assert (index.rows(numbers + np.uint64(1)) == -1).all()


def test_no_two_of_many_words_share_a_number() -> None:
    words = sorted({f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefghij0123456789" for c in range(300)})

    assert len(set(WordSpans(words).hashes().tolist())) == len(words)


def test_lines_whose_hashes_agree_in_a_key_are_told_apart_by_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordSpans, "line_hashes", lambda runs: np.arange(len(runs.bounds) - 1, dtype=np.uint64))

    found = found_in(["a cat is here now", "a dog is here now", "a dog was there then"], ["dog", "cat", "then"])

    assert [found.sentences[number] for number in found.numbers] == [
        "a dog is here now",
        "a cat is here now",
        "a dog was there then",
    ]
