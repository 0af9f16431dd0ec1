"""Using vectors needs no training packages: each check runs in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import everyword

HEAVY = (
    "torch",
    "transformers",
    "tokenizers",
    "rapidfuzz",
    "snowballstemmer",
    "tqdm",
    "huggingface_hub",
    "matplotlib",
    "gensim",
    "sklearn",
    "spacy",
    "onnx",
    "onnxruntime",
    "pyarrow",
    "zstandard",
    "ray",
    "fastapi",
    "uvicorn",
)


def loaded_after(code: str) -> set[str]:
    """The top-level packages that are in memory after running some code."""
    env = {**os.environ, "PYTHONPATH": str(Path(everyword.__file__).parents[1])}
    code += "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_everyword_loads_not_even_numpy() -> None:
    assert not {*HEAVY, "numpy", "safetensors", "click"} & loaded_after("import everyword; everyword.__version__")


@pytest.mark.parametrize(
    "code",
    [
        "import everyword; everyword.Model; everyword.VectorTable; everyword.load",
        "import everyword.evaluation.tasks.similarity, everyword.text.vocabulary, everyword.text.corruption",
        "import everyword.evaluation.tasks.extrinsic.tasks, everyword.learning.sources",
        "import everyword.plugins.gensim",
        "import everyword.corpus.contexts.find, everyword.corpus.executors",
        "import everyword.corpus.embedding.embed, everyword.corpus.search",
        "import everyword.cli",
        "from everyword import registry; [kind.get(name) for kind in registry.ALL for name in kind "
        "if kind.kind not in ('encoder', 'loss', 'classification loss', 'word objective')]",
    ],
)
def test_using_vectors_loads_no_training_package(code: str) -> None:
    assert not set(HEAVY) & loaded_after(code)


def test_the_check_sees_torch_when_it_is_loaded() -> None:
    assert "torch" in loaded_after("import everyword.systems.spelling.encoders.base")


def test_public_names_are_listed_and_others_refused() -> None:
    assert dir(everyword) == sorted(everyword.__all__)
    assert all(getattr(everyword, name) is not None for name in everyword.__all__)
    with pytest.raises(AttributeError, match="module 'everyword' has no attribute 'lod'"):
        everyword.lod  # noqa: B018
