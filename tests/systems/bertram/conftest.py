from __future__ import annotations

import pytest

from everyword.language_models.language_model import LanguageModel

from .made_contexts import made_contexts


@pytest.fixture(params=["bert", "roberta"])
def encoder(request: pytest.FixtureRequest) -> LanguageModel:
    found: LanguageModel = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def contexts(bert: LanguageModel) -> dict[str, list[str]]:
    """Sentences of words that are one piece to the tiny BERT."""
    return made_contexts(bert)
