"""The contract of every kind of study, checked wherever a test runs one: the seeds that it tells are runs it made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from everyword.studies.findings import Findings


SURE = ("lexicons",)
"""Kinds whose tiny examples in tests leave nothing to chance; that their seeds differ is seen in kept results."""


def check_all_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the findings of every study that the test runs."""
    from everyword.studies.findings import Findings

    make = Findings.__init__

    def make_and_check(self: Findings, *given: Any, **named: Any) -> None:
        make(self, *given, **named)
        check(self)

    monkeypatch.setattr(Findings, "__init__", make_and_check)


def check(findings: Findings) -> None:
    """Fail if a score stands on other runs than the study says, or if all runs of all scores are equal."""
    study, drawn = findings.study, []
    for variant in study.variants:
        for column, score in findings.scores[variant.label].items():
            if score is not None and score.seeds is not None:
                asked = study.runs(variant, column)
                assert score.seeds == asked, f"{variant.label}, {column}: {score.seeds} runs instead of {asked}"
                assert len(score.runs) == (asked if asked > 1 else 0)
                drawn.append(score)
    several = [score.runs for score in drawn if score.runs and study.kind not in SURE]
    assert not several or any(len(set(runs)) > 1 for runs in several), "all seeds gave the same"
