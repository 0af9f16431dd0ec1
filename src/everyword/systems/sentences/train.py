"""Texts and a sentence encoder → a model with weights for texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.files import checksum
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.text_vectors import text_vectors
from everyword.learning.device import pick_device
from everyword.learning.loop import RunContext
from everyword.models.load import find_model, load
from everyword.models.saved.parts import write_part
from everyword.sentences.weights import TextWeights
from everyword.systems.sentences.config import TextWeightsConfig
from everyword.systems.sentences.text_data import read_bags
from everyword.systems.sentences.text_weights import TextTraining
from everyword.text import corruption

TEACHER = "teacher.npy"
FEWEST = 100
TYPOS = (corruption.swap, corruption.drop, corruption.insert, corruption.keyboard)


@dataclass(frozen=True)
class TextWeightsRun:
    """One training: what, where and from which texts."""

    config: TextWeightsConfig
    model: str
    """The model that gets the weights, by name or folder."""
    encoder: str
    """The sentence encoder, a folder or a name on the hub."""
    texts: Sequence[Path]
    """Files with a text a line."""
    folder: Path
    """Where the encoder's vectors and checkpoints are kept."""
    device: str = "auto"
    resume: bool = False
    processes: int = 1
    report: Callable[[str], None] = field(default=print)


def train(run: TextWeightsRun, output: Path) -> bool:
    """Learn weights and save the model with them; False if the training was interrupted."""
    config = run.config
    texts = read_texts(run.texts)
    if len(texts) < config.held_out + FEWEST:
        raise InputError(
            f"There must be {config.held_out + FEWEST:,} different texts at least, since {config.held_out:,} of them "
            f"only judge. Got {len(texts):,}; set held_out lower or give more texts."
        )
    Random(config.seed).shuffle(texts)
    run.folder.mkdir(parents=True, exist_ok=True)
    teacher = _taught(run, texts)
    learnt = texts[config.held_out :]
    misspelt = range(0, int(len(learnt) * config.misspelt))
    rng = Random(config.seed)
    copies = [corruption.corrupt_text(learnt[place], config.typos, TYPOS, rng) for place in misspelt]
    run.report(f"Reading {len(learnt):,} texts and {len(copies):,} misspelt copies …")
    model = load(run.model)
    bags = read_bags(run.model, [*texts, *copies], processes=run.processes)
    held_out, rest = bags.first(config.held_out)
    training = TextTraining(
        model.known_words,
        TextWeights.by_rank(model.known_words, terms=True),
        rest,
        torch.from_numpy(teacher),
        config,
        teacher_of=np.concatenate([np.arange(len(learnt)), misspelt]).astype(np.int64) + config.held_out,
        device=str(pick_device(run.device)),
    )
    judged = teacher[: config.held_out].astype(np.float32)
    weights = training.run(
        lambda: {"correlation": correlation(training.vectors(held_out), judged)},
        RunContext(run.folder, resume=run.resume, show_progress=True),
    )
    if weights is None:
        return False
    model.save_pretrained(output)
    write_part(output, "texts", weights.to_tensors(), {"name": weights.version, **_described(run, len(texts))})
    return True


def read_texts(files: Sequence[Path]) -> list[str]:
    """Read texts, one a line, each once."""
    return list(
        dict.fromkeys(text for path in files for line in read_text(path, "a file of texts") if (text := line.strip()))
    )


def correlation(made: FloatArray, wanted: FloatArray) -> float:
    """Return the correlation of the cosines of all pairs of texts with those that are wanted, times 100."""
    pairs = np.triu_indices(len(made), 1)
    return float(100 * np.corrcoef((made @ made.T)[pairs], (wanted @ wanted.T)[pairs])[0, 1])


def _taught(run: TextWeightsRun, texts: Sequence[str]) -> FloatArray:
    """Return the encoder's vectors of texts, kept in the run's folder in half precision."""
    path = run.folder / TEACHER
    if run.resume and path.is_file():
        kept: FloatArray = np.load(path)
        if len(kept) == len(texts):
            return kept
    run.report(f"Encoding {len(texts):,} texts with {run.encoder} …")
    encoder = LanguageModel.load(run.encoder, device=run.device)
    vectors = text_vectors(encoder, texts, show_progress=True, label="texts").astype(np.float16)
    np.save(path, vectors)
    return vectors  # type: ignore[return-value]  # half precision, turned into floats a batch at a time


def _described(run: TextWeightsRun, texts: int) -> dict[str, object]:
    return {
        "encoder": Path(run.encoder).name,
        "texts": texts,
        "files": {path.name: checksum(path) for path in run.texts},
        "model": checksum(find_model(run.model) / "config.json"),
        "config": asdict(run.config),
    }
