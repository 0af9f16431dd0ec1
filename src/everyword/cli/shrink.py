"""everyword shrink: a vector file, or a saved network, in fewer bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_folder
from everyword.cli.common.output import json_text, say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.benchmark import Benchmark
    from everyword.evaluation.shrinking import Measured
    from everyword.space.compression.method import Method
    from everyword.vectors.table import VectorTable

SUFFIX = ".safetensors"


@click.command()
@click.argument("source", type=options.PATH, metavar="VECTORS_OR_FOLDER")
@options.option(
    "--sparsity",
    "Share of each weight matrix of a saved model, tagger or classifier, a FOLDER, that becomes zero; needs --output.",
    type=float,
    metavar="SHARE",
)
@options.text(
    "--method",
    "NAME[:VALUE],…",
    "Steps of 'everyword postprocess', then float32, float16, int8, int4, pq:BYTES or prune:SHARE (with scope=matrix, "
    "row or column); repeatable.  [default: compare the usual ones]",
    to="methods",
    multiple=True,
)
@options.text("--budget", "SIZE", "Choose the best method whose file fits, as in 20MB.")
@options.text(
    "--tasks", "NAME,NAME", "Tasks or data sets to score, as in 'everyword evaluate', or none.", default="similarity"
)
@options.data
@options.count("--limit", "Only the first N rows.")
@options.output_file(
    f"Vector file to write, *{SUFFIX}; needs one --method, or --budget. For a FOLDER, another folder.", required=False
)
@options.overwrite
@options.json_object
def shrink(
    source: Path,
    *,
    sparsity: float | None,
    methods: tuple[str, ...],
    budget: str | None,
    tasks: str,
    data: Path | None,
    limit: int | None,
    output: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Make vectors or a saved network smaller.

    Methods are compared by the bytes of the file as it is written, the mean cosine to the original vectors, how many of
    ten neighbours stay, and the mean score of the tasks, whose data sets are looked for in --data. Without --output
    nothing is written. What is written opens like any vector file. A method with steps, such as PCA, leaves a record
    beside it, which 'everyword postprocess --record' applies to later words.

    With --sparsity, the smallest weights of a saved model (of its encoder, not its stored vectors), tagger or
    classifier become zero, and zeros are not saved. Nothing is trained; --prune of 'everyword train tagger' prunes
    while a network learns, which costs less quality.

    \b
    Examples:
      everyword shrink glove.6B.300d.txt --data DATA
      everyword shrink glove.6B.300d.txt --budget 20MB --output small.safetensors --data DATA
      everyword shrink glove.6B.300d.txt --method pca:100,int8 --output small.safetensors
      everyword shrink glove.6B.300d.txt --method prune:0.5 --method prune:0.5:scope=row --tasks none
      everyword shrink my-model --sparsity 0.4 --output smaller-model
    """
    if sparsity is not None or source.is_dir():
        _shrink_folder(source, sparsity, output, overwrite, as_json, others=bool(methods or budget))
        return
    from everyword.evaluation.shrinking import choose_method, compare_methods, parse_size, usual_methods
    from everyword.space.compression.method import read_method
    from everyword.vectors.read import read_table

    chosen = [read_method(text) for text in methods]
    most = None if budget is None else parse_size(budget)
    _check_output(output, source, overwrite, chosen, most)
    benchmarks = _benchmarks(tasks, data)
    table = read_table(source, limit=limit)
    found = compare_methods(table, chosen or usual_methods(table.dim), benchmarks, report=say)
    best = None if most is None else choose_method(found, most)
    if as_json:
        record = {"words": len(table), "dimension": table.dim, "methods": [one.to_dict() for one in found]}
        click.echo(json_text({**record, **({"chosen": best.method.text} if best else {})}))
    else:
        click.echo(_as_text(found))
    if best is not None:
        say(f"The best that fits {most:,} bytes: {best.method.text}.")
    if output is not None:
        _save(table, best.method if best is not None else chosen[0], output)


