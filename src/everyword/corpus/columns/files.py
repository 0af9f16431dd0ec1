"""Find files by paths, folders, patterns and addresses such as s3://bucket/folder, and open them, packed or not."""

from __future__ import annotations

import bz2
import fnmatch
import glob
import gzip
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from everyword.errors import EverywordError, InputError
from everyword.extras import require
from everyword.vectors.decompression import ZSTD_MAGIC, XzReader, ZstdReader
from everyword.vectors.input_file import DAMAGE, damaged

KINDS = {
    ".parquet": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "text",
}
PACKED = (".gz", ".xz", ".bz2", ".zst")
SAMPLED_BYTES = 1 << 20
BUFFER = 1 << 18
PATTERN = frozenset("*?[")


@dataclass(frozen=True)
class FileIdentity:
    """What tells whether a file is still the same."""

    bytes: int
    modified: int
    """Nanoseconds."""
    checksum: str
    """Of the whole file; of a Parquet file the first and the last megabyte, which holds its index."""

    def still_holds(self, location: str) -> bool:
        """Return whether a file is the same; it is read only if the time has changed and the size has not."""
        size, modified = size_and_time(location)
        return size == self.bytes and (modified == self.modified or self.checksum == _checksum(location))

    @classmethod
    def of(cls, location: str) -> FileIdentity:
        """Read a file."""
        return cls(*size_and_time(location), _checksum(location))


def find_files(inputs: Iterable[str], leave_out: Path | None = None) -> list[str]:
    """Return the files that paths, folders, patterns and addresses name, each once.

    Args:
        inputs: What to find. In a folder, all files with a suffix that can be read are found, also in folders inside.
        leave_out: A folder in which nothing is found, such as the one that results go to.

    Raises:
        InputError: If there is no such file, a folder has none, a suffix is unknown, or a file is found twice.
    """
    found: list[str] = []
    for given in inputs:
        listed = _remote(given) if is_address(given) else _local(given, leave_out)
        if not listed:
            raise InputError(
                f"{given} has no file that can be read; give files with the suffixes {' '.join(KINDS)}, also packed "
                f"({' '.join(PACKED)})."
            )
        found += listed
    if not found:
        raise InputError("At least one file of texts is needed. Got none.")
    for path, count in Counter(found).items():
        kind_of(path)
        if count > 1:
            raise InputError(f"{path} is given twice, and its texts would count twice; name it once.")
    return found


def is_address(location: str) -> bool:
    """Return whether a location is an address, such as s3://bucket/file, and not a path."""
    return "://" in location


def kind_of(location: str) -> str:
    """Return what the suffix says that a file holds; raise InputError for one that cannot be read."""
    kind = KINDS.get(_suffix(location))
    if kind is None:
        raise InputError(
            f"{location}: what it holds is not clear from the name; use one of the suffixes {' '.join(KINDS)}, also "
            f"packed ({' '.join(PACKED)})."
        )
    return kind


def within(base: str, location: str) -> str:
    """Return a location as seen from here; a relative path begins in the folder `base`."""
    return location if is_address(location) or base == str(Path.cwd()) else str(Path(base, location))


def open_plain(location: str) -> IO[bytes]:
    """Open a file as it is; raise InputError if there is none."""
    if is_address(location):
        system, path = _file_system(location)
        try:
            return cast(IO[bytes], io.BufferedReader(system.open_input_file(path), BUFFER))
        except OSError as error:
            raise InputError(f"{location} cannot be opened ({_said(error)}); check the address.") from None
    if not Path(location).is_file():  # a device may never end
        raise InputError(f"There is no file {location}; check the path.")
    return Path(location).open("rb", buffering=BUFFER)


