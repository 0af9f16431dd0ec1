"""everyword language-distance: which languages are close to which, by their texts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.group import Command
from everyword.cli.common.output import json_text
from everyword.errors import InputError


@click.command("language-distance", cls=Command)
@click.argument("files", type=options.PATH, nargs=-1, required=True, metavar="TEXT TEXT...")
@options.text("--target", "NAME", "Rank the others as helpers of this language only.")
@options.count("--lines", "How many lines of each file are read.", default=10_000)
@options.json_object
def language_distance(files: tuple[Path, ...], target: str | None, lines: int, as_json: bool) -> None:
    """Rank languages by how close their texts are.

    Give a text file per language, plain or compressed, about as long as each other; a language is named after its file,
    so fi.txt.xz is fi. For each language the others are listed, the closest first, with the perplexity of their
    characters (a model of three characters, and one of six with Kneser-Ney smoothing), the share of words in common,
    and the rank that most of the measures give. Close languages are worth a try as sources of a tagger's vectors.

    \b
    Examples:
      everyword language-distance fi.txt.xz de.txt.xz en.txt.xz
      everyword language-distance fi.txt de.txt en.txt nl.txt --target nl --json
    """
    from everyword.corpus.piece_vectors import TOKEN
    from everyword.corpus.text_file import read_text
    from everyword.evaluation.language_distance import VOTE, distances, rankings_for

    names = [path.name.partition(".")[0] for path in files]
    if len(files) < 2 or len(set(names)) < len(names):
        raise InputError(f"Give texts of two or more languages, with different names. Got {', '.join(names)}.")
    if target is not None and target not in names:
        raise InputError(f"There is no text of the target {target!r}; the texts are {', '.join(names)}.")
    texts = {
        name: list(islice((line for line in read_text(path, "text file") if line.strip()), lines))
        for name, path in zip(names, files, strict=True)
    }
    words = {
        name: {token for line in text for token in TOKEN.findall(line.lower()) if token.isalpha()}
        for name, text in texts.items()
    }
    measures = distances(texts, words)
    found = []
    for one in [target] if target else names:
        ranking = rankings_for(one, measures)
        for helper in sorted(ranking[VOTE], key=lambda name, order=ranking[VOTE]: (order[name], name)):  # type: ignore[misc]
            values = {name: round(pairs[helper, one], 4) for name, pairs in measures.items()}
            found.append({"target": one, "helper": helper, **values, "rank": ranking[VOTE][helper]})
    click.echo(json_text(found) if as_json else _table(found))


def _table(rows: list[dict[str, object]]) -> str:
    cells = [
        list(rows[0]),
        *([f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    )
