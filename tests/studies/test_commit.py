from __future__ import annotations

import subprocess
from pathlib import Path

from everyword.studies.commit import code_commit


def test_the_commit_is_that_of_the_checkout_and_none_elsewhere(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    assert code_commit(package) is None

    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        return subprocess.check_output(["git", *who, *words], cwd=tmp_path, text=True).strip()

    git("init", "--quiet")
    (tmp_path / "other.txt").touch()
    git("add", "other.txt")
    git("commit", "--quiet", "-m", "Another project")
    assert code_commit(package) is None, "git does not know the package"

    git("add", "package")
    git("commit", "--quiet", "-m", "The package")
    commit = git("rev-parse", "HEAD")[:12]
    (tmp_path / "other.txt").write_text("changed")
    assert code_commit(package) == commit
    (package / "more.py").touch()
    assert code_commit(package) == f"{commit}-dirty"
