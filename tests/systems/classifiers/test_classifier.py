"""A text classifier over word vectors: training, use without torch, saving, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from everyword.config import check
from everyword.corpus.labelled.documents import Documents, SoftLabels, read_documents
from everyword.errors import ConfigError, InputError
from everyword.learning.loop import RunContext
from everyword.learning.pruning import sparsity_of
from everyword.learning.sources import TableSource
from everyword.models.saved.network_file import read_network, write_network
from everyword.systems.classifiers.classifier import ClassifierConfig, load_classifier
from everyword.systems.classifiers.train import TrainedClassifier, score, train_classifier
from everyword.vectors.table import VectorTable

WORDS = ["goal", "match", "coach", "share", "market", "bank", "the", "of", "day"]
VECTORS = np.random.default_rng(1).normal(size=(len(WORDS), 12)).astype(np.float32)
TABLE = VectorTable(WORDS, VECTORS)
SMALL = ClassifierConfig(widths=(1, 2), filters=8, states=6, epochs=6, batch=8, learning_rate=0.02, dropout=0.1)
NETWORKS = ("linear", "cnn", "lstm", "attention", "tfidf")


def documents(count: int, seed: int = 0, *, several: bool = False) -> Documents:
    """Texts about sport, about money or, if several labels are allowed, about both or nothing."""
    rng, texts, labels = Random(seed), [], []
    for number in range(count):
        chosen = [("sport",), ("money",), ("sport", "money"), ()][number % (4 if several else 2)]
        about = [rng.choice(WORDS[:3] if label == "sport" else WORDS[3:6]) for label in chosen]
        words = [*about, *rng.choices(WORDS[6:], k=rng.randint(1, 5))]
        rng.shuffle(words)
        texts.append(" ".join(words))
        labels.append(tuple(sorted(chosen)))
    return Documents("made", tuple(texts), tuple(labels), several)


def trained(network: str, *, several: bool = False, **changes: object) -> TrainedClassifier:
    config = replace(SMALL, network=network, **changes)  # type: ignore[arg-type]
    sources = [TableSource("table", TABLE)]
    found = train_classifier(documents(64, several=several), documents(20, 1, several=several), sources, config)
    assert found is not None
    return found


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_learns_and_gives_the_same_after_saving(network: str, several: bool, tmp_path: Path) -> None:
    found = trained(network, several=several)
    TABLE.save(tmp_path / "table.vec")
    found.save(tmp_path / "saved", [str(tmp_path / "table.vec")])
    loaded = load_classifier(tmp_path / "saved")
    test = documents(40, 2, several=several)
    assert score(loaded, test) > (60 if several else 90)
    given = [*test.texts[:9], "", "?!", "goal", "goal zebra " * 3000]
    torch.testing.assert_close(
        loaded.probabilities(given), found.classifier.probabilities(given), atol=1e-4, rtol=1e-3
    )  # linear, cnn and tfidf are NumPy here and torch there
    answers = loaded.classify(given)
    assert [answer.cut for answer in answers] == [False] * 12 + [True]
    assert loaded.classify([]) == []
    if not several:
        assert all(len(answer.labels) == 1 for answer in answers)
        assert sum(answers[0].probabilities.values()) == pytest.approx(1)


def test_texts_may_have_several_labels_or_none() -> None:
    classifier = trained("cnn", several=True, epochs=12).classifier
    both, none = classifier.classify(["the goal of the bank", "the day"])
    assert {label for label, _ in both.labels} == {"sport", "money"}
    assert [chance for _, chance in both.labels] == sorted((chance for _, chance in both.labels), reverse=True)
    assert none.labels == []


def test_all_techniques_combine() -> None:
    test = documents(40, 2)
    teacher = SoftLabels(("sport", "money"), np.tile(np.float32([0.9, 0.1]), (64, 1)))
    sport = np.array(["sport" in labels for labels in documents(64).labels])
    teacher.probabilities[~sport] = [0.1, 0.9]
    train = documents(64).taught_by(teacher)
    config = replace(
        SMALL, network="lstm", adversarial=0.05, prune=0.5, epochs=8, loss="center", word_objective="tying"
    )
    found = train_classifier(train, documents(20, 1), [TableSource("table", TABLE)], config)
    assert found is not None
    assert score(found.classifier, test) > 90
    assert sparsity_of(found.run.network) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("several", [False, True])
def test_adversarial_training_learns_labels_of_both_kinds(several: bool) -> None:
    found = trained("cnn", several=several, adversarial=0.05, epochs=8)
    assert score(found.classifier, documents(40, 2, several=several)) > (60 if several else 90)


def test_a_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    train, dev, sources = documents(32), documents(8, 1), [TableSource("table", TABLE)]
    config = replace(SMALL, network="lstm", epochs=3)
    whole = train_classifier(train, dev, sources, config)
    context = RunContext(tmp_path / "run")

    class Stop(Exception):
        pass

    lines: list[str] = []

    def stop_after_one(line: str) -> None:
        lines.append(line)
        if len(lines) == 2:
            raise Stop

    with pytest.raises(Stop):
        train_classifier(train, dev, sources, config, run=context, report=stop_after_one)
    resumed = train_classifier(train, dev, sources, config, run=RunContext(tmp_path / "run", resume=True))
    assert whole is not None
    assert resumed is not None
    given = train.texts[:6]
    assert resumed.classifier.probabilities(given) == pytest.approx(whole.classifier.probabilities(given), abs=1e-6)
    other = documents(34)
    with pytest.raises(InputError, match="started with another configuration"):
        train_classifier(other, dev, sources, config, run=RunContext(tmp_path / "run", resume=True))


def test_data_that_cannot_be_learnt_is_refused() -> None:
    dev, sources = documents(4), [TableSource("table", TABLE)]
    one = Documents("one", ("goal", "match"), (("sport",), ("sport",)))
    with pytest.raises(InputError, match="one has only one label, 'sport'; two or more are needed"):
        train_classifier(one, dev, sources, SMALL)
    with pytest.raises(InputError, match="There are no texts in empty"):
        train_classifier(documents(4), Documents("empty", (), ()), sources, SMALL)
    foreign = Documents("foreign", ("xyz", "zyx"), (("a",), ("b",)))
    with pytest.raises(InputError, match="No source has a vector for any word"):
        train_classifier(foreign, dev, sources, SMALL)
    with pytest.raises(InputError, match="must have a row for each of the 4 texts of made"):
        documents(4).taught_by(SoftLabels(("sport", "money"), np.zeros((1, 2), dtype=np.float32)))
    other = documents(4).taught_by(SoftLabels(("sport",), np.ones((4, 1), dtype=np.float32)))
    with pytest.raises(InputError, match="gives no probability of the label 'money'"):
        train_classifier(other, dev, sources, SMALL)


def test_labels_that_only_dev_has_count_as_wrong() -> None:
    dev = Documents("dev", ("goal", "match"), (("sport",), ("chess",)))
    found = train_classifier(documents(40), dev, [TableSource("table", TABLE)], replace(SMALL, network="linear"))
    assert found is not None
    assert found.dev == 50
    assert "chess" not in found.classifier.labels


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": "tfidf", "adversarial": 0.1}, "tfidf reads none"),
        ({"network": "cnn", "word_objective": "tying"}, "word_objective needs network = lstm or attention"),
        ({"loss": "entropy"}, "there is no loss 'entropy'"),
        ({"dropout": 1.0}, "dropout must be 0 or more and below 1"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check(replace(SMALL, **changes))  # type: ignore[arg-type]


def test_a_classifier_refuses_other_vectors_than_its_own(tmp_path: Path) -> None:
    found = trained("linear", epochs=1)
    TABLE.save(tmp_path / "table.vec")
    found.save(tmp_path / "saved", [str(tmp_path / "table.vec")])
    VectorTable(WORDS, VECTORS[::-1].copy()).save(tmp_path / "mixed.vec")
    with pytest.raises(InputError, match="was trained on other vectors of table"):
        load_classifier(tmp_path / "saved", [str(tmp_path / "mixed.vec")])
    VectorTable(WORDS, VECTORS[:, :5].copy()).save(tmp_path / "short.vec")
    with pytest.raises(InputError, match=r"needs the vectors of table \(12 dimensions\). Got short \(5 dimensions\)"):
        load_classifier(tmp_path / "saved", [str(tmp_path / "short.vec")])
    with pytest.raises(InputError, match="There is no classifier in"):
        load_classifier(tmp_path)
    path = tmp_path / "saved" / "classifier.safetensors"
    weights, record = read_network(path, "classifier.v1", "a classifier", ())
    for wrong in ({"labels": "sport"}, {"sources": [["table"]]}, {"words": [1]}):
        write_network(path, "classifier.v1", weights, record | wrong)
        with pytest.raises(InputError, match="its record is damaged"):
            load_classifier(tmp_path / "saved")
    for changed in (
        {"output.bias": np.zeros(3, dtype=np.float32)},
        {"output.weight": np.zeros((2, 5), dtype=np.float32)},
    ):
        write_network(path, "classifier.v1", weights | changed, record)
        with pytest.raises(InputError, match="do not fit its configuration"):
            load_classifier(tmp_path / "saved")
    path.write_bytes(b"no")
    with pytest.raises(InputError, match="cannot be read as a classifier"):
        load_classifier(tmp_path / "saved")


def test_documents_are_read_by_the_names_of_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "some.tsv"
    path.write_text("id\tlabels\ttitle\ttext\n1\tb|a\tT\tx y\n2\t\t\tz\n", encoding="utf-8")
    found = read_documents(path)
    assert (found.name, found.several, found.known) == ("some", True, ["a", "b"])
    assert (found.texts, found.labels) == (("T. x y", "z"), (("b", "a"), ()))
    path.write_text("label\tkind\ttext\na\tk\tx\nb\tl\ty\n", encoding="utf-8")
    assert read_documents(path).labels == (("a",), ("b",))
    assert read_documents(path, "kind").labels == (("k",), ("l",))
    for content, message in (
        ("text\nx\n", "some.tsv:1: the first line must name the columns label and text"),
        ("label\ttext\na\n", "some.tsv:2: needs 2 columns between tabs. Got 'a'"),
        ("label\ttext\na\tx\n\ty\n", "some.tsv:3: needs a label"),
        ("label\ttext\n", "holds no texts below its first line"),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_documents(path)
    with pytest.raises(InputError, match="too few to cut 10% of them off as dev"):
        documents(4).cut_dev()


def test_probabilities_of_a_teacher_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "soft.npz"
    SoftLabels(("a", "b"), np.float32([[0.25, 0.75]])).save(path)
    assert SoftLabels.load(path).of(["b", "a"]).tolist() == [[0.75, 0.25]]
    np.savez(path, labels=np.array(["a"]), probabilities=np.zeros((2, 2)))
    with pytest.raises(InputError, match="needs a column of probabilities for each of 1 labels"):
        SoftLabels.load(path)
    np.savez(path, labels=np.array(["a"]), probabilities=np.full((2, 1), np.nan))
    with pytest.raises(InputError, match="no probabilities"):
        SoftLabels.load(path)
    path.write_bytes(b"no")
    with pytest.raises(InputError, match="must be an"):
        SoftLabels.load(path)
