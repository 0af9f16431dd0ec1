"""Find the format of a file: by its first bytes when reading, by its name when writing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from everyword.atomic import COMPRESSED_SUFFIXES
from everyword.errors import InputError
from everyword.registry import vector_formats
from everyword.vectors.formats.base import Format
from everyword.vectors.formats.text_rows import UTF16_BOMS
from everyword.vectors.formats.wink import recognises as is_wink
from everyword.vectors.input_file import InputFile


def guess(path: str | Path) -> Format:
    """Return the format of an existing file, by its content.

    Args:
        path: A vector file, which may be compressed.

    Returns:
        The format.

    Raises:
        InputError: If the content is of no known format.
    """
    source = open_source(path)
    try:
        return guess_source(source)
    finally:
        source.close()


def open_source(path: str | Path) -> InputFile:
    """Open a file; in an npm package, the table is found among the other files."""
    return InputFile(path, accepts=is_wink)


def guess_source(source: InputFile) -> Format:
    """Return the format of an open file."""
    head = source.head()
    for form in _formats():
        if form.recognises(head):
            return form
    if head.startswith(UTF16_BOMS):
        raise InputError(f"{source.path} is UTF-16 text; convert it to UTF-8 first.")
    raise InputError(
        f"{source.path} begins with {head[:24]!r}, which is not a known format; "
        f"if it is one of {', '.join(vector_formats)} after all, name it by format= (--from or --format in the shell)."
    )


def format_for_writing(path: Path, name: str | None) -> Format:
    """Return the named format, or the one of the path's suffix; it must be writable."""
    form: Format = vector_formats.get(name) if name is not None else _by_suffix(path)
    if form.open_sink is None:
        writable = ", ".join(other.name for other in _formats() if other.open_sink is not None)
        raise InputError(f"{path}: the format {form.name!r} can only be read; write one of {writable}.")
    return form


def _by_suffix(path: Path) -> Format:
    name = path.name
    for suffix in COMPRESSED_SUFFIXES:
        name = name.removesuffix(suffix)
    matches = [(len(suffix), form) for form in _formats() for suffix in form.suffixes if name.endswith(suffix)]
    if not matches:
        raise InputError(
            f"{path}: the format is not clear from the name; use one of the suffixes {_all_suffixes()}, "
            "or name it by format= (--to or --format in the shell)."
        )
    return max(matches, key=lambda match: match[0])[1]


def _all_suffixes() -> str:
    return " ".join(suffix for form in _formats() if form.open_sink is not None for suffix in form.suffixes)


def _formats() -> Iterator[Format]:
    for name in vector_formats:
        yield vector_formats.get(name)
