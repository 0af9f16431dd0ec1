"""Vectors of a trained BERTRAM, and its saved folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.errors import DamagedModelError, InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.bertram import Bertram, TrainingRun, train_bertram
from everyword.systems.bertram.model import CachingBertram

from .made_contexts import quick_config

Sentences = dict[str, list[str]]
RARE = {"catdog": ["the catdog sat", "A CATDOG, on the mat"], "yorker": [], "cat": ["a cat"]}


@pytest.fixture(scope="module", params=["add", "replace", "shallow"])
def bertram(
    bert: LanguageModel, contexts: Sentences, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Bertram:
    run = TrainingRun(contexts, tmp_path_factory.mktemp("bertram"), quick_config(variant=request.param))
    found = train_bertram(bert, run)
    assert found is not None
    return found


def test_a_word_alone_gets_the_vector_it_gets_among_others(bertram: Bertram) -> None:
    together = bertram.infer(RARE)
    backwards = bertram.infer(dict(reversed(RARE.items())))

    assert together.shape == (3, 16)
    assert together.dtype == np.float32
    np.testing.assert_allclose(backwards[::-1], together, rtol=1e-4, atol=1e-5)
    for row, (word, sentences) in enumerate(RARE.items()):
        np.testing.assert_allclose(bertram.infer(word, sentences), together[row], rtol=1e-4, atol=1e-5)
    assert bertram.vectors_for(RARE).words == list(RARE)


def test_without_contexts_the_form_decides(bertram: Bertram) -> None:
    with torch.no_grad():
        form = bertram.network.form(["yorker"])[0].numpy()

    np.testing.assert_array_equal(bertram.infer("yorker"), form)
    with pytest.warns(UserWarning, match="Skipped 1 of 1 sentences"):
        np.testing.assert_array_equal(bertram.infer("yorker", ["a dog sat"]), form)


def test_many_contexts_are_drawn_and_never_skipped(bertram: Bertram) -> None:
    many = [f"the cat sat {'on ' * (number % 7)}mat" for number in range(300)]

    vector = bertram.infer("cat", many)

    np.testing.assert_array_equal(vector, bertram.infer("cat", many))
    assert not np.allclose(vector, bertram.infer("cat"))
    assert np.isfinite(bertram.infer("cat", many, most_contexts=300)).all()
    with pytest.raises(InputError, match="most_contexts must be 1 or more"):
        bertram.infer("cat", many, most_contexts=0)


def test_weights_of_sentences(bertram: Bertram) -> None:
    weights = bertram.weights("cat", ["the cat sat", "a cat", "the cat sat"])

    assert weights.sum() == pytest.approx(1, abs=1e-5)
    assert weights[0] == pytest.approx(weights[2], abs=1e-5)
    assert bertram.weights("cat", []).shape == (0,)


def test_no_words_no_vectors(bertram: Bertram) -> None:
    assert bertram.infer({}).shape == (0, 16)


def test_saved_and_loaded(bertram: Bertram, tiny_bert_folder: Path, tmp_path: Path) -> None:
    bertram.save(tmp_path / "saved")

    loaded = Bertram.load(tmp_path / "saved", tiny_bert_folder, device="cpu")

    np.testing.assert_array_equal(loaded.infer(RARE), bertram.infer(RARE))
    assert loaded.config == bertram.config
    assert loaded.record == json.loads(json.dumps(bertram.record))
    assert sorted(path.name for path in (tmp_path / "saved").iterdir()) == [
        "config.json",
        "model.safetensors",
        "ngrams.txt",
    ]
    assert str(tiny_bert_folder.parent) not in (tmp_path / "saved" / "config.json").read_text()


def test_the_encoder_may_come_in_another_precision(bertram: Bertram, tiny_bert_folder: Path, tmp_path: Path) -> None:
    bertram.save(tmp_path / "saved")

    loaded = Bertram.load(tmp_path / "saved", tiny_bert_folder, device="cpu", precision="bfloat16")

    np.testing.assert_allclose(loaded.infer(RARE), bertram.infer(RARE), atol=0.3)


def test_another_encoder_is_refused(bertram: Bertram, roberta: LanguageModel, tmp_path: Path) -> None:
    bertram.save(tmp_path / "saved")

    with pytest.raises(InputError, match=r"was trained with the encoder bert, and .*roberta has other weights"):
        Bertram.load(tmp_path / "saved", roberta)
    with pytest.raises(InputError, match="was trained with the encoder bert; give the path of that encoder"):
        Bertram.load(tmp_path / "saved")


def test_folders_that_are_no_bertram(
    bertram: Bertram, bert: LanguageModel, tiny_model_folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"is not a saved BERTRAM: config.json is missing"):
        Bertram.load(tmp_path, bert)
    with pytest.raises(InputError, match=r"its format is 1, not 'bertram.v1'"):
        Bertram.load(tiny_model_folder, bert)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file is a file; a model is saved to a folder"):
        bertram.save(tmp_path / "file")
    bertram.save(tmp_path / "saved")
    (tmp_path / "saved" / "ngrams.txt").write_text("[RARE]\n")
    with pytest.raises(DamagedModelError, match=r"ngrams.txt is damaged: its checksum has changed"):
        Bertram.load(tmp_path / "saved", bert)
    (tmp_path / "saved" / "model.safetensors").unlink()
    with pytest.raises(DamagedModelError, match=r"model.safetensors is missing"):
        Bertram.load(tmp_path / "saved", bert)
    (tmp_path / "saved" / "config.json").write_text("[]")
    with pytest.raises(DamagedModelError, match="is not the configuration of a saved BERTRAM"):
        Bertram.load(tmp_path / "saved", bert)


def test_a_model_that_reads_once_says_the_same_and_reads_no_sentence_twice(
    bertram: Bertram, monkeypatch: pytest.MonkeyPatch
) -> None:
    caching = CachingBertram(bertram)
    np.testing.assert_allclose(caching.infer(RARE), bertram.infer(RARE), rtol=1e-4, atol=1e-5)

    monkeypatch.setattr("everyword.systems.bertram.model.vectors_at_masks", None)
    fewer = {word: sentences[:1] for word, sentences in RARE.items()}
    again = caching.infer(fewer)
    monkeypatch.undo()
    np.testing.assert_allclose(again, bertram.infer(fewer), rtol=1e-4, atol=1e-5)
