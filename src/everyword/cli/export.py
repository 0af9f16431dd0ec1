"""everyword export: a model in the form of another program."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.errors import UnknownNameError, did_you_mean
from everyword.extras import require


class Forms(click.Group):
    """Forms of a model; a mistyped one gets a suggestion."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command that writes a form."""
        if cmd_name not in self.commands and not ctx.resilient_parsing:
            raise UnknownNameError(f"There is no export {cmd_name!r}: {did_you_mean(cmd_name, self.commands)}")
        return super().get_command(ctx, cmd_name)


@click.group(cls=Forms, invoke_without_command=True)
@click.pass_context
def export(ctx: click.Context) -> None:
    """Write a model in the form of another program.

    \b
    Examples:
      everyword export onnx everyword-en everyword-en.onnx
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@export.command()
@click.argument("model", metavar="MODEL")
@click.argument("output", type=click.Path(path_type=Path), metavar="OUT.onnx")
def onnx(*, model: str, output: Path) -> None:
    """Write the encoder of a model as ONNX.

    MODEL is an embedded model, a folder or a hub id. The file holds what makes a vector of a word's spelling alone
    (in Python: Model.infer), for runtimes without Python; known words and their blend are not in it. Its input "ids"
    has a row of unit ids for each word, filled up with 0, its output "vectors" a vector each; how words become ids
    stands in the file's metadata. The file is compared with the model on some hundred words, and is written only if
    they agree to 0.0001. Needs the extra onnx:  pip install "everyword[onnx]"

    \b
    Examples:
      everyword export onnx everyword-en everyword-en.onnx
      everyword export onnx my-model my-model.onnx
    """
    from everyword.models.load import load

    loaded = load(model)
    for package in ("onnx", "onnxruntime"):
        require(package, "Exporting a model as ONNX")
    from everyword.plugins.onnx.export import export as write_onnx

    done = write_onnx(loaded, output)
    click.echo(
        f"wrote {output}, {done.bytes / 1e6:.1f} MB; the largest difference from {loaded.name} on "
        f"{done.checked_words} words is {done.difference:.1e}"
    )
