"""everyword train language: a model for another language in the space of an English one."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "language"


@click.command(NAME, short_help="A model for another language in the space of everyword-en, from --dictionary.")
@options.overrides
@options.text("--code", "CODE", "The language, by its code of ISO 639, such as de.", required=True)
@options.file("--corpus", "Text of the language, a sentence per line; repeatable.", multiple=True)
@options.file("--vectors", "Vectors of the language in any space, most frequent first, instead of --corpus.")
@options.file("--dictionary", "Tab-separated english, pos and translation, or source and target.", required=True)
@options.file("--frequencies", "Tab-separated word and frequency.  [default: that in the corpus]")
@options.text("--english", "MODEL", "The English model, or vector file, whose space is used.  [default: everyword-en]")
@options.file(
    "--exclude", "Pairs that will judge: their words are dropped from the dictionary; repeatable.", multiple=True
)
@options.file("--config", "Another recipe, as a TOML file.")
@options.output_folder("Folder to save the model to.")
@options.run_folder
@options.resume
@options.device
@options.overwrite
@options.quiet
def language(
    *,
    overrides: tuple[str, ...],
    code: str,
    corpus: tuple[Path, ...],
    vectors: Path | None,
    dictionary: Path,
    frequencies: Path | None,
    english: str | None,
    exclude: tuple[Path, ...],
    config: Path | None,
    output: Path,
    run_folder: Path | None,
    resume: bool,
    device: str,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a model for another language, whose words lie in the space of an English model.

    A word gets the mean of its translations' English vectors, and what its vector in the corpus, mapped to the English
    space, and words of similar spelling say of it; how far each is believed is learnt from the dictionary. Then a
    spelling model and a gate are trained as for everyword-en, so that misspelt and new words have vectors in the same
    space, and the nearest English words of any word can be found.

    KEY=VALUE changes a value of the recipe: training.epochs, language.words, language.vectors.epochs, store.words and
    more. On one core of a CPU a corpus of four million words takes about twenty minutes, half of it for the vectors of
    the corpus; --device cuda trains the spelling model faster.

    \b
    Examples:
      everyword train language --code de --corpus de.txt.xz --dictionary en-de.tsv --frequencies de.tsv
        --output everyword-de
      everyword train language --code fi --vectors fi.vec --dictionary en-fi.tsv --exclude test.tsv --output finnish
      everyword nearest Leukamie --model everyword-de --among everyword-en
    """
    if bool(corpus) == (vectors is not None) and not resume:
        raise click.UsageError("Give either --corpus or --vectors, the words of the language in use.")
    run_folder = run_folder_of(output, run_folder)
    check_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    require("torch", "Training")
    if corpus:
        require("gensim", "Training vectors on a corpus")
    from everyword.api import train_language

    again = shlex.join(["everyword", *sys.argv[1:], *([] if resume else ["--resume"])])
    try:
        with warnings_as_lines():
            train_language(
                code,
                dictionary,
                output,
                corpus=corpus,
                vectors=vectors,
                frequencies=frequencies,
                english=english,
                exclude=exclude,
                recipe=config or NAME,
                run_folder=run_folder,
                resume=resume,
                device=device,
                overwrite=overwrite,
                show_progress=not quiet,
                report=say,
                command=_command(
                    overrides,
                    output,
                    {
                        "--corpus": corpus,
                        "--vectors": [vectors],
                        "--dictionary": [dictionary],
                        "--frequencies": [frequencies],
                        "--english": [english],
                        "--exclude": exclude,
                    },
                    code,
                ),
                **_values(overrides),
            )
    except KeyboardInterrupt:
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {again}")
    among = english or "everyword-en"
    say(f"Saved the model to {output}. Try it:  everyword nearest WORD --model {output} --among {among}")


def _values(overrides: tuple[str, ...]) -> dict[str, Any]:
    """Return assignments as values by their keys."""
    from everyword.config import override, parse_value

    override({}, overrides)  # refuses what is no assignment
    pairs = (assignment.partition("=") for assignment in overrides)
    return {key.strip(): parse_value(text.strip()) for key, _, text in pairs}


def _command(
    overrides: tuple[str, ...], output: Path, given: Mapping[str, Sequence[Path | str | None]], code: str
) -> str:
    """Return the command that makes the same model anywhere: with the names of files, without their folders."""
    typed = ["everyword", "train", NAME, "--code", code]
    for option, files in given.items():
        typed += [part for file in files if file is not None for part in (option, Path(file).name)]
    return shlex.join([*typed, "--output", output.absolute().name, *overrides])
