"""The same run on a local Ray cluster of two workers, one of which is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import ray

from everyword.corpus.contexts import shards
from everyword.corpus.executors import ray_executor

from .made_corpus import bytes_of, make, write_corpus


@pytest.mark.usefixtures("_own_ray")
@pytest.mark.filterwarnings("default")
def test_ray_gives_the_same_bytes_though_a_worker_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "BYTES_PER_SHARD", 4000)
    corpus = [write_corpus(tmp_path / "one.txt"), write_corpus(tmp_path / "two.txt", seed=1)]
    assert make(corpus, tmp_path / "expected")
    killed: list[int] = []

    def own_id() -> int:  # in here, because Ray sends it to workers that cannot import tests
        return os.getpid()

    def kill_one(size: int) -> None:
        if ray.is_initialized() and not killed:
            killed.append(ray.get(ray.remote(own_id).remote()))
            os.kill(killed[0], signal.SIGKILL)

    assert make(corpus, tmp_path / "out", executor=ray_executor(2), progress=kill_one)

    assert killed
    assert killed[0] != os.getpid()
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "expected")
