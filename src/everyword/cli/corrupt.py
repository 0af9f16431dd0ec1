"""everyword corrupt: typos on purpose."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from everyword.cli.common.streams import batches, open_text, read_lines, refuse_terminal, text_file
from everyword.registry import corruptions
from everyword.text.corruption import TYPOS

LINES_AT_ONCE = 256


@click.command()
@click.argument("file", type=text_file, required=False)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*corruptions]),
    default=TYPOS,
    show_default=True,
    help="What may happen to a word; repeat the option for several.",
)
@click.option(
    "--share", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="About this share of words is changed."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same typos.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
def corrupt(file: Path | None, kinds: tuple[str, ...], share: float, seed: int, output: Path | None) -> None:
    """Put typos into a text.

    This is to test how robust something is. Reads FILE or standard input line by line. One place of a chosen word
    is changed; white space, brackets and punctuation around words stay, and words of one or two letters are left
    alone.

    \b
    Examples:
      everyword corrupt reviews.txt > noisy.txt
      everyword corrupt reviews.txt --share 0.5 --seed 7 --output noisy.txt
      echo "a modern hospital" | everyword corrupt --kind ocr --share 1
    """
    from everyword.text.corruption import corrupt_text

    if file is None:
        refuse_terminal("Name a file, or give a text on standard input.")
    functions, rng = [corruptions.get(kind) for kind in kinds], Random(seed)
    with open_text(output) as write:
        for lines in batches(read_lines(file), LINES_AT_ONCE):
            write("".join(corrupt_text(line, share, functions, rng) for _, line in lines))
