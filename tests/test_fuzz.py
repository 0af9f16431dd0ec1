"""The seeds of `fuzz/`, and changes of them that are the same every time: a value or a sentence, nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TARGETS = sorted(path.name for path in (ROOT / "fuzz" / "seeds").iterdir())
CHANGES = 60
SECONDS = 20


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers too large for arithmetic are numbers all the same
@pytest.mark.parametrize("target", TARGETS)
def test_seeds_and_what_is_near_them(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    read = importlib.import_module(f"fuzz.targets.{target}").read
    mutations = importlib.import_module("fuzz.mutations").mutations
    for seed in sorted((ROOT / "fuzz" / "seeds" / target).iterdir()):
        data = seed.read_bytes()
        assert len(data) <= 4096, f"{seed} is too long to be kept"
        read(data)
        for changed in mutations(data, CHANGES):
            read(changed)


def test_every_target_has_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    assert importlib.import_module("fuzz.targets").NAMES == TARGETS


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_a_search_finds_nothing(target: str) -> None:
    """Needs the extra `fuzz`."""
    command = [sys.executable, str(ROOT / "fuzz" / "run.py"), "--seconds", str(SECONDS), target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
