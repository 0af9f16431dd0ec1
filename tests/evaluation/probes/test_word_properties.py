"""Kinds and frequencies of words, and the cloze test as a probe."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tiny import tiny_table

from everyword.errors import NoScoreError
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes.cloze.entries import Entry, write_entries
from everyword.evaluation.probes.cloze.question import PROBE as CLOZE
from everyword.evaluation.probes.probe import CONTROL_LABELS, LENGTH, MAJORITY, RANDOM_VECTORS, ProbeSettings
from everyword.evaluation.probes.probing import Probing
from everyword.evaluation.probes.representation import RandomVectors, StaticVectors, open_representation
from everyword.evaluation.probes.word_properties import FREQUENCY, NOUN_KINDS, drawn_words

HEADER = "word\tpos\tsense_rank\tsupersense\thypernym1\thypernym2\thypernym3\n"
OTHERS = "ban\tn\t2\tnoun.food\t-\t-\t-\nban\tv\t1\tverb.motion\t-\t-\t-\n"
"""Further senses, which do not count."""


def static() -> StaticVectors:
    return StaticVectors(evaluated_table(tiny_table(), "tiny", fingerprint="f" * 64))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The kind of a word is its ending, and its frequency goes with a coordinate of its vector."""
    table = tiny_table()
    kinds = [f"{word}\tn\t1\tnoun.{'act' if word.endswith('ing') else 'person'}\t-\t-\t-\n" for word in table.words]
    frequencies = [f"{word}\t{4 + table[word][0] / 10:.2f}\n" for word in table.words]
    (tmp_path / "lexical").mkdir()
    for name, text in (
        (
            "wordnet_attributes",
            HEADER + "".join(kinds) + OTHERS,
        ),
        ("word_frequency_en", "word\tzipf\n" + "".join(frequencies)),
    ):
        (tmp_path / "lexical" / f"{name}.tsv.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


def test_kinds_and_frequencies_are_found_in_vectors_and_not_in_random_ones(data: Path) -> None:
    answers = list(Probing(data, ProbeSettings(control_labels=True)).ask(static(), [NOUN_KINDS, FREQUENCY]))
    kinds, frequency = (answer.result for answer in answers)
    assert kinds is not None
    assert frequency is not None
    assert kinds.value > 95
    assert kinds.n == 75
    assert set(kinds.details) == {"act", "person"}
    assert set(kinds.controls) == {MAJORITY, CONTROL_LABELS, RANDOM_VECTORS}
    assert kinds.controls[CONTROL_LABELS] < 90
    assert frequency.value > 80
    assert set(frequency.controls) == {LENGTH, RANDOM_VECTORS}
    assert abs(frequency.controls[RANDOM_VECTORS]) < 50


def test_a_wrong_frequency_and_too_few_words(data: Path) -> None:
    path = data / "lexical" / "word_frequency_en.tsv.gz"
    path.write_bytes(gzip.compress(b"word\tzipf\nban\toften\n"))
    [answer] = Probing(data).ask(static(), [FREQUENCY])
    assert answer.reason == f"{path}:2: a frequency must be a number. Got 'often'."
    with pytest.raises(NoScoreError, match="8 words or more"):
        drawn_words(["a", "b", "c-d"], quick=True)


def test_words_to_learn_and_to_score_are_different_ones() -> None:
    train, test = drawn_words([f"w{'a' * number}" for number in range(40)], quick=False)
    assert (len(train), len(test)) == (30, 10)
    assert set(train).isdisjoint(test)


def test_the_cloze_test_asks_vectors_for_neighbours(tmp_path: Path, tiny_bert_folder: Path) -> None:
    (tmp_path / "cloze").mkdir()
    words = tiny_table().words
    entries = [
        Entry("test", "cohyponym", band, words[row], 5, (words[row + 1],)) for row, band in ((0, "rare"), (9, "medium"))
    ]
    write_entries(tmp_path / "cloze" / "cloze.tsv", [*entries, Entry("dev", "antonym", "rare", "ban", 1, ("elo",))])
    [answer] = Probing(tmp_path).ask(static(), [CLOZE])
    assert answer.result is not None, answer.reason
    assert answer.result.n == 2
    assert 0 < answer.result.value <= 100
    assert set(answer.result.parts) == {"rare", "medium"}
    [random] = Probing(tmp_path).ask(RandomVectors(4), [CLOZE])
    assert "needs known words among which to search" in random.reason
    first = open_representation(str(tiny_bert_folder), layers=[1], device="cpu")[0]
    [inner] = Probing(tmp_path).ask(first, [CLOZE])
    assert "or the last layer of a transformer" in inner.reason


def test_the_cloze_test_asks_a_transformer_to_fill_the_gap(tmp_path: Path, tiny_masked_bert_folder: Path) -> None:
    (tmp_path / "cloze").mkdir()
    write_entries(tmp_path / "cloze" / "cloze.tsv", [Entry("test", "cohyponym", "rare", "cat", 5, ("dog",))])
    [bert] = open_representation(str(tiny_masked_bert_folder), device="cpu")
    [answer] = Probing(tmp_path).ask(bert, [CLOZE])
    assert answer.result is not None, answer.reason
    assert answer.result.metric == "MRR"
