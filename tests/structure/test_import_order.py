"""The rooms of the house and which way imports may go (design: errors at the bottom, the shell on top)."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import everyword

ROOMS = [
    *("errors", "arrays", "_kernel", "kernel", "files", "atomic", "lazy", "extras", "registry", "config"),
    *("text", "vectors", "space", "models", "sentences"),
    *("learning", "corpus", "language_models", "systems"),
    *("evaluation", "api", "studies", "recipes", "plugins", "web", "cli"),
]
DOORS = {"models/texts.py": "sentences"}
"""Methods of a model that a later room does the work of; it is imported when one is called."""
TRAINS = {"learning", "language_models", "systems", "studies"}
EXTRINSIC = (
    "evaluation/tasks/extrinsic",
    "evaluation/robustness/rare_texts",
    "evaluation/probes/spans.py",
    "evaluation/probes/mlp.py",
    "evaluation/probes/layers.py",
)
"""The corners of evaluation that train: networks on top of the vectors they judge, or whole transformers."""
IN_LANGUAGE_MODELS = "plugins/transformers/"
"""The one plug-in that works inside language models."""
FOR_TORCH_USERS = (IN_LANGUAGE_MODELS, "plugins/sentence_transformers/")
"""Plug-ins whose users have torch: each asks for it when its package is imported."""
SEARCHES_FILES = "web/corpus.py"
"""Where the service searches a file as `everyword search` does."""
SERVES = {"fastapi", "starlette", "pydantic", "pydantic_core", "uvicorn", "prometheus_client"}
"""What the room `web` is built on: `everyword serve` asks for it before it imports the room."""
OLDER_SYSTEMS = {"spelling", "bertram", "skipgram"}
"""Systems that are larger than a new one may be."""
MOST_FILES, MOST_LINES = 8, 1200
"""Of a new system: if it needs more, part of it belongs in learning, space, sentences or corpus."""
LIGHT = {"numpy", "safetensors", "click"}
PUBLIC_NAMES = {"adapt": "models", "attach": "models", "load": "models", "Model": "models", "VectorTable": "vectors"}
"""What can be imported from everyword itself, and the room it comes from."""
PACKAGE = Path(everyword.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
SYSTEMS = sorted({path.name for path in (PACKAGE / "systems").iterdir() if path.is_dir()} - {"__pycache__"})


@dataclass(frozen=True)
class Import:
    module: str
    line: int
    at_module_level: bool


def imports(path: Path) -> list[Import]:
    return list(_walk(ast.parse(path.read_text(encoding="utf-8")), at_module_level=True))


def _walk(node: ast.AST, at_module_level: bool) -> Iterator[Import]:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        children: list[ast.AST] = list(node.orelse)
    else:
        children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Import):
        yield from (Import(alias.name, node.lineno, at_module_level) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"line {node.lineno}: imports are written in full"
        # "from everyword import registry" and "from safetensors import torch" name a module after "import".
        yield from (Import(f"{node.module}.{alias.name}", node.lineno, at_module_level) for alias in node.names)
    inner = at_module_level and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in children:
        yield from _walk(child, inner)


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "cli" if first == "__main__" else first


def own_imports(path: Path) -> Iterator[tuple[str, Import]]:
    """Imports of everyword's rooms, with the room."""
    for found in imports(path):
        top, _, rest = found.module.partition(".")
        name = rest.partition(".")[0]
        if top == "everyword" and name not in ("", "__version__"):
            yield PUBLIC_NAMES.get(name, name), found


def foreign_imports(path: Path) -> Iterator[Import]:
    for found in imports(path):
        if found.module.partition(".")[0] not in {*sys.stdlib_module_names, "everyword"}:
            yield found


