from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(f"tiny_{request.param}_folder")
    return found


@pytest.fixture
def tokenizer(folder: Path) -> Any:
    import transformers

    return transformers.AutoTokenizer.from_pretrained(folder)
