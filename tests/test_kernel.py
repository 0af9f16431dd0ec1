"""Which code computes: the compiled kernel where it was built and is not switched off, NumPy otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from everyword import kernel
from everyword.vectors.storage.stored import StoredMatrix

ROOT = Path(__file__).parents[1]


def status(switch: str) -> str:
    code = "from everyword import kernel; print(kernel.status)"
    environment = {**os.environ, kernel.SWITCH: switch}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def test_the_switch() -> None:
    assert status("1") == "NumPy, because EVERYWORD_PURE is set"
    assert status("") == status("0") != status("1")


def test_a_kernel_of_other_sources_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kernel.SWITCH, "0")
    monkeypatch.setattr(kernel, "INTERFACE", -1)
    module, why = kernel._opened()
    assert module is None
    assert why.startswith("NumPy, because")


def test_numbers_that_the_kernel_does_not_read_are_left_to_numpy() -> None:
    for precision in ("float16", "int4"):
        assert StoredMatrix.pack(np.ones((2, 3), dtype=np.float32), precision).packed is None


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_without_a_compiler_there_is_no_kernel_and_no_error(tmp_path: Path, compiler: str) -> None:
    shutil.copytree(ROOT / "src" / "kernel", tmp_path / "src" / "kernel")
    shutil.copy(ROOT / "setup.py", tmp_path)
    command = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "built"]
    environment = {**os.environ, "CC": compiler}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert not [*tmp_path.rglob("_kernel*")]
