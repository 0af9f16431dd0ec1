"""Studies about tables that train networks on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import make_data
from tiny import tiny_table

from everyword.corpus.labelled.sets import TaggedSentences
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes.layers import open_layers
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput
from everyword.evaluation.tasks.extrinsic.occurrences import ContextualInput
from everyword.studies.config import NetworksConfig, NetworkSizes, load_study
from everyword.studies.kinds.tables.run import TableJob, run_tables
from everyword.studies.kinds.tables.study import TableStudy, TableVariant
from everyword.vectors.table import VectorTable


def tagger_study() -> TableStudy:
    study = load_study("dynamic-static-tags")
    assert isinstance(study, TableStudy)
    return study


TAGGERS = NetworksConfig(items=12, epochs={"pos": 10, "tagging": 10}, batch={"pos": 4, "tagging": 4}, rates=(1e-2,))


def test_taggers_are_trained_on_tables_and_on_words_in_context(tiny_bert_folder: Path, tmp_path: Path) -> None:
    asked = []

    def make(command: list[str]) -> None:
        asked.append(Path(command[1]).name)
        tiny_table().save(Path(command[1]))

    study = replace(
        tagger_study(),
        columns=("pos/ud-ewt", "tagging/conll2000", "similarity/wordsim353"),
        networks=NetworkSizes(small=TAGGERS),
        variants=(
            TableVariant(label="drawn", make="train @output seed=@seed"),
            TableVariant(label="fixed", make="extract @output"),
            TableVariant(label="in context", contextual=True),
        ),
        claims=(),
        seeds=2,
    )
    reported: list[str] = []
    job = TableJob(
        study=study,
        work=tmp_path / "work",
        data=make_data(tmp_path / "data"),
        results=tmp_path,
        run_command=make,
        report=reported.append,
    )
    without = run_tables(job)
    assert "in context: skipped, because --encoder is missing." in reported
    assert set(without.rows["in context"].values()) == {None}

    found = run_tables(replace(job, encoder=(str(tiny_bert_folder),)))
    assert asked == ["drawn.npy", "fixed.npy", "drawn-1.npy"]
    assert found.networks == TAGGERS
    seeds = {label: {name: score and score.seeds for name, score in row.items()} for label, row in found.scores.items()}
    assert seeds == {
        "drawn": {"pos/ud-ewt": 2, "tagging/conll2000": 2, "similarity/wordsim353": 2},
        "fixed": {"pos/ud-ewt": 2, "tagging/conll2000": 2, "similarity/wordsim353": None},
        "in context": {"pos/ud-ewt": 2, "tagging/conll2000": 2, "similarity/wordsim353": None},
    }
    reported.clear()
    assert run_tables(replace(job, encoder=(str(tiny_bert_folder),))).rows == found.rows
    assert reported == []

    other = replace(study, networks=NetworkSizes(small=replace(TAGGERS, rates=(2e-2,))))
    run_tables(replace(job, study=other))
    assert {"drawn: pos/ud-ewt", "fixed: tagging/conll2000"} <= {*reported}
    assert len(asked) == 3


def test_the_length_of_the_vectors_of_a_table_decides_nothing_about_taggers(
    tiny_bert_folder: Path, tmp_path: Path
) -> None:
    def make(command: list[str]) -> None:
        words = tiny_table()
        VectorTable(words.words, words.matrix * np.float32(command[2])).save(Path(command[1]))

    # By powers of two, so that nothing is rounded.
    variants = [TableVariant(label=f"times {factor}", make=f"extract @output {factor}") for factor in (0.0625, 1, 8)]
    study = replace(
        tagger_study(),
        columns=("pos/ud-ewt",),
        networks=NetworkSizes(small=TAGGERS),
        variants=tuple(variants),
        claims=(),
        seeds=1,
    )
    data = make_data(tmp_path / "data")
    rows = run_tables(TableJob(study=study, work=tmp_path, data=data, results=tmp_path, run_command=make)).rows
    assert len({score.value for row in rows.values() for score in row.values() if score}) == 1

    [encoder] = open_layers(str(tiny_bert_folder), "last", "cpu")
    known = tuple(tiny_table().words[:3])
    sentences = TaggedSentences("made", (known, ("the", "cat")), (("O",) * 3, ("O",) * 2))
    for given in (ContextualInput(encoder), NetworkInput(evaluated_table(tiny_table(), "tiny"))):
        read = given.read(sentences)
        words = given.of_size(0.5, read).words()
        rows_read = np.concatenate(words.rows(read.tokens))
        vectors = words.vectors[rows_read].numpy()
        assert np.sqrt(np.mean(vectors[vectors.any(axis=1)] ** 2)) == pytest.approx(0.5, rel=1e-5)


def test_networks_see_each_occurrence_as_the_encoder_does(tiny_bert_folder: Path) -> None:
    [encoder] = open_layers(str(tiny_bert_folder), "last", "cpu")
    sentences = (("the", "cat", "walked"), ("a", "cat", "walked", "on"), ("the", "cat", "walked"))
    data = TaggedSentences("made", sentences, tuple(("O",) * len(one) for one in sentences))
    given = ContextualInput(encoder)
    first = given.read(data)
    words = given.words()
    rows = words.rows(first.tokens)

    expected = encoder.tokens(sentences)
    for number, row in enumerate(rows):
        inside = slice(expected.starts[number], expected.starts[number + 1])
        np.testing.assert_allclose(words.vectors[row].numpy(), expected.vectors[inside, 0], atol=1e-6)
    assert first.tokens[0] == first.tokens[2]
    assert first.tags == data.tags
    assert given.read(data) == first
