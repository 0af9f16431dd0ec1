"""Distillation: divergence from a teacher, changed copies of texts, costs, and students that learn from it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch
from torch import nn

from everyword.corpus.labelled.documents import MASK, Documents, SoftLabels
from everyword.corpus.labelled.transfer_set import SamePart, TransferConfig, changed_text, frequent_tags, transfer_set
from everyword.learning.costs import classifier_flops, lstm_flops
from everyword.learning.distillation import Direction, divergence
from everyword.learning.sources import TableSource
from everyword.systems.classifiers.classifier import ClassifierConfig, words_read
from everyword.systems.classifiers.train import train_classifier
from everyword.vectors.table import VectorTable

DIRECTIONS: tuple[Direction, ...] = ("student||teacher", "teacher||student")
TAGS = {"cat": "NOUN", "dog": "NOUN", "runs": "VERB", "sleeps": "VERB", "the": "DET"}
TEXTS = ("The cat runs. The dog sleeps! Zork is the dog.", "the cat sleeps", "")


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("temperature", [1.0, 3.0])
def test_divergence_is_zero_from_the_same_scores_and_else_above(
    direction: Direction, several: bool, temperature: float
) -> None:
    scores = 2 * torch.randn(5, 4, generator=torch.Generator().manual_seed(0))
    chances = scores.sigmoid() if several else scores.softmax(dim=1)
    options = {"several": several, "direction": direction, "temperature": temperature}
    same = divergence(scores, chances, **options)  # type: ignore[arg-type]
    assert same.tolist() == pytest.approx([0.0] * 5, abs=1e-4)
    other = divergence(scores.roll(1, dims=0), chances, **options)  # type: ignore[arg-type]
    assert (other > 0.01).all()
    sure = divergence(scores, (chances > 0.5).float(), **options)  # type: ignore[arg-type]
    assert torch.isfinite(sure).all()


def test_several_labels_are_summed_one_by_one() -> None:
    scores, teacher = torch.tensor([[0.3, -1.0]]), torch.tensor([[0.2, 0.9]])
    own = scores.sigmoid()
    each = own * (own / teacher).log() + (1 - own) * ((1 - own) / (1 - teacher)).log()
    assert (each >= 0).all()
    assert divergence(scores, teacher, several=True).item() == pytest.approx(each.sum().item(), abs=1e-5)
    back = divergence(scores, teacher, several=True, direction="teacher||student").item()
    assert back == pytest.approx(
        float((teacher * (teacher / own).log() + (1 - teacher) * ((1 - teacher) / (1 - own)).log()).sum()), abs=1e-5
    )


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_linear_student_recovers_a_linear_teacher(direction: Direction) -> None:
    torch.manual_seed(0)
    inputs, teacher, student = torch.randn(200, 6), nn.Linear(6, 3), nn.Linear(6, 3)
    with torch.no_grad():
        chances = teacher(inputs).softmax(dim=1)
    optimiser = torch.optim.Adam(student.parameters(), lr=0.1)
    for _ in range(100):
        optimiser.zero_grad()
        divergence(student(inputs), chances, direction=direction).mean().backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    with torch.no_grad():
        torch.testing.assert_close(student(inputs).softmax(dim=1), chances, atol=0.02, rtol=0)


def taught(weight: float, teacher: SoftLabels | None) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    words = ["goal", "coach", "bank", "share"]
    table = TableSource("words", VectorTable(words, np.eye(4, dtype=np.float32)))
    texts = tuple(f"{one} {other}" for one in words for other in words)
    labels = tuple((("sport",) if "o" in text.split()[0] else ("money",)) for text in texts)
    data = Documents("made", texts, labels)
    config = ClassifierConfig(network="cnn", filters=4, widths=(1,), epochs=2, batch=4, teacher_weight=weight)
    found = train_classifier(replace(data, teacher=teacher), data, [table], config)
    assert found is not None
    return found.classifier.probabilities(texts)


def test_a_teacher_without_weight_changes_nothing() -> None:
    soft = SoftLabels(("money", "sport"), np.full((16, 2), 0.5, dtype=np.float32))
    plain = taught(0.0, None)
    assert np.array_equal(taught(0.0, soft), plain)
    assert np.array_equal(taught(1.0, None), plain)
    assert np.abs(taught(4.0, soft) - 0.5).mean() < np.abs(plain - 0.5).mean()  # an undecided teacher


def test_texts_without_known_labels_are_learnt_from_the_teacher_alone() -> None:
    words = TableSource("words", VectorTable(["goal", "bank"], np.eye(2, dtype=np.float32)))
    data = Documents("made", ("goal", "bank") * 8, (("sport",), ("money",)) * 8)
    # All labels but two are wrong and do not count; the teacher is right.
    wrong = replace(data, labels=(*data.labels[:2], *data.labels[:2][::-1] * 7), gold=np.arange(16) < 2)
    soft = SoftLabels(("money", "sport"), np.tile(np.float32([[0.05, 0.95], [0.95, 0.05]]), (8, 1)))
    config = ClassifierConfig(network="linear", epochs=20, patience=20, batch=4, learning_rate=0.1)
    found = train_classifier(replace(wrong, teacher=soft), data, [words], config)
    assert found is not None
    assert found.dev == 100


def test_copies_keep_parts_of_speech_and_sentences_keep_their_words() -> None:
    same_part = SamePart(TEXTS, TAGS)
    rng = Random(0)
    only_swaps = TransferConfig(mask=0.0, swap=1.0, shuffle=False)
    for _ in range(20):
        copy = changed_text(TEXTS[1], same_part, only_swaps, rng)
        assert [same_part.tag(word) for word in copy.split()] == ["DET", "NOUN", "VERB"]
    shuffled = changed_text(TEXTS[0], same_part, TransferConfig(mask=0.0, swap=0.0), Random(1))
    assert sorted(shuffled.split()) == sorted(TEXTS[0].split())
    assert shuffled != TEXTS[0]
    hidden = changed_text(TEXTS[1], same_part, TransferConfig(mask=1.0, swap=0.0), rng)
    assert hidden.split() == [MASK] * 3
    assert words_read(f"the {MASK} cat", ClassifierConfig()) == ["the", "cat"]
    few = changed_text(TEXTS[0], same_part, TransferConfig(mask=0.0, swap=0.0, shuffle=False, ngram=1.0), rng)
    assert few in TEXTS[0]
    assert 1 <= len(few.split()) <= 5
    assert frequent_tags([["Run", "run"], ["run"]], [["NOUN", "VERB"], ["VERB"]]) == {"run": "VERB"}


def test_a_transfer_set_holds_the_texts_and_their_copies() -> None:
    data = Documents("made", TEXTS, (("a",), ("b",), ("b",)))
    found = transfer_set(data, TAGS, TransferConfig(copies=2, seed=3))
    assert found.texts[:3] == TEXTS
    assert len(found) == 9
    assert found.labels == data.labels * 3
    assert found.gold is None
    assert found == transfer_set(data, TAGS, TransferConfig(copies=2, seed=3))
    unlabelled = transfer_set(data, TAGS, TransferConfig(copies=1), labelled=False)
    assert unlabelled.gold is not None
    assert unlabelled.gold.tolist() == [True] * 3 + [False] * 3


def test_costs_are_those_of_the_matrices() -> None:
    assert lstm_flops(300, 10, 512, directions=1) == 10 * 8 * 512 * (512 + 300)
    config = ClassifierConfig(network="cnn", widths=(3,), filters=10)
    assert classifier_flops(config, dim=50, labels=4, words=1) == 2 * 3 * (3 * 50) * 10 + 2 * 10 * 4
    assert classifier_flops(replace(config, network="tfidf"), dim=1000, labels=4, words=9) == 8000
    assert classifier_flops(replace(config, network="linear"), dim=50, labels=4, words=9) == 9 * 50 + 400
    assert (
        classifier_flops(replace(config, network="lstm", states=5), dim=50, labels=4, words=2)
        == 2 * 2 * 8 * 5 * 55 + 80
    )
