"""The same vectors on a local Ray cluster of two workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.columns.written import write
from everyword.corpus.embedding.embed import embed_files

from .test_embed import bytes_of


@pytest.mark.usefixtures("_own_ray")
@pytest.mark.filterwarnings("default")
def test_ray_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    texts = ["my docter diagnosed leukamia", "new york in 1999 😢", "a hart attack", "covfefe " * 9, "?!"] * 30
    inputs = [str(write(Path(name), texts)) for name in ("a.csv.gz", "b.parquet")]

    for executor in ("none", "ray"):
        embed_files(inputs, executor, model="everyword-en-small", executor=executor, workers=2, rows_per_part=64)

    assert len(bytes_of("ray")) == 6
    assert bytes_of("ray") == bytes_of("none")
