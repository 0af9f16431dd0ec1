"""Names and what is said about them, one below the other."""

from __future__ import annotations

from collections.abc import Iterable


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Lines with all second columns beginning at the same place.

    >>> print(aligned([("name", "love"), ("dimension", "100")]))
    name       love
    dimension  100
    """
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(f"{name:<{width}}  {text}".rstrip() for name, text in rows)
