"""everyword bertram: input vectors of rare words for a language model, from spelling and sentences."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_vector_file
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.group import LazyGroup
from everyword.cli.common.output import save_table
from everyword.extras import require

OLD_OPTIONS = {"--out": "--output"}


@click.group(
    cls=LazyGroup,
    short_help="Make input vectors of rare words.",
    sections={"Commands": {"train": "everyword.cli.bertram.train:train"}},
)
def bertram() -> None:
    """Make input vectors of rare words for a language model.

    A language model of BERT's kind splits a rare word into pieces that mean little. BERTRAM learns from frequent words
    to predict a single input vector from the spelling of a word and from sentences that contain it. It then makes
    such vectors for rare words.

    \b
    Examples:
      everyword bertram train --encoder my-bert --contexts frequent --output my-bertram
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --output rare.vec
      everyword bertram inject my-bert rare.vec --output my-robust-bert
    """


@bertram.command(old_options=OLD_OPTIONS)
@click.argument("model", type=options.PATH, metavar="MODEL_FOLDER")
@options.file("--words", "Words, one per line.  [default: those of --contexts]")
@options.folder("--contexts", "Words and sentences that contain them; repeatable.", multiple=True)
@options.output_file()
@options.text("--encoder", "MODEL", "The encoder that the model was trained with.  [default: its path then]")
@options.count("--most-contexts", "Maximum sentences per word.", default=64)
@options.computing
@options.overwrite
@options.quiet
def infer(
    *,
    model: Path,
    words: Path | None,
    contexts: tuple[Path, ...],
    output: Path,
    encoder: str | None,
    most_contexts: int,
    device: str,
    precision: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Make input vectors of words with a trained BERTRAM.

    A word in several --contexts has the sentences of all of them: add what "everyword contexts" finds in the texts that
    the language model will read. A word of --words without sentences gets a vector from its spelling alone. The result
    is a vector file.

    \b
    Examples:
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --output rare.vec
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --words words.txt --output rare.npy
      everyword bertram infer my-bertram --encoder my-bert --contexts rare --contexts my-texts --output rare.vec
    """
    if words is None and not contexts:
        raise click.UsageError("Give --contexts, --words or both.")
    check_vector_file(output, overwrite, inputs=[words, *contexts])
    require("transformers", "BERTRAM")
    from everyword.corpus.contexts.sentences import read_sentences
    from everyword.corpus.word_list import read_words
    from everyword.systems.bertram.model import Bertram

    with warnings_as_lines():
        found = read_sentences(*contexts)
        listed = list(found) if words is None else read_words(words)
        trained = Bertram.load(model, encoder, device=device, precision=precision)
        sentences = {word: found.get(word, []) for word in listed}
        table = trained.vectors_for(sentences, most_contexts=most_contexts, show_progress=not quiet)
    alone = sum(not given for given in sentences.values())
    save_table(table, output, remark=f", {alone:,} of them from spelling alone," if alone else "")


@bertram.command(old_options=OLD_OPTIONS)
@click.argument("language_model", metavar="LM")
@click.argument("table", type=options.PATH)
@options.output_folder()
@options.strategy("slash", ("replace", "slash"))
@options.overwrite
@options.quiet
def inject(*, language_model: str, table: Path, output: Path, strategy: str, overwrite: bool, quiet: bool) -> None:
    """Put vectors of rare words into a language model.

    LM is a folder or a hub id that transformers loads, with any head. TABLE is a vector file in the space of its input
    vectors, such as "bertram infer" writes. Words of TABLE get their vector wherever the tokenizer would split them;
    everything else stays as it is. The folder is a plain model to transformers; load it with its vectors by
    everyword.plugins.transformers.from_pretrained.

    \b
    Examples:
      everyword bertram inject my-bert rare.vec --output my-robust-bert
      everyword bertram inject my-classifier rare.vec --output my-robust-classifier --strategy replace
    """
    from everyword.cli.robustify import save_robust

    save_robust(language_model, str(table), output, strategy=strategy, words="split", overwrite=overwrite, quiet=quiet)
