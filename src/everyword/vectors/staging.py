"""Files that appear whole or not at all.

Everything is written to `<name>.partial` beside its destination and renamed when all of it is complete.
"""

from __future__ import annotations

import gzip
import lzma
from contextlib import ExitStack
from pathlib import Path
from typing import IO, cast

from everyword.errors import InputError
from everyword.files import beside

COMPRESSED_SUFFIXES = (".gz", ".xz")


class Staging:
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
        plain = self._open.enter_context(beside(final).open("wb"))
        self._files.append(final)
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
            beside(final).replace(final)

    def discard(self) -> None:
        """Close and remove whatever was written."""
        self._open.close()
        for final in reversed(self._files):
            beside(final).unlink(missing_ok=True)
