"""From a dictionary, frequencies and vectors to a table in the English space."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_table
from tiny_language import TinyLanguage, tiny_language

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.systems.language.build import RECORD, RELIABILITY, SECTIONS, LanguageFiles, build_language
from everyword.systems.language.combine import least_squares
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.english import EnglishModel, EnglishTable, Translated
from everyword.systems.language.lexicon import Dictionary
from everyword.systems.language.relatives import beginnings, endings, relatives
from everyword.text.normalise import Normaliser
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

CONFIG = LanguageConfig()


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> TinyLanguage:
    return tiny_language(tmp_path_factory.mktemp("language"))


def built(language: TinyLanguage, folder: Path, **files: object) -> VectorTable:
    given = LanguageFiles(language.dictionary, language.frequencies, **files)  # type: ignore[arg-type]
    english = EnglishTable(VectorTable.load(language.english))
    vectors = VectorTable.load(language.vectors)
    return VectorTable.load(build_language(given, vectors, english, CONFIG, folder, normalise=Normaliser()))


def cosines(language: TinyLanguage, table: VectorTable, words: list[str]) -> FloatArray:
    """Cosines of words of the language to the English words that they translate."""
    english = VectorTable.load(language.english)
    own = unit_rows(np.array([table[language.word(word)] for word in words]))
    meant = unit_rows(np.array([english[word] for word in words]))
    found: FloatArray = (own * meant).sum(axis=1)
    return found


def test_words_with_and_without_a_translation_lie_beside_their_english_words(
    language: TinyLanguage, tmp_path: Path
) -> None:
    table, words = built(language, tmp_path), tiny_table().words
    listed = language.dictionary.read_text(encoding="utf-8")
    unknown = [word for word in words if f"\n{word}\t" not in listed]

    assert len(unknown) == 50
    assert cosines(language, table, words).mean() > 0.95
    assert cosines(language, table, unknown).mean() > 0.9
    assert json.loads((tmp_path / SECTIONS).read_text()) == {"words": 300}
    assert len(np.load(tmp_path / RELIABILITY)) == 300


def test_pairs_that_judge_change_the_table_and_are_counted(language: TinyLanguage, tmp_path: Path) -> None:
    judged = tiny_table().words[:40]
    pairs = "".join(f"{word.upper()}\t{language.word(word).title()}\n" for word in judged)
    (tmp_path / "test.tsv").write_text("source\ttarget\n" + pairs, encoding="utf-8")
    whole, without = built(language, tmp_path / "a"), built(language, tmp_path / "b", exclude=[tmp_path / "test.tsv"])
    records = [json.loads((tmp_path / run / RECORD).read_text()) for run in "ab"]
    listed = [line.split("\t")[0] for line in language.dictionary.read_text(encoding="utf-8").splitlines()]

    assert records[0]["rows left out"] == 0
    assert records[1]["rows left out"] == len(set(judged) & set(listed)) > 20
    assert records[0]["translated"] - records[1]["translated"] == records[1]["rows left out"]
    assert cosines(language, without, judged).mean() < cosines(language, whole, judged).mean()


def test_a_dictionary_and_vectors_of_two_languages_are_refused(language: TinyLanguage, tmp_path: Path) -> None:
    english, names = EnglishTable(VectorTable.load(language.english)), [f"word{row}" for row in range(30)]
    other = VectorTable(names, np.ones((30, 3), dtype=np.float32))

    with pytest.raises(InputError, match="have 0 words in common, and 20 are needed"):
        build_language(
            LanguageFiles(language.dictionary), other, english, CONFIG, tmp_path / "x", normalise=Normaliser()
        )
    assert not (tmp_path / "x").exists()


def test_a_dictionary_in_which_no_english_word_has_a_vector_is_refused(language: TinyLanguage, tmp_path: Path) -> None:
    english = EnglishTable(VectorTable(["one", "two"], np.eye(2, dtype=np.float32)))

    with pytest.raises(InputError, match="is its first column English"):
        build_language(
            LanguageFiles(language.dictionary),
            VectorTable.load(language.vectors),
            english,
            CONFIG,
            tmp_path / "x",
            normalise=Normaliser(),
        )


def test_rare_translations_and_those_of_many_words_count_less() -> None:
    table = VectorTable(["do", "make", *map(str, range(5000)), "fabricate"], np.eye(5003, 4, dtype=np.float32) + 0.1)
    dictionary = Dictionary({"machen": {"do": 1, "make": 1, "fabricate": 1}, "tun": {"do": 1}})
    translated = Translated(dictionary, EnglishTable(table), CONFIG)
    do, make, fabricate = translated.weights["machen"]

    assert make > do
    assert make > fabricate


def test_an_english_model_hides_its_foreign_words(tiny_dan_model: Model) -> None:
    known = tiny_dan_model.known_words
    sections = {"words": len(known) - 50, "foreign": 50}
    model = tiny_dan_model.with_known(type(known)(list(known.words), known.matrix, sections))
    foreign, own = known.words[len(known) - 1], known.words[0]
    english = EnglishModel(model)
    vectors, sure = english.read_as_english([own, foreign])

    assert own in english.index
    assert foreign not in english.index
    assert sure[0] == 1
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_forms_and_compounds_have_relatives() -> None:
    words = ["zeitung", "zeitungen", "leukämie", "patient", "leukämiepatient", "leukamien", "ab"]
    translated = {"zeitung": 0, "leukämie": 1, "patient": 2}
    found = relatives(words, translated, np.zeros((len(words), 2), dtype=np.float32), CONFIG)
    ends, begins, table = endings(words, translated), beginnings(words, translated), np.eye(3, dtype=np.float32)
    every = np.arange(len(words))

    assert found.means(table, every)[[1, 5]].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert found.means(table, every)[0].tolist() == [0, 0, 0], "a word is not its own relative"
    assert ends.means(table, every)[4].tolist() == [0, 0, 1]
    assert begins.means(table, every)[4].tolist() == [0, 1, 0]
    assert found.strength[6] == ends.strength[6] == 0


def test_weights_are_found_by_least_squares_and_none_is_negative() -> None:
    rng = np.random.default_rng(0)
    one, two, three = rng.normal(size=(3, 500, 8)).astype(np.float32)
    weights = least_squares(iter([([one, two, three], 0.5 * one + 2 * two - three)]))

    np.testing.assert_allclose(weights, [0.5, 2, 0], atol=0.2)
