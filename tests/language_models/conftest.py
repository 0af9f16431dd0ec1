from __future__ import annotations

import pytest

from everyword.language_models.language_model import LanguageModel


@pytest.fixture(params=["bert", "roberta"])
def model(request: pytest.FixtureRequest) -> LanguageModel:
    found: LanguageModel = request.getfixturevalue(request.param)
    return found
