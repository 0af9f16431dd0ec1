"""Training in one call, as `everyword.train` and `everyword.train_language`."""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword.errors import InputError
from everyword.extras import require
from everyword.models.saved.layout import CONFIG
from everyword.vectors.table import VectorTable

if TYPE_CHECKING:
    from everyword.models.model import Model
    from everyword.space.pipeline import Reporter
    from everyword.systems.language.english import English
    from everyword.systems.spelling.config import RecipeConfig

TABLE = "teacher.npy"
"""In the run folder: a teacher that was given as a table in memory."""
LANGUAGE = "language"
"""The recipe of models for other languages."""
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "es": "spanish", "et": "estonian",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Stemmers by language: forms of one word are not hard negatives of each other."""


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


def train_language(
    code: str,
    dictionary: str | Path,
    output: str | Path | None = None,
    *,
    corpus: str | Path | Sequence[str | Path] = (),
    vectors: VectorTable | str | Path | None = None,
    frequencies: str | Path | None = None,
    english: Model | VectorTable | str | Path | None = None,
    exclude: Sequence[str | Path] = (),
    recipe: str | Path = LANGUAGE,
    run_folder: str | Path | None = None,
    resume: bool = False,
    device: str = "auto",
    overwrite: bool = False,
    show_progress: bool = False,
    report: Reporter = lambda sentence: None,
    command: str | None = None,
    **overrides: Any,
) -> Model:
    """Train a model for another language in the space of an English one; needs the extra `train`.

    Args:
        code: The language's code, such as "de".
        dictionary: A tab-separated file: English word, perhaps its part of speech, translation.
        output: The folder to save the model to; without one the model is only returned.
        corpus: Text of the language, a sentence per line: one or several files.
        vectors: Instead of a corpus: vectors of the language's words, most frequent first, in any space.
        frequencies: A tab-separated file: word, frequency. Without it the corpus says which words are frequent.
        english: The English model or table whose space is used; by default everyword-en.
        exclude: Lists of pairs that judge; all words of the language in them are dropped from the dictionary.
        recipe: The name or file of another recipe.
        run_folder: Where tables, checkpoint and log are kept; by default OUTPUT-run, or a temporary folder.
        resume: Resume the training of the spelling model from the checkpoint in the run folder.
        device: "auto", "cpu", "cuda" or another device of torch.
        overwrite: Replace a model or a run that is there already.
        show_progress: Show progress bars.
        report: Called with a sentence about each stage.
        command: The command to record in the model.
        **overrides: Values of the recipe, such as `training__epochs=5`.

    Returns:
        The trained model.

    Raises:
        InputError: If a file cannot be used, or a folder holds another model or run.
        ConfigError: If the recipe has problems; the message lists all of them.
        KeyboardInterrupt: If Ctrl-C stopped the training; `resume=True` continues it.
    """
    require("torch", "Training")
    folder = None if output is None else Path(output)
    if folder is not None and (folder / CONFIG).exists() and not overwrite:
        raise InputError(f"{folder} already holds a model; choose another output, or pass overwrite=True.")
    texts = [Path(corpus)] if isinstance(corpus, str | Path) else [Path(path) for path in corpus]
    if not resume and bool(texts) == (vectors is not None):
        raise InputError("Give either a corpus or vectors of the language, and not both.")
    assignments = [f"{key.replace('__', '.')}={json.dumps(value, default=str)}" for key, value in overrides.items()]
    from everyword.config import build
    from everyword.systems.language.build import LanguageFiles, build_language, check_files
    from everyword.systems.language.config import LanguageConfig
    from everyword.systems.spelling import train as spelling

    config = language_recipe(code, recipe, assignments, name=None if folder is None else folder.absolute().name)
    settings = build(LanguageConfig, config.language)

    files = LanguageFiles(
        Path(dictionary), None if frequencies is None else Path(frequencies), [Path(path) for path in exclude]
    )
    with tempfile.TemporaryDirectory() as temporary:
        runs = Path(run_folder or (f"{folder}-run" if folder is not None else temporary))
        table: Path | None = None
        if not resume:
            space = _english(english)
            check_files(files, config.normalise, space)
            own, counts = _corpus_vectors(config, texts, vectors, runs, overwrite=overwrite, report=report)
            table = build_language(
                files,
                own,
                space,
                settings,
                runs,
                normalise=config.normalise,
                counts=counts,
                report=report,
            )
        model = spelling.train(
            spelling.SpellingRun(
                config,
                runs,
                table,
                command=command or f"everyword train language --code {code}",
                device=device,
                resume=resume,
                show_progress=show_progress,
            )
        )
    if model is None:
        raise KeyboardInterrupt
    if folder is not None:
        model.save_pretrained(folder)
    return model


def language_recipe(
    code: str, recipe: str | Path = LANGUAGE, assignments: Sequence[str] = (), name: str | None = None
) -> RecipeConfig:
    """Return the recipe of a language, with the rules of its letters."""
    from dataclasses import replace

    from everyword.config import check
    from everyword.systems.spelling.recipe import load_recipe

    config = load_recipe(str(recipe), assignments)
    normalise = replace(config.normalise, language=code)
    check(normalise)
    negatives = replace(config.negatives, language=STEMMERS.get(code, config.negatives.language))
    named = config.name if config.name != LANGUAGE else name or f"everyword-{code}"
    return replace(config, name=named, normalise=normalise, negatives=negatives)


def _english(given: Model | VectorTable | str | Path | None) -> English:
    """Return the English side: a model, or a table that is a file of vectors."""
    from everyword.models.load import load
    from everyword.systems.language.english import EnglishModel, EnglishTable

    if isinstance(given, str | Path) and Path(given).is_file():
        given = VectorTable.load(given)
    if isinstance(given, VectorTable):
        return EnglishTable(given)
    return EnglishModel(load(given) if given is None or isinstance(given, str | Path) else given)


def _corpus_vectors(
    config: RecipeConfig,
    corpus: Sequence[Path],
    vectors: VectorTable | str | Path | None,
    folder: Path,
    *,
    overwrite: bool,
    report: Reporter,
) -> tuple[VectorTable, list[int] | None]:
    """Train or read the vectors of a language in use, and count its words if there is a corpus."""
    if isinstance(vectors, VectorTable):
        return vectors, None
    if vectors is not None:
        return VectorTable.load(vectors), None
    from everyword.config import build
    from everyword.systems.skipgram.baselines.config import Word2VecConfig
    from everyword.systems.skipgram.baselines.word2vec import word2vec_table
    from everyword.systems.skipgram.prepared import prepare

    settings = build(Word2VecConfig, config.language.get("vectors", {}), "language.vectors")
    ready = prepare(corpus, folder / "prepared", settings.sentences, overwrite=overwrite, report=report)
    report(f"training vectors of {len(ready.vocabulary.words):,} words")
    return word2vec_table(ready, "skip-gram", settings), ready.vocabulary.counts.tolist()
