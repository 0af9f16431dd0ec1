"""everyword rare-texts: test sets whose labels depend on rare words."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_folder
from everyword.cli.common.group import LazyGroup
from everyword.cli.common.injection import OLD_INJECTION, Injection, injection_options
from everyword.cli.common.output import json_text, say
from everyword.extras import require


@click.group("rare-texts", cls=LazyGroup, old_names={"judge": "score"})
def rare_texts() -> None:
    """Test a classifier on rare words.

    In each text, frequent words that a classifier needs are replaced by rare synonyms and misspellings. Its accuracy
    then shows how well it represents rare words.

    \b
    Examples:
      everyword rare-texts make my-bert sst2 --counts counts.tsv --synonyms synonyms.tsv --output rare-sst2
      everyword rare-texts score rare-sst2
    """


@rare_texts.command()
@click.argument("model")
@click.argument("data", type=options.PATH)
@options.overrides
@options.file("--counts", "Word counts of 'everyword cloze count'.", required=True)
@options.file("--synonyms", "Tab-separated word, synonym, pos, sense_rank.")
@options.file("--misspellings", "Tab-separated wrong, right.  [default: generated typos]")
@options.output_folder("Folder to save the texts and their classifier to.")
@options.device
@options.overwrite
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
    """Fine-tune a classifier and put rare words into texts.

    MODEL is a language model of transformers. DATA is a folder with train.tsv, dev.tsv and test.tsv, or one file, of
    label and text. The classifier is trained on a third of the texts or more, with some words masked, some doubled
    after a slash, and frozen embeddings. In the other texts, the words that matter most are masked, at most five, until
    the label changes; then rare words replace them. KEY=VALUE changes a setting: max_words, misspelt_share, rare_below,
    ambiguous, train_share, freeze_embeddings, seed, hiding.masked, training.epochs, training.batch and others.

    \b
    Examples:
      everyword rare-texts make my-bert sst2 --counts counts.tsv --synonyms wordnet.tsv.gz --output rare-sst2
      everyword rare-texts make my-bert mr.tsv.gz --counts counts.tsv --misspellings codespell.tsv.gz --output rare-mr
        training.epochs=5 max_words=3
    """
    check_folder(output, overwrite)
    require("transformers", "Putting rare words into texts")
    from everyword.config import build, override
    from everyword.evaluation.robustness.rare_texts.making import RarifyConfig, Sources, make_set

    config = build(RarifyConfig, override({}, overrides), "the configuration")
    sources = Sources(counts, synonyms, misspellings)
    made = make_set(model, data, sources, config, output, device=device, report=say)
    say(f"Saved {len(made.texts):,} texts to {output}. Score them:  everyword rare-texts score {output}")


@rare_texts.command(old_options=OLD_INJECTION)
@click.argument("folder", type=options.PATH)
@injection_options
@options.device
@options.output_file("File to save the result to, as JSON.", required=False)
@options.overwrite
@options.json_object
def score(folder: Path, *, device: str, output: Path | None, overwrite: bool, as_json: bool, **injected: Any) -> None:
    """Score the classifier on its texts.

    Shows its accuracy on all texts, on those with a misspelling or a synonym, and by the frequency of their rare words
    in the corpus; and on the same texts before rare words were put in.

    \b
    Examples:
      everyword rare-texts score rare-sst2
      everyword rare-texts score rare-sst2 --vectors rare-words.vec --strategy slash --output slash.json
    """
    if output is not None:
        check_file(output, overwrite)
    require("transformers", "Scoring texts with rare words")
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
    text = json_text(record)
    if output is not None:
        write_atomic(output, text + "\n")
    lines = [f"{part.name:<16} {part.n:>6,} {part.accuracy:>6.1f}" for part in parts]
    click.echo(text if as_json else "\n".join([f"{'texts':<16} {'n':>6} {'right':>6}", *lines]))
