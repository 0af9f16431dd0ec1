"""The questions about parts of texts and about names, asked of tiny tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import tiny_table
from tiny_attacks import write_attacked

from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes.compositionality import CONSTANT, POLARITY, RECONSTRUCTION
from everyword.evaluation.probes.probe import CONTROL_LABELS, LENGTH, RANDOM_VECTORS, Probe, ProbeSettings
from everyword.evaluation.probes.probing import Probing
from everyword.evaluation.probes.representation import StaticVectors
from everyword.evaluation.robustness import name_probe


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_attacked(tmp_path_factory.mktemp("data"))


def asked(probe: Probe, folder: Path, settings: ProbeSettings | None = None) -> object:
    model = StaticVectors(evaluated_table(tiny_table(), "tiny", fingerprint="f" * 64))
    [answer] = Probing(folder, settings or ProbeSettings()).ask(model, [probe])
    assert answer.result is not None, answer.reason
    return answer.result


def test_polarity_follows_words_and_not_lengths(folder: Path) -> None:
    result = asked(POLARITY, folder, ProbeSettings(control_labels=True))
    assert result.value > 80
    assert result.value <= min(result.parts["sources"], result.parts["rewrites"])
    assert result.controls[LENGTH] == 0  # both sentences of a pair are of one length
    assert result.controls[CONTROL_LABELS] < result.value
    assert RANDOM_VECTORS in result.controls
    assert result.n == 30


def test_means_of_words_are_rebuilt_from_words(folder: Path) -> None:
    result = asked(RECONSTRUCTION, folder)
    assert result.parts["sum, same texts"] > 97
    assert result.value == result.parts["sum, other texts"] > result.controls[CONSTANT]
    assert {"weighted-sum, other texts", "tanh, other texts", "tanh, correlation with switches"} <= {*result.parts}


def test_names_that_a_table_lacks_are_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_probe, "FREQUENT", 40)
    monkeypatch.setattr(name_probe, "RARE", 40)
    result = asked(name_probe.PROBE, folder)
    assert result.parts["stable"] == 100  # zeros, whatever the name
    assert 0 <= result.parts["worst"] <= result.parts["original"] <= result.parts["best"] <= 100
    assert "frequent names" in result.parts
