"""From a dictionary, frequencies and vectors to a table in the English space."""

from __future__ import annotations

import json
from itertools import product
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
from everyword.systems.language.relatives import Weighted, beginnings, endings, expected_cosines, relatives
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
    translated = Translated(dictionary, EnglishTable(table), LanguageConfig(spread=0.5, rarity=0.25))
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
    translated = {"zeitung": 0, "leukämie": 2, "patient": 3}
    found = {
        name: [(words[one], words[other]) for one, other in zip(pairs.words, pairs.relatives, strict=True)]
        for name, pairs in (
            ("alike", relatives(words, translated, CONFIG.shared)),
            ("end", endings(words, translated)),
            ("beginning", beginnings(words, translated)),
        )
    }

    assert found["alike"] == [("zeitungen", "zeitung"), ("leukamien", "leukämie")], "a word is not its own relative"
    assert found["end"] == [("leukämiepatient", "patient")]
    assert found["beginning"] == [("leukämiepatient", "leukämie")]
    assert relatives(words, translated, CONFIG.shared).rests == [("en", ""), ("n", "")]


def test_endings_that_keep_the_meaning_are_learnt_from_the_dictionary() -> None:
    stems = ["".join(letters) for letters in product("bdfg", "aeiou", "klmn", "aeiou")]
    vectors = unit_rows(np.random.default_rng(0).normal(size=(3 * len(stems), 40)).astype(np.float32))
    words = [stem + ending for stem in stems for ending in ("", "en", "or")]
    vectors[1::3] = vectors[::3]
    translations = vectors.copy()
    translations[[-1, -2]] = 0
    translated = {word: row for row, word in enumerate(words[:-2])}
    pairs = relatives(words, translated, CONFIG.shared)
    # The corpus has only words of the last stems: the rest has to be learnt from the endings and the dictionary.
    seen = np.where(np.arange(len(words))[:, None] >= len(words) // 2, vectors, 0)
    expected = expected_cosines(pairs, words, seen, translations)
    of = {
        (words[one], words[other]): cosine
        for one, other, cosine in zip(pairs.words, pairs.relatives, expected, strict=True)
    }
    form, other = words[-2], words[-1]

    assert of[form, stems[-1]] > 0.8
    assert of[other, stems[-1]] < 0.3
    assert 0 < expected.min() < expected.max() < 1


def test_the_better_relative_weighs_more() -> None:
    words = ["haus", "hause", "hauses", "x"]
    pairs = relatives(words, {"haus": 0, "hause": 1}, CONFIG.shared)
    expected = np.where(pairs.relatives == 0, 0.8, 0.2).astype(np.float32)
    found = Weighted.of(pairs, expected, np.arange(len(words)), len(words))
    means = found.means(np.eye(2, dtype=np.float32), np.array([2, 3]))

    assert means[0, 0] > 0.9
    assert 0.7 < found.strength[2] < 0.8
    assert not means[1].any()
    assert found.strength[3] == 0


def test_a_word_without_a_translation_is_not_all_that_its_relative_is(tmp_path: Path) -> None:
    rng, stems = np.random.default_rng(1), ["".join(letters) for letters in product("bdfg", "aeiou", "klmn", "aeiou")]
    names = [f"english {number}" for number in range(2 * len(stems))]
    english = VectorTable(names, rng.normal(size=(len(names), 24)).astype(np.float32))
    pairs = [(name, stem) for name, stem in zip(names, stems, strict=False)]
    pairs += [(name, f"{stem}en") for name, stem in pairs[:300]]
    pairs += [(name, f"{stem}or") for name, stem in zip(names[len(stems) :], stems[:300], strict=False)]
    (tmp_path / "d.tsv").write_text("source\ttarget\n" + "".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    new = [f"{stem}{ending}" for stem in stems[300:] for ending in ("en", "or")]
    (tmp_path / "f.tsv").write_text("word\tzipf\n" + "".join(f"{word}\t1\n" for word in new), encoding="utf-8")
    corpus = VectorTable(
        stems, english.matrix[: len(stems)] + 0.5 * rng.normal(size=(len(stems), 24)).astype(np.float32)
    )
    files = LanguageFiles(tmp_path / "d.tsv", tmp_path / "f.tsv")
    path = build_language(files, corpus, EnglishTable(english), CONFIG, tmp_path / "x", normalise=Normaliser())
    table, sure = VectorTable.load(path), np.load(tmp_path / "x" / RELIABILITY) / 255
    vectors = {word: vector for word, vector in zip(table.words, unit_rows(table.matrix.copy()), strict=True)}

    for stem in stems[300:]:
        form, other = (float(vectors[stem] @ vectors[stem + ending]) for ending in ("en", "or"))
        assert 0.6 < form < 0.98, stem
        assert other < 0.6, stem
        assert sure[table.index[f"{stem}or"]] < sure[table.index[f"{stem}en"]] < form, stem


def test_weights_are_found_by_least_squares_and_none_is_negative() -> None:
    rng = np.random.default_rng(0)
    one, two, three = rng.normal(size=(3, 500, 8)).astype(np.float32)
    weights = least_squares(iter([([one, two, three], 0.5 * one + 2 * two - three)]))

    np.testing.assert_allclose(weights, [0.5, 2, 0], atol=0.2)
