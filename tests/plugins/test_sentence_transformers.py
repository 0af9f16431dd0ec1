from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tiny_transformers import SIZE

from everyword.errors import InputError
from everyword.models.model import Model
from everyword.plugins.sentence_transformers import RobustTransformer, WordVectors, robustify
from everyword.plugins.transformers import robustify_folder
from everyword.vectors.table import VectorTable

DIM = SIZE["hidden_size"]
TEXTS = ["The weasel sat and walked.", "A cat.", "Cattle, weasel and dog walked the city"]


@pytest.fixture(params=["bert", "roberta"])
def encoder(request: pytest.FixtureRequest) -> Any:
    folder = request.getfixturevalue(f"tiny_{request.param}_folder")
    return SentenceTransformer(modules=[Transformer(str(folder)), Pooling(DIM)], device="cpu")


def rows_of(encoder: Any, words: list[str]) -> VectorTable:
    """Each word with the input row of a word that is one piece, so that it should read like that word."""
    tokenizer = encoder.tokenizer
    twin = tokenizer.encode("The the", add_special_tokens=False)[-1]
    row = encoder[0].model.get_input_embeddings().weight[twin].detach().numpy()
    return VectorTable(words, np.tile(row, (len(words), 1)))


def test_a_replaced_word_counts_once_in_the_mean(encoder: Any) -> None:
    expected = encoder.encode("The the sat on the the")
    assert not np.allclose(encoder.encode("The weasel sat on the cattle"), expected, atol=1e-3)

    assert robustify(encoder, rows_of(encoder, ["weasel", "cattle"])) is encoder

    np.testing.assert_allclose(encoder.encode("The weasel sat on the cattle"), expected, atol=1e-5)
    np.testing.assert_allclose(encoder.encode("The the sat on the the"), expected, atol=1e-5)


@pytest.mark.parametrize("strategy", ["replace", "slash", "add", "linear"])
def test_saved_and_loaded(encoder: Any, strategy: str, tmp_path: Path) -> None:
    plain = encoder.encode(TEXTS)
    robustify(encoder, rows_of(encoder, ["weasel", "cattle"]), strategy)
    robust = encoder.encode(TEXTS)
    assert not np.allclose(robust[0], plain[0])
    np.testing.assert_allclose(robust[1], plain[1], atol=1e-5)

    encoder.save_pretrained(str(tmp_path))
    again = SentenceTransformer(str(tmp_path), trust_remote_code=True, device="cpu")

    assert isinstance(again[0], RobustTransformer)
    np.testing.assert_allclose(again.encode(TEXTS), robust, atol=1e-5)


def test_a_folder_keeps_its_pooling_and_normalising(encoder: Any, tmp_path: Path) -> None:
    plain, table = tmp_path / "plain", rows_of(encoder, ["weasel", "cattle"])
    encoder.append(Normalize())
    encoder[1] = Pooling(DIM, pooling_mode="max")
    encoder.save_pretrained(str(plain))

    how = robustify_folder(plain, tmp_path / "robust", table)

    expected = robustify(encoder, table).encode(TEXTS)
    assert "trust_remote_code=True" in how
    again = SentenceTransformer(str(tmp_path / "robust"), trust_remote_code=True, device="cpu")
    assert [type(module).__name__ for module in again] == ["RobustTransformer", "Pooling", "Normalize"]
    np.testing.assert_allclose(again.encode(TEXTS), expected, atol=1e-5)


def test_several_processes_encode_as_one(encoder: Any) -> None:
    robustify(encoder, rows_of(encoder, ["weasel", "cattle"]))
    expected, pool = encoder.encode(TEXTS), encoder.start_multi_process_pool(["cpu"])
    try:
        np.testing.assert_allclose(encoder.encode(TEXTS, pool=pool), expected, atol=1e-5)
    finally:
        encoder.stop_multi_process_pool(pool)


def test_what_cannot_be_made_robust(encoder: Any, tiny_dan_model: Model) -> None:
    before = encoder.encode(TEXTS)
    with pytest.raises(InputError, match=r"whose first module is a Transformer can be made robust. Got WordVectors"):
        robustify(SentenceTransformer(modules=[WordVectors(tiny_dan_model)], device="cpu"))
    with pytest.raises(InputError, match=r"can be made robust. Got str"):
        robustify("all-MiniLM-L6-v2")
    with pytest.raises(InputError, match="There is no strategy 'swap'"):
        robustify(encoder, rows_of(encoder, ["weasel"]), "swap")
    assert type(encoder[0]) is Transformer
    np.testing.assert_array_equal(encoder.encode(TEXTS), before)


def test_word_vectors_are_those_of_texts(tiny_dan_model: Model) -> None:
    encoder = SentenceTransformer(modules=[WordVectors(tiny_dan_model)], device="cpu")
    texts = ["Ban, trusting bann!", "", "🙂 !", "ban 🙂"]

    made = encoder.encode(texts)

    np.testing.assert_allclose(made, tiny_dan_model.encode_texts(texts), atol=1e-5)
    assert not made[1:3].any()
    assert encoder.get_embedding_dimension() == tiny_dan_model.dim
    assert encoder.encode(["", "!"]).shape == (2, tiny_dan_model.dim)
    np.testing.assert_allclose(encoder.encode("trusting", prompt="ban "), encoder.encode("ban trusting"))


def test_word_vectors_saved_and_loaded(tiny_dan_model: Model, tmp_path: Path) -> None:
    fresh = tiny_dan_model.without(())  # it remembers no word of another batch
    encoder = SentenceTransformer(modules=[WordVectors(fresh)], device="cpu")
    encoder.save_pretrained(str(tmp_path))
    again = SentenceTransformer(str(tmp_path), trust_remote_code=True, device="cpu")
    np.testing.assert_array_equal(again.encode(["ban bann"]), encoder.encode(["ban bann"]))
    assert torch.equal(again.similarity([[1.0, 0.0]], [[1.0, 0.0]]), torch.ones(1, 1))
