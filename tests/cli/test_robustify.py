from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from everyword.models.model import Model
from everyword.plugins.transformers import from_pretrained

from .conftest import Run


def test_a_robust_model_as_a_folder(run: Run, tiny_bert_folder: Path, tiny_dan_model: Model) -> None:
    tiny_dan_model.save_pretrained("imputer")
    made = ("robustify", tiny_bert_folder, "--imputer", "imputer", "--words", "unknown", "--out", "robust")
    result = run(*made)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("robust is robust. Load it:")

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
    here = ("robustify", tiny_bert_folder, "--imputer", "imputer")
    assert "gives vectors of dimension 10, and the model's input rows have 16" in refused(*here, "--out", "new")
    assert "There is no strategy 'swap'" in refused(*here, "--out", "new", "--strategy", "swap")
    assert "holds a model already" in refused(*here, "--out", tiny_bert_folder)
    assert "There is no folder" in refused("robustify", "no/such/bert", "--out", "new")
    assert not Path("new").exists()