@pytest.fixture(params=FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_every_folder_and_file_has_its_place_in_the_list() -> None:
    found = {room_of(path) for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}

    assert found - {"__pycache__", "__init__", "data"} <= set(ROOMS)


@pytest.mark.parametrize("room", [room for room in ROOMS if (PACKAGE / room).is_dir() and room != "recipes"])
def test_the_docstring_of_a_room_lists_its_files_in_reading_order(room: str) -> None:
    docstring = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = set(re.findall(r"`([\w.]+)/?`", docstring))
    inside = {path.stem if path.suffix == ".py" else path.name for path in (PACKAGE / room).iterdir()}

    assert "Read in order:" in docstring
    assert sorted(inside - {"__init__", "__pycache__"} - named) == []


def test_a_room_imports_only_rooms_before_it(source: Path) -> None:
    room = room_of(source)
    allowed = {"lazy"} if room == "__init__" else set(ROOMS[: ROOMS.index(room) + 1])

    door = DOORS.get(source.relative_to(PACKAGE).as_posix())

    wrong = [
        f"{source}:{found.line} imports {other}"
        for other, found in own_imports(source)
        if other not in allowed and (other != door or found.at_module_level)
    ]

    assert not wrong


def test_torch_and_other_heavy_packages_are_imported_only_where_models_are_trained(source: Path) -> None:
    heavy = [
        f"{source}:{found.line} imports {found.module}"
        for found in foreign_imports(source)
        if found.at_module_level and not _is_light(found.module)
    ]
    if room_of(source) == "web":
        heavy = [line for line in heavy if line.rpartition(" imports ")[2].partition(".")[0] not in SERVES]
    if room_of(source) in TRAINS or any(corner in source.as_posix() for corner in (*EXTRINSIC, *FOR_TORCH_USERS)):
        heavy = [line for line in heavy if ".torch" not in line and "imports torch" not in line]

    assert not heavy


def _is_light(module: str) -> bool:
    package, _, rest = module.partition(".")
    return package in LIGHT and not rest.startswith("torch")


def test_evaluation_judges_vectors_and_not_trainers() -> None:
    """Evaluation looks at vectors from outside: it must work for models that everyword did not train."""
    for path in (PACKAGE / "evaluation").rglob("*.py"):
        if not any(corner in path.as_posix() for corner in EXTRINSIC):
            assert not TRAINS & {room for room, found in own_imports(path) if found.at_module_level}, path


def test_evaluation_imports_its_extrinsic_tasks_only_when_they_are_run() -> None:
    for path in [*(PACKAGE / "evaluation").glob("*.py"), *(PACKAGE / "evaluation" / "tasks").glob("*.py")]:
        early = [found for found in imports(path) if found.at_module_level and ".extrinsic" in found.module]
        assert not early, path


def test_no_system_imports_another() -> None:
    for path in (PACKAGE / "systems").rglob("*.py"):
        own = path.relative_to(PACKAGE / "systems").parts[0]
        others = [
            found.module
            for found in imports(path)
            if found.module.startswith("everyword.systems.") and found.module.split(".")[2] != own
        ]
        assert not others, path


def test_no_kind_of_study_needs_another_but_for_what_two_share() -> None:
    needs = {
        (path.relative_to(PACKAGE / "studies" / "kinds").parts[0].removesuffix(".py"), found.module.split(".")[3])
        for path in (PACKAGE / "studies" / "kinds").rglob("*.py")
        for found in imports(path)
        if found.module.startswith("everyword.studies.kinds.")
    }
    shared = {
        ("adversarial", "labelled_columns"),
        ("pruning", "labelled_columns"),
        ("taggers", "spaces"),
        ("trees", "spans"),
    }
    assert {(kind, other) for kind, other in needs if kind != other} == shared


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_readme_names_all_files_of_a_system(system: str) -> None:
    folder = PACKAGE / "systems" / system
    text = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.rglob("*.py"):
        whole_folder = path.parent != folder and f"`{path.parent.name}/`" in text
        assert path.name == "__init__.py" or f"{path.name}`" in text or whole_folder, path


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_new_system_stays_small(system: str) -> None:
    files = sorted((PACKAGE / "systems" / system).rglob("*.py"))
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)

    assert system in OLDER_SYSTEMS or (len(files) <= MOST_FILES and lines <= MOST_LINES), (len(files), lines)


@pytest.mark.parametrize("room", ["plugins", "web"])
def test_what_stands_on_top_needs_nothing_beyond_models_and_texts(room: str) -> None:
    allowed = {*ROOMS[: ROOMS.index("sentences") + 1], room}

    for path in (PACKAGE / room).rglob("*.py"):
        beyond = {"language_models", "corpus"} if IN_LANGUAGE_MODELS in path.as_posix() else set()
        beyond |= {"corpus"} if path.as_posix().endswith(SEARCHES_FILES) else set()
        assert {other for other, _ in own_imports(path)} <= allowed | beyond, path


def test_the_reader_of_imports_sees_them_all(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(
        "import torch.nn as nn, os\n"
        "from everyword import registry\n"
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import gensim\nelse:\n    import numpy\n"
        "class A:\n    import click\n"
        "    def f(self):\n        from everyword.text.mixed import PAD\n"
    )

    seen = [(found.module, found.at_module_level) for found in imports(path)]

    assert seen == [
        ("torch.nn", True),
        ("os", True),
        ("everyword.registry", True),
        ("typing.TYPE_CHECKING", True),
        ("numpy", True),
        ("click", True),
        ("everyword.text.mixed.PAD", False),
    ]
