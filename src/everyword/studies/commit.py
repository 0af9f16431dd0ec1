"""Which state of the code a result was made with."""

from __future__ import annotations

import subprocess
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def code_commit(package: Path = PACKAGE) -> str | None:
    """Return the commit that a package is checked out from, with "-dirty" if its files have changed since.

    None if there is no git, or if git does not know the package: an installed one may lie in a folder of another
    project.
    """
    if _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    commit = _git(package, "describe", "--always", "--abbrev=12", "--exclude=*")
    return f"{commit}-dirty" if commit and _git(package, "status", "--porcelain", "--", ".") else commit


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
