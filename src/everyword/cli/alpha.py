"""everyword alpha: alpha vectors and limit vectors from word and context vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_vector_file
from everyword.cli.common.group import Command
from everyword.cli.common.output import aligned, save_table, say
from everyword.cli.spaces import choose_record_folder, save_record, space_options
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.space.alpha import AlphaRecord, AlphaVectors, LimitVectors
    from everyword.vectors.context_pair import ContextPair
    from everyword.vectors.table import VectorTable

LIMIT = "limit"


@click.command(cls=Command)
@click.argument("source", type=options.PATH, metavar="VECTORS")
@options.file("--contexts", "Context vectors of the same words; a fastText model (.bin) has them in it.")
@options.file("--counts", "Words and their counts, between tabs.  [default: CONTEXTS.pair.json]")
@options.text("--alpha", "NUMBER|limit", "The geometry; limit needs no tuning.  [default: limit]")
@options.choice(
    "--reference",
    ["uniform", "model-unigram", "model-joint", "unigram"],
    "The distribution that words are compared with: all contexts alike, what the model expects of a word on average "
    "or of all pairs together, or the counts.  [default: unigram]",
)
@options.choice("--combine", ["u", "v", "u+v"], "Word vectors, context vectors or their sums.  [default: u+v]")
@options.choice("--metric", ["fisher", "identity"], "The metric of the new vectors' cosines.  [default: fisher]")
@options.choice(
    "--trained",
    ["softmax", "negative-sampling"],
    "What the vectors were trained for.  [default: as saved with the contexts, else softmax]",
)
@options.count("--top", "For limit: how many of the best contexts are averaged.  [default: 1]")
@options.flag("--weighted", "For limit: weight them by how much the word favours them.")
@options.option("--ridge", "Added to the Fisher matrix of few words, such as 0.001.", type=float, metavar="SHARE")
@space_options
def alpha(
    *,
    source: Path,
    contexts: Path | None,
    counts: Path | None,
    alpha: str | None,
    reference: str | None,
    combine: str | None,
    metric: str | None,
    trained: str | None,
    top: int | None,
    weighted: bool,
    ridge: float | None,
    output: Path,
    format_name: str | None,
    record: Path | None,
    record_folder: Path | None,
    limit: int | None,
    overwrite: bool,
) -> None:
    """Make alpha vectors of trained ones.

    Skip-gram, CBOW, fastText and GloVe train two vectors per word: one as a word, one as a context of other words.
    Together they give each word a distribution over its contexts. Alpha vectors compare these distributions; with 1, a
    uniform reference and the metric identity they are the trained vectors, and other numbers give other vectors of the
    same model. The default, limit, takes the contexts that a word favours most.

    What was fitted is saved as a record, which --record applies to other vectors of the same space, such as those that
    a model makes from the spelling of new words; their context vectors are predicted unless --contexts gives them.

    \b
    Examples:
      everyword alpha words.npy --contexts contexts.npy --output limit.npy
      everyword alpha words.npy --contexts contexts.npy --alpha -3 --reference uniform --output alpha.npy
      everyword alpha fasttext-model.bin --top 3 --weighted --output limit.vec
      everyword alpha new-words.vec --record limit.npy.record --output new-limit.vec
      everyword train static skip-gram --corpus wiki.txt.xz --output words.npy --contexts contexts.npy
    """
    from everyword.space.alpha import alpha_vectors
    from everyword.space.record import load_alpha

    check_vector_file(output, overwrite, format=format_name, inputs=[source, contexts, counts])
    fitting = {
        "--counts": counts,
        "--alpha": alpha,
        "--reference": reference,
        "--combine": combine,
        "--metric": metric,
        "--trained": trained,
        "--top": top,
        "--weighted": weighted or None,
        "--ridge": ridge,
        "--save-record": record_folder,
    }
    folder = choose_record_folder(output, record_folder, record, overwrite, fitting)
    if record is not None:
        save_table(_apply(load_alpha(record), source, contexts, limit), output, format=format_name)
        return
    given = {"reference": reference, "combine": combine, "metric": metric, "model": trained, "ridge": ridge}
    settings = _settings(alpha or LIMIT, top, weighted, {key: value for key, value in given.items() if value})
    pair = _read_pair(source, contexts, counts, limit)
    table, fitted = alpha_vectors(pair, settings, report=say)
    click.echo(aligned(_summary(pair, table, fitted)))
    save_table(table, output, format=format_name)
    save_record(fitted, folder)


def _settings(alpha: str, top: int | None, weighted: bool, given: dict[str, object]) -> AlphaVectors | LimitVectors:
    from everyword.config import build
    from everyword.space.alpha import AlphaVectors, LimitVectors

    if alpha == LIMIT:
        return build(LimitVectors, {**given, "top": top or 1, "weighted": weighted}, "the options")
    if top is not None or weighted:
        raise click.UsageError("--top and --weighted go with --alpha limit.")
    try:
        number = float(alpha)
    except ValueError:
        raise InputError(f"--alpha must be a number or {LIMIT}. Got {alpha!r} instead.") from None
    return build(AlphaVectors, {**given, "alpha": number}, "the options")


def _read_pair(source: Path, contexts: Path | None, counts: Path | None, limit: int | None) -> ContextPair:
    from everyword.evaluation.probes.cloze.counts import read_counts
    from everyword.vectors.context_pair import ContextPair, with_counts

    pair = ContextPair.load(source, contexts, limit=limit)
    return pair if counts is None else with_counts(pair, read_counts(counts), str(counts))


def _apply(record: AlphaRecord, source: Path, contexts: Path | None, limit: int | None) -> VectorTable:
    from everyword.vectors.context_pair import ContextPair
    from everyword.vectors.read import read_table

    if contexts is None:
        return record.apply_table(read_table(source, limit=limit))
    return record.apply_pair(ContextPair.load(source, contexts, limit=limit))


def _summary(pair: ContextPair, table: VectorTable, fitted: AlphaRecord) -> list[tuple[str, str]]:
    from everyword.space.change import neighbour_overlap

    settings = fitted.settings
    overlap = neighbour_overlap(pair.vectors, table.matrix)
    return [
        ("words", f"{len(table):,}"),
        ("dimension", f"{table.dim}"),
        ("trained for", settings.model or pair.model or "softmax"),
        ("reference", settings.reference),
        ("of 10 neighbours stay", "too few words to tell" if overlap is None else f"{10 * overlap:.1f}"),
    ]
