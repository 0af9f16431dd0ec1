"""Codes of word vectors against lemma, inflection and part of speech; words in states of texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from tiny_probes import write_tagged

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes import identity_probe, word_codes
from everyword.evaluation.probes.probe import CONTROL_LABELS, ProbeSettings
from everyword.evaluation.probes.representation import RandomVectors, StaticVectors
from everyword.evaluation.probes.word_codes import quantised, read_forms
from everyword.vectors.table import VectorTable

ENDINGS = {"": "NFIN", "s": "PRS", "ed": "PST", "ing": "PTCP"}
LEMMAS = [f"{first}{rest}" for first in "bdfgklmprt" for rest in ("an", "elo", "il", "oru", "ub", "ax", "en", "ip")]


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    forms, tags = tmp_path / "forms.tsv", tmp_path / "tags.conll.gz"
    rows = [f"{lemma}\t{lemma}{end}\tV;{features}" for lemma in LEMMAS for end, features in ENDINGS.items()]
    twice = [f"{lemma}\t{lemma}ed\tV;V.PTCP" for lemma in LEMMAS]
    forms.write_text("\n".join(["lemma\tform\tfeatures", *rows, *twice]) + "\n", encoding="utf-8")
    tagged = [f"{lemma}{end}\t{'NOUN' if end == 's' else 'VERB'}" for lemma in LEMMAS for end in ENDINGS]
    tags.write_bytes(gzip.compress(("\n".join([*tagged, "walk\tVERB"]) + "\n").encode()))
    return [forms, tags]


def vectors_by_part(paths: list[Path]) -> StaticVectors:
    """The lemma in the first numbers of a vector, the ending in the last."""
    rng = np.random.default_rng(0)
    lemmas, endings = ({key: rng.normal(size=4) for key in keys} for keys in (LEMMAS, ENDINGS))
    words = read_forms(*paths).words
    stems = [next(lemma for lemma in LEMMAS if word.startswith(lemma)) for word in words]
    rows = [[*lemmas[stem], *endings[word[len(stem) :]]] for word, stem in zip(words, stems, strict=True)]
    return StaticVectors(evaluated_table(VectorTable(words, np.array(rows, dtype=np.float32)), "made"))


def test_forms_have_all_their_features_and_their_part_of_speech_in_texts(paths: list[Path]) -> None:
    forms = read_forms(*paths)
    assert len(forms.words) == len(LEMMAS) * len(ENDINGS)
    place = forms.words.index("baned")
    assert forms.attributes[place] == ("ban", "V;PST V;V.PTCP", "VERB")
    assert forms.attributes[forms.words.index("bans")][2] == "NOUN"
    assert forms.numbered().shape == (len(forms.words), 3)


def test_attributes_are_found_in_vectors_that_have_them_and_not_in_random_ones(paths: list[Path]) -> None:
    settings = ProbeSettings(control_labels=True)
    found = word_codes.run(vectors_by_part(paths), paths, settings, lambda done, of: None)
    assert found.n == len(LEMMAS) * len(ENDINGS)
    assert found.parts["inflection"] > 60
    assert found.interval is not None
    assert found.interval[0] - 1e-9 <= found.value <= found.interval[1] + 1e-9
    assert found.controls[CONTROL_LABELS] < 15
    other = word_codes.run(RandomVectors(8), paths, ProbeSettings(), lambda done, of: None)
    assert other.value < found.value / 2
    assert set(found.details) == set(word_codes.ATTRIBUTES)


def test_codes_have_a_column_per_slot_and_few_values() -> None:
    vectors = np.random.default_rng(1).normal(size=(200, 10)).astype(np.float32)
    codes = quantised(vectors, slots=4, values=5)
    assert codes.shape == (200, 4)
    assert codes.max() < 5
    assert quantised(vectors[:, :3], slots=8).shape == (200, 3)


def test_vectors_without_the_forms_have_no_score_and_wrong_lines_are_named(paths: list[Path]) -> None:
    other = StaticVectors(evaluated_table(VectorTable(["x"], np.ones((1, 2), dtype=np.float32)), "other"))
    with pytest.raises(NoScoreError, match="too few of the 320 forms"):
        word_codes.run(other, paths, ProbeSettings(), lambda done, of: None)
    paths[0].write_text("lemma\tform\tfeatures\nban\tbans\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"forms.tsv:2: needs a lemma"):
        read_forms(*paths)
    paths[0].write_text("form\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"forms.tsv:1: the first line"):
        read_forms(*paths)


def test_static_vectors_know_their_words(tmp_path: Path) -> None:
    path = write_tagged(tmp_path) / "tagging" / "ud_ewt" / "train.conll.gz"
    found = identity_probe.run(RandomVectors(16), [path], ProbeSettings(), lambda done, of: None)
    assert found.value > 50
    assert set(found.parts) == {"frequent words", "sampled words"}
    assert found.details["frequent words"]["nats"] <= found.details["frequent words"]["of"]
