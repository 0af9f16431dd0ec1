"""Dictionary, frequencies and words of a language."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyword.errors import InputError
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.lexicon import (
    choose_words,
    is_word,
    read_dictionary,
    read_frequencies,
    read_judging,
)
from everyword.text.normalise import Normaliser

SPELT = Normaliser(compatible=True, language="de")


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_dictionary_has_each_translation_once_with_its_parts_of_speech(tmp_path: Path) -> None:
    rows = ("light\tn\tLicht", "light\tadj\tleicht", "Light\tv\tLICHT", "easy\tadj\tleicht")
    path = written(tmp_path / "d.tsv", "english\tpos\ttranslation", *rows)

    assert read_dictionary(path, SPELT, SPELT).translations == {
        "licht": {"light": 2},
        "leicht": {"light": 1, "easy": 1},
    }


@pytest.mark.parametrize(
    "columns", [("source\ttarget", "dedication\tWidmung"), ("source\ttarget", "WIDMUNG\tdedication")]
)
def test_words_that_judge_are_dropped_with_all_translations_in_either_order(
    tmp_path: Path, columns: tuple[str, str]
) -> None:
    rows = ("dedication\tn\tWidmung", "inscription\tn\twidmung", "dedication\tn\tHingabe", "Widmung\tn\tHaus")
    path = written(tmp_path / "d.tsv", "english\tpos\ttranslation", *rows)
    judging = read_judging([written(tmp_path / "test.tsv", *columns)], SPELT)
    read = read_dictionary(path, SPELT, SPELT, judging)

    assert "widmung" not in read.translations
    assert set(read.translations) == {"hingabe", "haus"}
    assert read.dropped == 2


def test_a_decomposed_spelling_judges_too(tmp_path: Path) -> None:
    judging = read_judging([written(tmp_path / "test.tsv", "source\ttarget", "leukemia\tLeuka\u0308mie")], SPELT)
    path = written(tmp_path / "d.tsv", "english\ttranslation", "leukemia\tLeukämie", "cat\tKatze")

    assert set(read_dictionary(path, SPELT, SPELT, judging).translations) == {"katze"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("cat\tKatze", "dog\tHund"), "the first line of a dictionary must name the columns"),
        (("english\tpos\ttranslation", "cat\tKatze"), "d.tsv:2: needs english, pos, translation between tabs"),
        (("source\ttarget", "cat\t"), "d.tsv:2: needs source, target between tabs"),
        (("source\ttarget",), "has no pair that could be used"),
    ],
)
def test_a_file_that_is_not_a_dictionary_is_refused(tmp_path: Path, lines: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_dictionary(written(tmp_path / "d.tsv", *lines), SPELT, SPELT)


def test_frequencies_are_read_most_frequent_first(tmp_path: Path) -> None:
    path = written(tmp_path / "f.tsv", "word\tzipf", "haus\t5.1", "der\t7.5", "Haus\t5.6")

    assert read_frequencies(path, SPELT) == {"der": 7.5, "haus": 5.6}


@pytest.mark.parametrize("line", ["haus", "haus\tvery", "haus\tnan", "haus\t-1", "haus\tinf"])
def test_malformed_frequencies_are_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"f\.tsv:2: needs a word and its frequency"):
        read_frequencies(written(tmp_path / "f.tsv", "word\tzipf", line), SPELT)


def test_an_empty_list_of_frequencies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no words"):
        read_frequencies(written(tmp_path / "f.tsv", "word\tzipf"), SPELT)


def test_words_of_all_alphabets_are_words() -> None:
    assert all(map(is_word, ("straße", "e-mail", "d'accord", "собака", "שלום", "كِتاب", "हिन्दी", "ευρώ")))
    assert not any(map(is_word, ("", "42", "3d", "a_b", "guten tag", "-", "http://a")))


def test_frequent_words_come_first_and_rare_ones_of_the_corpus_are_left_out() -> None:
    counts = {"und": 900, "selten": 4, "wort": 30, "katze": 2}
    words, phrases = choose_words(["katze", "guten tag", "hund"], counts, ["der", "wort"], LanguageConfig())

    assert words == ["der", "wort", "und", "katze", "hund"]
    assert phrases == ["guten tag"]