class UnpackedFile:
    """The lines of a file, unpacked; a packed one is read forwards only, so going back begins again."""

    def __init__(self, location: str) -> None:
        self.location = location
        self._open()

    def _open(self) -> None:
        self.position = 0
        self._raw = open_plain(self.location)
        try:
            self._stream, self._packed = self._unpacked()
        except EverywordError:  # a package that is missing
            self._raw.close()
            raise

    def _unpacked(self) -> tuple[IO[bytes], bool]:
        raw = self._raw
        magic = raw.read(6)
        raw.seek(0)
        if magic.startswith(b"\x1f\x8b"):
            return io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=raw)), BUFFER), True
        if magic == b"\xfd7zXZ\x00":
            return io.BufferedReader(XzReader(raw), BUFFER), True
        if magic.startswith(ZSTD_MAGIC):
            return io.BufferedReader(ZstdReader(raw), BUFFER), True
        if magic.startswith(b"BZh"):
            return cast(IO[bytes], bz2.BZ2File(raw)), True
        return raw, False

    def seek(self, position: int) -> None:
        """Go to a place among the unpacked bytes."""
        if not self._packed:
            self._stream.seek(position)
        else:
            if position < self.position:
                self.close()
                self._open()
            while self.position < position and (skipped := self._read(min(BUFFER, position - self.position))):
                self.position += len(skipped)
        self.position = position

    def readline(self, most: int) -> bytes:
        """Return the next line with its end, or at most so many bytes of it."""
        try:
            line = self._stream.readline(most)
        except DAMAGE as error:
            raise damaged(Path(self.location), error) from error
        except OSError as error:
            raise self._unreadable(error) from error
        self.position += len(line)
        return line

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (*DAMAGE, OSError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: BaseException) -> InputError:
        return InputError(f"{self.location} cannot be read ({_said(error)}); fetch the file again.")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        self._raw.close()


def size_and_time(location: str) -> tuple[int, int]:
    """Return the size of a file in bytes and when it was changed, in nanoseconds."""
    if is_address(location):
        system, path = _file_system(location)
        found = system.get_file_info(path)
        return int(found.size or 0), int(found.mtime_ns or 0)
    if not Path(location).is_file():
        raise InputError(f"There is no file {location}; check the path.")
    found = Path(location).stat()
    return found.st_size, found.st_mtime_ns


def _checksum(location: str) -> str:
    digest = hashlib.sha256()
    with open_plain(location) as file:
        if kind_of(location) == "parquet":
            digest.update(file.read(SAMPLED_BYTES))
            file.seek(max(file.seek(0, io.SEEK_END) - SAMPLED_BYTES, 0))
            digest.update(file.read(SAMPLED_BYTES))
        else:
            while block := file.read(SAMPLED_BYTES):
                digest.update(block)
    return digest.hexdigest()


def _suffix(location: str) -> str:
    path = PurePosixPath(location.lower())
    return PurePosixPath(path.stem).suffix if path.suffix in PACKED else path.suffix


def _is_readable(path: PurePosixPath) -> bool:
    hidden = any(part.startswith((".", "_")) for part in path.parts)
    return not hidden and _suffix(str(path)) in KINDS


def _local(given: str, leave_out: Path | None) -> list[str]:
    path = Path(given)
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        away = leave_out.resolve() if leave_out is not None else None
        return [
            str(file)
            for file in inside
            if _is_readable(PurePosixPath(file.relative_to(path).as_posix()))
            and not (away is not None and file.resolve().is_relative_to(away))
        ]
    if path.exists():
        return [given]
    if PATTERN & set(given):
        return sorted(file for file in glob.glob(given, recursive=True) if Path(file).is_file())
    raise InputError(f"There is no file {given}; check the path.")


def _remote(given: str) -> list[str]:
    fs = require("pyarrow.fs", f"Reading {given}")
    scheme = given.partition("://")[0] + "://"
    fixed = given if not PATTERN & set(given) else given[: min(given.index(mark) for mark in PATTERN & set(given))]
    folder = fixed if fixed == given else fixed.rpartition("/")[0]
    system, root = _file_system(folder)
    try:
        found = system.get_file_info(root)
        if found.type == fs.FileType.File:
            return [given]
        inside = system.get_file_info(fs.FileSelector(root, recursive=True))
    except OSError as error:
        raise InputError(f"{given} cannot be listed ({_said(error)}); check the address.") from None
    asked = given.removeprefix(scheme)
    return [scheme + path for path in _chosen(inside, root, asked if fixed != given else None, fs)]


def _chosen(inside: Iterable[Any], root: str, pattern: str | None, fs: Any) -> Iterator[str]:
    for found in sorted(inside, key=lambda each: str(each.path)):
        name = PurePosixPath(str(found.path).removeprefix(root).lstrip("/"))
        if found.type == fs.FileType.File and (
            _is_readable(name) if pattern is None else fnmatch.fnmatchcase(str(found.path), pattern)
        ):
            yield str(found.path)


def _file_system(address: str) -> tuple[Any, str]:
    fs = require("pyarrow.fs", f"Reading {address}")
    pyarrow = require("pyarrow", f"Reading {address}")
    try:
        system, path = fs.FileSystem.from_uri(address)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{address} is not an address that can be read ({_said(error)}); check it.") from None
    return system, str(path)


def _said(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
