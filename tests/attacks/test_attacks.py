"""Whatever somebody made of a file, it is refused in one sentence, soon, and without much memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import everyword

from .opened import ATTACKS

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
"""One thread, and no pool of addresses for Parquet, which would count as memory."""
SECONDS = 15.0
"""Each takes a fraction of one; other work on the machine must not fail the test."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What a process of its own has seen of all of them."""
    places = [Path(__file__).parents[1], Path(everyword.__file__).parents[1]]
    done = subprocess.run(
        [sys.executable, "-m", "attacks.opened", str(tmp_path_factory.mktemp("attacks"))],
        env={**os.environ, **ENVIRONMENT, "PYTHONPATH": os.pathsep.join(map(str, places))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    return {line["name"]: line for line in lines}


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_refused_in_one_sentence(told: dict[str, dict[str, Any]], name: str) -> None:
    seen = told[name]
    assert seen["seen"] == "refused", seen
    assert 20 < len(seen["text"]) < 600, seen
    assert "\n" not in seen["text"], seen
    assert seen["seconds"] < SECONDS, seen
