"""everyword attributes: a lexicon of attributes from WordNet."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.output import say


@click.command()
@options.folder("--wordnet", "Folder of WordNet's data.noun etc.", required=True)
@options.output_file("File to write.")
@options.count("--senses", "Senses per part of speech.", default=1)
@options.overwrite
def attributes(*, wordnet: Path, output: Path, senses: int, overwrite: bool) -> None:
    """Make a lexicon of attributes from WordNet.

    Attributes of a word are the supersense of its first sense, such as noun.animal, and three hypernyms above it; words
    with several parts of speech have those of each. Function words have none: WordNet knows "a" as a unit of length. A
    line of the file is a word, a tab, and attributes with blanks between them, so a lexicon of your own is easy to
    write. It is for "everyword train tiny-bert --attributes".

    \b
    Examples:
      everyword attributes --wordnet dict --output lexicon.tsv
      everyword attributes --wordnet dict --senses 3 --output lexicon.tsv
    """
    check_file(output, overwrite)
    from everyword.corpus.lexicons.attributes import wordnet_lexicon
    from everyword.corpus.lexicons.wordnet import WordNet
    from everyword.evaluation.context_models import STOP_WORDS

    lexicon = wordnet_lexicon(WordNet(wordnet), senses=senses, without=STOP_WORDS)
    lexicon.write(output)
    names = {name for found in lexicon.entries.values() for name in found}
    say(f"Wrote {len(names):,} attributes of {len(lexicon.entries):,} words to {output}.")
