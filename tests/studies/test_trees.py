"""A study about labels above words, at a tiny size on made trees."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from made import write
from tiny import tiny_table

from everyword.errors import ConfigError, InputError
from everyword.evaluation.compare import ItemResults
from everyword.studies.config import load_study
from everyword.studies.kinds.trees.details import extremes
from everyword.studies.kinds.trees.left_to_right import IGNORED, ReaderConfig, TrainedReader, read_sentences
from everyword.studies.kinds.trees.study import TreeJob, TreeStudy, run_trees

STUDY = """
name = "tiny-trees"
kind = "trees"
title = "Tiny"
source = "made"
seeds = 2
columns = ["trees/parent", "trees/parent seen", "trees/parent unseen", "trees/parent control", "trees/parent labels",
    "trees/parent sentences"]
trees = "trees.tsv"
text = "text.txt"
reference = "reader"
small = ["probe.epochs=2", "probe.hidden=8", "probe.batch=32", "directly.epochs=2", "directly.hidden=8",
    "reader.words=200", "reader.hidden=8", "probe.learning_rate=0.01"]
"""
ROWS = {
    "word alone": 'vectors = "word-alone"',
    "random": 'vectors = "random"',
    "model": 'vectors = "model"\nbefore = 1',
    "table": 'vectors = "table"\ntable = "tiny"',
    "reader": 'vectors = "reader"',
    "back": 'vectors = "reader"\ntarget = "same"',
    "directly": 'vectors = "trained-directly"',
    "encoder": 'vectors = "encoder"',
}
CLAIM = """
[[claims]]
text = "Words know their phrases."
better = "word alone"
than = ["random"]
on = "trees/parent"
"""


def toml(rows: dict[str, str] = ROWS) -> str:
    return STUDY + "".join(f'\n[[variants]]\nlabel = "{label}"\n{row}\n' for label, row in rows.items())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    words, rng = tiny_table().words, Random(3)
    trees = []
    for number in range(80):
        one, two, three = rng.sample(words[:40], 3)
        trees.append(f"d{number // 8}\t(S (NP (DT the) (NN {one})) (VP (VB {two}) (ADVP (RB {three}))) (. .))")
    write(folder / "trees.tsv", "file\ttree\n" + "\n".join(trees) + "\n")
    lines = [" ".join(rng.choices(words[:20], k=6)) + " . Why ?" for _ in range(30)]
    write(folder / "text.txt", "= Heading =\n" + "\n".join(lines) + "\n")
    tiny_table().save(folder / "tiny.vec")
    return folder


def job_of(path: Path, data: Path, model: Path, **more: object) -> tuple[TreeJob, list[str]]:
    study, said = load_study(str(path)), []  # type: ignore[var-annotated]
    assert isinstance(study, TreeStudy)
    work = path.parent / "work"
    job = TreeJob(
        study=study, work=work, results=work, data=data, model_name=str(model), report=said.append, **more,
    )  # type: ignore[arg-type]  # fmt: skip
    return job, said


def test_rows_are_probed_compared_and_kept(data: Path, tmp_path: Path, tiny_model_folder: Path) -> None:
    path = write(tmp_path / "trees.toml", toml() + CLAIM)
    job, said = job_of(path, data, tiny_model_folder, vectors={"tiny": data / "tiny.vec"})
    assert job.settings.probe.learning_rate == 0.01
    assert job.settings.directly.learning_rate == 0.001  # each network has its own settings
    findings = run_trees(job)
    rows = findings.rows
    assert rows["word alone"]["trees/parent"] is not None
    assert rows["random"]["trees/parent"].spread is not None  # type: ignore[union-attr]
    whole, seen, unseen = (rows["model"][f"trees/parent{part}"] for part in ("", " seen", " unseen"))
    assert whole is not None
    assert seen is not None
    if unseen is not None:
        assert min(seen.value, unseen.value) <= whole.value <= max(seen.value, unseen.value)
    for measure in ("labels", "sentences"):
        assert rows["reader"][f"trees/parent {measure}"].value == pytest.approx(100)  # type: ignore[union-attr]
    assert rows["encoder"]["trees/parent"] is None
    assert "encoder: skipped, because --encoder is missing." in said
    assert findings.judgements[0].reason == "2 seeds; a verdict needs 3"
    details = findings.to_dict()["details"]
    assert set(details["against the word alone"]["parent"]) == {
        "random",
        "model",
        "table",
        "reader",
        "back",
        "directly",
    }
    assert details["between representations"]["parent"]["p"] <= 1
    assert rows["random"]["trees/parent control"] is not None
    assert rows["directly"]["trees/parent control"] is None  # it is no probe
    trained = [line for line in said if ": " in line]
    again, repeated = job_of(path, data, tiny_model_folder, vectors={"tiny": data / "tiny.vec"})
    assert run_trees(again).to_dict() == findings.to_dict()
    assert len(trained) > len(repeated) == 1  # nothing is trained again


def test_an_encoder_is_probed_at_the_last_piece(
    data: Path, tmp_path: Path, tiny_model_folder: Path, tiny_bert_folder: Path
) -> None:
    rows = {"reader": ROWS["word alone"], "encoder": ROWS["encoder"]}
    path = write(tmp_path / "trees.toml", toml(rows))
    job, _ = job_of(path, data, tiny_model_folder, encoder=str(tiny_bert_folder))
    assert run_trees(job).rows["encoder"]["trees/parent"] is not None


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ("trees/uncle", "trees/parent unseen", "'trees/uncle' is not trees/LEVEL"),
        ('reference = "nobody"', 'reference = "reader"', "the reference 'nobody' is not one of its variants"),
        ('vectors = "table"\n', 'vectors = "table"\ntable = "tiny"', "'table' must have a table"),
    ],
)
def test_mistakes_in_a_study_of_trees_are_named(wrong: str, right: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        load_study(str(write(tmp_path / "wrong.toml", toml().replace(right, wrong))))


def test_states_know_what_they_were_trained_to_say() -> None:
    words = tiny_table().words[:6]
    rng = Random(0)
    sentences = [rng.choices(words, k=5) for _ in range(150)]
    config = ReaderConfig(target="same", hidden=24, epochs=6, learning_rate=2e-2, batch=16)
    reader = TrainedReader(sentences, lambda some: np.stack([tiny_table()[word] for word in some]), config).train()
    states = reader.states(sentences[:20])
    assert states.shape == (100, 24)
    said = reader.network.output(torch.from_numpy(states)).argmax(dim=1).tolist()
    wanted = [number for row in reader.targets[:20] for number in row]
    assert np.mean([one == other for one, other in zip(said, wanted, strict=True)]) > 0.9


def test_the_next_word_is_the_target_and_not_the_word_itself() -> None:
    sentences = [["a", "b", "c"], ["b", "a"]]
    same, following = (
        TrainedReader(sentences, lambda words: np.ones((len(words), 3)), ReaderConfig(target=target, hidden=4)).targets
        for target in ("same", "next")
    )
    assert [row[1:] for row in same] == [row[:-1] for row in following]
    assert [row[-1] for row in following] == [IGNORED, IGNORED]


def test_sentences_of_a_text_are_cut_and_headings_left_out(data: Path, tmp_path: Path) -> None:
    found = read_sentences(data / "text.txt", 20)
    assert found[1] == ["Why", "?"]
    assert sum(map(len, found)) >= 20
    assert "Heading" not in found[0]
    with pytest.raises(InputError, match="holds no sentences"):
        read_sentences(write(tmp_path / "empty.txt", "= Heading =\n"), 20)


def test_the_easiest_and_hardest_sentences_are_described() -> None:
    words = ("is", "it", "?", "not", "to", ".")
    items = ItemResults("made", np.array([1, 1, 1, 0, 0, 0]), words, groups=(0, 0, 0, 1, 1, 1))
    found = extremes(items)
    assert found["easiest"]["questions"] == 1
    assert found["easiest"]["accuracy"] == 100
    assert found["hardest"]["with negation"] == found["hardest"]["with to"] == 1
    assert extremes(ItemResults("made", np.array([1.0]), ("a",), groups=(0,))) == {}
