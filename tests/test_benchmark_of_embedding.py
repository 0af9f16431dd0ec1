"""The benchmark of embedding with several workers, with few texts and without Ray."""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_benchmarks import BENCHMARKS, module

WITHOUT_RAY = """
import json, sys
from everyword import embed_files
done = embed_files(sys.argv[1], sys.argv[2], model="everyword-en-small", format="npy")
print(json.dumps({"seconds": 6 / int(sys.argv[3]), "texts": done.texts}))
"""


def test_the_speed_up_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    scaling = module("embed_scaling")
    monkeypatch.setattr(scaling, "EMBED", WITHOUT_RAY)
    monkeypatch.setenv("PYTHONPATH", str(Path(sys.modules["everyword"].__file__ or "").parents[1]))
    with lzma.open(tmp_path / "corpus.txt.xz", "wt", encoding="utf-8") as file:
        file.write("A cat sat.\n\nA dog ran home.\n")

    asked = ["--corpus", str(tmp_path / "corpus.txt.xz"), "--texts", "9", "--repeats", "1", "--kept", str(tmp_path)]
    done = CliRunner().invoke(scaling.main, asked)

    assert done.exit_code == 0, done.output
    kept = module("record").read("ray", tmp_path)
    assert (kept["texts"], kept["words"]) in [(9, 31), (9, 32)]
    row = kept["encoders"]["everyword"]
    assert row["speed_up"] == 2
    assert row["seconds"] == {"1": 6.0, "2": 3.0}
    bars = {bar.label: bar for bar in module("report_texts").bars()}
    assert bars["a million texts with Ray: two workers × one"].value({"ray": kept}) == 2
