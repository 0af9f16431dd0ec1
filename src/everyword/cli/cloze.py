"""everyword probe: what rare words are, to a language model or to vectors."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common.group import Kinds
from everyword.cli.common.output import aligned
from everyword.cli.probe_run import run

a_path = click.Path(path_type=Path)


@click.group(cls=Kinds, what="command of the probe", invoke_without_command=True)
@click.pass_context
def probe(ctx: click.Context) -> None:
    """Ask what rare words are.

    "A lingonberry is a ___": count the words of a corpus, build such questions from WordNet for rare, medium and
    frequent keywords, and put them to a language model or to vectors.

    \b
    Examples:
      everyword probe count corpus.txt.xz --output counts.tsv
      everyword probe build --wordnet dict --counts counts.tsv --output probe.tsv
      everyword probe run my-bert probe.tsv
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@probe.command()
@click.argument("texts", nargs=-1, required=True, type=a_path, metavar="FILE...")
@click.option("--output", type=a_path, required=True, metavar="FILE", help="Where the counts go.")
def count(texts: tuple[Path, ...], output: Path) -> None:
    """Count the words of text files.

    Words are letters in lower case; files may be compressed (.gz, .xz).

    \b
    Examples:
      everyword probe count wiki-*.txt.xz --output counts.tsv
    """
    from everyword.evaluation.probes.cloze.counts import count_words, write_counts

    counts = count_words(texts)
    write_counts(output, counts)
    click.echo(f"{len(counts):,} words, seen {counts.total():,} times, are counted in {output}", err=True)


@probe.command()
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--wordnet", type=a_path, required=True, metavar="DIR", help="The folder with WordNet's data.noun etc.")
@click.option(
    "--counts",
    type=a_path,
    required=True,
    metavar="FILE",
    help="Words and counts: of 'everyword probe count', or a folder of 'everyword contexts'.",
)
@click.option("--targets", type=a_path, metavar="FILE", help="Only these words are answers: a list or a vector file.")
@click.option("--model", metavar="FOLDER", help="Only words that are one piece to this language model are answers.")
@click.option("--output", type=a_path, required=True, metavar="FILE", help="Where the probe goes.")
def build(
    *,
    overrides: tuple[str, ...],
    wordnet: Path,
    counts: Path,
    targets: Path | None,
    model: str | None,
    output: Path,
) -> None:
    """Build the questions from WordNet.

    Antonyms of adjectives, hypernyms and cohyponyms of nouns, and misspellings of frequent words. Keywords are rare
    (fewer than 10 in the corpus that was counted), medium (fewer than 100) or frequent; answers stand there 100 times
    or more. KEY=VALUE changes a threshold: medium_from, frequent_from, target_count, senses, steps, min_depth,
    most_targets, shortest_corrupted, per_cell, dev_share, seed.

    \b
    Examples:
      everyword probe build --wordnet dict --counts counts.tsv --output probe.tsv
      everyword probe build --wordnet dict --counts counts.tsv --model my-bert --output probe.tsv per_cell=200
    """
    from everyword.config import build as checked
    from everyword.config import override
    from everyword.evaluation.probes.cloze.build import ProbeConfig, build_probe
    from everyword.evaluation.probes.cloze.counts import read_counts
    from everyword.evaluation.probes.cloze.entries import sizes, write_entries
    from everyword.evaluation.probes.cloze.wordnet import WordNet

    config = checked(ProbeConfig, override({}, overrides), "the probe")
    entries = build_probe(WordNet(wordnet), read_counts(counts), config, _answers(targets, model))
    write_entries(output, entries)
    click.echo(aligned((" ".join(cell), f"{size:>6,}") for cell, size in sizes(entries).items()))
    click.echo(f"{len(entries):,} entries are in {output}; ask them:  everyword probe run MODEL {output}", err=True)


def _answers(targets: Path | None, model: str | None) -> set[str] | None:
    if targets is not None and model is not None:
        raise click.UsageError("The answers come from --targets or from --model, not from both.")
    if targets is not None:
        from everyword.corpus.word_list import read_words

        return {word.lower() for word in read_words(targets)}
    if model is not None:
        from everyword.evaluation.probes.cloze.scoring import answerable_words
        from everyword.language_models.heads import load_with_head

        return answerable_words(load_with_head(model, "MaskedLM", device="cpu")[1])
    return None


probe.add_command(run)
