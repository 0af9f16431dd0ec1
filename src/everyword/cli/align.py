"""everyword align: two vector files in one space."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_vector_file
from everyword.cli.common.group import Command
from everyword.cli.common.output import aligned, save_table, say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.space.alignment.record import Alignment
    from everyword.vectors.table import VectorTable

SCORES = {"nearest neighbour": "", "CSLS": "csls_"}


@click.command(cls=Command)
@click.argument("source", type=options.PATH, metavar="SOURCE")
@click.argument("target", type=options.PATH, metavar="TARGET")
@options.file("--dictionary", "Pairs of a source word and a target word, one a line with a tab between them.")
@options.choice("--seeds", ["identical", "numerals"], "Words spelt alike serve as pairs: all, or numbers only.")
@options.text("--method", "NAME[:OPTION=VALUE]", "One of orthogonal, ridge, cca, vecmap.  [default: orthogonal]")
@options.flag("--unsupervised", "Pair words by the distributions of their similarities; needs no dictionary.")
@options.flag("--self-learning", "Enlarge the dictionary in the common space and learn again, round by round.")
@options.count("--learning-words", "Self-learning pairs the first N words of each file.  [default: 10000]")
@options.choice(
    "--induction",
    ["mutual", "union"],
    "Self-learning pairs words that are each other's nearest, or every word with its nearest.  [default: by the pairs]",
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of self-learning with chance.  [default: 0]")
@options.text(
    "--power", "auto|A,B", "Powers of the spectra of source and target; auto chooses.  [default: 0,0]", to="powers"
)
@options.text("--prepare", "STEP,STEP", "Steps that both files go through.  [default: those of the method]")
@options.folder("--map", "Apply a saved alignment instead of fitting one.", to="saved")
@options.output_file("Where to write the source's vectors in the common space; the suffix sets the format.")
@options.file("--output-target", "Where to write the target's vectors in the common space.", to="output_target")
@options.folder("--save-map", "Where to save the alignment, for later words.  [default: OUTPUT.record]", to="folder")
@options.file("--test", "Pairs on which the alignment is scored, as in --dictionary.")
@options.format
@options.count("--limit", "Only the first N rows of each file.")
@options.overwrite
def align(
    *,
    source: Path,
    target: Path,
    dictionary: Path | None,
    seeds: str | None,
    method: str | None,
    unsupervised: bool,
    self_learning: bool,
    learning_words: int | None,
    induction: str | None,
    seed: int | None,
    powers: str | None,
    prepare: str | None,
    saved: Path | None,
    output: Path,
    output_target: Path | None,
    folder: Path | None,
    test: Path | None,
    format_name: str | None,
    limit: int | None,
    overwrite: bool,
) -> None:
    """Map a vector file into the space of another.

    The map is learnt from pairs of words: a dictionary, words that are spelt alike, or none at all (--unsupervised).
    --self-learning then adds the words that are nearest in the common space, and learns again; it needs files with the
    most frequent words first. What was fitted is saved, and --map brings other vectors of the same two spaces into the
    common one.

    \b
    Methods:
      orthogonal  a rotation of the source; the target stays as it is
      ridge       a linear map of the source; the target stays as it is; dimensions may differ
      cca         both sides whitened and turned to their canonical directions
      vecmap      the same with re-weighting and each side's own spread put back

    With cca, vecmap, powers or centring the target changes too: write it with --output-target and compare the two files
    that were written.

    \b
    Examples:
      everyword align german.vec english.vec --dictionary de-en.tsv --output mapped.vec
      everyword align german.vec english.vec --dictionary de-en.tsv --test test.tsv --method vecmap --output mapped.vec
      everyword align german.vec english.vec --seeds identical --self-learning --output mapped.vec
      everyword align german.vec english.vec --unsupervised --power auto --method vecmap --output mapped.vec
      everyword align new-words.vec english.vec --map mapped.vec.record --output new-mapped.vec
    """
    from everyword.space.alignment.pairs import read_dictionary
    from everyword.space.record import load_alignment
    from everyword.vectors.read import read_table

    fitting: dict[str, Any] = {
        "dictionary": dictionary,
        "seeds": "unsupervised" if unsupervised else seeds,
        "method": method,
        "self_learning": self_learning or None,
        "powers": powers if powers in (None, "auto") else _two_numbers(str(powers)),
        "prepare": "" if prepare == "none" else prepare,
    }
    outputs = _Outputs(output, output_target, folder or output.with_name(output.name + ".record"), format_name)
    settings = {"words": learning_words, "directions": induction, "seed": seed}
    _check_pairs(fitting, saved, folder, settings)
    fitting["self_learning"] = _self_learning(fitting, settings)
    outputs.check(overwrite, (source, target), fits=saved is None)
    record = load_alignment(saved) if saved is not None else None
    fitting["dictionary"] = None if dictionary is None else read_dictionary(dictionary)
    pairs = None if test is None else read_dictionary(test)
    one, two = (read_table(path, limit=limit) for path in (source, target))
    alignment = record or _fit(one, two, fitting, (source.name, target.name))
    mapped, other = alignment.map_source_table(one), alignment.map_target_table(two)
    if pairs is not None:
        click.echo(_scores(mapped, other, pairs, str(test), target.name))
    outputs.write(mapped, other)
    if output_target is None and alignment.moves_target:
        say(f"The common space is not that of {target.name}: write its vectors there with --output-target.")
    if record is None:
        alignment.save(outputs.folder)
        say(f"Saved the alignment to {outputs.folder}.")


@dataclass(frozen=True)
class _Outputs:
    """Where the vectors and the alignment are written."""

    source: Path
    target: Path | None
    folder: Path
    format: str | None

    def check(self, overwrite: bool, inputs: tuple[Path, Path], *, fits: bool) -> None:
        if self.source == self.target:
            raise InputError(f"--output and --output-target are both {self.source}; choose two files.")
        for path in (self.source, self.target):
            if path is not None:
                check_vector_file(path, overwrite, format=self.format, inputs=inputs)
        if fits:
            check_folder(self.folder, overwrite)

    def write(self, mapped: VectorTable, other: VectorTable) -> None:
        save_table(mapped, self.source, format=self.format)
        if self.target is not None:
            save_table(other, self.target, format=self.format)


def _self_learning(fitting: dict[str, Any], settings: dict[str, Any]) -> Any:
    """Return how to learn: a flag, or settings where some are given."""
    from everyword.space.alignment.self_learning import STOCHASTIC, SelfLearning

    given = {name: value for name, value in settings.items() if value is not None}
    if not given:
        return fitting["self_learning"]
    unsupervised = fitting["seeds"] == "unsupervised"
    return replace(STOCHASTIC if unsupervised else SelfLearning(), **given)


def _check_pairs(fitting: dict[str, Any], saved: Path | None, folder: Path | None, settings: dict[str, Any]) -> None:
    """Refuse options of fitting where an alignment is applied, a fit without pairs, and settings without use."""
    names = {"powers": "power", "self_learning": "self-learning"}
    given = [f"--{names.get(name, name)}" for name, value in fitting.items() if value is not None]
    learns = fitting["self_learning"] or fitting["seeds"] == "unsupervised"
    if any(value is not None for value in settings.values()) and not learns:
        raise click.UsageError("--learning-words, --induction and --seed are for --self-learning or --unsupervised.")
    given += ["--save-map"] if folder is not None else []
    if saved is not None and given:
        raise click.UsageError(f"With --map nothing is fitted; leave out {', '.join(given)}.")
    if saved is None and fitting["dictionary"] is None and fitting["seeds"] is None:
        raise click.UsageError("Give pairs of words: --dictionary, --seeds for words spelt alike, or --unsupervised.")
    if fitting["seeds"] == "unsupervised" and fitting["dictionary"] is not None:
        raise click.UsageError("--unsupervised takes no --dictionary; leave out one of the two.")


def _two_numbers(text: str) -> tuple[float, ...]:
    numbers = options.parse_numbers(text, "--power", "-0.25,0.15", float)
    if len(numbers) != 2:
        raise click.UsageError(f"--power takes two numbers, as in -0.25,0.15. Got {text!r}.")
    return tuple(numbers)


def _fit(source: VectorTable, target: VectorTable, fitting: dict[str, Any], names: tuple[str, str]) -> Alignment:
    from everyword.space.alignment.aligning import align as fit

    chosen = {name: value for name, value in fitting.items() if value is not None}
    alignment = fit(source, target, names=names, report=say, **chosen)
    rows = [("dimension of the common space", f"{alignment.dim}")]
    click.echo(aligned([*((name, f"{value:,.4g}") for name, value in alignment.facts.items()), *rows]))
    return alignment


def _scores(mapped: VectorTable, other: VectorTable, pairs: list[tuple[str, str]], name: str, target: str) -> str:
    from everyword.evaluation.evaluated_model import evaluated_table
    from everyword.evaluation.tasks.lexicon_induction import LexiconSet, run

    say(f"searching {len(other):,} words for {len(pairs):,} translations")
    scores = run(evaluated_table(mapped, "the mapped source"), LexiconSet.of(name, pairs, other, target), 0)
    lines = [f"{scores.known:,} of {scores.n:,} words of {name} and a translation are in the tables; of these:"]
    for retrieval, prefix in SCORES.items():
        found = {kind: scores.values.get(f"{prefix}{kind}_known") for kind in ("p@1", "p@5", "mrr")}
        if None not in found.values():
            shown = "  ".join(f"{kind.upper()} {value:5.1f}" for kind, value in found.items())
            lines.append(f"  {retrieval:<18} {shown}")
    return "\n".join(lines)
