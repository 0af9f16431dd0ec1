"""everyword cloze: questions about rare words, put to a language model or to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.group import LazyGroup
from everyword.cli.common.injection import OLD_INJECTION, Injection, injection_options
from everyword.cli.common.output import aligned, json_text, say

if TYPE_CHECKING:
    from everyword.evaluation.context_models import Sentences
    from everyword.evaluation.probes.cloze.entries import Entry
    from everyword.evaluation.probes.cloze.scoring import Cell, EntryRanks


@click.group(cls=LazyGroup)
def cloze() -> None:
    """Ask a model what rare words are.

    The questions are cloze sentences such as "A lingonberry is a ___". Count the words of a corpus, build questions
    from WordNet for rare, medium and frequent words, and put them to a language model or to vectors.

    \b
    Examples:
      everyword cloze count corpus.txt.xz --output counts.tsv
      everyword cloze build --wordnet dict --counts counts.tsv --output cloze.tsv
      everyword cloze run my-bert cloze.tsv
    """


@cloze.command()
@click.argument("texts", nargs=-1, required=True, type=options.PATH, metavar="FILE...")
@options.output_file("File to save the counts to.")
@options.overwrite
def count(texts: tuple[Path, ...], output: Path, overwrite: bool) -> None:
    """Count the words of text files.

    Words are runs of letters, in lower case. Files may be compressed (.gz, .xz).

    \b
    Examples:
      everyword cloze count wiki-*.txt.xz --output counts.tsv
    """
    check_file(output, overwrite, inputs=texts)
    from everyword.evaluation.probes.cloze.counts import count_words, write_counts

    counts = count_words(texts)
    write_counts(output, counts)
    say(f"Saved the counts of {len(counts):,} words, {counts.total():,} in all, to {output}.")


@cloze.command(old_options={"--targets": "--answers", "--model": "--encoder"})
@options.overrides
@options.folder("--wordnet", "Folder of WordNet's data.noun etc.", required=True)
@options.file("--counts", "Counts of 'everyword cloze count', or a folder of 'everyword contexts'.", required=True)
@options.file("--answers", "Allow only these answers: a word list or a vector file.")
@options.text("--encoder", "MODEL", "Allow only answers that are one piece to this language model.")
@options.output_file("File to save the questions to.")
@options.overwrite
def build(
    *,
    overrides: tuple[str, ...],
    wordnet: Path,
    counts: Path,
    answers: Path | None,
    encoder: str | None,
    output: Path,
    overwrite: bool,
) -> None:
    """Build the questions from WordNet.

    Questions ask for antonyms of adjectives, hypernyms and cohyponyms of nouns, and the words behind misspellings.
    Keywords are rare (fewer than 10 in the corpus that was counted), medium (fewer than 100) or frequent; answers occur
    100 times or more. KEY=VALUE changes a setting: medium_from, frequent_from, target_count, senses, steps, min_depth,
    most_targets, shortest_corrupted, per_cell, dev_share, seed.

    \b
    Examples:
      everyword cloze build --wordnet dict --counts counts.tsv --output cloze.tsv
      everyword cloze build --wordnet dict --counts counts.tsv --encoder my-bert --output cloze.tsv per_cell=200
    """
    check_file(output, overwrite, inputs=[counts, answers])
    from everyword.config import build as checked
    from everyword.config import override
    from everyword.corpus.lexicons.wordnet import WordNet
    from everyword.evaluation.probes.cloze.build import ProbeConfig, build_probe
    from everyword.evaluation.probes.cloze.counts import read_counts
    from everyword.evaluation.probes.cloze.entries import sizes, write_entries
    from everyword.evaluation.probes.cloze.wordnet import PARTS

    config = checked(ProbeConfig, override({}, overrides), "the questions")
    entries = build_probe(WordNet(wordnet, PARTS), read_counts(counts), config, _allowed_answers(answers, encoder))
    write_entries(output, entries)
    click.echo(aligned((" ".join(cell), f"{size:>6,}") for cell, size in sizes(entries).items()))
    say(f"Saved {len(entries):,} questions to {output}. Ask them:  everyword cloze run MODEL {output}")


def _allowed_answers(answers: Path | None, encoder: str | None) -> set[str] | None:
    if answers is not None and encoder is not None:
        raise click.UsageError("Give --answers or --encoder, not both.")
    if answers is not None:
        from everyword.corpus.word_list import read_words

        return {word.lower() for word in read_words(answers)}
    if encoder is not None:
        from everyword.evaluation.probes.cloze.scoring import answerable_words
        from everyword.language_models.heads import load_with_head

        return answerable_words(load_with_head(encoder, "MaskedLM", device="cpu")[1])
    return None


@cloze.command(old_options={**OLD_INJECTION, "--sentences": "--contexts"})
@click.argument("model")
@click.argument("file", type=options.PATH)
@options.choice("--split", ["dev", "test", "all"], "Questions to ask.", default="test")
@options.policy
@options.file(
    "--contexts",
    "For policies that read sentences: a folder of 'everyword contexts', or JSON lines of word and sentences.",
)
@injection_options
@options.device
@options.output_file("File to save the result to, as JSON.", required=False)
@options.overwrite
@options.json_object
def run(
    *,
    model: str,
    file: Path,
    split: str,
    policy: str | None,
    contexts: Path | None,
    device: str,
    output: Path | None,
    overwrite: bool,
    as_json: bool,
    **injected: Any,
) -> None:
    """Put the questions to a model.

    MODEL is the folder of a transformers model with a head for masked words, or a model or vector file of everyword.
    The first is scored by the rank of the best answer among its guesses, with the best phrase per keyword (an oracle,
    as published) and averaged over phrases. The second is scored by the rank of the best answer among the known words
    nearest to the keyword. Scores are mean reciprocal ranks in percent; ranks below 100 count as 0.

    \b
    Examples:
      everyword cloze run my-bert cloze.tsv
      everyword cloze run my-bert cloze.tsv --vectors rare-words.vec --strategy slash
      everyword cloze run everyword-en cloze.tsv --policy form --output static.json
    """
    if output is not None:
        check_file(output, overwrite, inputs=[file])
    from everyword.atomic import write_atomic
    from everyword.evaluation.context_models import is_language_model
    from everyword.evaluation.probes.cloze.entries import read_entries
    from everyword.evaluation.probes.cloze.scoring import TOP, cells
    from everyword.files import checksum

    entries = [one for one in read_entries(file) if split in (one.split, "all")]
    injection = Injection(**injected)
    if policy is None and is_language_model(Path(model)):
        asked, about = _ask_language_model(model, entries, injection, device)
    elif injection.vectors is not None:
        raise click.UsageError("--vectors goes with a language model; to ask vectors themselves, give them as MODEL.")
    else:
        asked, about = _ask_vectors(model, entries, policy, _read_contexts(contexts))
    found = cells(asked)
    record = {
        "probe": file.name.partition(".")[0],
        "probe_sha256": checksum(file),
        "split": split,
        **about,
        "top": TOP,
        "cells": [{key: _rounded(value) for key, value in asdict(cell).items()} for cell in found],
    }
    text = json_text(record)
    if output is not None:
        write_atomic(output, text + "\n")
    click.echo(text if as_json else _table(found))


def _ask_language_model(
    model: str, entries: Sequence[Entry], injection: Injection, device: str
) -> tuple[list[EntryRanks], dict[str, str]]:
    from everyword.evaluation.probes.cloze.scoring import ask_model
    from everyword.language_models.heads import load_with_head

    network, tokenizer = load_with_head(model, "MaskedLM", device=device)
    asked = ask_model(injection.into(network, tokenizer).eval(), tokenizer, entries)
    return asked, {"model": Path(model).name, "how": "masked", **injection.record()}


def _ask_vectors(
    model: str, entries: Sequence[Entry], policy: str | None, sentences: Sentences
) -> tuple[list[EntryRanks], dict[str, str]]:
    from everyword.evaluation.evaluated_model import open_evaluated
    from everyword.evaluation.probes.cloze.scoring import ask_table

    opened = open_evaluated(model, policy)
    about = {"model": opened.name, "how": "static", "policy": opened.policy}
    return ask_table(opened, entries, sentences), about


def _read_contexts(path: Path | None) -> Sentences:
    if path is None:
        return {}
    from everyword.corpus.contexts.sentences import read_sentences

    return read_sentences(path)


def _table(found: Sequence[Cell]) -> str:
    lines = [f"{'relation':<11} {'band':<9} {'n':>6} {'answerable':>10} {'best':>6} {'mean':>6}"]
    lines += [
        f"{one.relation:<11} {one.band:<9} {one.n:>6,} {one.answerable:>10,} {one.best:>6.1f} {one.mean:>6.1f}"
        for one in found
    ]
    return "\n".join(lines)


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
