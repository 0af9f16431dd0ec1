"""Training in one call, as `everyword.train`."""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword.errors import InputError
from everyword.extras import require
from everyword.models.saved.layout import CONFIG
from everyword.vectors.table import VectorTable

if TYPE_CHECKING:
    from everyword.models.model import Model

TABLE = "teacher.npy"
"""In the run folder: a teacher that was given as a table in memory."""


def train(
    recipe: str,
    teacher: VectorTable | str | Path | None = None,
    output: str | Path | None = None,
    *,
    teacher_model: str | None = None,
    sources: Mapping[str, str | Path] | None = None,
    run_folder: str | Path | None = None,
    resume: bool = False,
    device: str = "auto",
    overwrite: bool = False,
    show_progress: bool = False,
    **overrides: Any,
) -> Model:
    """Train a model by a recipe; needs the extra `train`.

    Args:
        recipe: The name of a shipped recipe, such as "love", or a TOML file.
        teacher: The vectors to learn from: a table, or a file of vectors.
        output: The folder to save the model to; without one the model is only returned.
        teacher_model: Instead of `teacher`, a language model whose input vectors are learnt: a folder or a hub id.
        sources: Files and folders that the recipe names, by their names.
        run_folder: Where prepared data, checkpoint and log are kept; by default OUTPUT-run, or a temporary folder.
        resume: Resume from the checkpoint in the run folder; `teacher` need not be given again.
        device: "auto", "cpu", "cuda" or another device of torch.
        overwrite: Replace a model or a run that is there already.
        show_progress: Show progress bars.
        **overrides: Values of the recipe, such as `training__epochs=5` or `**{"training.epochs": 5}`.

    Returns:
        The trained model.

    Raises:
        InputError: If there is nothing to learn from, or a folder holds another model or run.
        ConfigError: If the recipe has problems; the message lists all of them.
        KeyboardInterrupt: If Ctrl-C stopped the training; `resume=True` continues it.
    """
    require("torch", "Training")
    if teacher is not None and teacher_model is not None:
        raise InputError("Give either a teacher or a teacher_model, not both.")
    folder = None if output is None else Path(output)
    if folder is not None and (folder / CONFIG).exists() and not overwrite:
        raise InputError(f"{folder} already holds a model; choose another output, or pass overwrite=True.")
    with tempfile.TemporaryDirectory() as temporary:
        runs = Path(run_folder or (f"{folder}-run" if folder is not None else temporary))
        if not (resume or overwrite) and any(runs.glob("*.safetensors")):
            raise InputError(f"{runs} already holds a run; continue it with resume=True, or pass overwrite=True.")
        files = {name: Path(path) for name, path in (sources or {}).items()}
        assignments = [f"{key.replace('__', '.')}={json.dumps(value, default=str)}" for key, value in overrides.items()]
        model = _run(
            recipe,
            assignments,
            teacher=teacher,
            teacher_model=teacher_model,
            sources=files,
            folder=runs,
            resume=resume,
            device=device,
            bars=show_progress,
        )
    if folder is not None:
        model.save_pretrained(folder)
    return model


def _run(
    recipe: str,
    assignments: list[str],
    *,
    teacher: VectorTable | str | Path | None,
    teacher_model: str | None,
    sources: Mapping[str, Path],
    folder: Path,
    resume: bool,
    device: str,
    bars: bool,
) -> Model:
    from everyword.config import build
    from everyword.systems.spelling import train as spelling
    from everyword.systems.spelling.recipe import check_sources, load_recipe, needed_sources, with_sources
    from everyword.systems.word_space.build import build_space
    from everyword.systems.word_space.config import WordSpaceConfig

    config = load_recipe(recipe, assignments)
    makes_teacher = not resume and teacher is None and teacher_model is None and bool(config.space)
    space = build(WordSpaceConfig, config.space) if makes_teacher else None
    check_sources(needed_sources(config, space.sources if space else ()), sources)
    config = with_sources(config, sources)
    table: Path | None
    if space:
        table = build_space(space, sources, folder, device=device, show_progress=bars)
    elif isinstance(teacher, VectorTable):
        folder.mkdir(parents=True, exist_ok=True)
        table = folder / TABLE
        teacher.save(table)
    else:
        table = None if teacher is None else Path(teacher)
    model = spelling.train(
        spelling.SpellingRun(
            config,
            folder,
            table,
            teacher_model,
            command=f"everyword train {shlex.join([Path(recipe).name, *assignments])}",
            device=device,
            resume=resume,
            show_progress=bars,
        )
    )
    if model is None:
        raise KeyboardInterrupt
    return model
