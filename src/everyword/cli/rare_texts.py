"""everyword rarify: test sets in which rare words matter."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from everyword.cli.common.group import Kinds
from everyword.cli.common.injection import Injection, injecting
from everyword.cli.common.options import device_option
from everyword.cli.spaces import say
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.items import RECORD
from everyword.extras import require

a_path = click.Path(path_type=Path)


@click.group(cls=Kinds, what="command of rarify", invoke_without_command=True)
@click.pass_context
def rarify(ctx: click.Context) -> None:
    """Make texts depend on rare words.

    Frequent words that a classifier needs give way to rare synonyms and misspellings; what it gets right then depends
    on how well rare words are represented in it.

    \b
    Examples:
      everyword rarify make my-bert sst2 --counts counts.tsv --synonyms synonyms.tsv --output rare-sst2
      everyword rarify judge rare-sst2
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@rarify.command()
@click.argument("model")
@click.argument("data", type=a_path)
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--counts", type=a_path, required=True, metavar="FILE", help="Words and counts, of 'everyword probe count'."
)
@click.option("--synonyms", type=a_path, metavar="FILE", help="Tab-separated word, synonym, pos, sense_rank.")
@click.option(
    "--misspellings", type=a_path, metavar="FILE", help="Tab-separated wrong, right.  [default: typos of our own]"
)
@click.option("--output", type=a_path, required=True, metavar="FOLDER", help="Where the set and its classifier go.")
@device_option
@click.option("--overwrite", is_flag=True, help="Replace a set that is there already.")
def make(
    *,
    model: str,
    data: Path,
    overrides: tuple[str, ...],
    counts: Path,
    synonyms: Path | None,
    misspellings: Path | None,
    output: Path,
    device: str,
    overwrite: bool,
) -> None:
    """Fine-tune a classifier and rarify texts for it.

    MODEL is a language model of transformers; DATA a folder with train.tsv, dev.tsv and test.tsv, or one file, of label
    and text. A third of the texts or more is trained on, with some words hidden, some doubled with a slash, and the
    embedding layer frozen. In the others the words whose absence hurts most are hidden, at most five, until the label
    changes; then rare words take their places. KEY=VALUE changes how: max_words, misspelt_share, rare_below, ambiguous,
    train_share, freeze_embeddings, seed, hiding.masked and others, training.epochs, training.batch and others.

    \b
    Examples:
      everyword rarify make my-bert sst2 --counts counts.tsv --synonyms wordnet.tsv.gz --output rare-sst2
      everyword rarify make my-bert mr.tsv.gz --counts counts.tsv --misspellings codespell.tsv.gz --output rare-mr
        training.epochs=5 max_words=3
    """
    if (output / RECORD).exists() and not overwrite:
        raise InputError(f"{output} holds a rarified set already; choose another --output, or take --overwrite.")
    require("transformers", "Rarifying texts")
    from everyword.config import build, override
    from everyword.evaluation.robustness.rare_texts.making import RarifyConfig, Sources, make_set

    config = build(RarifyConfig, override({}, overrides), "rarify")
    sources = Sources(counts, synonyms, misspellings)
    made = make_set(model, data, sources, config, output, device=device, tell=say)
    click.echo(f"{len(made.texts):,} rarified texts are in {output}. Ask:  everyword rarify judge {output}")


@rarify.command()
@click.argument("folder", type=a_path)
@injecting
@device_option
@click.option("--output", type=a_path, metavar="FILE", help="Keep the result as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def judge(folder: Path, *, device: str, output: Path | None, as_json: bool, **injected: Any) -> None:
    """Score the classifier of a rarified set on it.

    Accuracy over all texts, over those with a misspelling and with a synonym, and over those whose rare words stand in
    the corpus at most so often, or between so and so often; and over the same texts before they were rarified.

    \b
    Examples:
      everyword rarify judge rare-sst2
      everyword rarify judge rare-sst2 --vectors rare-words.vec --strategy slash --output slash.json
    """
    require("transformers", "Rarified texts")
    from everyword.atomic import write_atomic
    from everyword.evaluation.robustness.rare_texts.items import (
        CLASSIFIER,
        TEXTS,
        read_rare_texts,
        score_before_and_after,
    )
    from everyword.evaluation.robustness.rare_texts.making import load_classifier
    from everyword.files import checksum

    texts = read_rare_texts(folder / TEXTS)
    classifier = load_classifier(folder / CLASSIFIER, device)
    injection = Injection(**injected)
    injection.into(classifier.network, classifier.tokenizer)
    parts = score_before_and_after(classifier.predict, texts)
    record = {
        "set": folder.name,
        "texts_sha256": checksum(folder / TEXTS),
        **injection.record(),
        "parts": [{**asdict(part), "accuracy": round(part.accuracy, 4)} for part in parts],
    }
    text = json.dumps(record, indent=2, ensure_ascii=False)
    if output is not None:
        write_atomic(output, text + "\n")
    lines = [f"{part.name:<16} {part.n:>6,} {part.accuracy:>6.1f}" for part in parts]
    click.echo(text if as_json else "\n".join([f"{'texts':<16} {'n':>6} {'right':>6}", *lines]))
