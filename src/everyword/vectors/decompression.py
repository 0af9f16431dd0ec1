"""Readers of xz and Zstandard files with bounded memory; data that are cut off raise EOFError.

The standard library's xz reader allocates whatever size a file declares, and the package zstandard ends a cut-off
stream without an error.
"""

from __future__ import annotations

import io
import lzma
from pathlib import Path
from typing import IO, Any

from everyword.extras import require

MOST_MEMORY = 1 << 28
"""Bytes that a decoder may take; xz -9 needs a quarter of it."""
XZ_BYTES_AT_ONCE = 1 << 16
XZ_PADDING = b"\0"


class XzReader(io.RawIOBase):
    """The decompressed bytes of a file of one or more streams."""

    def __init__(self, source: Path | IO[bytes]) -> None:
        self._file = source.open("rb") if isinstance(source, Path) else source
        self._decoder = _decoder()
        self._raw = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next decompressed bytes go; 0 at the end."""
        while True:
            if self._decoder.eof and not self._next_stream():
                return 0
            if self._decoder.needs_input and not self._raw:
                self._raw = self._file.read(XZ_BYTES_AT_ONCE)
                if not self._raw:
                    raise EOFError("the last stream has no end")
            raw, self._raw = self._raw, b""
            if found := self._decoder.decompress(raw, max_length=len(buffer)):
                buffer[: len(found)] = found
                return len(found)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _next_stream(self) -> bool:
        """Whether another stream follows; between two there may be zeros."""
        left = self._decoder.unused_data.lstrip(XZ_PADDING)
        while not left:
            raw = self._file.read(XZ_BYTES_AT_ONCE)
            if not raw:
                return False
            left = raw.lstrip(XZ_PADDING)
        self._raw, self._decoder = left, _decoder()
        return True


def _decoder() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_MEMORY)


ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZSTD_BYTES_AT_ONCE = 1 << 11
"""Packed bytes; each of them can stand for 32,000."""


class ZstdReader(io.RawIOBase):
    """The decompressed bytes of a file of one or more frames."""

    def __init__(self, source: Path | IO[bytes]) -> None:
        self._zstd = require("zstandard", "Reading a .zst file")
        self._file = source.open("rb") if isinstance(source, Path) else source
        self._frame: Any = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next decompressed bytes go; 0 at the end."""
        while not self._ready:
            raw = self._file.read(ZSTD_BYTES_AT_ONCE)
            if not raw:
                if self._frame is not None:
                    raise EOFError("the last frame has no end")
                return 0
            self._ready = memoryview(self._decompressed(raw))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _decompressed(self, raw: bytes) -> bytes:
        whole = []
        while raw:
            self._frame = self._frame or self._zstd.ZstdDecompressor().decompressobj()
            try:
                whole.append(self._frame.decompress(raw))
            except self._zstd.ZstdError as error:
                raise EOFError(str(error)) from error
            raw = self._frame.unused_data
            if self._frame.eof:
                self._frame = None
        return b"".join(whole)
