"""everyword plot: pictures of words, weights and scores, one command for each kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common.group import Kinds
from everyword.cli.common.options import model_option
from everyword.cli.evaluate import DEFAULT_RESULTS
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.evaluated_model import EvaluatedModel
    from everyword.studies.plots.picture import Frame

a_path = click.Path(path_type=Path)
INCHES = (2.0, 40.0)


@click.group(cls=Kinds, what="kind of picture", invoke_without_command=True)
@click.pass_context
def plot(ctx: click.Context) -> None:
    """Draw words, attention weights and scores.

    Each kind of picture is a command of its own. The name after --output decides the form, .png or .svg; the same
    input gives the same bytes. Needs the extra plot:  pip install "everyword[plot]"

    \b
    Examples:
      everyword plot clusters --output clusters.svg
      everyword plot attention bec0me --model love-en --output attention.png
      everyword plot scores results --output scores.svg
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _checked(_ctx: click.Context, _parameter: click.Parameter, output: Path) -> Path:
    from everyword.studies.plots.picture import check_output

    check_output(output)
    return output


def _inches(_ctx: click.Context, _parameter: click.Parameter, size: str | None) -> tuple[float, float] | None:
    if size is None:
        return None
    sides = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size.strip())
    if sides is None or not all(INCHES[0] <= float(side) <= INCHES[1] for side in sides.groups()):
        raise InputError(
            f"The size must be width and height in inches, {INCHES[0]:g} to {INCHES[1]:g}, as in 7x5. Got {size!r}."
        )
    return float(sides[1]), float(sides[2])


