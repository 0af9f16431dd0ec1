"""Zstandard streams that say when they are cut off; the package itself ends them without a word."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from everyword.extras import require

MAGIC = b"\x28\xb5\x2f\xfd"
AT_ONCE = 1 << 11
"""Packed bytes; each of them can stand for 32,000."""


class ZstdReader(io.RawIOBase):
    """The decompressed bytes of a file of one or more frames."""

    def __init__(self, path: Path) -> None:
        self._zstd = require("zstandard", "Reading a .zst file")
        self._file = path.open("rb")
        self._frame: Any = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next decompressed bytes go; 0 at the end."""
        while not self._ready:
            raw = self._file.read(AT_ONCE)
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
