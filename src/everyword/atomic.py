"""Atomic writes: single files, files that belong together, and folders described by one of their files.

Everything is written to `<name>.partial` beside its destination and renamed when it is complete, so that readers see
the old content or the new one, never half of one.

In a folder, one file, the description, holds the checksums of all others. New files are written beside the old ones;
then the new description is renamed, in one move, and only then the others. A process killed on the way leaves the old
folder or the new one: a file that does not match the description is still found beside its destination.
"""

from __future__ import annotations

import gzip
import lzma
import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, cast

from everyword.errors import InputError
from everyword.files import checksum, read_object

COMPRESSED_SUFFIXES = (".gz", ".xz")


def partial_path(path: Path) -> Path:
    """Return the temporary path that a file is written to before it is renamed."""
    return path.with_name(path.name + ".partial")


def write_atomic(path: Path, content: bytes | str) -> None:
    """Write a file atomically: readers see the old content or the new one; half a file is removed."""
    try:
        partial_path(path).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        os.replace(partial_path(path), path)
    except BaseException:
        _remove(partial_path(path))
        raise


def _remove(path: Path) -> None:
    with suppress(OSError):  # what went wrong before is told
        path.unlink(missing_ok=True)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write one item per line, atomically."""
    write_atomic(path, "".join(line + "\n" for line in lines))


class AtomicFiles:
    """The files of one table while they are being written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.compressed = path.suffix in COMPRESSED_SUFFIXES
        self._files: list[Path] = []
        self._open = ExitStack()
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the path of the file to write.")
        if not path.parent.is_dir():
            raise InputError(f"There is no folder {path.parent} to write {path.name} into; create it first.")

    def open(self, path: Path | None = None) -> IO[bytes]:
        """Open the main file, or one that belongs beside it, under its temporary name."""
        final = path or self.path
        self._files.append(final)  # first, so that Ctrl-C just after the file is made leaves nothing behind
        plain = self._open.enter_context(partial_path(final).open("wb"))
        if final.suffix == ".gz":
            # No name and no time inside, so that equal tables give equal files.
            return cast(IO[bytes], self._open.enter_context(gzip.GzipFile("", "wb", fileobj=plain, mtime=0)))
        if final.suffix == ".xz":
            return self._open.enter_context(lzma.open(plain, "wb"))
        return plain

    def commit(self) -> None:
        """Close and rename in the order in which they were opened: the main file last, so it never stands alone."""
        self._open.close()
        for final in self._files:
            partial_path(final).replace(final)

    def discard(self) -> None:
        """Close and remove whatever was written."""
        self._open.close()
        for final in reversed(self._files):
            partial_path(final).unlink(missing_ok=True)


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
        return partial_path(path)

    def put(self, name: str, content: bytes | str) -> None:
        """Write a file; if it cannot be written, all that was written so far is removed."""
        try:
            self.path(name).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        except BaseException:
            self._discard()
            raise

    def checksums(self, names: Iterable[str], inside: str = "") -> dict[str, str]:
        """Return checksums of written files, by their names relative to the folder `inside`."""
        return {name: checksum(partial_path(self._folder / (inside + name))) for name in names}

    def finish(self, description: str) -> None:
        """Write the description and rename all files."""
        try:
            write_atomic(self._folder / self._description, description)
        except BaseException:
            self._discard()
            raise
        for path in self._written:
            os.replace(partial_path(path), path)

    def _discard(self) -> None:
        for path in self._written:
            _remove(partial_path(path))


def complete_file(path: Path, expected: str) -> Path | None:
    """Return the file with this checksum: the path, or its temporary path if a writer was killed before renaming it."""
    found = (file for file in (path, partial_path(path)) if file.is_file() and checksum(file) == expected)
    return next(found, None)


def _complete(folder: Path, description: str) -> None:
    """Finish the renames of a killed writer, so that no file of the description is overwritten."""
    try:
        files = read_object(folder / description)["files"].items()
    except (OSError, ValueError, KeyError, AttributeError):
        return  # nothing that could be lost
    for name, expected in files:
        path = folder / name
        if ".." in Path(name).parts:
            continue
        if partial_path(path).is_file() and complete_file(path, expected) == partial_path(path):
            os.replace(partial_path(path), path)
        if path.name == description:  # of a folder inside the folder
            _complete(path.parent, description)