def framed(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of all kinds, which reach the command as a frame, and say where the picture was saved."""

    @wraps(command)
    def save(*, output: Path, title: str | None, size: tuple[float, float] | None, **options: Any) -> None:
        from everyword.studies.plots.picture import Frame

        command(frame=Frame(output, title, size), **options)
        click.echo(f"Saved the picture to {output}.", err=True)

    for option in (
        click.option("--size", metavar="WIDTHxHEIGHT", callback=_inches, help="In inches.  [default: as it needs]"),
        click.option("--title", metavar="TEXT", help='Instead of its own title; "" for none.'),
        click.option(
            "--output", type=a_path, required=True, callback=_checked, help="The picture, a name in .png or .svg."
        ),
    ):
        save = option(save)
    return save


def policied(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which vectors are shown."""
    command = click.option(
        "--policy",
        metavar="NAME",
        help="How words get vectors, as in 'everyword evaluate'.  [default: encode; zero for a vector file]",
    )(command)
    return model_option(command)


def mapped(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a map of words: which vectors, on which plane."""
    command = click.option(
        "--method",
        metavar="NAME",
        default="pca",
        show_default=True,
        help="How many dimensions become two: pca, tsne or umap (the extra umap).",
    )(command)
    return policied(command)


@plot.command()
@click.option("--words", type=a_path, help="Words and classes with a tab between them.  [default: a list of our own]")
@mapped
@framed
def clusters(words: Path | None, method: str, model_name: str | None, policy: str | None, frame: Frame) -> None:
    """Map words of several classes.

    Colours are classes; a hollow mark is a word that the model does not store. The default list has five chemicals,
    illnesses and occupations, and a typo of one of each.

    \b
    Examples:
      everyword plot clusters --output clusters.svg
      everyword plot clusters --model my-model --policy infer --words mine.tsv --output clusters.png
    """
    from everyword.studies.plots.maps import CLASSES, draw_clusters, read_pairs

    listed = read_pairs(words, "words and classes") if words else CLASSES
    draw_clusters(_way(model_name, policy), listed, frame, method)


@plot.command()
@click.option("--words", type=a_path, help="Wrong and right with a tab between them.  [default: a list of our own]")
@mapped
@framed
def pairs(words: Path | None, method: str, model_name: str | None, policy: str | None, frame: Frame) -> None:
    """Map misspellings and what was meant.

    A line joins each misspelling (hollow) to its word (full): the shorter, the better.

    \b
    Examples:
      everyword plot pairs --output pairs.svg
      everyword plot pairs --words misspellings.tsv --policy spelling --output pairs.png
      everyword plot pairs --method tsne --output pairs.svg
    """
    from everyword.studies.plots.maps import MISSPELLINGS, draw_pairs, read_pairs

    listed = read_pairs(words, "misspellings") if words else MISSPELLINGS
    draw_pairs(_way(model_name, policy), listed, frame, method)


@plot.command()
@click.option(
    "--words", type=a_path, metavar="FILE", help="Pairs, tab-separated, one a line.  [default: man, woman, ...]"
)
@mapped
@framed
def relations(words: Path | None, method: str, model_name: str | None, policy: str | None, frame: Frame) -> None:
    """Map words that stand in one relation.

    An arrow leads from the first word of each pair to the second: the more alike the arrows, the better a table knows
    what the pairs have in common.

    \b
    Examples:
      everyword plot relations --method tsne --output relations.svg
      everyword plot relations --model skipgram.npy --words capitals.tsv --output relations.svg
    """
    from everyword.studies.plots.maps import RELATION, draw_relations, read_pairs

    listed = read_pairs(words, "pairs") if words else RELATION
    draw_relations(_way(model_name, policy), listed, frame, method)


@plot.command()
@click.argument("word")
@model_option
@framed
def attention(word: str, model_name: str | None, frame: Frame) -> None:
    """Show what the units of a word attend to.

    The positional kernel and the self-attention of models that have them, as heat maps.

    \b
    Examples:
      everyword plot attention bec0me --model love-en --output attention.svg
    """
    from everyword.models.load import load
    from everyword.studies.plots.attention import draw_attention

    draw_attention(load(model_name), word, frame)


@plot.command()
@click.argument("places", nargs=-1, type=a_path, metavar="[RESULTS]...")
@framed
def scores(places: tuple[Path, ...], frame: Frame) -> None:
    """Show kept results as dots.

    RESULTS are folders that "everyword evaluate" filled, or single files of them; "results" if none is given.

    \b
    Examples:
      everyword plot scores --output scores.svg
      everyword plot scores results other-results --output scores.png
    """
    from everyword.evaluation.results import read_all
    from everyword.studies.plots.scores import draw_scores

    draw_scores(read_all(places or (Path(DEFAULT_RESULTS),)), frame)


@plot.command()
@click.argument("places", nargs=-1, required=True, type=a_path, metavar="POINTS_OR_RESULTS...")
@framed
def curves(places: tuple[Path, ...], frame: Frame) -> None:
    """Draw scores against the strength of noise.

    From kept results under noise ("everyword evaluate --corruption"), a panel for each task and corruption and a line
    for each policy; or from .json or .tsv files of points (series, strength, score and perhaps spread and n). Without
    any of these, kept results of the task typo-similarity are drawn.

    \b
    Examples:
      everyword plot curves points.tsv --output curves.svg
      everyword plot curves results --output curves.png
    """
    from everyword.studies.plots.curves import draw_curves
    from everyword.studies.plots.points import read_panels

    draw_curves(read_panels(places), frame)


@plot.command()
@click.argument("places", nargs=-1, type=a_path, metavar="[RESULTS]...")
@framed
def contexts(places: tuple[Path, ...], frame: Frame) -> None:
    """Draw scores against the number of sentences.

    From kept results of tasks that give words in sentences (context-similarity, chimera): a panel for each task, a
    line for each model and policy.

    \b
    Examples:
      everyword plot contexts results --output contexts.svg
    """
    from everyword.evaluation.results import read_all
    from everyword.studies.plots.curves import SENTENCES, draw_curves
    from everyword.studies.plots.points import panels_of_sentences

    draw_curves(panels_of_sentences(read_all(places or (Path(DEFAULT_RESULTS),))), frame, title=SENTENCES)


@plot.command()
@click.argument("study", type=a_path, metavar="STUDY.json")
@framed
def augmentation(study: Path, frame: Frame) -> None:
    """Show augmentations alone and in twos.

    STUDY.json is what "everyword reproduce love-augmentation" keeps: a square of scores for each test, with one
    augmentation alone on the diagonal and two together ("swap + drop") above it.

    \b
    Examples:
      everyword plot augmentation results/love-augmentation.json --output augmentation.svg
    """
    from everyword.studies.plots.augmentation import draw_augmentation, read_squares

    draw_augmentation(*read_squares(study), frame)


def _way(model_name: str | None, policy: str | None) -> EvaluatedModel:
    from everyword.evaluation.evaluated_model import CHARACTERS, GIVING_VECTORS, READING_SENTENCES, open_evaluated

    if policy in (CHARACTERS, *READING_SENTENCES):
        owners = "taggers" if policy == CHARACTERS else "words in sentences"
        others = ", ".join(GIVING_VECTORS)
        raise InputError(f"The policy {policy!r} is for {owners} and gives no vectors to draw; choose from {others}.")
    return open_evaluated(model_name, policy)
