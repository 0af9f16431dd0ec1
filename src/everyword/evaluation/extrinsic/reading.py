"""Lines of a data file, plain or gzipped, with errors that name the file."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from everyword.errors import InputError


def read_lines(path: Path, what: str) -> list[str]:
    """The lines of a UTF-8 file without line ends; `what` says what it should hold."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"There is no {what} {path}; check the path.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}. Save it as UTF-8.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is no whole gzip file: {error}. Get it again.") from None
    # Not splitlines: a word may hold what Unicode calls a line end.
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").removesuffix("\n").split("\n")]
