"""everyword probe run: put the questions to a language model or to vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common.injection import Injection, injecting
from everyword.cli.common.options import device_option

if TYPE_CHECKING:
    from everyword.evaluation.context_models import Sentences
    from everyword.evaluation.probes.cloze.entries import Entry
    from everyword.evaluation.probes.cloze.scoring import Cell, EntryRanks

a_path = click.Path(path_type=Path)


@click.command()
@click.argument("model")
@click.argument("file", type=a_path)
@click.option("--split", type=click.Choice(["dev", "test", "all"]), default="test", show_default=True)
@click.option(
    "--policy", metavar="NAME", help="Ask vectors, and how words get them: as in 'everyword evaluate', or form."
)
@click.option(
    "--sentences", type=a_path, metavar="FILE", help="For policies that read them: JSON lines of word and sentences."
)
@injecting
@device_option
@click.option("--output", type=a_path, metavar="FILE", help="Keep the result as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def run(
    *,
    model: str,
    file: Path,
    split: str,
    policy: str | None,
    sentences: Path | None,
    device: str,
    output: Path | None,
    as_json: bool,
    **injected: Any,
) -> None:
    """Put the questions to a model.

    MODEL is the folder of a transformers model with a head for masked words: the rank of the best target among its
    guesses, with the best phrase for each keyword (an oracle, as published) and on average over phrases. Or it is a
    model or vector file of everyword: the rank of the best target among the known words nearest to the keyword's
    vector. Scores are mean reciprocal ranks in percent; what is not among the first 100 counts nothing.

    \b
    Examples:
      everyword probe run my-bert probe.tsv
      everyword probe run my-bert probe.tsv --vectors rare-words.vec --strategy slash
      everyword probe run everyword-en probe.tsv --policy form --output static.json
    """
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
        raise click.UsageError("--vectors are put into a language model; to ask vectors, give them as MODEL.")
    else:
        asked, about = _ask_vectors(model, entries, policy, _read_sentences(sentences))
    found = cells(asked)
    record = {
        "probe": file.name.partition(".")[0],
        "probe_sha256": checksum(file),
        "split": split,
        **about,
        "top": TOP,
        "cells": [{key: _rounded(value) for key, value in asdict(cell).items()} for cell in found],
    }
    text = json.dumps(record, indent=2, ensure_ascii=False)
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

    way = open_evaluated(model, policy)
    return ask_table(way, entries, sentences), {"model": way.name, "how": "static", "policy": way.policy}


def _read_sentences(path: Path | None) -> Sentences:
    if path is None:
        return {}
    from everyword.corpus.rows import read_json_lines

    keys = {"word": str, "sentences": list}
    return {record["word"]: record["sentences"] for _, record in read_json_lines(path, "file of sentences", keys)}


def _table(found: Sequence[Cell]) -> str:
    lines = [f"{'relation':<11} {'band':<9} {'n':>6} {'answerable':>10} {'best':>6} {'mean':>6}"]
    lines += [
        f"{one.relation:<11} {one.band:<9} {one.n:>6,} {one.answerable:>10,} {one.best:>6.1f} {one.mean:>6.1f}"
        for one in found
    ]
    return "\n".join(lines)


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
