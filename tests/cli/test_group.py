from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from everyword import __version__
from everyword.cli import main
from everyword.cli.commands import COMMANDS, OLD_NAMES
from everyword.cli.common.options import WRITABLE
from everyword.cli.train import PROGRAMS
from everyword.registry import vector_formats
from everyword.studies.config import published_studies
from everyword.systems.spelling.recipe import shipped_recipes

from .conftest import Run

HEAVY = (
    "torch",
    "tqdm",
    "tokenizers",
    "rapidfuzz",
    "snowballstemmer",
    "huggingface_hub",
    "matplotlib",
    "numpy",
    "safetensors",
)
EVERYWORD = [sys.executable, "-m", "everyword"]


def command_of(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes `everyword list` raise an error."""
    command = command_of("list")

    def break_with(error: BaseException) -> None:
        def fail(**_: Any) -> None:
            raise error

        monkeypatch.setattr(command, "callback", fail)

    return break_with


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_explains_itself(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"  Examples:\n    everyword {name}" in result.stdout
    assert run(name, "-h").stdout == result.stdout
    assert "..." not in command_of(name).get_short_help_str(), "the summary is too long for the list of commands"


def test_nothing_is_asked_for(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout
    assert all(f"\n  {name} " in result.stdout for name in COMMANDS)


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"everyword {__version__}\n"


def test_mistyped_command_of_a_group(refused: Callable[..., str]) -> None:
    assert "There is no command 'rare-texts scor': did you mean 'score'?" in refused("rare-texts", "scor")
    assert "There is no command 'bertram build': choose from" in refused("bertram", "build")


def test_help_describes_only_the_strategies_that_can_be_chosen(run: Run) -> None:
    described = " ".join(run("bertram", "inject", "--help").stdout.split())
    assert "it replaces the word's pieces (replace) or follows them and a slash (slash)." in described
    assert "(linear)" not in described


def test_mistyped_command(refused: Callable[..., str]) -> None:
    assert "did you mean 'nearest'" in refused("nearst", "x")


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_names_of_commands_work_and_are_hidden(run: Run, old: str, new: str) -> None:
    result = run(old, "--help")
    assert result.stderr == f"everyword: `{old}` is now `{new}`; the old name will be removed in the next release.\n"
    assert result.stdout == run(new, "--help").stdout
    assert f"\n  {old} " not in run("--help").stdout


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        *((command, "--words", "--limit") for command in ("adapt", "add-vectors")),
        *((command, "--out", "--output") for command in ("contexts", "robustify", "bertram infer", "bertram train")),
        *(("robustify", old, new) for old, new in (("--imputer", "--vectors"), ("--words", "--which"))),
        *((command, "--to", "--format") for command in ("merge", "postprocess")),
        ("evaluate", "--words", "--held-out"),
        ("plot clusters", "--words", "--classes"),
        ("plot pairs", "--words", "--pairs"),
        ("plot relations", "--method", "--projection"),
        ("cloze build", "--targets", "--answers"),
        ("cloze build", "--model", "--encoder"),
        ("cloze run", "--sentences", "--contexts"),
        ("rare-texts score", "--words", "--which"),
    ],
)
def test_old_names_of_options_work_and_are_hidden(run: Run, command: str, old: str, new: str) -> None:
    remark = f"everyword: `{old}` is now `{new}`; the old name will be removed in the next release.\n"
    # Help is shown in place of an error about all that is missing, but only after the options are read.
    result = run(*command.split(), old, "1", "--help")
    assert result.stderr == remark
    assert result.exit_code == 0
    shown = re.split(r"[\s,]", result.stdout)
    assert new in shown
    assert old not in shown
    assert run(*command.split(), f"{old}=1", "--help").stderr == remark
    assert run(*command.split(), "--help", "--", old).stderr == ""


def test_the_help_of_train_and_reproduce_lists_all_that_there_is(run: Run) -> None:
    for name, names in (("train", [*shipped_recipes(), *PROGRAMS]), ("reproduce", [*published_studies()])):
        shown = run(name, "--help").stdout
        for one in names:
            assert re.search(rf"^  {one}\s+\w", shown, re.MULTILINE), one
            assert f"Usage: everyword {name} {one} " in run(name, one, "--help").stdout.replace("[OPTIONS]", "")


def test_formats_that_can_be_written_are_those_that_are_offered() -> None:
    assert [*WRITABLE] == [name for name in vector_formats if vector_formats.get(name).open_sink is not None]


def test_mistyped_command_while_the_shell_completes() -> None:
    context = click.Context(main, resilient_parsing=True)
    assert main.get_command(context, "nearst") is None


@pytest.mark.parametrize("arguments", [["--colour"], ["nearest", "--colour"]])
def test_usage_errors_name_the_help(refused: Callable[..., str], arguments: list[str]) -> None:
    assert "--help'." in refused(*arguments)


def test_the_system_refuses(refused: Callable[..., str], broken: Callable[[BaseException], None]) -> None:
    broken(PermissionError(13, "Permission denied", "secret.vec"))
    assert refused("list") == "everyword: secret.vec: Permission denied.\n"
    broken(OSError("the disk is gone"))
    assert refused("list") == "everyword: the disk is gone\n"


def test_an_error_of_several_lines_is_one(refused: Callable[..., str], broken: Callable[[BaseException], None]) -> None:
    broken(click.ClickException("one\n  two"))
    assert refused("list") == "everyword: one two\n"


def test_unexpected_error(run: Run, broken: Callable[[BaseException], None]) -> None:
    broken(ZeroDivisionError("division by zero"))
    result = run("list")
    assert result.exit_code == 1
    assert result.stderr.startswith("everyword: unexpected ZeroDivisionError: division by zero; run 'everyword --debug")
    assert result.stderr.count("\n") == 1


def test_debug_shows_the_traceback(run: Run) -> None:
    result = run("--debug", "info", "no-such-model")
    assert result.exit_code == 2
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert result.stderr.splitlines()[-1].startswith("everyword: There is no model 'no-such-model'")


def test_debug_leaves_help_alone(run: Run) -> None:
    assert run("--debug", "list", "--help").stderr == ""


def test_keyboard_interrupt(run: Run, broken: Callable[[BaseException], None]) -> None:
    broken(KeyboardInterrupt())
    result = run("list")
    assert result.exit_code == 130
    assert result.stderr.strip() == "everyword: interrupted."


def test_import_is_light() -> None:
    check = f"import sys, everyword.cli; sys.exit(' '.join(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_list_needs_no_extra() -> None:
    check = (
        "import sys\nfrom everyword.cli import main\n"
        "try: main(['list'])\n"
        f"finally: assert not [name for name in {HEAVY[:7]} if name in sys.modules]"
    )
    subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {}])
def test_utf8_in_any_locale(tiny_model_folder: Path, locale: dict[str, str]) -> None:
    command = [*EVERYWORD, "similarity", "東京", "dan", "--model", str(tiny_model_folder)]
    done = subprocess.run(command, capture_output=True, check=True, env=os.environ | locale)
    assert done.stdout.decode("utf-8") == " 0.000  東京 (no vector)  dan (known)\n"
    assert done.stderr == b""


def test_reader_that_leaves_early(tiny_model_folder: Path) -> None:
    command = [*EVERYWORD, "encode", "--model", str(tiny_model_folder)]
    words = subprocess.Popen(["yes", "dan"], stdout=subprocess.PIPE)
    with subprocess.Popen(command, stdin=words.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"word": "dan"')
        process.stdout.close()
        assert process.stderr.read() == b""
    words.kill()
    words.wait()
    assert words.stdout is not None
    words.stdout.close()
    assert process.returncode == 1


def test_ctrl_c_leaves_no_half_file(tiny_model_folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    command = [*EVERYWORD, "encode", "--model", str(tiny_model_folder), "--output", str(output)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        partial = tmp_path / "out.jsonl.partial"
        deadline = time.monotonic() + 20
        while not partial.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    assert process.returncode == 130
    assert error.strip() == b"everyword: interrupted."
    assert list(tmp_path.iterdir()) == []


def test_no_standard_input_at_all(tiny_model_folder: Path) -> None:
    command = shlex.join([*EVERYWORD, "encode", "--model", str(tiny_model_folder)]) + " <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("everyword: Give words as arguments")
