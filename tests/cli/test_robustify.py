from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import modules

from everyword.models.model import Model
from everyword.plugins.transformers import from_pretrained

from .conftest import Run


def test_a_robust_model_as_a_folder(run: Run, tiny_bert_folder: Path, tiny_dan_model: Model) -> None:
    tiny_dan_model.save_pretrained("imputer")
    made = ("robustify", tiny_bert_folder, "--vectors", "imputer", "--which", "unknown", "--output", "robust")
    result = run(*made)
    assert result.exit_code == 0, result.stderr
    assert "Saved the robust model to robust. Load it:  from everyword" in result.stderr

    model, tokenizer = from_pretrained("robust")

    assert model.everyword.settings == {"strategy": "replace", "words": "unknown"}
    with torch.no_grad():
        assert model(**tokenizer("the sornow sat", return_tensors="pt")).last_hidden_state.isfinite().all()
    assert run(*made).exit_code != 0
    assert run(*made, "--overwrite", "--strategy", "slash").exit_code == 0
    assert from_pretrained("robust")[0].everyword.settings["strategy"] == "slash"


def test_what_cannot_be_made_robust(
    refused: Callable[..., str], tiny_bert_folder: Path, tiny_adapted_model: Model
) -> None:
    tiny_adapted_model.save_pretrained("imputer")
    here = ("robustify", tiny_bert_folder, "--vectors", "imputer")
    assert "gives vectors of dimension 10, and the model's input rows have 16" in refused(*here, "--output", "new")
    assert "'swap' is not one of 'replace', 'linear', 'add', 'slash'" in refused(
        *here, "--output", "new", "--strategy", "swap"
    )
    assert "exists already and is not empty" in refused(*here, "--output", tiny_bert_folder)
    assert "There is no folder" in refused("robustify", "no/such/bert", "--output", "new")
    assert not Path("new").exists()


def test_a_sentence_encoder_stays_one(run: Run, tiny_bert_folder: Path, tiny_dan_model: Model) -> None:
    tiny_dan_model.save_pretrained("vectors")
    word = modules.Transformer(str(tiny_bert_folder))
    pooling = modules.Pooling(word.get_embedding_dimension())
    SentenceTransformer(modules=[word, pooling, modules.Normalize()], device="cpu").save("encoder")
    result = run("robustify", "encoder", "--vectors", "vectors", "--which", "unknown", "--output", "robust")
    assert result.exit_code == 0, result.stderr
    assert "SentenceTransformer('robust', trust_remote_code=True)" in result.stderr
    robust = SentenceTransformer("robust", trust_remote_code=True, device="cpu")
    assert [type(part).__name__ for part in robust] == ["RobustTransformer", "Pooling", "Normalize"]
    np.testing.assert_allclose(np.linalg.norm(robust.encode("the sornow sat")), 1, rtol=1e-5)
