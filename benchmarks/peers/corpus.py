"""The shared corpus as fastText and floret read it: lower case, words only, one sentence per line."""

from __future__ import annotations

import lzma
import re
import sys
from pathlib import Path

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def words_of(sentence: str) -> str:
    """Return a sentence in lower case, with spaces between its words and without numbers and punctuation.

    >>> words_of("In 1066, William's half-brother (Odo) came.")
    "in william's half-brother odo came"
    """
    return " ".join(WORD.findall(sentence.lower()))


def prepared_corpus(data: Path, cache: Path, files: int) -> Path:
    """Return the first `files` files of the corpus as one text, made once."""
    sources = sorted((data / "corpus").glob("*.txt.xz"))[:files]
    path = cache / f"corpus-{len(sources)}.txt"
    if not path.exists():
        print(f"preparing {len(sources)} files of the corpus", file=sys.stderr)
        beside = path.with_suffix(".partial")
        with beside.open("w", encoding="utf-8", newline="\n") as out:
            for source in sources:
                with lzma.open(source, "rt", encoding="utf-8") as sentences:
                    out.writelines(words_of(sentence) + "\n" for sentence in sentences)
        beside.rename(path)
    return path
