"""everyword export: a model in the form of another program."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.group import LazyGroup, remark_renamed
from everyword.cli.common.output import say
from everyword.extras import require


@click.group(cls=LazyGroup)
def export() -> None:
    """Write a model in a format of other programs.

    \b
    Examples:
      everyword export onnx everyword-en --output everyword-en.onnx
    """


@export.command()
@click.argument("model", metavar="MODEL", callback=options.refuse_vector_file)
@click.argument("old_output", type=options.PATH, required=False, metavar="")
@options.output_file("File to write, named *.onnx.", required=False)
@options.overwrite
def onnx(*, model: str, old_output: Path | None, output: Path | None, overwrite: bool) -> None:
    """Write the encoder of a model as ONNX.

    MODEL is an embedded model, a folder or a hub id. The file has the part of the model that makes a vector from the
    spelling alone (in Python: Model.infer), for runtimes without Python; it has no known words. Its input "ids" is a
    row of unit ids per word, padded with 0; its output "vectors" is a vector per word; its metadata describe how words
    become ids. The file is compared with the model on a few hundred words, and is written only if they agree to
    0.0001. Needs the extra onnx:  pip install "everyword[onnx]"

    \b
    Examples:
      everyword export onnx everyword-en --output everyword-en.onnx
      everyword export onnx my-model --output my-model.onnx
    """
    if old_output is not None and output is None:
        remark_renamed("OUT.onnx", "--output OUT.onnx")
        output = old_output
    if output is None or (old_output is not None and old_output != output):
        raise click.UsageError("Give one file to write, by --output.")
    check_file(output, overwrite)
    from everyword.models.load import load

    loaded = load(model)
    for package in ("onnx", "onnxruntime"):
        require(package, "Exporting a model as ONNX")
    from everyword.plugins.onnx.export import export as write_onnx

    done = write_onnx(loaded, output)
    say(
        f"Saved {output}, {done.bytes / 1e6:.1f} MB; the largest difference from {loaded.name} on "
        f"{done.checked_words} words is {done.difference:.1e}."
    )
