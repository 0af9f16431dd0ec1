"""everyword bertram: vectors of rare words for a language model, from spelling and sentences."""

from __future__ import annotations

import click

from everyword.cli.bertram.infer import infer
from everyword.cli.bertram.inject import inject
from everyword.cli.bertram.train import train


@click.group(short_help="Input vectors of rare words for a language model.", invoke_without_command=True)
@click.pass_context
def bertram(ctx: click.Context) -> None:
    """Make input vectors of rare words for a language model.

    A language model of BERT's kind cuts a rare word into pieces that say little. BERTRAM learns from frequent words
    which single input vector belongs to a spelling and to the sentences in which a word stands, and then gives rare
    words such vectors.

    \b
    Examples:
      everyword bertram train --encoder my-bert --contexts frequent --output my-bertram
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --output rare.vec
      everyword bertram inject my-bert rare.vec --out my-robust-bert
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


bertram.add_command(train)
bertram.add_command(infer)
bertram.add_command(inject)
