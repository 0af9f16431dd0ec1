"""Words on their way into a file: each must come back as the same word."""

from __future__ import annotations

from everyword.errors import InputError

ASCII_BLANKS = " \t\n\v\f\r"
BLANKS_BUT_SPACE = ASCII_BLANKS[1:]
LINE_BREAKS = "\n\r"


def encode_words(words: list[str], forbidden: str, format_name: str, remedy: str) -> list[bytes]:
    """UTF-8 bytes of the words; a word that the format cannot hold is named in the error."""
    return [_encode(word, forbidden, format_name, remedy) for word in words]


def refuse_leading_mark(word: str, format_name: str) -> None:
    """A file that begins with U+FEFF is taken to begin with a byte order mark."""
    if word.startswith("\ufeff"):
        raise InputError(
            f"The word {word!r} begins with a byte order mark and cannot come first in the format {format_name!r}; "
            "remove the mark or put another word first."
        )


def _encode(word: str, forbidden: str, format_name: str, remedy: str) -> bytes:
    if not word:
        raise InputError("An empty word cannot be written; remove it from the table.")
    found = next((character for character in forbidden if character in word), None)
    if found is not None:
        raise InputError(f"The word {word!r} holds {found!r}, which the format {format_name!r} cannot store; {remedy}.")
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"The word {word!r} holds half a surrogate pair and is no valid text; remove it.") from None
