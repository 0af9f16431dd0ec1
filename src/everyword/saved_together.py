"""Files of a folder that change together: one of them, the description, holds the checksums of all others.

New files are written beside the old ones; then the new description takes its place, in one move, and only then do the
others. Whoever is killed on the way leaves a folder that is the old one or the new one: a file that is not what the
description says still lies beside its place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from everyword.errors import InputError
from everyword.files import beside, checksum, read_object, write_whole


class FolderWriter:
    """Writes the files of a folder; they count once `finish` has written the description, and only then."""

    def __init__(self, folder: Path, description: str, what: str) -> None:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file; a {what} is saved to a folder.")
        self._folder, self._description = folder, description
        self._written: list[Path] = []
        _complete(folder, description)

    def path(self, name: str) -> Path:
        """Where to write a file; a name may go through folders, as in base/words.txt."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._written.append(path)
        return beside(path)

    def put(self, name: str, content: bytes | str) -> None:
        """Write a file."""
        self.path(name).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)

    def checksums(self, names: Iterable[str], inside: str = "") -> dict[str, str]:
        """Of files that were written, by their names as seen from inside a folder of the folder."""
        return {name: checksum(beside(self._folder / (inside + name))) for name in names}

    def finish(self, description: str) -> None:
        """Make all files count."""
        write_whole(self._folder / self._description, description)
        for path in self._written:
            os.replace(beside(path), path)


def whole_file(path: Path, expected: str) -> Path | None:
    """The file with this checksum: in its place, or beside it where a writer was killed before its last move."""
    return next((place for place in (path, beside(path)) if place.is_file() and checksum(place) == expected), None)


def _complete(folder: Path, description: str) -> None:
    """Make the moves that a killed writer owes, so that nothing the description speaks of is written over."""
    try:
        files = read_object(folder / description)["files"].items()
    except (OSError, ValueError, KeyError, AttributeError):
        return  # nothing that could be lost
    for name, expected in files:
        path = folder / name
        if ".." in Path(name).parts:
            continue
        if beside(path).is_file() and whole_file(path, expected) == beside(path):
            os.replace(beside(path), path)
        if path.name == description:  # of a folder inside the folder
            _complete(path.parent, description)
