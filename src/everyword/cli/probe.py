"""everyword probe: what is in vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.output import say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.evaluation.probes.probe import Progress
    from everyword.evaluation.probes.probe_results import ProbeResult
    from everyword.evaluation.probes.probing import Answer


@click.command()
@click.argument("models", nargs=-1, metavar="[MODEL_OR_VECTORS]...")
@options.text("--probe", "NAME,NAME", "Ask only these questions; repeatable.", to="names", multiple=True)
@options.data
@options.policy
@options.text("--layers", "all|last|middle|N,N", "Layers of a transformer; 0 is its input.", default="last")
@options.flag("--quick", "Use a part of the data, for a first look.")
@options.flag("--control-labels", "Train on labels shuffled by word type too, which shows what is memorised.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random numbers.")
@options.device
@options.results
@options.flag("--items", "Save the results of single items too.")
@options.flag("--overwrite", "Ask again what has an answer already.")
@options.quiet
@options.json_lines
def probe(
    models: tuple[str, ...],
    *,
    names: tuple[str, ...],
    data: Path | None,
    policy: str | None,
    layers: str,
    quick: bool,
    control_labels: bool,
    seed: int,
    device: str,
    results: Path,
    items: bool,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Ask what is in vectors.

    MODEL_OR_VECTORS is a model, a vector file, the folder of a transformer or sentence encoder, or "random": random
    vectors by word; several can be given. Each line is a question with the score, its 95 % interval, the number of
    items, and what the same probe scores without these vectors: with random ones, by the most frequent answer, or by
    the length of a text alone. 'everyword list' has the questions.

    Answers are saved one by one as JSON files and not computed again for the same vectors, data and seed, so a run
    that was stopped continues where it was. A question whose data is missing or malformed is skipped.

    \b
    Examples:
      everyword probe --data DATA
      everyword probe glove.6B.100d.txt random-100 --data DATA
      everyword probe my-model --probe parts-of-speech,noun-kinds --control-labels --data DATA
      everyword probe all-MiniLM-L6-v2 --layers all --device cuda --data DATA
      everyword plot profile results --output profile.svg
    """
    from everyword.evaluation.catalogue import data_folder
    from everyword.evaluation.probes.probe import EVERYTHING, ProbeSettings, choose_probes
    from everyword.evaluation.probes.probing import Probing
    from everyword.evaluation.probes.representation import NAMED_LAYERS, open_representation

    folder = data_folder(data)
    if folder is None:
        raise InputError("Probes read their questions from a data folder; name it by --data.")
    listed = [name.strip() for given in names for name in given.split(",") if name.strip()]
    chosen = choose_probes(listed or (EVERYTHING,))
    numbers = "3,6, or all, last or middle"
    wanted = layers if layers in NAMED_LAYERS else options.parse_numbers(layers, "--layers", numbers)
    answered = 0
    with _bars(quiet) as progress:
        settings = ProbeSettings(seed=seed, quick=quick, control_labels=control_labels)
        probing = Probing(folder, settings, results, overwrite, items, progress)
        for name in models or (None,):
            opened = open_representation(name, policy, layers=wanted, device=device)
            if not as_json:
                click.echo(f"{opened[0].name}, {opened[0].policy}, dimension {opened[0].dim}\n{HEADING}")
            for question in chosen:
                for asked in opened:  # one question after the other, because layers share what the network computes
                    for answer in probing.ask(asked, [question]):
                        answered += answer.result is not None
                        _show(answer, as_json)
    if not answered:
        raise InputError("No question was answered; the lines above give the reasons.")
    say(f"Saved the answers to {results}. Draw them:  everyword plot profile {results} --output profile.svg")


@contextmanager
def _bars(quiet: bool) -> Iterator[Callable[[str], Progress]]:
    """Yield what makes a progress bar for a question, on standard error; a new bar ends the one before."""
    if quiet or not sys.stderr.isatty():
        yield lambda question: lambda done, of: None
        return
    with ExitStack() as stack:

        def bar_of(question: str) -> Progress:
            stack.close()
            bars: list[Any] = []

            def show(done: int, of: int) -> None:
                if not bars:
                    bars.append(stack.enter_context(click.progressbar(length=of, label=question, file=sys.stderr)))
                bars[0].update(done - bars[0].pos)
                if done == of:
                    stack.close()

            return show

        yield bar_of


HEADING = f"{'question':<26} {'score':>6}  {'interval':<13} {'of':<10} {'n':>7}  without the vectors"


def _show(answer: Answer, as_json: bool) -> None:
    if answer.result is None:
        say(f"{answer.probe}: skipped. {answer.reason}")
    elif as_json:
        click.echo(json.dumps(json.loads(answer.result.as_json()), ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(answer.result, answer.kept_before)))


def _lines(result: ProbeResult, kept_before: bool) -> Sequence[str]:
    low, high = result.interval or (result.value, result.value)
    interval = f"{low:.1f} to {high:.1f}" if result.interval else ""
    controls = ", ".join(f"{name} {value:.1f}" for name, value in result.controls.items())
    kept = "  (saved before)" if kept_before else ""
    name = result.probe + ("" if result.layer is None else f", layer {result.layer}")
    first = f"{name:<26} {result.value:>6.1f}  {interval:<13} {result.metric:<10} {result.n:>7,}  {controls}{kept}"
    return [first.rstrip(), *(f"  {name:<24} {value:>6.1f}" for name, value in result.parts.items())]
