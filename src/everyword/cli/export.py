"""everyword export: a model in the form of another program."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.group import LazyGroup
from everyword.cli.common.output import say
from everyword.extras import require


@click.group(cls=LazyGroup)
def export() -> None:
    """Write a model in a format of other programs.

    \b
    Examples:
      everyword export onnx everyword-en everyword-en.onnx
    """


@export.command()
@click.argument("model", metavar="MODEL", callback=options.refuse_vector_file)
@click.argument("output", type=options.PATH, metavar="OUT.onnx")
@options.overwrite
def onnx(*, model: str, output: Path, overwrite: bool) -> None:
    """Write the encoder of a model as ONNX.

    MODEL is an embedded model, a folder or a hub id. The file has the part of the model that makes a vector from the
    spelling alone (in Python: Model.infer), for runtimes without Python; it has no known words. Its input "ids" is a
    row of unit ids per word, padded with 0; its output "vectors" is a vector per word; its metadata describe how words
    become ids. The file is compared with the model on a few hundred words, and is written only if they agree to
    0.0001. Needs the extra onnx:  pip install "everyword[onnx]"

    \b
    Examples:
      everyword export onnx everyword-en everyword-en.onnx
      everyword export onnx my-model my-model.onnx
    """
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
