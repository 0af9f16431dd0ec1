"""Lines of a text → sentences: a line that is not too long is one; a longer one is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from everyword.errors import InputError

# An end mark, what may close behind it, a blank, and something that can begin a sentence.
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]* +(?=[^\sa-z])")


@dataclass(frozen=True)
class Bounds:
    """How many words a sentence has."""

    shortest: int = 4
    """Runs of letters; what is shorter counts, but tells nothing."""
    longest: int = 96
    """Words between blanks; what is longer is cut."""

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise InputError(
                "The shortest sentence has 1 word or more and no more than the longest. "
                f"Got {self.shortest} and {self.longest} instead."
            )


def passages(block: str, longest: int) -> list[str]:
    """The sentences of a block of lines; no text between them is lost.

    >>> passages("One line.\\r\\nA b c.  D e! F g h i j", 3)
    ['One line.', 'A b c.', 'D e!', 'F g h', 'i j']
    """
    lines = with_single_blanks(block).split("\n")
    if not [line for line in lines if len(line) > 2 * longest and line.count(" ") >= longest]:
        return lines
    return [passage for line in lines for passage in ((line,) if line.count(" ") < longest else _cut(line, longest))]


def with_single_blanks(text: str) -> str:
    """A text whose words stand one blank apart; faster than a pattern, and most texts are so already."""
    text = text.replace("\r\n", "\n")
    for other in ("\r", "\t", "\xa0"):
        text = text.replace(other, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def _cut(line: str, longest: int) -> Iterator[str]:
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(line)), len(line)]:
        words = line[start:end].split()
        for first in range(0, len(words), longest):
            yield " ".join(words[first : first + longest])
        start = end
