from __future__ import annotations

import pytest
from repeated import check_all_findings


@pytest.fixture(autouse=True)
def _every_study_is_repeated_for_real(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_findings(monkeypatch)
