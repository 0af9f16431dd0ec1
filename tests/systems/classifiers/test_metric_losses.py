"""Every loss trains a classifier, whose output layer alone classifies texts, also after saving."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.corpus.labelled.documents import Documents
from everyword.errors import InputError
from everyword.learning.sources import TableSource
from everyword.systems.classifiers.classifier import ClassifierConfig, load_classifier
from everyword.systems.classifiers.train import score, train_classifier
from everyword.vectors.table import VectorTable

WORDS = ["goal", "match", "share", "bank", "rain", "snow", "the", "of"]
TABLE = VectorTable(WORDS, np.random.default_rng(1).normal(size=(len(WORDS), 12)).astype(np.float32))


def documents(count: int, seed: int) -> Documents:
    rng, labels = Random(seed), ["sport", "money", "weather"]
    rows = [(rng.choice(WORDS[2 * (place % 3) : 2 * (place % 3) + 2]), labels[place % 3]) for place in range(count)]
    return Documents(
        "made", tuple(f"{rng.choice(WORDS[6:])} {word}" for word, _ in rows), tuple((one,) for _, one in rows)
    )


@pytest.mark.parametrize(
    ("loss", "options"),
    [
        ("aam", {"margin": 0.2, "scale": 5.0}),
        ("coco", {"scale": 5.0}),
        ("center", {"center": 2.0}),
        ("contrastive", {"margin": 0.8}),
        ("triplet", {}),
    ],
)
def test_every_loss_trains_a_classifier(loss: str, options: dict[str, float], tmp_path: Path) -> None:
    config = ClassifierConfig("lstm", states=6, epochs=5, batch=12, learning_rate=0.03, loss=loss, **options)  # type: ignore[arg-type]
    found = train_classifier(documents(60, 0), documents(15, 1), [TableSource("table", TABLE)], config)
    assert found is not None
    assert score(found.classifier, documents(30, 2)) > 90
    TABLE.save(tmp_path / "table.vec")
    found.save(tmp_path / "saved", [str(tmp_path / "table.vec")])
    texts = list(documents(6, 3).texts)
    assert load_classifier(tmp_path / "saved").probabilities(texts) == pytest.approx(
        found.classifier.probabilities(texts), abs=1e-4
    )


def test_texts_of_several_labels_are_refused() -> None:
    several = Documents("made", ("goal", "bank"), (("sport",), ("sport", "money")), several=True)
    with pytest.raises(InputError, match="'triplet' needs texts with one label each"):
        train_classifier(several, several, [TableSource("table", TABLE)], ClassifierConfig(loss="triplet"))
