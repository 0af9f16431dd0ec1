"""A language in one call: words, typos and neighbours in the English space."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from tiny import tiny_table
from tiny_language import CYRILLIC, SMALL, TinyLanguage, tiny_language

import everyword
from everyword.api import language_recipe
from everyword.errors import ConfigError, InputError
from everyword.models.model import Model
from everyword.text.corruption import swap


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> TinyLanguage:
    return tiny_language(tmp_path_factory.mktemp("latin"))


def trained(language: TinyLanguage, output: Path, code: str) -> Model:
    return everyword.train_language(
        code,
        language.dictionary,
        output,
        vectors=language.vectors,
        frequencies=language.frequencies,
        english=language.english,
        device="cpu",
        **SMALL,
    )


@pytest.fixture(scope="module")
def model(language: TinyLanguage, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("trained") / "everyword-xx"
    trained(language, folder, "de")
    return everyword.load(folder)


def test_a_saved_language_has_words_typos_and_texts(model: Model, language: TinyLanguage) -> None:
    words = tiny_table().words
    own, english = model.encode([language.word(word) for word in words]), tiny_table().matrix
    found = (own * english).sum(axis=1) / np.linalg.norm(own, axis=1) / np.linalg.norm(english, axis=1)

    assert model.name == "everyword-xx"
    assert model.dim == tiny_table().dim
    assert found.mean() > 0.95
    assert model.known(language.word(words[0]).upper()), "nouns have capitals"
    assert model.encode("zzxzqq" + language.word(words[0])).shape == (model.dim,)
    assert np.isfinite(model.encode_texts([" ".join(language.word(word) for word in words[:5])])).all()


def test_a_typo_without_its_umlaut_finds_the_word(model: Model, language: TinyLanguage) -> None:
    word = next(name for word in tiny_table().words if "ä" in (name := language.word(word)) and len(name) > 6)
    typo = word.replace("ä", "a")

    assert not model.known(typo), "umlauts are letters of their own"
    assert model.explain(typo).candidates[0].word == word


def test_neighbours_are_found_among_the_words_of_another_model(model: Model, tiny_model: Model) -> None:
    word = model.known_words.words[0]
    near = model.nearest(word, 3, among=tiny_model)

    assert len(near) == 3
    assert all(other in tiny_model for other, _ in near)
    assert model.nearest([word], 3, among=tiny_model) == [near]
    assert model.nearest(model.encode(word), 3, among=tiny_model) == near
    assert model.nearest(positive=[word], k=3, among=tiny_model)[0][0] == near[0][0]


def test_another_dimension_is_another_space(model: Model, tiny_adapted_model: Model) -> None:
    with pytest.raises(
        InputError, match="have 10 numbers and those of everyword-xx 16: their words are not in one space"
    ):
        model.nearest("pän", among=tiny_adapted_model)


def test_words_of_another_alphabet_and_their_typos_are_found(tmp_path: Path) -> None:
    language = tiny_language(tmp_path, CYRILLIC)
    model = trained(language, tmp_path / "everyword-ru", "ru")
    words = [name for word in tiny_table().words if len(name := language.word(word)) > 6][:20]
    typos = [swap(word, Random(3)) for word in words]
    right = sum(
        not model.known(typo) and model.explain(typo).candidates[:1] and model.explain(typo).candidates[0].word == word
        for word, typo in zip(words, typos, strict=True)
    )

    assert right >= 15


def test_a_corpus_is_trained_on(language: TinyLanguage, tmp_path: Path) -> None:
    rng, names = np.random.default_rng(1), [language.word(word) for word in tiny_table().words]
    lines = [" ".join(names[row] for row in rng.integers(0, len(names), 8)) for _ in range(300)]
    (tmp_path / "xx.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said: list[str] = []
    model = everyword.train_language(
        "fi",
        language.dictionary,
        corpus=tmp_path / "xx.txt",
        english=language.english,
        device="cpu",
        report=said.append,
        **SMALL,
        language__vectors={"epochs": 1, "dim": 8, "sentences": {"shortest": 2, "min_count": 2}},
    )

    assert model.name == "everyword-fi"
    assert model.normalise.language == "fi"
    assert any("words have translations; 0 rows" in sentence for sentence in said)


def test_a_language_has_its_own_letters_and_stemmer() -> None:
    assert language_recipe("tr").normalise("IŞIK") == "ışık"
    assert language_recipe("de").negatives.language == "german"
    assert language_recipe("de").normalise("STRAẞE") == "straße"
    assert language_recipe("fi").normalise("Yö") == "yö"
    assert language_recipe("he").negatives.language == "english"
    with pytest.raises(ConfigError, match="there is no language 'xx'; give its code of ISO 639"):
        language_recipe("xx")


def test_what_cannot_be_is_refused_and_nothing_is_written(language: TinyLanguage, tmp_path: Path) -> None:
    output = tmp_path / "model"
    with pytest.raises(InputError, match="Give either a corpus or vectors"):
        everyword.train_language("de", language.dictionary, output)
    with pytest.raises(InputError, match="Give either a corpus or vectors"):
        everyword.train_language("de", language.dictionary, output, corpus="a", vectors="b")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(InputError):
        everyword.train_language(
            "de", language.dictionary, output, corpus=tmp_path / "empty.txt", english=language.english
        )
    assert not output.exists()
