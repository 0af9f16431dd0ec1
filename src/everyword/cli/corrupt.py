"""everyword corrupt: typos on purpose."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.streams import batches, open_text, read_lines, refuse_terminal, text_file
from everyword.registry import corruptions
from everyword.text.corruption import TYPOS

LINES_AT_ONCE = 256


@click.command()
@click.argument("file", type=text_file, required=False)
@options.choice("--kind", [*corruptions], "Kind of error; repeatable.", to="kinds", multiple=True, default=TYPOS)
@click.option("--share", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="Share of words to change.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random numbers.")
@options.output_file("File to write.  [default: standard output]", required=False)
@options.overwrite
def corrupt(
    *, file: Path | None, kinds: tuple[str, ...], share: float, seed: int, output: Path | None, overwrite: bool
) -> None:
    """Put typos into a text, to test robustness.

    Reads FILE or standard input line by line. A chosen word is changed at one place. White space, brackets,
    punctuation and words of one or two letters stay as they are.

    \b
    Examples:
      everyword corrupt reviews.txt > noisy.txt
      everyword corrupt reviews.txt --share 0.5 --seed 7 --output noisy.txt
      echo "a modern hospital" | everyword corrupt --kind ocr --share 1
    """
    from everyword.text.corruption import corrupt_text

    if file is None:
        refuse_terminal("Name a file, or give a text on standard input.")
    if output is not None:
        check_file(output, overwrite)
    functions, rng = [corruptions.get(kind) for kind in kinds], Random(seed)
    with open_text(output) as write:
        for lines in batches(read_lines(file), LINES_AT_ONCE):
            write("".join(corrupt_text(line, share, functions, rng) for _, line in lines))
