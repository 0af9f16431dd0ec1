from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

TEXT = "\ufeffThe quick brown foxes, (jumping) over lazy dogs.\r\n\n  Naïve café — 東京タワー!\n" * 50


def test_same_seed_same_typos(run: Run) -> None:
    first, again, other = (run("corrupt", "--seed", seed, input=TEXT).stdout_bytes for seed in (1, 1, 2))
    assert first == again != other
    assert first.count(b"\r\n") == 50
    assert first.count(b"\n") == TEXT.count("\n")


def test_nothing_at_share_0_everything_at_share_1(run: Run) -> None:
    assert run("corrupt", "--share", 0, input=TEXT).stdout_bytes == TEXT.encode()
    words = "modern hospitals everywhere"
    changed = run("corrupt", "--share", 1, "--kind", "drop", input=words).stdout.split()
    assert [len(word) for word in changed] == [len(word) - 1 for word in words.split()]


def test_share_is_respected(run: Run) -> None:
    words = ["elephant"] * 4000
    changed = run("corrupt", "--share", 0.25, "--kind", "keyboard", input="\n".join(words)).stdout.split()
    assert 0.22 < sum(word != "elephant" for word in changed) / len(words) < 0.28


def test_kinds_may_be_mixed(run: Run) -> None:
    shown = run("corrupt", "--share", 1, "--kind", "drop", "--kind", "insert", input="elephant\n" * 100).stdout
    assert {len(word) for word in shown.split()} == {7, 9}


def test_file_to_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(TEXT.encode())
    result = run("corrupt", "in.txt", "--output", "out.txt")
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "out.txt").read_bytes() == run("corrupt", input=TEXT).stdout_bytes
    assert "in.txt exists already" in run("corrupt", "in.txt", "--output", "in.txt").stderr
    assert (tmp_path / "in.txt").read_bytes() == TEXT.encode()
    assert run("corrupt", "in.txt", "--output", "in.txt", "--overwrite").exit_code == 0
    assert (tmp_path / "in.txt").read_bytes() == (tmp_path / "out.txt").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--kind", "swop"], "is not one of"),
        (["--share", "1.5"], "is not in the range"),
        (["missing.txt"], "missing.txt: No such file"),
        (["--output", "no/out.txt"], "There is no folder no"),
        (["--output", "."], "is a folder"),
    ],
)
def test_refusals(refused: Callable[..., str], arguments: list[str], sentence: str) -> None:
    assert sentence in refused("corrupt", *arguments, input=TEXT)


def test_undecodable_line(refused: Callable[..., str], tmp_path: Path) -> None:
    assert "standard input:2: " in refused("corrupt", "--output", "out.txt", input=b"fine\n\xff\n")
    assert list(tmp_path.iterdir()) == []
