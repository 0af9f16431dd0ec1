"""Probes of principal components: made spaces whose answer is known."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import EverywordError, InputError
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table
from everyword.evaluation.probes.components import ComponentsConfig, probe_components
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.text_sets import TextFiles, read_text_set
from everyword.evaluation.probes.word_probes import SimilarityProbe, TextProbe, WordList
from everyword.evaluation.tasks.similarity import SimilaritySet
from everyword.space.principal import PrincipalSpace
from everyword.vectors.table import VectorTable

DIM = 12


def made_table() -> VectorTable:
    """200 words; the meaning is in the seventh of twelve components, and what has most variance is noise."""
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(200, DIM)) * np.linspace(6, 0.5, DIM)
    matrix[:, 6] = np.where(np.arange(200) % 2, 1, -1) * 3
    return VectorTable([f"w{number}" for number in range(200)], matrix.astype(np.float32) + 1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    folder = tmp_path / "data"
    (folder / "similarity").mkdir(parents=True)
    (folder / "classification" / "sst2").mkdir(parents=True)
    table = made_table()
    pairs = rng.integers(0, 200, size=(80, 2))
    units = table.matrix[:, 6]
    lines = [f"w{one}\tw{other}\t{float(units[one] * units[other])}" for one, other in pairs]
    (folder / "similarity" / "simlex999.tsv").write_text("word1\tword2\tscore\n" + "\n".join(lines) + "\n")
    for part, count in (("train", 120), ("dev", 30), ("test", 60)):
        rows = []
        for _ in range(count):
            label = int(rng.integers(2))
            words = " ".join(f"w{2 * int(number) + label}" for number in rng.integers(0, 100, size=5))
            rows.append(f"{label}\t{words} unknown")
        text = "label\ttext\n" + "\n".join(rows) + "\n"
        (folder / "classification" / "sst2" / f"{part}.tsv").write_text(text)
    return folder


def test_the_components_that_carry_the_meaning_are_found(data: Path) -> None:
    model = evaluated_table(made_table(), "made")
    config = ComponentsConfig(points=4, removed=(0, 2, 50), singles=4)
    found = probe_components(model, ["simlex999", "classification"], data, config)
    pairs, texts = found.tasks
    assert (pairs.name, pairs.n, texts.name, texts.n) == ("simlex999", 80, "sst2", 60)
    assert list(texts.first) == [3, 6, 9, 12]
    assert list(texts.removed) == [0, 2]
    assert list(texts.single) == [3, 6, 9, 12]
    assert pairs.single == {}
    assert texts.first[12] > 95
    assert texts.blocks["middle"] > 95 > texts.blocks["top"]
    assert pairs.blocks["middle"] > pairs.blocks["top"] + 20
    assert pairs.removed[2] > pairs.removed[0]
    assert sum(found.block_shares().values()) == pytest.approx(1)
    assert found.means()[1].first == texts.first
    assert json.loads(json.dumps(found.to_dict()))["tasks"][1]["blocks"].keys() == {"top", "middle", "bottom"}


def test_words_that_are_made_up_go_through_the_same_map(data: Path) -> None:
    table = made_table()

    def vectors(words: list[str]) -> np.ndarray:
        return np.array([table[word.removesuffix("x")] if word != "unknown" else np.zeros(DIM) for word in words])

    model = EvaluatedModel("made up", "encode", vectors, table.words, str)  # type: ignore[arg-type]
    for part in ("similarity/simlex999", "classification/sst2/test"):
        path = data / f"{part}.tsv"
        path.write_text(path.read_text().replace("w7\t", "w7x\t").replace("w7 ", "w7x "))
    whole = probe_components(evaluated_table(table, "made"), ["simlex999"], data, ComponentsConfig(points=2))
    made_up = probe_components(model, ["simlex999"], data, ComponentsConfig(points=2))
    assert made_up.tasks[0].first[12] > whole.tasks[0].first[12] - 1e-6
    assert made_up.tasks[0].blocks.keys() == whole.tasks[0].blocks.keys()


def test_running_sums_give_the_cosines_of_a_cut() -> None:
    words, rng = WordList(), np.random.default_rng(4)
    data = SimilaritySet("made", [("a", "b"), ("b", "c"), ("a", "d")], np.array([1.0, 2.0, 3.0]))
    probe = SimilarityProbe.of(data, words)
    coordinates = rng.normal(size=(4, 6)).astype(np.float32)
    coordinates[3] = 0
    cut = coordinates[:, 2:5]
    expected = [
        cut[one] @ cut[two] / (np.linalg.norm(cut[one]) * np.linalg.norm(cut[two])) for one, two in [(0, 1), (1, 2)]
    ]
    np.testing.assert_allclose(probe.sums(coordinates).cosines(2, 5), [*expected, 0], atol=1e-6)


def test_features_are_means_of_known_words(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "one.tsv.gz", "wt") as file:
        file.write("label\ttitle\ttext\n" + "x\ta b\ta\ny\tnone\tunknown\n" * 10)
    texts = read_text_set(TextFiles("one", "one.tsv.gz"), tmp_path)
    assert texts.scored == 20
    assert sorted(np.concatenate([split.test for split in texts.splits]).tolist()) == list(range(20))
    words = WordList()
    probe = TextProbe.of(texts, words)
    vectors = np.array([[3, 0], [0, 6], [9, 9], [9, 9]], dtype=np.float32)
    features = probe.features(vectors, np.array([True, True, False, False]))
    np.testing.assert_allclose(features[:2], [[2, 2], [0, 0]], rtol=1e-6)


def test_logistic_regression_by_its_gradient_and_against_chance() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(3, 5)) * 2
    labels = rng.integers(0, 3, size=300)
    rows = (centres[labels] + rng.normal(size=(300, 5))).astype(np.float32)
    fitted = LogisticRegression.fit(rows, labels, 1.0)
    assert (fitted.predict(rows) == labels).mean() > 0.9
    inputs = np.concatenate([rows * fitted.scale, np.ones((300, 1))], axis=1)
    scores = inputs @ fitted.weights
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    gradient = inputs.T @ (shares - np.eye(3)[labels]) / 300
    gradient[:-1] += fitted.weights[:-1] / 300
    assert np.abs(gradient).max() < 5e-3
    constant = LogisticRegression.fit(np.ones((4, 2), dtype=np.float32), np.array([0, 1, 1, 1]), 1.0)
    assert constant.predict(np.ones((1, 2), dtype=np.float32)).tolist() == [1]


@pytest.mark.parametrize(
    ("change", "tasks", "said"),
    [
        (lambda folder: None, ["nothing"], "There is no task"),
        (lambda folder: None, ["mr"], "There is no file of labelled texts"),
        (
            lambda folder: (folder / "classification/sst2/test.tsv").write_text("a\tb\nc\td\n"),
            ["sst2"],
            "label<TAB>text",
        ),
        (lambda folder: (folder / "classification/sst2/dev.tsv").write_text("label\ttext\nx\n"), ["sst2"], ":2: needs"),
        (
            lambda folder: (folder / "classification/sst2/dev.tsv").write_text("label\ttext\nx\ty\n"),
            ["sst2"],
            "'x', which its train part never has",
        ),
        (
            lambda folder: (folder / "classification/sst2/train.tsv").write_text("label\ttext\n0\ty\n"),
            ["sst2"],
            "which its train part never has",
        ),
    ],
)
def test_bad_data_is_one_sentence(change: Callable[[Path], object], tasks: list[str], said: str, data: Path) -> None:
    change(data)
    with pytest.raises(EverywordError, match=said):
        probe_components(evaluated_table(made_table(), "made"), tasks, data)


def test_a_model_without_words_has_no_components(data: Path) -> None:
    empty = evaluated_table(VectorTable([], np.empty((0, 3), dtype=np.float32)), "empty")
    with pytest.raises(InputError, match="stores no words"):
        probe_components(empty, ["similarity"], data)
    assert PrincipalSpace.fit(made_table().matrix).share == pytest.approx(1)
