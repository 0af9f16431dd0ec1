"""A study of taggers: entities of other domains, full tags, scores by kinds of words and tags."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import ConfigError, InputError
from everyword.evaluation.tagging import entity_scores
from everyword.studies.config import load_study
from everyword.studies.kinds import taggers
from everyword.studies.kinds.taggers import TaggerJob, TaggerStudy, TaggerVariant, TagSet, Target, run_taggers
from everyword.vectors.table import VectorTable

PEOPLE, PLACES = ["Ada", "Bob"], ["Ghent", "Turin"]
NEWS = [f"{person}\tB-PER\nsaw\tO\n{place}\tB-LOC\n" for person in PEOPLE for place in PLACES]
OTHER = "Ada\tB-writer\nsaw\tO\ncode\tB-task\n"
WORD = "{place}\t{form}\t_\t{pos}\t_\t{features}\t0\t_\t_\t_"
COLUMNS = ("taggers/other f1", "taggers/other unseen", "taggers/small accuracy", "taggers/small valid")


def treebank(folder: Path) -> None:
    lines = []
    for form, features in (("ev", "Case=Nom"), ("eve", "Case=Dat"), ("evin", "Case=Gen")):
        lines += [WORD.format(place=1, form=form, pos="NOUN", features=features)]
        lines += [WORD.format(place=2, form=".", pos="PUNCT", features="_"), ""]
    folder.mkdir()
    for part in ("train", "dev", "test"):
        (folder / f"{part}.conllu.gz").write_bytes(gzip.compress("\n".join(lines * 2).encode()))


@pytest.fixture
def job(tmp_path: Path) -> TaggerJob:
    treebank(tmp_path / "bank")
    (tmp_path / "news.conll").write_text("\n".join(NEWS * 3), encoding="utf-8")
    (tmp_path / "other.conll").write_text(OTHER, encoding="utf-8")
    words = [*PEOPLE, *PLACES, "saw"]
    VectorTable(words, np.eye(len(words), dtype=np.float32)).save(tmp_path / "words.vec")
    other = Target("other", "other.conll", {"writer": "PER"})
    study = TaggerStudy(
        name="tiny",
        title="tiny",
        source="tests",
        columns=COLUMNS,
        seeds=2,
        variants=(
            TaggerVariant(label="plain", overrides=("crf=false",)),
            TaggerVariant(label="tuned", overrides=("tuned=true", "entity_task=true", "experts=3")),
        ),
        sets=(
            TagSet("news", "news.conll", "news.conll", (other,), vectors="own"),
            TagSet("small", treebank="bank"),
        ),
        small=("states=4", "characters=3", "epochs=1", "batch=4"),
        items=10,
    )
    return TaggerJob(
        study=study,
        work=tmp_path / "work",
        results=tmp_path,
        data=tmp_path,
        vectors=(f"own={tmp_path / 'words.vec'}",),
        report=lambda line: None,
    )


def test_every_tagger_is_trained_once_and_parts_are_put_together(
    job: TaggerJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_taggers(replace(job, part="1/2"))
    assert first.rows["tuned"]["taggers/other f1"] is None  # the other process trains it

    found = run_taggers(job)
    for row in found.rows.values():
        assert set(row) == set(COLUMNS)
        assert all(score is not None and score.spread is not None for score in row.values())
    assert found.details is not None
    assert found.details["small"]["plain"]["small"]["tokens unseen"] == 0.0
    monkeypatch.setattr(taggers, "train_tagger", None)  # all are saved
    assert run_taggers(replace(job, opened={})).rows == found.rows


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "a/b"])
def test_a_part_is_one_of_several(job: TaggerJob, part: str) -> None:
    with pytest.raises(InputError, match="--part must be K/N"):
        run_taggers(replace(job, part=part))


def test_published_studies_can_be_read_and_wrong_ones_not(tmp_path: Path) -> None:
    assert len(load_study("entity-experts").variants) > 8
    study = load_study("structured-tags")
    assert isinstance(study, TaggerStudy)
    assert {variant.label for variant in study.variants} >= {"whole tags", "spelt tags, history"}
    wrong = tmp_path / "wrong.toml"
    lines = ['name = "x"', 'kind = "taggers"', 'title = "x"', 'source = "x"', 'columns = ["taggers/no f1"]']
    wrong.write_text("\n".join([*lines, '[[variants]]\nlabel = "a"', '[[sets]]\nname = "s"']), encoding="utf-8")
    with pytest.raises(ConfigError, match="needs a treebank, or train and dev"):
        load_study(str(wrong))


def test_entities_are_counted_by_what_is_known_of_their_words() -> None:
    data = TaggedSentences("x", (("Ada", "Rivers", "saw", "Ghent"),), (("B-PER", "I-PER", "O", "B-LOC"),))
    given = [["B-PER", "I-PER", "O", "B-PER"]]

    found = entity_scores(data, given, known={"Ada", "saw", "Ghent"}.__contains__, seen={"Ada", "Rivers"})
    assert found == {"f1": 50.0, "known": 0.0, "unknown": 100.0, "seen": 100.0, "unseen": 0.0}
