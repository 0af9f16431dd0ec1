from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.text.mixed import CLS, SEP, SPECIALS, SUB, MixedUnits, MixedUnitsConfig
from everyword.text.units import PAD, UNK

UNITS = [*"misspeln", "miss", "##pel", "##ling", "##s"]
ODD = [
    "#",
    "##",
    "###",
    "####",
    " ",
    "## ",
    "\u2028",
    "##\u2029",
    "\x85",
    "\x1c",
    "\r",
    "##\r",
    "é",
    "e\u0301",
    "😀",
    "[pad]",
]
UNIT_LISTS = st.lists(st.sampled_from(ODD) | st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1))


def names(units: MixedUnits, word: str) -> list[str]:
    return [units.units[row] for row in units.ids(word)]


def test_a_word_is_its_characters_and_then_its_pieces() -> None:
    sequence = "[CLS] m i s s p e l l i n [UNK] [SUB] miss ##pel ##ling [SEP]"

    assert names(MixedUnits(UNITS), "misspelling") == sequence.split()


@pytest.mark.parametrize(
    ("mode", "sequence"),
    [
        ("mixed", "[CLS] m i s s [SUB] miss [SEP]"),
        ("char", "[CLS] m i s s [SEP]"),
        ("subword", "[CLS] miss [SEP]"),
    ],
)
def test_the_input_mode_chooses_the_parts(mode: str, sequence: str) -> None:
    chosen = config.build(MixedUnitsConfig, {"input": mode})

    assert names(MixedUnits(UNITS, chosen), "miss") == sequence.split()


def test_the_specials_have_the_first_rows() -> None:
    assert MixedUnits([]).units == list(SPECIALS)
    assert [PAD, UNK, CLS, SUB, SEP] == [0, 1, 2, 3, 4]
    assert MixedUnits([]).size == 5


def test_the_empty_word_is_only_marks() -> None:
    assert MixedUnits(UNITS).ids("") == [CLS, SUB, SEP]


def test_a_character_and_a_piece_of_one_letter_share_a_row() -> None:
    _, character, _, piece, _ = MixedUnits(UNITS).ids("m")

    assert character == piece


def test_characters_never_met_are_unknown_and_are_reported_once() -> None:
    units = MixedUnits(UNITS)

    assert units.ids("ßx") == [CLS, UNK, UNK, SUB, UNK, UNK, SEP]
    assert units.unknown_characters("xmßxs") == ["x", "ß"]
    assert units.unknown_characters("miss") == []


@pytest.mark.parametrize(
    ("word", "usable"), [("miss", True), ("xxm", True), ("xyz", False), ("", False), ("😀", False)]
)
def test_a_word_is_usable_if_one_of_its_characters_is_known(word: str, usable: bool) -> None:
    assert MixedUnits(UNITS).usable(word) is usable


def test_a_word_that_spells_a_special_entry_is_an_ordinary_word() -> None:
    units = MixedUnits([*"[CLS]", *("##" + character for character in "[CLS]"), "[CLS]", "[PAD]"])

    assert units.units.count("[CLS]") == 1
    assert names(units, "[CLS]") == ["[CLS]", *"[CLS]", "[SUB]", "[", "##C", "##L", "##S", "##]", "[SEP]"]


def test_units_are_listed_once_and_empty_ones_not_at_all() -> None:
    assert MixedUnits(["a", "", "b", "a"]).units == [*SPECIALS, "a", "b"]


@settings(deadline=None)
@given(UNIT_LISTS, st.integers(1, 20) | st.none(), st.text(max_size=8))
def test_every_id_is_a_row_of_the_table(listed: list[str], buckets: int | None, word: str) -> None:
    units = MixedUnits(listed, MixedUnitsConfig(buckets=buckets))

    assert all(0 < row < units.size for row in units.ids(word))


@settings(deadline=None)
@given(UNIT_LISTS, st.integers(1, 20))
def test_with_buckets_characters_keep_rows_of_their_own(listed: list[str], buckets: int) -> None:
    characters = list(dict.fromkeys(unit for unit in listed if len(unit) == 1))
    units = MixedUnits(listed, MixedUnitsConfig(input="char", buckets=buckets))

    rows = [units.ids(character)[1] for character in characters]

    assert rows == list(range(len(SPECIALS), len(SPECIALS) + len(characters)))
    assert units.size <= len(SPECIALS) + len(characters) + buckets


def test_with_one_bucket_all_pieces_share_the_last_row() -> None:
    units = MixedUnits(["a", "ab", "##b", "##ab"], MixedUnitsConfig(input="subword", buckets=1))

    assert units.ids("abab") == [CLS, 6, 6, SEP]
    assert units.ids("a") == [CLS, 5, SEP]


def test_the_bucket_of_a_piece_never_changes() -> None:
    units = MixedUnits(["miss", "##pel", "##ling"], MixedUnitsConfig(input="subword", buckets=1000))

    assert units.ids("misspelling") == [CLS, 342, 741, 880, SEP]


@pytest.mark.parametrize("buckets", [0, -1])
def test_fewer_than_one_bucket_is_refused(buckets: int) -> None:
    with pytest.raises(ConfigError, match="buckets must be 1 or more"):
        config.build(MixedUnitsConfig, {"buckets": buckets})


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(UNIT_LISTS, st.integers(1, 5) | st.none(), st.text(max_size=5))
def test_saved_units_are_read_back_the_same(tmp_path: Path, listed: list[str], buckets: int | None, word: str) -> None:
    units = MixedUnits(listed, MixedUnitsConfig(buckets=buckets))

    units.save(tmp_path / "units.txt")
    read = MixedUnits.load(tmp_path / "units.txt", units.config)

    assert (read.units, read.size, read.ids(word)) == (units.units, units.size, units.ids(word))


def test_a_file_of_units_has_one_a_line(tmp_path: Path) -> None:
    MixedUnits(["a", "##b"]).save(tmp_path / "units.txt")

    assert (tmp_path / "units.txt").read_bytes() == b"[PAD]\n[UNK]\n[CLS]\n[SUB]\n[SEP]\na\n##b\n"


@pytest.mark.parametrize("content", ["", "cat\n", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n"])
def test_a_file_that_is_no_list_of_units_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "vocab.txt").write_text(content)

    with pytest.raises(InputError, match="must begin with"):
        MixedUnits.load(tmp_path / "vocab.txt", MixedUnitsConfig())


@pytest.mark.parametrize("config", [{}, {"input": "char"}, {"input": "subword"}, {"buckets": 3}])
def test_units_are_shown_in_step_with_their_ids(config: dict[str, Any]) -> None:
    units = MixedUnits(["c", "a", "t", "cat", "##s", "s"], MixedUnitsConfig(**config))
    for word in ("cats", "c0ts", "", "0"):
        shown = units.shown(word)
        assert len(shown) == len(units.ids(word))
        if not units.config.buckets:
            assert [units.units[row] for row in units.ids(word)] == shown
    assert MixedUnits(["c", "a", "t", "cat", "##s"], MixedUnitsConfig(buckets=2)).shown("cats")[-3:] == [
        "cat",
        "##s",
        "[SEP]",
    ]
