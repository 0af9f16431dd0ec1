from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from random import Random

import pytest

from everyword.corpus.codespell_split import EVALUATION_PAIRS, Pair, load_split, split_pairs
from everyword.errors import InputError
from everyword.evaluation.tasks.misspelling import MisspellingSet

WORDS = [f"{one}{two}word" for one in "abcdefghij" for two in "klmnopqrst"]
PAIRS: list[Pair] = [(word[:place] + word[place + 1 :], word) for word in WORDS for place in range(3)]


def test_the_first_by_sha256_are_drawn() -> None:
    split = split_pairs(PAIRS, WORDS, size=20)

    by_hand = sorted((hashlib.sha256(f"{wrong}\t{right}".encode()).hexdigest(), wrong, right) for wrong, right in PAIRS)
    assert list(split.evaluation) == [(wrong, right) for _, wrong, right in by_hand[:20]]


def test_a_draw_that_must_never_change() -> None:
    """The digests begin with 025d9a, de493b, a242a3 and 6be3dd."""
    pairs = [("teh", "the"), ("adn", "and"), ("hte", "the"), ("recieve", "receive")]

    split = split_pairs(pairs, ["the", "and", "receive"], size=3)

    assert split.evaluation == [("teh", "the"), ("recieve", "receive"), ("hte", "the")]
    assert split.training == [("adn", "and")]


def test_no_misspelling_of_an_evaluated_word_is_trained_on() -> None:
    split = split_pairs(PAIRS, WORDS, size=20)

    judged = {right for _, right in split.evaluation}
    assert judged.isdisjoint(right for _, right in split.training)
    assert len(split.training) == sum(right not in judged for _, right in PAIRS)


def test_order_repeats_and_case_play_no_part() -> None:
    shuffled = [(wrong.upper(), right.title()) for wrong, right in PAIRS + PAIRS[:50]]
    Random(3).shuffle(shuffled)

    one, other = split_pairs(PAIRS, WORDS, size=20), split_pairs(shuffled, WORDS, size=20)

    assert one.evaluation == other.evaluation
    assert sorted(one.training) == sorted(other.training)


def test_only_letters_and_only_candidates_are_judged_but_all_pairs_may_train() -> None:
    pairs = [("it's", "its"), ("naïv", "naive"), ("l8", "late"), ("zooo", "zoo"), ("teh", "the")]

    split = split_pairs(pairs, ["its", "naive", "late", "the"])

    assert split.evaluation == [("teh", "the")]
    assert split.training == pairs[:4]


def test_fewer_pairs_than_asked_for_are_all_taken() -> None:
    assert len(split_pairs(PAIRS, WORDS).evaluation) == len(PAIRS) < EVALUATION_PAIRS


def test_no_pair_with_a_candidate() -> None:
    with pytest.raises(InputError, match="None of the 300 pairs has its right word among the 1 candidates"):
        split_pairs(PAIRS, ["zoo"])


def test_read_from_a_file_and_handed_to_the_task(tmp_path: Path) -> None:
    path = tmp_path / "made.tsv.gz"
    path.write_bytes(gzip.compress(b"wrong\tright\nteh\tthe\nform\tfrom\nform\tforum\n"))

    data = MisspellingSet.of_pairs("made", load_split(path, ["the", "from", "forum"]).evaluation)

    assert data.name == "made"
    assert data.rights["teh"] == ["the"]
    assert sorted(data.rights["form"]) == ["forum", "from"]
