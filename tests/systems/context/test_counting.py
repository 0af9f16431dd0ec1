"""Counts of a corpus, errors that are put into it, and thresholds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword import InputError, Model
from everyword.config import build
from everyword.errors import ConfigError
from everyword.models.load import load
from everyword.sentences.context.candidates import CandidateLists
from everyword.sentences.context.stream import Numbering
from everyword.systems.context.cases import ErrorMaker, spoilt_texts
from everyword.systems.context.config import ContextConfig
from everyword.systems.context.counting import Counter, NgramCounts
from everyword.systems.context.train import HeldOut, Sources, train_context

LINES = ["The cat sat on the mat.", "the cat sat, and the dog ran", "The zzyzx cat sat on 3 mats."]


@pytest.fixture(scope="module")
def english() -> Model:
    return load()


@pytest.fixture(scope="module")
def numbering(english: Model) -> Numbering:
    return Numbering(english.known_words, english.normalise)


def test_pairs_and_triples_are_counted(numbering: Numbering) -> None:
    counter = Counter(numbering, ContextConfig(reach=100_000, least=1))
    counter.count(LINES)
    counter.count(LINES[:1], weight=2.0)
    counts = counter.result()

    def numbers(*words: str) -> list[np.ndarray]:
        return [np.array([numbering.of_items([word])[0]]) for word in words]

    assert counts.words[numbers("cat")[0]] == 5
    assert counts.of_ngrams(*numbers("the", "cat")) == pytest.approx(4, rel=0.2)
    assert counts.of_ngrams(*numbers("cat", "sat", "on")) == pytest.approx(4, rel=0.2)
    assert counts.of_ngrams(*numbers("sat", ",")) == pytest.approx(1, rel=0.2)
    assert counts.of_ngrams(*numbers("zzyzx", "cat")) == 0
    assert counts.of_ngrams(*numbers("mat", "the")) == 0


def test_ngrams_are_merged_block_by_block() -> None:
    rng, counts = np.random.default_rng(0), NgramCounts()
    keys = rng.integers(0, 50, 3000)
    for part in np.split(keys, 6):
        counts.add(part, 0.5)
        counts.merge()

    found, often = counts.at_least(0)

    np.testing.assert_array_equal(found, np.unique(keys))
    np.testing.assert_allclose(often, np.bincount(keys) / 2)


def test_rare_ngrams_are_left_out(numbering: Numbering) -> None:
    counter = Counter(numbering, ContextConfig(least=2, most=3))
    counter.count(LINES)
    assert len(counter.result().ngrams) == 3

    empty = Counter(numbering, ContextConfig())
    empty.count(["one two"])
    with pytest.raises(InputError, match="give more text"):
        empty.result()


def test_errors_stand_where_the_right_words_stood(english: Model, numbering: Numbering) -> None:
    maker = ErrorMaker([("recieve", "receive")], numbering, CandidateLists(english, numbering), Random(1))
    texts = [f"We receive a letter number {number} about the heavy weather in this town." for number in range(60)]

    cases = spoilt_texts(maker, texts)

    assert len(cases) > 40
    for case in cases:
        text = case.text
        for begin, right in sorted(case.right.items(), reverse=True):
            end = next(place for place in range(begin, len(text) + 1) if not text[place : place + 1].isalpha())
            text = text[:begin] + right + text[end:]
        assert text in texts
    assert any("recieve" in case.text for case in cases)


def test_lines_are_held_out() -> None:
    held_out = HeldOut()
    passed = list(held_out.all_but_last(map(str, range(100)), 20))

    assert len(passed) + len(held_out.lines) == 100
    assert held_out.lines == [str(number) for number in range(100 - len(held_out.lines), 100)]
    assert 8 <= len(held_out.lines) <= 10
    assert list(HeldOut().all_but_every("abcdef", 3)) == ["a", "b", "d", "e"]


def test_too_little_text_and_impossible_settings_are_refused(english: Model, tmp_path: Path) -> None:
    corpus = tmp_path / "few.txt"
    corpus.write_text("the cat sat\n" * 50, encoding="utf-8")

    with pytest.raises(InputError, match="1,000 sentences or more"):
        train_context(english, Sources([corpus]), ContextConfig(), print)
    for name, value in (("reach", 0), ("least", 0.0), ("changed", 1.0), ("reach", 1 << 20)):
        with pytest.raises(ConfigError, match=name):
            build(ContextConfig, {name: value}, "context")
