from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from repeated import check_all_findings

from everyword.cli import main

Run = Callable[..., Result]
"""Runs `everyword` with arguments, and with `input` on standard input."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run_everyword(*arguments: object, input: str | bytes = b"") -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)

    return run_everyword


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Runs `everyword` and expects exit code 2 with one line on standard error, which it returns."""

    def run_refused(*arguments: object, input: str | bytes = b"") -> str:
        result = run(*arguments, input=input)
        assert result.exit_code == 2, result.stderr
        assert result.stderr.startswith("everyword: ")
        assert result.stderr.count("\n") == 1
        assert "Traceback" not in result.stderr
        return result.stderr

    return run_refused


@pytest.fixture(autouse=True)
def _every_study_is_repeated_for_real(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "reproduce" in request.path.name or request.path.name in ("test_components.py", "test_by_resource.py"):
        check_all_findings(monkeypatch)
