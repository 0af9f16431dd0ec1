"""A word's vector does not depend on its batch, on any processor, but for rounding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from everyword.models.model import Model

CORE_TYPES = (None, "Haswell", "Zen", "Sandybridge", "Prescott")
"""Kernels of OpenBLAS, which other BLAS libraries ignore; None is this machine's own."""
THREADS = ("1", "4")
SCRIPT = Path(__file__).with_name("batch_answers.py")


def test_batches_agree_on_every_processor(
    tiny_model_folder: Path, tiny_dan_model: Model, tiny_adapted_model: Model, tmp_path: Path
) -> None:
    folders = [tiny_model_folder, tmp_path / "dan", tmp_path / "adapted"]
    tiny_dan_model.save_pretrained(folders[1])
    tiny_adapted_model.save_pretrained(folders[2])
    processes = {}
    for core in CORE_TYPES:
        for threads in THREADS:
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
            environment.pop("OPENBLAS_CORETYPE", None)
            processes[core, threads] = subprocess.Popen(
                [sys.executable, str(SCRIPT), *map(str, folders)],
                env=environment if core is None else {**environment, "OPENBLAS_CORETYPE": core},
                stderr=subprocess.PIPE,
                text=True,
            )
    errors = {case: process.communicate()[1] for case, process in processes.items()}
    failed = {case: errors[case] for case, process in processes.items() if process.returncode}
    assert not failed
