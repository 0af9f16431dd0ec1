from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
import transformers

from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.language_models.attribute_vectors import attribute_vector_table
from everyword.language_models.language_model import LanguageModel
from everyword.systems.tiny_bert.config import AttributeConfig, TinyBertConfig, TinyBertRun
from everyword.systems.tiny_bert.tokenizer import SPECIAL, UNKNOWN
from everyword.systems.tiny_bert.train import Training, prepare, train

CAUSAL = TinyBertConfig(
    layers=1,
    width=16,
    heads=2,
    inner=16,
    vocabulary=40,
    units="words",
    causal=True,
    length=16,
    epochs=2,
    batch=8,
    rate=1e-2,
    held_out=0.1,
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, folder = Random(3), tmp_path_factory.mktemp("corpus")
    animals, deeds = ("cat", "dog", "cow", "bird"), ("sat", "walked", "ran", "slept")
    lines = [f"The {rng.choice(animals)} {rng.choice(deeds)} on the mat, then {rng.choice(deeds)}." for _ in range(120)]
    (folder / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    lexicon = [f"{word}\tanimal being" for word in (*animals, "lion")] + ["walk\tmotion", "ran\tmotion"]
    (folder / "lexicon.tsv").write_text("\n".join(lexicon) + "\nstone\tmineral\n", encoding="utf-8")
    return folder


@pytest.fixture
def run(files: Path, tmp_path: Path) -> TinyBertRun:
    return TinyBertRun(
        CAUSAL, tmp_path / "run", (files / "text.txt",), files / "lexicon.tsv", device="cpu", report=lambda _: None
    )


def test_a_vocabulary_of_words_has_no_pieces(run: TinyBertRun) -> None:
    corpus = prepare(run)
    assert not any(piece.startswith("##") for piece in corpus.vocabulary)
    assert corpus.vocabulary[len(SPECIAL) :][:3] == ["the", ".", ","] or "the" in corpus.vocabulary
    small = prepare(replace(run, config=replace(CAUSAL, vocabulary=10)))
    assert len(small.vocabulary) == 10
    assert (small.pieces == UNKNOWN).any()


def test_a_causal_model_predicts_from_what_it_has_read(run: TinyBertRun) -> None:
    training = Training(run, prepare(run))
    blocks = training._blocks(training.train_starts[:2])
    training.network.eval()
    guesses = training.read(blocks)
    assert torch.equal(guesses.targets.view(2, -1), blocks[:, 1:])
    assert torch.equal(guesses.read.view(2, -1), blocks[:, :-1])
    changed = blocks.clone()
    changed[:, 9] = UNKNOWN
    states, others = (training.read(ids).states.view(2, 15, -1) for ids in (blocks, changed))
    assert torch.allclose(states[:, :9], others[:, :9], atol=1e-6)
    assert not torch.allclose(states[:, 9], others[:, 9], atol=1e-3)


def test_the_attributes_to_predict_are_those_of_the_next_word(
    run: TinyBertRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    import everyword.systems.tiny_bert.train as module

    asked: list[torch.Tensor] = []
    monkeypatch.setattr(module, "attribute_loss", lambda logits, ids: asked.append(ids) or logits.sum())
    corpus = prepare(run)
    for target in ("predicted", "read"):
        training = Training(replace(run, config=replace(CAUSAL, attributes=AttributeConfig(target=target))), corpus)
        blocks = training._blocks(corpus.starts[:3])
        training.attribute_loss(training.read(blocks))
        attributes = torch.from_numpy(training.attributes.ids)
        expected = blocks[:, 1:] if target == "predicted" else blocks[:, :-1]
        assert torch.equal(asked[-1], attributes[expected.flatten()])
    assert not torch.equal(asked[0], asked[1])


def test_every_use_of_attributes_trains(run: TinyBertRun) -> None:
    corpus = prepare(run)
    starts, losses = corpus.starts[:8], {}
    uses = {"none": None, "both": AttributeConfig(), "input": AttributeConfig(predict=False)}
    uses["prediction"] = AttributeConfig(embed=False)
    for name, used in uses.items():
        if used is None:
            (run.folder / "attributes.tsv").rename(run.folder / "aside")
        training = Training(replace(run, config=replace(CAUSAL, attributes=used or AttributeConfig())), corpus)
        loss = training._loss(starts)
        loss.backward()
        losses[name] = loss.item()
        unused = {name for name, one in training.network.named_parameters() if one.grad is None}
        assert not [name for name in unused if "pooler" not in name]
        if used is None:
            (run.folder / "aside").rename(run.folder / "attributes.tsv")
    assert losses["prediction"] == pytest.approx(losses["none"] + np.log(2), abs=0.05)  # of guesses at the start
    assert losses["both"] == pytest.approx(losses["input"] + np.log(2), abs=0.05)


def test_trained_saved_and_extracted(run: TinyBertRun, tmp_path: Path) -> None:
    told: list[str] = []
    run = replace(run, config=replace(CAUSAL, epochs=8), report=told.append)
    assert train(run, tmp_path / "model")
    assert any(line.startswith("3 attributes of 6 of ") for line in told)
    record = json.loads((tmp_path / "model" / "training.json").read_text())
    assert record["held_out_loss"] < 2

    network = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "model")
    assert type(network).__name__ == "BertLMHeadModel"
    assert network.config.is_decoder
    model = LanguageModel.load(tmp_path / "model", device="cpu")
    with pytest.warns(UserWarning, match="2 of 5 words are left out.*lexicon"):
        table = attribute_vector_table(model, ["cat", "lion", "lions", "stone", "house"])
    assert table.words == ["cat", "lion", "lions"]
    np.testing.assert_allclose(table["lion"], table["lions"])
    cat = model.tokenizer.convert_tokens_to_ids("cat")
    np.testing.assert_allclose(table["cat"], model.input_matrix()[cat])


def test_a_masked_model_with_pieces_takes_attributes_too(run: TinyBertRun, tmp_path: Path) -> None:
    masked = replace(CAUSAL, causal=False, units="pieces", vocabulary=120, epochs=1)
    assert train(replace(run, config=masked), tmp_path / "model")
    network = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "model")
    assert type(network).__name__ == "BertForMaskedLM"
    assert (tmp_path / "model" / "attributes.safetensors").is_file()


def test_a_resumed_run_has_its_lexicon_and_refuses_another(run: TinyBertRun, tmp_path: Path) -> None:
    assert train(run, tmp_path / "model")
    resumed = replace(run, texts=(), attributes=None, resume=True)
    assert train(resumed, tmp_path / "again")
    lexicon = run.folder / "attributes.tsv"
    lexicon.write_text(lexicon.read_text() + "cow\tmilk\n")
    with pytest.raises(InputError, match="was started with another configuration"):
        train(resumed, tmp_path / "again")


def test_what_cannot_be_is_refused(run: TinyBertRun, tmp_path: Path) -> None:
    (tmp_path / "foreign.tsv").write_text("Katze\tTier\nHund\tTier\n")
    with pytest.raises(InputError, match="No attribute of the lexicon belongs to 2 or more words"):
        train(replace(run, attributes=tmp_path / "foreign.tsv"), tmp_path / "model")
    used = replace(CAUSAL, attributes=AttributeConfig(weight=2.0))
    with pytest.raises(InputError, match="no lexicon; name one by --attributes"):
        train(replace(run, attributes=None, config=used), tmp_path / "model")
    assert not (tmp_path / "model").exists()
    with pytest.raises(ConfigError, match="needs causal=true"):
        check(replace(CAUSAL, causal=False, attributes=AttributeConfig(target="read")))
    with pytest.raises(ConfigError, match="must not both be false"):
        check(replace(CAUSAL, attributes=AttributeConfig(embed=False, predict=False)))
    with pytest.raises(ConfigError, match="a causal model has none"):
        check(replace(CAUSAL, rarity=0.5))
