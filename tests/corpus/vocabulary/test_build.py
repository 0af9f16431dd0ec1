from __future__ import annotations

from pathlib import Path

import pytest

from everyword.corpus.vocabulary.build import Vocabulary, VocabularySize, build_vocabulary, write_vocabulary

from .made_sources import write_sources


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return build_vocabulary(write_sources(tmp_path_factory.mktemp("sources")), workers=1)


@pytest.mark.parametrize(
    "word",
    [
        *("alive", "eighth", "weigh", "begin"),  # of dictionaries, attested or not
        *("tine", "havel"),  # one edit from common words, but in a dictionary or list of names
        *("blockchain", "chatbots"),  # of no dictionary
        *("don't", "city's", "u.s.", "c#", "mice"),
        "dont",  # chosen on purpose
    ],
)
def test_words(vocabulary: Vocabulary, word: str) -> None:
    assert word in vocabulary.words


@pytest.mark.parametrize(
    "spelling",
    ["goverment", "governmant", "recieve", "alot", "sooooo", "0000", "😂", "привет", "u.s", "domestic_dog"],
)
def test_no_words(vocabulary: Vocabulary, spelling: str) -> None:
    assert spelling not in vocabulary.words


def test_words_are_in_order_of_frequency(vocabulary: Vocabulary) -> None:
    assert next(iter(vocabulary.words)) == "the"
    assert vocabulary.words["u.s."] == 5.3
    assert sorted(vocabulary.words.values(), reverse=True) == list(vocabulary.words.values())


def test_phrases_of_dictionaries_and_names_and_terms_of_the_corpus(vocabulary: Vocabulary) -> None:
    assert {"heart attack", "guinea pig", "machine code", "angela merkel", "new york", "machine learning"} <= set(
        vocabulary.phrases
    )
    assert "general motors" not in vocabulary.phrases  # a list of names has it, but not the corpus
    assert vocabulary.phrases["angela merkel"] > vocabulary.phrases["heart attack"] > vocabulary.phrases["guinea pig"]


def test_foreign_words_lead_to_english_ones(vocabulary: Vocabulary) -> None:
    foreign = {word.spelling: word for word in vocabulary.foreign}

    assert [english for english, _ in foreign["hund"].translations] == ["dog"]
    assert foreign["hund"].languages == ("de",)
    assert [english for english, _ in foreign["haus"].translations] == ["house", "home"]
    assert sum(weight for _, weight in foreign["haus"].translations) == pytest.approx(1, abs=0.01)
    assert foreign["häuser"].translations == foreign["haus"].translations  # by a treebank
    assert [english for english, _ in foreign["hunde"].translations] == ["dog"]  # by an ending
    assert foreign["straße"].translations == foreign["strasse"].translations  # lists have ss, the dictionary ß
    assert foreign["perro"].languages == ("es",)  # although the English list has it


def test_english_words_untranslated_words_and_test_words_are_not_foreign_words(vocabulary: Vocabulary) -> None:
    assert {"time", "katzen", "leben", "villen"}.isdisjoint(word.spelling for word in vocabulary.foreign)


def test_definitions(vocabulary: Vocabulary) -> None:
    assert [row for row in vocabulary.definitions if row[0] == "dog"] == [
        ("dog", "an animal that barks; a pet", "wordnet"),
        ("dog", "a bad person", "wordnet"),
        ("dog", "the dog barked", "example"),
        ("dog", "a dog is a friend", "example"),
    ]
    assert ("tine", "A tooth of a fork; a prong", "gcide") in vocabulary.definitions
    assert [row for row in vocabulary.definitions if row[0] == "dont"] == [("dont", "don't", "glossary")]
    assert ("c#", "a programming language", "glossary") in vocabulary.definitions
    merkel = next(row for row in vocabulary.definitions if row[0] == "angela merkel")
    assert merkel[1].startswith("Angela Merkel (born 1954) is a German politician")


def test_inflections_and_relations(vocabulary: Vocabulary) -> None:
    assert {("mice", "mouse"), ("chatbots", "chatbot")} <= set(vocabulary.inflections)
    assert set(vocabulary.relations) == {
        *(("house", "home", "synonym"), ("alive", "dead", "antonym")),
        *(("dog", "domestic dog", "synonym"), ("thx", "thanks", "slang"), ("luv", "love", "slang")),
    }


def test_files(vocabulary: Vocabulary, tmp_path: Path) -> None:
    counts = write_vocabulary(vocabulary, tmp_path / "made")

    assert set(counts) == {"words", "phrases", "foreign", "definitions", "inflections", "relations"}
    for name, count in counts.items():
        assert (tmp_path / "made" / f"{name}.tsv").read_text(encoding="utf-8").count("\n") == count + 1
    assert "hund\tde\t5.00\tdog=1.000" in (tmp_path / "made" / "foreign.tsv").read_text(encoding="utf-8")


def test_words_of_dictionaries_come_before_others_where_room_is_short(tmp_path: Path) -> None:
    small = build_vocabulary(
        write_sources(tmp_path / "made"), VocabularySize(words=25, phrases=6, foreign=1), workers=1
    )

    assert len(small.words) == 25
    assert "eighth" in small.words
    assert "the" in small.words
    assert len(small.phrases) >= 4
    assert {code for word in small.foreign for code in word.languages} <= {
        "de",
        "es",
        "fr",
        "it",
        "nl",
        "fi",
        "ru",
        "cs",
        "tr",
    }
