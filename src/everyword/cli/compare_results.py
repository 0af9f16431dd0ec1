"""everyword compare-results: where two models differ, item by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.output import json_text, say

if TYPE_CHECKING:
    from everyword.evaluation.compare import Comparison, Pair
    from everyword.evaluation.item_results import Compared


@click.command("compare-results")
@click.argument("first", type=options.PATH, metavar="A")
@click.argument("second", type=options.PATH, metavar="B")
@options.data
@options.count("--most", "How many labels, words and parts to show.", default=8)
@options.count("--samples", "Samples of the bootstrap.", default=10_000)
@options.json_object
def compare_results(first: Path, second: Path, *, data: Path | None, most: int, samples: int, as_json: bool) -> None:
    """Show where two models differ.

    A and B are results of one model each: single files, or folders such as results/MODEL/POLICY. Every task and probe
    that both have is compared on the same items: the difference with its 95 % interval by a paired bootstrap, which is
    over sentences where there are any; on which labels, parts and words one is better; and two correlations, of the
    F1 of labels and of the accuracy of sentences, which are 1 if both find the same ones easy and hard.

    Items are saved by "everyword probe --items" and "everyword evaluate --items"; the tasks kinds, look-alikes and
    neighbour-spelling always save them. With --data, the items of tasks get their names.

    \b
    Examples:
      everyword compare-results results/my-model/encode results/other-model/encode --data DATA
      everyword compare-results one/probe-tree-parent.v1.json other/probe-tree-parent.v1.json
    """
    from everyword.evaluation.catalogue import data_folder
    from everyword.evaluation.item_results import compare_saved, read_saved

    found, skipped = compare_saved(read_saved(first), read_saved(second), data_folder(data), samples=samples)
    for name, reason in skipped.items():
        say(f"{name}: skipped, because {reason}")
    if as_json:
        click.echo(json_text([_record(one, most) for one in found]))
    else:
        click.echo("\n\n".join("\n".join(_lines(one, most)) for one in found))


def _record(one: Compared, most: int) -> dict[str, object]:
    """Return a comparison as plain values, with the labels and words that differ most."""
    from everyword.evaluation.compare import Comparison

    found = one.found
    if isinstance(found, Comparison):
        found = replace(found, labels=found.labels[:most], words=found.words[:most])
    return asdict(replace(one, found=found, sections=one.sections[:most]))


def _lines(one: Compared, most: int) -> Iterator[str]:
    from everyword.evaluation.compare import Comparison

    found = one.found
    change = found.difference
    p = "p < 0.001" if change.p < 0.001 else f"p {change.p:.3f}"
    yield f"{one.name}, {one.metric}, n {found.n:,}"
    yield f"  A  {found.first:5.1f}  {one.first}"
    yield f"  B  {found.second:5.1f}  {one.second}"
    yield f"  A - B  {change.difference:+.1f} [{change.low:+.1f}, {change.high:+.1f}], {p}"
    if isinstance(found, Comparison):
        yield from _profile_lines(found, most)
    if one.sections:
        alike = "" if one.section_r is None else f", alike r {one.section_r:.2f}"
        yield f"  parts of the data{alike}"
        yield from map(_pair_line, one.sections[:most])


def _profile_lines(found: Comparison, most: int) -> Iterator[str]:
    yield (
        f"  right: both {found.both:.1f} %, A alone {found.only_first:.1f} %, B alone {found.only_second:.1f} %, "
        f"neither {found.neither:.1f} %"
    )
    if found.sentence_r is not None:
        yield f"  sentences alike r {found.sentence_r:.2f} over {found.sentences:,}"
    if found.labels:
        alike = "" if found.label_r is None else f", alike r {found.label_r:.2f}"
        yield f"  F1 of labels{alike}"
        yield from map(_pair_line, found.labels[:most])
    if found.words:
        yield "  words that make most of the difference"
        yield from map(_pair_line, found.words[:most])


def _pair_line(pair: Pair) -> str:
    return f"    {pair.name:<24} A {pair.first:5.1f}  B {pair.second:5.1f}  n {pair.n:,}"
