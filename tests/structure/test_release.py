"""What a release is made of: versions agree, and the workflows do what .ci/run and the README do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import everyword

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
YAML = [
    *WORKFLOWS,
    *sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")),
    ROOT / "CITATION.cff",
    ROOT / ".pre-commit-config.yaml",
]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_files_for_services_are_valid(path: Path) -> None:
    assert read(path)


def test_all_versions_are_the_same() -> None:
    [declared] = re.findall(r'^version = "(.+)"$', PROJECT, re.MULTILINE)
    assert declared == everyword.__version__ == str(read(ROOT / "CITATION.cff")["version"])


def test_every_supported_python_is_tested_on_three_systems() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["core"]["strategy"]["matrix"]
    [least] = re.findall(r'^requires-python = ">=3\.(\d+)"$', PROJECT, re.MULTILINE)
    assert [int(version.partition(".")[2]) for version in matrix["python"]] == list(range(int(least), 15))
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}


def test_workflows_run_what_is_run_here() -> None:
    steps = [
        step for path in WORKFLOWS for job in read(path)["jobs"].values() for step in job["steps"] if "run" in step
    ]
    commands = "\n".join(step["run"] for step in steps)
    assert ".ci/run" in commands
    tested = re.findall(r"tests/\S+", commands)
    assert tested
    assert all((ROOT / path).exists() for path in tested)


def test_every_command_for_contributors_is_explained() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE) == phony.split()
    install = next(line for line in makefile.splitlines() if line.startswith("\tpip install -e"))
    assert install.strip() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_hooks_use_the_tools_of_the_environment() -> None:
    hooks = read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert {hook["entry"].split()[0] for hook in hooks} == {"ruff", "mypy", "python"}


def test_a_wheel_without_the_kernel_is_for_every_system() -> None:
    """Only the tag is asked for: building takes longer."""
    asked = (
        "import os, runpy, setuptools; os.environ['EVERYWORD_PURE'] = '1'; "
        "setuptools.setup = lambda **given: print(given); runpy.run_path('setup.py')"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert told.strip() == "{'ext_modules': [], 'options': {}}"
