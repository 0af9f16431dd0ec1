"""Weights of words in texts: learnt from an encoder, saved beside a model, used without torch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from everyword import DamagedModelError, InputError, Model
from everyword.cli.commands import main
from everyword.models.load import load
from everyword.models.saved.layout import PARTS
from everyword.sentences.encoder import TextEncoder
from everyword.sentences.weights import TextWeights
from everyword.systems.sentences.config import TextWeightsConfig
from everyword.systems.sentences.text_data import read_bags
from everyword.systems.sentences.text_weights import TextNetwork, TextTraining
from everyword.systems.sentences.train import TextWeightsRun, correlation, train

CONFIG = TextWeightsConfig(corrected_words=50, correction_size=4, epochs=2, batch_size=64, held_out=20)


@pytest.fixture(scope="module")
def model_folder(tiny_dan_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts") / "model"
    tiny_dan_model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def texts(tiny_dan_model: Model) -> list[str]:
    rng = Random(0)
    words = list(tiny_dan_model.known_words.words)
    return [" ".join(rng.choices([*words, "bann", "unheardof"], k=rng.randint(2, 7))) for _ in range(300)]


@pytest.fixture(scope="module")
def trained(
    model_folder: Path, texts: list[str], tiny_bert_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    place = tmp_path_factory.mktemp("trained")
    (place / "texts.txt").write_text("\n".join([*texts, texts[0], ""]))
    run = TextWeightsRun(
        CONFIG, str(model_folder), str(tiny_bert_folder), [place / "texts.txt"], place / "run", "cpu", report=str
    )
    assert train(run, place / "model")
    return place / "model"


@pytest.mark.parametrize("correction_bytes", [0, 4])
def test_the_network_and_the_encoder_agree(model_folder: Path, texts: list[str], correction_bytes: int) -> None:
    config = replace(CONFIG, correction_bytes=correction_bytes)
    model = load(model_folder)
    bags = read_bags(model_folder, texts)
    start = TextWeights.by_rank(model.known_words, terms=True)
    network = TextNetwork(model.known_words, start, torch.from_numpy(bags.made), config)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    training = TextTraining.__new__(TextTraining)
    training.network, training.device = network, "cpu"

    weights = network.weights(start)
    saved = TextWeights.from_tensors(weights.to_tensors(), len(model.known_words), model.dim)
    made = TextEncoder(model, saved).encode(texts)

    made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9)
    cosines = (made * training.vectors(bags)).sum(axis=1)
    assert cosines[made.any(axis=1)].min() > 0.999  # corrections are stored in a few bytes each
    assert weights.version == ("texts.v2" if correction_bytes else "texts.v1")


def test_a_training_comes_closer_to_the_encoder(model_folder: Path, texts: list[str]) -> None:
    model = load(model_folder)
    bags = read_bags(model_folder, texts)
    wanted = np.random.default_rng(0).normal(size=(len(model.known_words) + 1, 24)).astype(np.float32)
    # An encoder of which every other word counts nothing and the rest is a table of its own.
    wanted[::2] = 0
    teacher = np.zeros((len(texts), 24), dtype=np.float32)
    for number, text in enumerate(texts):
        rows = model.known_words.rows_of(text.split())
        teacher[number] = wanted[rows].sum(axis=0)
    teacher += 1e-3
    teacher /= np.linalg.norm(teacher, axis=1, keepdims=True)
    held_out, rest = bags.first(100)
    training = TextTraining(
        model.known_words,
        TextWeights.by_rank(model.known_words),
        rest,
        torch.from_numpy(teacher),
        TextWeightsConfig(corrected_words=200, correction_size=16, epochs=30, batch_size=100, learning_rate=0.02),
        teacher_of=np.arange(100, len(texts)),
    )
    before = correlation(training.vectors(held_out), teacher[:100])

    assert training.run() is not None

    assert correlation(training.vectors(held_out), teacher[:100]) > before + 5


def test_a_trained_model_has_a_part_for_texts(trained: Path, model_folder: Path, texts: list[str]) -> None:
    model, plain = load(trained), load(model_folder)

    assert json.loads((trained / "config.json").read_text())["texts"]["name"] == "texts.v1"
    np.testing.assert_array_equal(model.encode(["bann"]), plain.encode(["bann"]))
    assert not np.allclose(model.encode_texts(texts), plain.encode_texts(texts))
    again = load(trained)
    np.testing.assert_allclose(again.encode_texts(texts), model.encode_texts(texts), atol=1e-6)


def test_the_part_is_saved_with_the_model_and_follows_its_words(
    trained: Path, texts: list[str], tmp_path: Path
) -> None:
    model = load(trained)
    model.save_pretrained(tmp_path / "copy")
    np.testing.assert_allclose(load(tmp_path / "copy").encode_texts(texts), model.encode_texts(texts), atol=1e-6)

    words = list(model.known_words.words)
    fewer = model.without(words[5:7])
    kept = " ".join([words[2], words[9], words[60]])
    np.testing.assert_allclose(fewer.encode_texts(kept), model.encode_texts(kept), atol=1e-5)
    fewer.save_pretrained(tmp_path / "fewer")
    assert not (tmp_path / "fewer" / PARTS["texts"]).exists()
    assert load(tmp_path / "fewer").encode_texts(kept).any()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("damage", [Path.unlink, _cut])
def test_a_damaged_part_is_refused_when_texts_come(
    trained: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    load(trained).save_pretrained(tmp_path / "model")
    damage(tmp_path / "model" / PARTS["texts"])
    model = load(tmp_path / "model")

    assert model["ban"].any()
    with pytest.raises(DamagedModelError, match="missing or damaged"):
        model.encode_texts("ban")


@pytest.mark.parametrize(
    "change",
    [
        {"gains": np.ones(3, dtype=np.float16)},
        {"turn": np.eye(3, dtype=np.float32)},
        {"basis": np.ones((1, 1), dtype=np.float32)},
        {"terms.rows": np.full(9, 10**6, dtype=np.int32)},
        {"numbers": np.full(2, np.nan, dtype=np.float32)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(trained: Path, change: dict[str, np.ndarray]) -> None:  # type: ignore[type-arg]
    model = load(trained)
    tensors = model.parts["texts"].tensors() | change

    with pytest.raises(DamagedModelError, match="part for texts"):
        TextWeights.from_tensors(tensors, len(model), model.dim)


def test_another_version_is_refused(trained: Path, tmp_path: Path) -> None:
    load(trained).save_pretrained(tmp_path)
    described = json.loads((tmp_path / "config.json").read_text())
    described["texts"]["name"] = "texts.v9"
    (tmp_path / "config.json").write_text(json.dumps(described))

    with pytest.raises(DamagedModelError, match="pip install -U"):
        load(tmp_path).encode_texts("ban")


def test_too_few_texts_are_refused(model_folder: Path, tiny_bert_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("one\ntwo\n\n")
    run = TextWeightsRun(CONFIG, str(model_folder), str(tiny_bert_folder), [tmp_path / "texts.txt"], tmp_path / "run")

    with pytest.raises(InputError, match="Got 2"):
        train(run, tmp_path / "model")


def test_the_command(model_folder: Path, tiny_bert_folder: Path, texts: list[str], tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(texts))
    options = ["--model", str(model_folder), "--encoder", str(tiny_bert_folder), "--device", "cpu"]
    files = ["--texts", str(tmp_path / "texts.txt"), "--output", str(tmp_path / "model")]

    result = CliRunner().invoke(
        main, ["train", "texts", *options, *files, "held_out=10", "epochs=1", "correction_size=0"]
    )

    assert result.exit_code == 0, result.output
    assert load(tmp_path / "model").parts.keys() == {"texts"}
