"""Train LOVE and its relatives, from a table of vectors to a saved model: prepare, train, assemble."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from everyword import __version__, config, registry
from everyword.arrays import ByteArray
from everyword.atomic import write_lines
from everyword.errors import InputError
from everyword.files import checksum, fingerprint
from everyword.learning.checkpoint import load_checkpoint
from everyword.learning.device import pick_device
from everyword.learning.loop import CHECKPOINT, RunContext
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import WORDS, KnownWords
from everyword.models.model import Model
from everyword.models.readings.composer import Readings
from everyword.systems.spelling.config import RecipeConfig, without_folders
from everyword.systems.spelling.encoders.base import Encoder
from everyword.systems.spelling.examples import SYNONYM, UNCHANGED
from everyword.systems.spelling.gate_training import learn_gate
from everyword.systems.spelling.preparation import TrainingData, prepare
from everyword.systems.spelling.reliability import less_sure_of_slips
from everyword.systems.spelling.teacher import Teacher
from everyword.systems.spelling.trainer import Trainer
from everyword.vectors.storage.quantising import pack
from everyword.vectors.storage.stored import StoredMatrix

PREPARED = "prepared.safetensors"
EVALUATED = "evaluated-words.txt"
"""The words that took no part in anything, one per line, for evaluation."""


@dataclass(frozen=True)
class SpellingRun:
    """A training: the recipe, the teacher, the run folder and how to run."""

    config: RecipeConfig
    folder: Path
    """The run folder, with the prepared data, the checkpoint and the log."""
    teacher: Path | None = None
    """A table of vectors; not needed to resume."""
    teacher_model: str | None = None
    """A language model whose input vectors are learnt, instead of a table."""
    command: str = ""
    device: str = "cpu"
    resume: bool = False
    lenient: bool = False
    cache: Path | None = None
    """A folder where trainings on the same words find each other's synonyms and hard negatives."""
    show_progress: bool = True


def train(run: SpellingRun) -> Model | None:
    """Train a model and assemble it; None if Ctrl-C stopped the training, which can then be resumed."""
    prepared = get_prepared(run)
    encoder = make_encoder(run.config, prepared)
    trainer = make_trainer(run, prepared, encoder)
    return assemble(run, prepared, encoder) if trainer.run() else None


def get_prepared(run: SpellingRun) -> TrainingData:
    """Return the prepared data: from the run folder when resuming, newly made otherwise."""
    path, expected = run.folder / PREPARED, recipe_fingerprint(run.config)
    if run.resume:
        prepared = TrainingData.load(path, expected)
        _check_same_teacher(run, prepared)
        return prepared
    prepared = prepare(
        run.config,
        _read_teacher(run),
        show_progress=run.show_progress,
        device=str(pick_device(run.device)),
        cache=run.cache,
    )
    run.folder.mkdir(parents=True, exist_ok=True)
    (run.folder / CHECKPOINT).unlink(missing_ok=True)  # of an earlier run: it must not be resumed with these data
    prepared.save(path, expected)
    return prepared


def _read_teacher(run: SpellingRun) -> Teacher:
    if run.teacher_model is not None:
        return Teacher.from_language_model(run.teacher_model, run.config.normalise)
    if run.teacher is None:
        raise InputError("A new training needs a teacher: a table of word vectors.")
    return Teacher.load(run.teacher, run.config.normalise, lenient=run.lenient)


def _check_same_teacher(run: SpellingRun, prepared: TrainingData) -> None:
    """Raise InputError if the run was started with another teacher; none need be given."""
    if run.teacher_model is not None:
        sha256 = _read_teacher(run).sha256
    elif run.teacher is not None:
        sha256 = checksum(run.teacher)
    else:
        return
    if sha256 != prepared.teacher_sha256:
        named = run.teacher_model or run.teacher
        raise InputError(f"{run.folder} was started with another teacher than {named}; use that one again.")


def recipe_fingerprint(recipe: RecipeConfig) -> str:
    """Return a fingerprint of all that decides the numbers of the encoder.

    Not the length, so that a training can be extended, and not the blend, whose gate learns after the encoder.
    """
    described = config.to_dict(recipe)
    del described["blend"]
    # A cosine ends where the training ends: with another length every step would have been another.
    length = () if recipe.training.schedule == "cosine" else ("epochs",)
    for key in (*length, "patience", "workers", "captured"):
        del described["training"][key]
    return fingerprint(described)