def _shrink_folder(  # noqa: PLR0917 (as the command has them)
    source: Path, sparsity: float | None, output: Path | None, overwrite: bool, as_json: bool, others: bool
) -> None:
    from everyword.cli.common.pruned_folder import prune_folder

    if sparsity is None or others:
        raise click.UsageError("A folder is shrunk by --sparsity alone; --method and --budget are for vector files.")
    if source.is_file():
        raise click.UsageError(f"--sparsity is for folders; for a vector file use --method prune:{sparsity:g}.")
    if output is None:
        raise click.UsageError("With --sparsity, name a folder to write by --output.")
    check_folder(output, overwrite)
    if output.exists() and source.exists() and output.samefile(source):
        raise InputError(f"{output} is read by this command and would be lost; choose another --output.")
    found = prune_folder(source, output, sparsity)
    if as_json:
        click.echo(json_text(found))
    before, after = found["bytes_before"], found["bytes"]
    say(f"Saved {found['what']} with {found['zeros']:.0%} zeros to {output}, {after:,} bytes instead of {before:,}.")
    if "cosine" in found:
        say(f"Vectors from spelling alone have a mean cosine of {found['cosine']:.3f} to those before.")


def _check_output(
    output: Path | None, source: Path, overwrite: bool, chosen: Sequence[Method], most: int | None
) -> None:
    if output is None:
        return
    if most is None and len(chosen) != 1:
        raise click.UsageError("With --output give one --method, or --budget to have the best one chosen.")
    if output.suffix != SUFFIX:
        raise InputError(f"{output}: a shrunk vector file must end in {SUFFIX}.")
    check_file(output, overwrite, inputs=[source])
    if any(method.steps for method in chosen) or not chosen:
        check_folder(_record_folder(output), overwrite)


def _record_folder(output: Path) -> Path:
    return output.with_name(output.name + ".record")


def _benchmarks(tasks: str, data: Path | None) -> list[Benchmark]:
    """Return the tasks to score whose data sets are there; parts of other sets are left out unless named."""
    from everyword.evaluation.benchmark import Benchmark, choose
    from everyword.evaluation.catalogue import DATA_SETS

    names = [name.strip() for name in tasks.split(",") if name.strip()]
    if names == ["none"]:
        return []
    parts = {one.name for one in DATA_SETS if one.part_of is not None}
    try:
        found = choose(names, data)
    except InputError:
        if tasks != "similarity" or data is not None:
            raise
        say("No data sets were found, so nothing is scored; name their folder by --data.")
        return []
    return [one for one in found if isinstance(one, Benchmark) and (one.data not in parts or one.data in names)]


def _as_text(found: Sequence[Measured]) -> str:
    widest = max(len("method"), *(len(one.method.text) for one in found))
    names = list(found[0].scores)
    heading = f"{'method':<{widest}} {'bytes':>13} {'size':>6} {'dim':>5} {'cosine':>7} {'of 10':>6}"
    heading += (f" {'mean':>6}" if names else "") + "".join(f" {_short(name):>12}" for name in names)
    lines = [heading]
    for one in found:
        line = f"{one.method.text:<{widest}} {one.bytes:>13,} {one.size:>6.0%} {one.dim:>5}"
        line += f" {_number(one.cosine, 4):>7} {_number(None if one.neighbours is None else 10 * one.neighbours, 1):>6}"
        line += f" {_number(one.mean, 1):>6}" if names else ""
        lines.append(line + "".join(f" {_number(one.scores.get(name), 1):>12}" for name in names))
    return "\n".join(lines)


def _short(name: str) -> str:
    return name.rpartition("/")[2][:12]


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _save(table: VectorTable, method: Method, output: Path) -> None:
    shrunk = method.apply(table)
    shrunk.save(output)
    dim = shrunk.matrix.shape[1]
    say(f"Saved {len(table):,} vectors of dimension {dim} to {output}, {output.stat().st_size:,} bytes.")
    if shrunk.record is not None:
        folder = _record_folder(output)
        shrunk.record.save(folder)
        say(f"Saved the record to {folder}.")
