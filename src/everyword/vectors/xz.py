"""xz streams that cannot ask for gigabytes: the standard library's reader believes the size that a file names."""

from __future__ import annotations

import io
import lzma
from pathlib import Path
from typing import Any

MOST_MEMORY = 1 << 28
"""Bytes that a decoder may take; xz -9 needs a quarter of it."""
RAW_AT_ONCE = 1 << 16
PADDING = b"\0"


class XzReader(io.RawIOBase):
    """The decompressed bytes of a file of one or more streams."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._decoder = _decoder()
        self._raw = b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next decompressed bytes go; 0 at the end."""
        while True:
            if self._decoder.eof and not self._next_stream():
                return 0
            if self._decoder.needs_input and not self._raw:
                self._raw = self._file.read(RAW_AT_ONCE)
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
        left = self._decoder.unused_data.lstrip(PADDING)
        while not left:
            raw = self._file.read(RAW_AT_ONCE)
            if not raw:
                return False
            left = raw.lstrip(PADDING)
        self._raw, self._decoder = left, _decoder()
        return True


def _decoder() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