def make_encoder(recipe: RecipeConfig, prepared: TrainingData) -> Encoder:
    """Return an untrained encoder, its weights drawn by the seed."""
    kind = registry.encoders.get(recipe.encoder.name)
    options = config.build(kind.Config, recipe.encoder.options)
    torch.manual_seed(recipe.training.seed)
    encoder: Encoder = kind(prepared.units.size, prepared.dim, options)
    return encoder


def trained_encoder(run: SpellingRun) -> tuple[Encoder, TrainingData]:
    """Return the encoder of a finished run before it was folded, to train it further."""
    prepared = get_prepared(replace(run, resume=True))
    encoder = make_encoder(run.config, prepared)
    groups, _ = load_checkpoint(run.folder / CHECKPOINT, checkpoint_fingerprint(run.config, prepared))
    encoder.load_state_dict(groups.get("best") or groups["network"])
    return encoder, prepared


def checkpoint_fingerprint(recipe: RecipeConfig, prepared: TrainingData) -> str:
    """Return the fingerprint of a checkpoint: of its recipe and teacher."""
    return recipe_fingerprint(recipe) + prepared.teacher_sha256


def make_trainer(run: SpellingRun, prepared: TrainingData, encoder: Encoder) -> Trainer:
    """Return the trainer of an encoder."""
    return Trainer(
        run.config,
        prepared,
        encoder,
        run=RunContext(run.folder, resume=run.resume, show_progress=run.show_progress),
        fingerprint=checkpoint_fingerprint(run.config, prepared),
        device=run.device,
    )


def assemble(run: SpellingRun, prepared: TrainingData, encoder: Encoder) -> Model:
    """Return the model: the trained encoder, folded, with the stored words and the gate."""
    recipe = run.config
    encoder = encoder.cpu().eval()
    precision = recipe.store.precision
    form_encoder = FormEncoder(
        units=prepared.units,
        encoder=recipe.encoder.name,
        config=encoder.runtime_config(),
        tables={name: StoredMatrix.pack(table, precision) for name, table in encoder.fold().items()},
        norm=output_norm(recipe, prepared),
    )
    store = recipe.store
    known_matrix = pack(prepared.known_matrix, store.known_precision or precision, store.quantisation)
    reliability = _reliability(prepared)
    known = KnownWords(prepared.known_words, known_matrix, prepared.sections or None, reliability=reliability)
    write_lines(run.folder / EVALUATED, prepared.evaluated_words)
    gate = learn_gate(recipe.blend, prepared, form_encoder, known) if recipe.blend.enabled else None
    return Model(
        recipe.name,
        recipe.normalise,
        form_encoder,
        known,
        record(run, prepared, encoder),
        gate=gate,
        readings=Readings() if recipe.reads_tokens else None,
    )


def _reliability(prepared: TrainingData) -> ByteArray | None:
    """Return how much the vectors of known words can be relied on, if the teacher says."""
    if prepared.reliability is None:
        return None
    words = prepared.known_words[: prepared.sections.get(WORDS)]
    return less_sure_of_slips(words, prepared.reliability)


def output_norm(recipe: RecipeConfig, prepared: TrainingData) -> float | None:
    """Return the norm of inferred vectors; None if the loss depends on norms: the encoder has learnt them."""
    if not registry.losses.get(recipe.loss.name).direction_only:
        return None
    return 1.0 if recipe.store.output_norm == "unit" else float(np.linalg.norm(prepared.targets, axis=1).mean())


def record(run: SpellingRun, prepared: TrainingData, encoder: Encoder) -> dict[str, Any]:
    """Return the provenance of the model, for its card and `everyword info`."""
    recipe = without_folders(run.config)
    return {
        "summary": recipe.summary,
        "license": recipe.license,
        "command": run.command,
        "teacher": {"description": prepared.teacher_description, "sha256": prepared.teacher_sha256},
        "words": len(prepared.words),
        "held_out_words": len(prepared.held_out_words),
        "evaluated_words": len(prepared.evaluated_words),
        "parameters": encoder.parameter_count(),
        "corruptions": [name for name in recipe.augmentation.shares if name not in (SYNONYM, UNCHANGED)],
        "synonyms": synonym_source(recipe),
        "misspellings": recipe.blend.misspellings if recipe.blend.enabled else None,
        "versions": {
            "everyword": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
        "recipe": config.to_dict(recipe),
    }


def synonym_source(recipe: RecipeConfig) -> str | None:
    """Return where the synonyms for augmentation came from; None if there were none."""
    if not recipe.augmentation.shares.get(SYNONYM):
        return None
    return recipe.synonyms.file or "nearest neighbours in the teacher's space"
