from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from made import write

from everyword.corpus.human_misspellings import load_human_misspellings, load_normalisations, may_be_trained_on
from everyword.errors import InputError

WORDS = [f"word{number}" for number in range(200)]


def test_the_rule_is_two_bytes_of_the_fingerprint() -> None:
    for word in WORDS:
        first, second = hashlib.sha256(word.encode()).digest()[:2]
        assert may_be_trained_on(word) == may_be_trained_on(word.upper()) == (first % 2 == 0 and second % 5 != 0)
    assert 60 < sum(map(may_be_trained_on, WORDS)) < 100


def test_pairs_are_lowered_and_words_that_judge_left_out(tmp_path: Path) -> None:
    lines = [f"{word}X\t{word.upper()}" for word in WORDS]
    path = write(tmp_path / "wrong.tsv", "\n".join(["wrong\tright", *lines, *lines, "word1\tword1"]) + "\n")
    assert load_human_misspellings(path) == [(word + "x", word) for word in WORDS if may_be_trained_on(word)]


def test_only_single_words_that_change_are_normalised(tmp_path: Path) -> None:
    right = next(word for word in ("you", "tomorrow", "people", "because", "please") if may_be_trained_on(word))
    text = f"U\t{right}\n\nlol\tlaughing out loud\n{right}\t{right.upper()}\n@me\t{right}\n"
    assert load_normalisations(write(tmp_path / "tweets.conll", text)) == [("u", right)]


def test_a_line_without_a_normal_form_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "tweets.conll", "u\tyou\nthis is a sentence\n")
    with pytest.raises(InputError, match=r"tweets\.conll:2: needs a word, a tab and its normal form\. Got 'this is"):
        load_normalisations(path)
