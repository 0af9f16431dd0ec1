"""The words of a text, as plug-ins read it."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+(?:['’-]\w+)*")
"""Letters and digits, joined by apostrophes and hyphens inside: "don't" and "e-mail" are one word each."""


def words_of(text: str) -> list[str]:
    """The words of a text, in its order.

    >>> words_of("Don't e-mail me, please!")
    ["Don't", 'e-mail', 'me', 'please']
    """
    return WORD.findall(text)
