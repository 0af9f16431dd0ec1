"""GNU Aspell and hunspell, asked through their pipe mode, with answers kept: they do not depend on the model."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which

from everyword.atomic import write_atomic
from everyword.files import fingerprint

PROGRAMS = {
    "aspell": ("aspell", "-a", "--lang=en_US", "--sug-mode=normal"),
    "aspell, bad spellers": ("aspell", "-a", "--lang=en_US", "--sug-mode=bad-spellers"),
    "hunspell": ("hunspell", "-a", "-d", "en_US"),
}
PROCESSES = 2


def available(name: str) -> bool:
    """Whether a program is installed."""
    return which(PROGRAMS[name][0]) is not None


def version(name: str) -> str:
    """Return the first line that a program says."""
    asked = [PROGRAMS[name][0], "--version"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()


def suggestions(name: str, words: Sequence[str], cache: Path) -> dict[str, list[str]]:
    """Return the suggestions of a program for each word, best first; none for a word that it takes for correct."""
    unique = sorted(set(words))
    path = cache / f"{name.replace(', ', '-').replace(' ', '-')}-{fingerprint([version(name), *unique])[:16]}.json"
    if not path.exists():
        parts = [unique[start::PROCESSES] for start in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as pool:
            answers = list(pool.map(lambda part: _asked(PROGRAMS[name], part), parts))
        write_atomic(path, json.dumps({word: found for part in answers for word, found in part.items()}))
    kept: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def _asked(command: Sequence[str], words: Sequence[str]) -> dict[str, list[str]]:
    """Ask a program in pipe mode: a line per word, answered by a line for each part of it and an empty line."""
    lines = "".join(f"^{word}\n" for word in words)
    done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=True)
    return dict(zip(words, parsed(done.stdout), strict=True))


def parsed(output: str) -> list[list[str]]:
    """Return the suggestions in the answers of a program, after its greeting.

    >>> parsed("@(#) greeting\\n& teh 2 1: the, tech\\n\\n*\\n\\n# qqq 1\\n\\n")
    [['the', 'tech'], [], []]
    """
    answers: list[list[str]] = []
    current: list[str] = []
    for line in output.splitlines()[1:]:
        if not line.strip():
            answers.append(current)
            current = []
        elif line.startswith("&"):
            current = current or [word.strip() for word in line.partition(":")[2].split(",")]
    return answers
