from __future__ import annotations

from pathlib import Path

import pytest

from everyword.teachers.language_model import LanguageModel


@pytest.fixture(scope="session")
def bert(tiny_bert_folder: Path) -> LanguageModel:
    return LanguageModel.load(tiny_bert_folder, device="cpu")


@pytest.fixture(scope="session")
def roberta(tiny_roberta_folder: Path) -> LanguageModel:
    return LanguageModel.load(tiny_roberta_folder, device="cpu")


@pytest.fixture(params=["bert", "roberta"])
def model(request: pytest.FixtureRequest) -> LanguageModel:
    found: LanguageModel = request.getfixturevalue(request.param)
    return found
