from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import everyword
from everyword.config import read_toml
from everyword.errors import MissingExtraError
from everyword.extras import EXTRA_OF_PACKAGE, INSTALLED_AS, require

SOURCE = Path(everyword.__file__).parent
PYPROJECT = read_toml(Path(__file__).parents[1] / "pyproject.toml")
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]


def required_modules() -> set[str]:
    """The first argument of every call of `require` in the library."""
    return {
        node.args[0].value
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) == "require"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


@pytest.mark.parametrize(("package", "extra"), EXTRA_OF_PACKAGE.items())
def test_the_extra_named_for_a_package_installs_it(package: str, extra: str) -> None:
    listed = {re.split(r"[^\w-]", requirement)[0] for requirement in EXTRAS[extra]}

    assert INSTALLED_AS.get(package, package) in listed
    assert set(INSTALLED_AS) <= set(EXTRA_OF_PACKAGE)


def test_every_module_that_the_library_requires_has_an_extra() -> None:
    modules = required_modules()

    assert "rapidfuzz.process" in modules
    assert {module.partition(".")[0] for module in modules} <= EXTRA_OF_PACKAGE.keys()


@pytest.mark.parametrize("package", EXTRA_OF_PACKAGE)
def test_a_missing_package_is_explained_with_the_pip_line(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(MissingExtraError) as caught:
        require(package, "Flying")

    line = f'pip install "everyword[{EXTRA_OF_PACKAGE[package]}]"'
    assert str(caught.value) == f"Flying needs the package {INSTALLED_AS.get(package, package)}: run  {line}"
    assert caught.value.name == package


def test_a_missing_package_is_explained_when_a_part_of_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRA_OF_PACKAGE, "no_such_package", "train")

    with pytest.raises(MissingExtraError, match=r"needs the package no_such_package: .*everyword\[train\]"):
        require("no_such_package.part", "Flying")


def test_an_installed_module_is_handed_over() -> None:
    import rapidfuzz.process

    assert require("rapidfuzz.process", "Flying") is rapidfuzz.process


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("import no_such_helper", ModuleNotFoundError, "no_such_helper"),
        ("from math import no_such_name", ImportError, "no_such_name"),
        ("raise RuntimeError('broken')", RuntimeError, "broken"),
    ],
)
def test_an_installed_package_that_fails_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, error: type[Exception], message: str
) -> None:
    (tmp_path / "tqdm.py").write_text(source)
    monkeypatch.delitem(sys.modules, "tqdm", raising=False)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(error, match=message) as caught:
        require("tqdm", "Flying")
    assert not isinstance(caught.value, MissingExtraError)
