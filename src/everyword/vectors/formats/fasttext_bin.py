"""fastText `.bin` as a table: one row per known word, with its n-grams folded in as fastText does."""

from __future__ import annotations

from collections.abc import Iterator

from everyword.vectors.containers import Source
from everyword.vectors.formats.base import Block, Format, Rows
from everyword.vectors.formats.fasttext_model import MAGIC, FastTextModel, load_fasttext
from everyword.vectors.formats.gate import BlockBuilder, Gate
from everyword.vectors.problems import Problems

NAME = "fasttext"


def recognises(head: bytes) -> bool:
    """The magic number of fastText."""
    return head[:4] == MAGIC.to_bytes(4, "little")


def read(source: Source, problems: Problems, block_rows: int) -> Rows:
    """Open the model and make its rows one block at a time."""
    model = load_fasttext(source.require_plain(NAME))
    gate = Gate(source, problems, model.dim, "row")
    return Rows(model.dim, len(model.raw_words), _blocks(model, gate, block_rows))


def _blocks(model: FastTextModel, gate: Gate, block_rows: int) -> Iterator[Block]:
    for start in range(0, len(model.raw_words), block_rows):
        raw_words = model.raw_words[start : start + block_rows]
        builder = BlockBuilder(len(raw_words), model.dim)
        for number, raw in enumerate(raw_words, start + 1):
            word = gate.word(raw, number)
            if word is not None and gate.admits(word, row := model.vector(word), number):
                builder.add(word, row)
        if builder.words:
            yield builder.block()


FORMAT = Format(
    name=NAME,
    description="fastText model .bin, versions 11 and 12; quantised .ftz models are refused",
    suffixes=(),
    recognises=recognises,
    read=read,
)
