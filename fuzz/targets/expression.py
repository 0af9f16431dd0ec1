"""Words joined by set operators."""

from everyword.space.expression import combine
from fuzz.targets.common import one_sentence


def read(data: bytes) -> None:
    """Evaluate an expression."""
    with one_sentence():
        combine(data.decode("utf-8", "replace"), len)
