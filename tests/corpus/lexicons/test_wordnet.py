from __future__ import annotations

from pathlib import Path

from corpus.vocabulary.made_sources import write_wordnet
from everyword.corpus.lexicons.wordnet import ANTONYM, NOUN, VERB, WordNet, read_exceptions, sense_counts


def test_glosses_are_definitions_and_examples(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path / "wordnet"))

    first, second = wordnet.senses("dog", NOUN)
    assert first.definition == "an animal that barks; a pet"
    assert first.examples == ["the dog barked", "a dog is a friend"]
    assert second.definition == "a bad person"
    assert wordnet.senses("weigh", VERB)[0].examples == []


def test_antonyms_lead_from_word_to_word(tmp_path: Path) -> None:
    wordnet = WordNet(write_wordnet(tmp_path / "wordnet"))

    pointer = wordnet.senses("alive", "a")[0].to(ANTONYM)[0]
    assert wordnet.at(pointer).words[pointer.target - 1] == "dead"


def test_irregular_forms_and_counts(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path / "wordnet")

    assert list(read_exceptions(folder)) == [
        ("mice", "mouse", "n"),
        ("begun", "begin", "v"),
        ("better", "good", "a"),
        ("best", "well", "r"),
    ]
    assert sense_counts(folder) == {"dog": {"n": 42, "v": 2}}
