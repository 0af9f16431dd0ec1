"""The phrases in which the probe asks: W is the keyword, _ the place of the answer."""

from __future__ import annotations

PATTERNS = {
    "antonym": (
        "W is the opposite of _",
        "W is not _",
        "someone who is W is not _",
        "something that is W is not _",
        '" W " is the opposite of " _ "',
    ),
    "hypernym": (
        "W is a _",
        "W is an _",
        "A W is a _",
        "A W is an _",
        '" W " refers to a _',
        '" W " refers to an _',
        "W is a kind of _",
        "A W is a kind of _",
    ),
    "cohyponym": ("W and _", '" W " and " _ "'),
    "corruption": ('" W " is a misspelling of " _ " .', '" W " . did you mean " _ " ?'),
}
"""Those of WNLaMPro's evaluation; "A W" stands for the article that fits the first letter."""
END_MARKS = (".", "?", "!")


def phrases(relation: str, keyword: str, mask: str) -> list[str]:
    """Every pattern of a relation with the keyword in it.

    >>> phrases("hypernym", "apple", "[MASK]")[2]
    'an apple is a [MASK].'
    """
    return [_filled(pattern, keyword, mask) for pattern in PATTERNS[relation]]


def _filled(pattern: str, keyword: str, mask: str) -> str:
    article = "an" if keyword[0] in "aeiou" else "a"
    parts = {"A": article, "W": keyword, "_": mask}
    text = " ".join(parts.get(part, part) for part in pattern.split(" "))
    return text if text.endswith(END_MARKS) else text + "."
