"""Files hold numbers and text. Whatever runs code when it is read is neither written nor read anywhere."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import everyword

FILES = sorted(Path(everyword.__file__).parent.rglob("*.py"))
RUN_CODE = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_is_pickled(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not RUN_CODE & {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert str(node.module).partition(".")[0] not in RUN_CODE
        if isinstance(node, ast.Call):
            _check_call(node)


def _check_call(call: ast.Call) -> None:
    assert ast.unparse(call.func) not in {"torch.load", "torch.save"}, f"line {call.lineno}"
    for option in call.keywords:  # NumPy's own default is False
        assert option.arg != "allow_pickle" or ast.unparse(option.value) == "False", f"line {call.lineno}"
