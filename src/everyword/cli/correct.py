"""everyword correct: texts with their misspellings put right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.streams import (
    batches,
    is_file,
    open_text,
    read_lines,
    refuse_terminal,
    stripped,
    text_file,
    valid_text,
)

if TYPE_CHECKING:
    from everyword.sentences.context.read import Correction

LINES_AT_ONCE = 256


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXTS_OR_FILE]...")
@options.model
@click.option("--keep", type=text_file, metavar="FILE", help="Words that are never changed, one per line.")
@options.json_lines
@options.output_file("File to write.  [default: standard output]", required=False)
@options.overwrite
def correct(
    *,
    texts: tuple[str, ...],
    model_name: str | None,
    keep: Path | None,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> None:
    """Put the misspelt words of texts right.

    Texts are arguments, the lines of one text file, or lines of standard input. A word is changed if another one is
    much more likely, by its spelling and by the words around it; also words that are misspelt as other words are found
    ("form" for "from"). White space, punctuation, numbers, addresses and words in capitals stay as they are. With
    --json, a line has the text, the corrected text and the changes.

    \b
    Examples:
      everyword correct "I herd the new song on the radio"
      everyword correct notes.txt --keep names.txt --output corrected.txt
      cat notes.txt | everyword correct --json
    """
    lines = _lines(texts)
    kept = [] if keep is None else [*filter(None, (stripped(line) for _, line in read_lines(keep)))]
    if output is not None:
        check_file(output, overwrite)
    from everyword.models.load import load
    from everyword.sentences.context.read import corrections

    model = load(model_name)
    with open_text(output) as write:
        for some in batches(lines, LINES_AT_ONCE):
            for line, found in zip(some, corrections(model, some, kept), strict=True):
                write(_as_json(line, found) if as_json else found.corrected)


def _lines(given: tuple[str, ...]) -> Iterator[str]:
    """Return lines with their line ends."""
    if not given:
        refuse_terminal("Give texts as arguments, name a text file, or write texts to standard input.")
    if len(given) > 1 or (given and not is_file(given[0])):
        return iter([f"{valid_text(text)}\n" for text in given])
    return (line for _, line in read_lines(Path(given[0]) if given else None))


def _as_json(line: str, found: Correction) -> str:
    changes = [
        {
            "begin": change.begin,
            "end": change.end,
            "text": line[change.begin : change.end],
            "read_as": change.word,
            "confidence": round(change.share, 6),
        }
        for change in found.changes
    ]
    told = {"text": line.rstrip("\r\n"), "corrected": found.corrected.rstrip("\r\n"), "changes": changes}
    return json.dumps(told, ensure_ascii=False) + "\n"
