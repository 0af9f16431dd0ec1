from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import everyword
from everyword import config
from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.text.mixed import MixedUnits, MixedUnitsConfig
from everyword.text.units import UNK
from everyword.text.vocabulary import (
    VocabularyConfig,
    alphabet,
    build_units,
    drop_numerals,
    learn_pieces,
    most_used,
    read_pieces,
    stem_whole_words,
)

WORDS = [
    "".join(parts)
    for parts in product(
        ["walk", "talk", "play", "jump", "naïv", "2nd", "route66", "日本"],
        ["", "s", "ed", "ing", "er", "ers"],
        ["", "'s"],
    )
]
LEARN_IN_A_FRESH_PROCESS = """
import sys
from everyword.text.vocabulary import learn_pieces
sys.stdout.buffer.write("\\n".join(learn_pieces(sys.argv[1].split(","), 120)).encode())
"""


def test_learning_twice_gives_the_same_pieces() -> None:
    assert learn_pieces(WORDS, 120) == learn_pieces(WORDS, 120)


def test_pieces_depend_on_nothing_but_the_words() -> None:
    pieces = learn_pieces(WORDS, 120)

    for seed in ("1", "2"):
        source = Path(everyword.__file__).parents[1]
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(source)}
        command = [sys.executable, "-c", LEARN_IN_A_FRESH_PROCESS, ",".join(WORDS)]
        learnt = subprocess.run(command, env=env, capture_output=True, check=True).stdout.decode()
        assert learnt.split("\n") == pieces


def test_frequent_words_become_pieces_of_their_own_and_rare_ones_are_cut() -> None:
    pieces = learn_pieces(WORDS, 70)

    assert {"walk", "walks"} <= set(pieces)
    assert "日本ers's" not in pieces


@pytest.mark.parametrize("size", [70, 90, 120])
def test_as_many_pieces_are_learnt_as_asked_for(size: int) -> None:
    pieces = learn_pieces(WORDS, size)

    assert len(pieces) == len(set(pieces)) == size


def test_the_alphabet_is_always_there() -> None:
    assert set(learn_pieces(WORDS, 1)) == set(alphabet(WORDS))
    assert alphabet(["ba", "b"]) == ["a", "b", "##a", "##b"]


def test_no_words_give_no_pieces() -> None:
    assert learn_pieces([], 10) == []


def test_whole_words_are_stemmed_and_continuations_are_not() -> None:
    pieces = ["walks", "##ing", "walked", "walk", "##ed", "running", "##walks"]

    assert stem_whole_words(pieces, "english") == ["walk", "##ing", "##ed", "run", "##walks"]


def test_numerals_go_but_single_digits_stay() -> None:
    pieces = ["1", "##2", "10", "##00", "2nd", "route66", "walk", "##s", "#", "##", "###", "²", "x²"]

    assert drop_numerals(pieces) == ["1", "##2", "walk", "##s", "#", "##", "###", "²"]


def test_the_most_used_pieces_are_kept_in_their_order() -> None:
    pieces = ["a", "b", "c", "d", "e", "##x", "z"]
    words = ["z", "zx", "zxx", "z", "a", "b", "c", "d", "d"]

    assert most_used(pieces, words, 1) == ["z"]
    assert most_used(pieces, words, 2) == ["##x", "z"]
    assert most_used(pieces, words, 3) == ["d", "##x", "z"]


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1), st.integers(1, 8))
def test_no_piece_that_is_left_out_is_used_more_than_one_that_is_kept(words: list[str], count: int) -> None:
    pieces = [*alphabet(["abc"]), "ab", "##bc", "abc", "never"]
    units = MixedUnits(pieces, MixedUnitsConfig(input="subword"))
    shown = [units.units[row] for word in words for row in units.ids(word)]
    counts = {piece: shown.count(piece) for piece in pieces}

    kept = most_used(pieces, words, count)

    assert len(kept) == min(count, sum(times > 0 for times in counts.values()))
    fewest = min(counts[piece] for piece in kept)
    assert all(counts[piece] <= fewest for piece in pieces if piece not in kept)


def test_pieces_are_read_from_a_bert_vocabulary_without_its_special_entries(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text(
        "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n!\n[\n]\n#\nthe\n##s\n東\n\nthe\n", encoding="utf-8"
    )

    assert read_pieces(path) == ["!", "[", "]", "#", "the", "##s", "東"]


def test_windows_line_ends_are_no_part_of_a_piece(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes(b"the\r\n##s\r\n")

    assert read_pieces(tmp_path / "vocab.txt") == ["the", "##s"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no file of word pieces .*vocab.txt"),
        (b"", "is empty; a file of word pieces was expected"),
        (b"[PAD]\n[CLS]\n\n", "holds no word pieces"),
        (b"caf\xe9\n", "cannot be read as UTF-8"),
    ],
)
def test_a_file_without_pieces_is_explained(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "vocab.txt"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InputError, match=message):
        read_pieces(path)


@pytest.mark.parametrize(
    "shrink", [(), ("stem",), ("numerals",), ("top",), ("stem", "numerals", "top"), ("top", "stem")]
)
@pytest.mark.parametrize("buckets", [None, 7])
def test_no_training_word_has_an_unknown_unit(shrink: tuple[Any, ...], buckets: int | None) -> None:
    vocabulary = VocabularyConfig(size=120, top=20, shrink=shrink)

    units = build_units(WORDS, vocabulary, MixedUnitsConfig(buckets=buckets))

    assert not any(UNK in units.ids(word) for word in WORDS)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1), min_size=1))
def test_no_training_word_of_any_script_has_an_unknown_unit(words: list[str]) -> None:
    units = build_units(words, VocabularyConfig(size=50), MixedUnitsConfig())

    assert not any(UNK in units.ids(word) for word in words)


@pytest.mark.parametrize(
    ("shrink", "kept", "gone"),
    [
        ((), {"walks", "route66"}, set()),
        (("stem",), {"walk", "##s"}, {"walks"}),
        (("numerals",), {"walks", "2", "##6"}, {"route66", "##66"}),
        (("stem", "numerals"), {"walk", "2"}, {"walks", "route66"}),
    ],
)
def test_each_step_shrinks_the_list_as_it_says(shrink: tuple[Any, ...], kept: set[str], gone: set[str]) -> None:
    words = ["walks", "route66", *WORDS]

    units = build_units(words, VocabularyConfig(size=150, shrink=shrink), MixedUnitsConfig()).units

    assert kept <= set(units)
    assert gone.isdisjoint(units)


def test_the_step_top_leaves_the_alphabet_and_so_many_pieces() -> None:
    units = build_units(WORDS, VocabularyConfig(size=150, shrink=("top",), top=10), MixedUnitsConfig())

    assert len(units.units) <= 5 + len(alphabet(WORDS)) + 10


def test_pieces_of_a_file_are_taken_instead_of_learnt_ones(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[CLS]\nwalk\n##ing\n")
    vocabulary = VocabularyConfig(pieces=str(tmp_path / "vocab.txt"), shrink=())

    units = build_units(["cat"], vocabulary, MixedUnitsConfig(input="subword")).units

    assert units[5:] == [*alphabet(["cat"]), "walk", "##ing"]


@pytest.mark.parametrize("key", ["size", "top"])
def test_a_size_below_one_is_refused(key: str) -> None:
    with pytest.raises(ConfigError, match=f"{key} must be 1 or more"):
        config.build(VocabularyConfig, {key: 0})


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no stemmer for 'elvish'"):
        build_units(WORDS, VocabularyConfig(size=70, language="elvish"), MixedUnitsConfig())
