"""What a lexicon tells about its entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from made import write

from everyword.errors import InputError
from everyword.systems.word_space.lexicon import ANTONYM, SYNONYM, Lexicon

FILES = {
    "words": [
        "word\tzipf",
        "great\t5",
        "in\t7",
        "my\t6",
        "opinion\t5",
        "gr8\t2",
        "imo\t2",
        "dog\t5",
        "dogs\t4",
        "cat\t5",
    ],
    "phrases": ["phrase\tzipf", "in my opinion\t3", "guide dog\t3", "great\t3"],
    "foreign": [
        "word\tlanguages\tzipf\ttranslations",
        "hund\tde\t5\tdog=0.7;unheard=0.3",
        "cat\tfr\t4\tdog=1",
        "leer\tde\t4\tunheard=1",
    ],
    "definitions": [
        "term\tdefinition\tkind",
        "gr8\tgreat\tglossary",
        "imo\tmy opinion\tglossary",
        "dog\tan animal\twordnet",
        "dog\ta great animal\tgcide",
        "cat\ta great dog\tglossary",
    ],
    "inflections": ["form\tlemma", "dogs\tdog"],
    "relations": [
        "word\tother\tkind",
        "dog\tcat\tantonym",
        "cat\tdog\tantonym",
        "gr8\tgreat\tslang",
        "dog\tdog\tsynonym",
    ],
}


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    for name, lines in FILES.items():
        write(tmp_path / f"{name}.tsv", "".join(f"{line}\n" for line in lines))
    return Lexicon(tmp_path)


def test_words_come_before_phrases_and_none_is_both(lexicon: Lexicon) -> None:
    assert lexicon.entries == [*lexicon.words, "in my opinion", "guide dog"]


def test_foreign_words_have_known_translations_and_are_not_words_themselves(lexicon: Lexicon) -> None:
    assert [(word.word, word.meanings) for word in lexicon.foreign()] == [("hund", [("dog", 0.7)])]


def test_an_inflected_form_has_the_definitions_of_its_lemma(lexicon: Lexicon) -> None:
    by_entry: dict[str, list[tuple[str, float]]] = {}
    for row, definition, weight in lexicon.definitions():
        by_entry.setdefault(lexicon.entries[row], []).append((definition, weight))
    assert by_entry["dogs"] == by_entry["dog"] == [("an animal", 1.0), ("a great animal", 0.5)]
    assert "guide dog" not in by_entry


def test_slang_stands_for_its_meaning_and_a_description_does_not(lexicon: Lexicon) -> None:
    meanings = {lexicon.entries[row]: [lexicon.entries[other] for other in meant] for row, meant in lexicon.meanings()}
    assert meanings == {"gr8": ["great"], "imo": ["my", "opinion"]}


def test_a_word_of_a_dictionary_keeps_its_place_whatever_it_means_in_slang(tmp_path: Path) -> None:
    added = {
        "words": ["tea\t4", "eat\t5", "ate\t4", "lol\t3", "gossip\t4"],
        "definitions": [
            *("tea\tgossip\tglossary", "tea\ta drink\twordnet", "eat\tto take food\twordnet"),
            *("ate\tgreat\tglossary", "lol\tgreat\tglossary"),
        ],
        "inflections": ["ate\teat"],
    }
    for name, lines in FILES.items():
        write(tmp_path / f"{name}.tsv", "".join(f"{line}\n" for line in [*lines, *added.get(name, [])]))
    lexicon = Lexicon(tmp_path)
    assert {lexicon.entries[row] for row, _ in lexicon.meanings()} == {"gr8", "imo", "lol"}


def test_pairs_are_listed_once_and_only_among_frequent_words(lexicon: Lexicon) -> None:
    dog, cat = lexicon.index["dog"], lexicon.index["cat"]
    assert lexicon.relations(ANTONYM, among=100) == [(dog, cat)]
    assert lexicon.relations(ANTONYM, among=cat) == []
    assert lexicon.relations(SYNONYM, among=100) == [(lexicon.index["great"], lexicon.index["gr8"])]


def test_a_missing_file_and_a_weight_that_is_none(lexicon: Lexicon) -> None:
    write(lexicon.folder / "foreign.tsv", "word\tlanguages\tzipf\ttranslations\nhund\tde\t5\tdog\n")
    with pytest.raises(InputError, match=r"A translation must read word=weight. Got 'dog' instead"):
        lexicon.foreign()
    (lexicon.folder / "inflections.tsv").unlink()
    with pytest.raises(InputError, match=r"has no inflections.tsv; make it anew, or name the right folder"):
        list(lexicon.definitions())
