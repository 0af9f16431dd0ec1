"""The texts that a service was started with, ready to be searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from everyword.corpus.search import FileSearch, FileTexts
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.sentences.index import TextIndex

COLUMN = "text"


class Corpus:
    """Texts, and their vectors by one model.

    Args:
        name: What to call them.
        texts: The texts, or an index of them.
        model: Encodes the queries, and texts that are not indexed yet.

    Raises:
        InputError: If there is no text.
    """

    def __init__(self, name: str, texts: Sequence[str] | TextIndex, model: Model) -> None:
        if not len(texts):
            raise InputError(f"A corpus needs at least one text. {name} has none.")
        self.name, self.model = name, model
        self.index = texts if isinstance(texts, TextIndex) else TextIndex.build(model, texts, progress=False)

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def load(cls, path: str, column: str | None, model: Model) -> Corpus:
        """Open a file as `everyword search` does; its index is kept beside it.

        Args:
            path: A file of texts: .parquet .jsonl .csv .tsv .txt, also packed.
            column: The column or field of the texts; by default "text". Plain text has a text per line.
            model: Encodes the texts and the queries.

        Raises:
            InputError: If the file cannot be read or has no texts.
        """
        opened = FileSearch.open(path, model, column=COLUMN if column is None else column)
        return cls(Path(path).name, opened.index, model)


def texts_at(index: TextIndex, rows: Iterable[int]) -> dict[int, str]:
    """Return the texts of some rows of an index; those of a file are read together."""
    texts = index.texts
    return texts.at(rows) if isinstance(texts, FileTexts) else {row: texts[row] for row in rows}
