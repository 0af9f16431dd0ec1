"""Input files: plain, gzip, xz, Zstandard, zip with one member, tar inside gzip.

The first bytes decide, not the file name. Compressed data are decompressed while they are read, never on disk.
"""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, cast

from everyword.errors import InputError
from everyword.vectors.decompression import ZSTD_MAGIC, XzReader, ZstdReader

HEAD_BYTES = 1 << 16
TAR_MARK = slice(257, 262)

DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError)
ZIP_TROUBLE = (RuntimeError, ValueError, OSError, struct.error)
"""Errors of the standard library for archives that are encrypted, unsupported or damaged."""


class InputFile:
    """A file to read a table from; `open` returns its decompressed bytes.

    `accepts` picks the member of a tar archive that holds many: a `.json` file whose first bytes it accepts.
    """

    def __init__(self, path: str | Path, accepts: Callable[[bytes], bool] = lambda head: True) -> None:
        self.path = Path(path)
        self._accepts = accepts
        self._stack = ExitStack()
        if self.path.is_dir():
            raise InputError(f"{self.path} is a folder; give the path of one vector file in it.")
        if not self.path.exists():
            raise InputError(f"There is no file {self.path}; check the path.")
        if not self.path.is_file():  # it is read twice, and a device may never end
            raise InputError(f"{self.path} is a pipe or a device; write it to a file first.")
        self.container = self._container()

    def open(self) -> IO[bytes]:
        """Open a new decompressed stream; it stays open until `close`."""
        try:
            return self._open()
        except DAMAGE as error:
            raise damaged(self.path, error) from error

    def head(self) -> bytes:
        """Return the first decompressed bytes; an empty file is refused."""
        try:
            head = self.open().read(HEAD_BYTES)
        except DAMAGE as error:
            raise damaged(self.path, error) from error
        if not head:
            raise InputError(f"{self.path} is empty; there is no table to read.")
        return head

    def require_plain(self, format_name: str) -> Path:
        """Return the path, for formats that are mapped into memory; a compressed file is refused."""
        if self.container != "plain":
            raise InputError(
                f"{self.path} is compressed ({self.container}), and the format {format_name!r} is read in place; "
                "unpack the file first."
            )
        return self.path

    def close(self) -> None:
        """Close every stream that `open` returned."""
        self._stack.close()

    def _container(self) -> str:
        with self.path.open("rb") as file:
            magic = file.read(6)
        if magic.startswith(b"\x1f\x8b"):
            return "tar" if self._gzip_holds_tar() else "gzip"
        if magic == b"\xfd7zXZ\x00":
            return "xz"
        if magic.startswith(ZSTD_MAGIC):
            return "zstd"
        return "zip" if magic.startswith(b"PK\x03\x04") else "plain"

    def _gzip_holds_tar(self) -> bool:
        try:
            with gzip.open(self.path) as stream:
                return stream.read(512)[TAR_MARK] == b"ustar"
        except DAMAGE as error:
            raise damaged(self.path, error) from error

    def _open(self) -> IO[bytes]:
        keep = self._stack.enter_context
        if self.container == "gzip":
            return io.BufferedReader(keep(gzip.open(self.path)), 1 << 20)
        if self.container == "xz":
            return io.BufferedReader(keep(XzReader(self.path)), 1 << 20)
        if self.container == "zstd":
            return io.BufferedReader(keep(ZstdReader(self.path)), 1 << 20)
        if self.container == "zip":
            return self._zip_member()
        if self.container == "tar":
            return self._tar_member(keep(tarfile.open(self.path, "r:gz")))
        return keep(self.path.open("rb"))

    def _zip_member(self) -> IO[bytes]:
        keep = self._stack.enter_context
        try:
            archive = keep(zipfile.ZipFile(self.path))
            return keep(archive.open(self._only_member(archive)))
        except ZIP_TROUBLE as error:
            raise zipfile.BadZipFile(str(error)) from error

    def _only_member(self, archive: zipfile.ZipFile) -> str:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            listing = ", ".join(names[:8]) or "none"
            raise InputError(
                f"{self.path} should hold exactly one file but holds {len(names)} ({listing}); "
                "unpack it and give the path of the one you mean."
            )
        return names[0]

    def _tar_member(self, archive: tarfile.TarFile) -> IO[bytes]:
        names = []
        for member in archive:
            names.append(member.name)
            if member.isfile() and member.name.endswith(".json"):
                # A regular member always gives a buffered stream, whose peek does not move it.
                stream = cast(io.BufferedReader, archive.extractfile(member))
                if self._accepts(stream.peek(HEAD_BYTES)):
                    return self._stack.enter_context(stream)
        raise InputError(
            f"{self.path} holds no .json file with vectors (it holds {', '.join(names[:8]) or 'nothing'}); "
            "unpack it and give the path of the vector file."
        )


def damaged(path: Path, error: BaseException) -> InputError:
    """Return the error for compressed data that end early or do not decompress."""
    detail = str(error).rstrip(".") or type(error).__name__
    return InputError(f"{path}: the compressed data are damaged or cut off ({detail}); fetch the file again.")
