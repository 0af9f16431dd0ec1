"""everyword plot: pictures of words, weights and scores, one command for each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.group import LazyGroup
from everyword.cli.common.output import say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.evaluated_model import EvaluatedModel
    from everyword.studies.plots.picture import Frame

OLD_PAIRS = {"--words": "--pairs", "--method": "--projection"}
INCHES = (2.0, 40.0)
WITH_ATTENTION = "love-en"
"""The embedded model whose encoder has attention."""


@click.group(cls=LazyGroup, what="kind of picture")
def plot() -> None:
    """Draw words, attention weights and scores.

    Each kind of picture is a command of its own. The suffix of --output sets the format, .png or .svg; the same input
    gives the same bytes. Needs the extra plot:  pip install "everyword[plot]"

    \b
    Examples:
      everyword plot clusters --output clusters.svg
      everyword plot attention bec0me --output attention.png
      everyword plot scores results --output scores.svg
    """


def _inches(_ctx: click.Context, _parameter: click.Parameter, size: str | None) -> tuple[float, float] | None:
    if size is None:
        return None
    sides = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size.strip())
    if sides is None or not all(INCHES[0] <= float(side) <= INCHES[1] for side in sides.groups()):
        raise InputError(
            f"--size takes width and height in inches, {INCHES[0]:g} to {INCHES[1]:g}, as in 7x5. Got {size!r} instead."
        )
    return float(sides[1]), float(sides[2])


def _checked(ctx: click.Context, _parameter: click.Parameter, output: Path) -> Path:
    from everyword.studies.plots.picture import check_output

    check_output(output)
    return output


frame_options = options.together(
    options.output_file("The picture, named *.png or *.svg.", callback=_checked),
    options.text("--title", "TEXT", 'Title instead of the default one; "" for none.'),
    options.text("--size", "WIDTHxHEIGHT", "In inches.  [default: as needed]", callback=_inches),
    options.overwrite,
)
map_options = options.together(
    options.text("--model", "NAME_OR_FILE", "A model or a vector file.  [default: everyword-en]", to="model_name"),
    options.policy,
    options.choice(
        "--projection",
        ["pca", "tsne", "umap"],
        "Projection to two dimensions; umap needs the extra umap.",
        to="method",
        default="pca",
    ),
    frame_options,
)


@contextmanager
def _drawing(frame: dict[str, Any]) -> Iterator[Frame]:
    """Yield the frame of a picture, and say where the picture is when it is drawn."""
    from everyword.studies.plots.picture import Frame

    check_file(frame["output"], frame.pop("overwrite"))
    yield Frame(**frame)
    say(f"Saved the picture to {frame['output']}.")


@plot.command(old_options={"--words": "--classes", "--method": "--projection"})
@options.file("--classes", "Words and classes, tab-separated.  [default: a built-in list]")
@map_options
def clusters(classes: Path | None, method: str, model_name: str | None, policy: str | None, **frame: Any) -> None:
    """Map words of several classes.

    Colours are classes; a hollow mark is a word that the model does not store. The built-in list has five chemicals,
    illnesses and occupations each, and a typo of one of each.

    \b
    Examples:
      everyword plot clusters --output clusters.svg
      everyword plot clusters --model my-model --policy infer --classes mine.tsv --output clusters.png
    """
    from everyword.studies.plots.maps import CLASSES, draw_clusters, read_pairs

    listed = read_pairs(classes, "words and classes") if classes else CLASSES
    with _drawing(frame) as chosen:
        draw_clusters(_open(model_name, policy), listed, chosen, method)


@plot.command(old_options=OLD_PAIRS)
@options.file("--pairs", "Wrong and right spellings, tab-separated.  [default: a built-in list]")
@map_options
def pairs(pairs: Path | None, method: str, model_name: str | None, policy: str | None, **frame: Any) -> None:
    """Map misspellings and correct words.

    A line joins each misspelling (hollow) to its word (full): the shorter, the better.

    \b
    Examples:
      everyword plot pairs --output pairs.svg
      everyword plot pairs --pairs misspellings.tsv --policy spelling --output pairs.png
      everyword plot pairs --projection tsne --output pairs.svg
    """
    from everyword.studies.plots.maps import MISSPELLINGS, draw_pairs, read_pairs

    listed = read_pairs(pairs, "misspellings") if pairs else MISSPELLINGS
    with _drawing(frame) as chosen:
        draw_pairs(_open(model_name, policy), listed, chosen, method)


@plot.command(old_options=OLD_PAIRS)
@options.file("--pairs", "Pairs of words, tab-separated.  [default: man and woman, and others]")
@map_options
def relations(pairs: Path | None, method: str, model_name: str | None, policy: str | None, **frame: Any) -> None:
    """Map pairs of words of one relation.

    An arrow leads from the first word of each pair to the second: the more alike the arrows, the better the vectors
    express the relation.

    \b
    Examples:
      everyword plot relations --projection tsne --output relations.svg
      everyword plot relations --model skipgram.npy --pairs capitals.tsv --output relations.svg
    """
    from everyword.studies.plots.maps import RELATION, draw_relations, read_pairs

    listed = read_pairs(pairs, "pairs") if pairs else RELATION
    with _drawing(frame) as chosen:
        draw_relations(_open(model_name, policy), listed, chosen, method)


@plot.command()
@click.argument("word")
@options.text(
    "--model",
    "NAME_OR_FOLDER",
    "A model whose encoder has attention.",
    to="model_name",
    default=WITH_ATTENTION,
    callback=options.refuse_vector_file,
)
@frame_options
def attention(word: str, model_name: str, **frame: Any) -> None:
    """Show attention weights between the units of a word.

    Draws heat maps of the positional kernel and the self-attention, for encoders that have them.

    \b
    Examples:
      everyword plot attention bec0me --output attention.svg
    """
    from everyword.models.load import load
    from everyword.studies.plots.attention import draw_attention

    with _drawing(frame) as chosen:
        draw_attention(load(model_name), word, chosen)


@plot.command()
@click.argument("paths", nargs=-1, type=options.PATH, metavar="[RESULTS]...")
@frame_options
def scores(paths: tuple[Path, ...], **frame: Any) -> None:
    """Draw results as dots.

    RESULTS are folders or single files written by "everyword evaluate"; default: the folder "results".

    \b
    Examples:
      everyword plot scores --output scores.svg
      everyword plot scores results other-results --output scores.png
    """
    from everyword.evaluation.results import read_all
    from everyword.studies.plots.scores import draw_scores

    with _drawing(frame) as chosen:
        draw_scores(read_all(paths or (Path(options.DEFAULT_RESULTS),)), chosen)


@plot.command()
@click.argument("paths", nargs=-1, type=options.PATH, metavar="[RESULTS]...")
@frame_options
def profile(paths: tuple[Path, ...], **frame: Any) -> None:
    """Draw answers to probes as bars.

    RESULTS are folders or single files written by "everyword probe"; default: the folder "results".

    \b
    Examples:
      everyword plot profile results --output profile.svg
    """
    from everyword.evaluation.probes.probe_results import read_all
    from everyword.studies.plots.profile import draw_profile

    with _drawing(frame) as chosen:
        draw_profile(read_all(paths or (Path(options.DEFAULT_RESULTS),)), chosen)


@plot.command()
@click.argument("paths", nargs=-1, type=options.PATH, metavar="[RESULTS]...")
@frame_options
def layers(paths: tuple[Path, ...], **frame: Any) -> None:
    """Draw answers to probes by the layer of a transformer.

    RESULTS are folders or single files written by "everyword probe MODEL --layers all"; default: the folder "results".

    \b
    Examples:
      everyword plot layers results --output layers.svg
    """
    from everyword.evaluation.probes.probe_results import read_all
    from everyword.studies.plots.layers import draw_layers

    with _drawing(frame) as chosen:
        draw_layers(read_all(paths or (Path(options.DEFAULT_RESULTS),)), chosen)


@plot.command()
@click.argument("paths", nargs=-1, required=True, type=options.PATH, metavar="POINTS_OR_RESULTS...")
@frame_options
def curves(paths: tuple[Path, ...], **frame: Any) -> None:
    """Draw scores against the strength of noise.

    From results under noise ("everyword evaluate --corruption"): a panel per task and corruption, a line per policy.
    Or from .json or .tsv files of points (series, strength, score, and perhaps spread and n). If there are neither,
    results of the task typo-similarity are drawn.

    \b
    Examples:
      everyword plot curves points.tsv --output curves.svg
      everyword plot curves results --output curves.png
    """
    from everyword.studies.plots.curves import draw_curves
    from everyword.studies.plots.points import read_panels

    with _drawing(frame) as chosen:
        draw_curves(read_panels(paths), chosen)


@plot.command()
@click.argument("paths", nargs=-1, type=options.PATH, metavar="[RESULTS]...")
@frame_options
def contexts(paths: tuple[Path, ...], **frame: Any) -> None:
    """Draw scores against the number of sentences.

    From results of tasks that give words in sentences (context-similarity, chimera): a panel per task, a line per
    model and policy.

    \b
    Examples:
      everyword plot contexts results --output contexts.svg
    """
    from everyword.evaluation.results import read_all
    from everyword.studies.plots.curves import SENTENCES, draw_curves
    from everyword.studies.plots.points import panels_of_sentences

    with _drawing(frame) as chosen:
        panels = panels_of_sentences(read_all(paths or (Path(options.DEFAULT_RESULTS),)))
        draw_curves(panels, chosen, title=SENTENCES)


@plot.command()
@click.argument("study", type=options.PATH, metavar="STUDY.json")
@frame_options
def augmentation(study: Path, **frame: Any) -> None:
    """Draw scores of single and paired augmentations.

    STUDY.json is written by "everyword reproduce love-augmentation": a square of scores per test, with single
    augmentations on the diagonal and pairs ("swap + drop") above it.

    \b
    Examples:
      everyword plot augmentation results/love-augmentation.json --output augmentation.svg
    """
    from everyword.studies.plots.augmentation import draw_augmentation, read_squares

    with _drawing(frame) as chosen:
        draw_augmentation(*read_squares(study), chosen)


def _open(model_name: str | None, policy: str | None) -> EvaluatedModel:
    from everyword.evaluation.evaluated_model import CHARACTERS, GIVING_VECTORS, READING_SENTENCES, open_evaluated

    if policy in (CHARACTERS, *READING_SENTENCES):
        owners = "taggers" if policy == CHARACTERS else "words in sentences"
        others = ", ".join(GIVING_VECTORS)
        raise InputError(f"The policy {policy!r} is for {owners} and gives no vectors to draw; choose from {others}.")
    return open_evaluated(model_name, policy)
