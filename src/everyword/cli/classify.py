"""everyword classify: the labels of texts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.output import say
from everyword.cli.common.streams import Words, batches, is_file

if TYPE_CHECKING:
    from everyword.systems.classifiers.classifier import Classified

TEXTS_AT_ONCE = 512


@click.command()
@click.argument("classifier", type=options.PATH)
@click.argument("texts", nargs=-1, metavar="[TEXTS_OR_FILE]...")
@options.text(
    "--vectors",
    "NAME_OR_FILE",
    "Where the classifier's vectors are now, if they were moved; repeatable.",
    multiple=True,
)
@options.text("--column", "NAME", "The column or key of the texts in a file.", default="text")
@options.flag("--all", "Print the probability of every label, with --json.", to="all_labels")
@options.json_lines
@options.device
def classify(
    *,
    classifier: Path,
    texts: tuple[str, ...],
    vectors: tuple[str, ...],
    column: str,
    all_labels: bool,
    as_json: bool,
    device: str,
) -> None:
    """Give texts their labels.

    CLASSIFIER is a folder that `everyword train classifier` saved. Texts are arguments, lines of standard input, or
    lines of one file; a file may also be .jsonl, .csv, .tsv or .parquet with a column of texts. A line of the answer is
    the label, how probable it is and the text, with tabs between them; several labels have | between them. With --json,
    a line has the text and its labels. Torch is needed only for networks with an LSTM.

    \b
    Examples:
      everyword classify topics texts.txt
      everyword classify topics "Bayern wins agian"
      everyword classify topics news.jsonl --column body --json > topics.jsonl
      cat news.txt | everyword classify topics
    """
    source = _texts(texts, column)
    from everyword.systems.classifiers.classifier import load_classifier

    loaded = load_classifier(classifier, vectors or None, device)
    cut = 0
    for batch in batches(source, TEXTS_AT_ONCE):
        for found in loaded.classify(batch):
            cut += found.cut
            click.echo(
                json.dumps(found.to_dict(all_labels=all_labels), ensure_ascii=False) if as_json else _as_text(found)
            )
    if isinstance(source, Words):
        source.remark_blank()
    if cut:
        say(f"{cut:,} texts are longer than {loaded.config.longest:,} words; the rest of them was not read.")


def _texts(given: tuple[str, ...], column: str) -> Iterable[str]:
    if len(given) != 1 or not is_file(given[0]):
        return Words(given)
    from everyword.corpus.columns.column import opened
    from everyword.corpus.columns.records import Wanted

    with opened(given[0], Wanted(column, missing_is_empty=True)) as rows:
        survey = rows.survey()
        return [record.text or "" for record in rows.read(0, survey.rows, survey)]


def _as_text(found: Classified) -> str:
    labels = "|".join(label for label, _ in found.labels) or "-"
    chances = "|".join(f"{chance:.2f}" for _, chance in found.labels) or "-"
    return f"{labels}\t{chances}\t{' '.join(found.text.split())}"
