"""Two processes train what one trains."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from two_processes import run_in_two_processes

from everyword.language_models.language_model import LanguageModel
from everyword.learning.processes import Processes
from everyword.systems.bertram import Bertram, TrainingRun, stages, train_bertram
from everyword.systems.bertram.loop import ContextSampler
from everyword.systems.bertram.stages import cache_vectors

from .made_contexts import quick_config

Sentences = dict[str, list[str]]
SETTINGS = (
    *("ngrams.fewest_words=2", "context.epochs=2", "context.learning_rate=0.01", "form.epochs=2"),
    *("combined.epochs=2", "combined.learning_rate=0.01"),
)


def test_two_processes_have_the_losses_and_weights_of_one(
    bert: LanguageModel, contexts: Sentences, tiny_bert_folder: Path, tmp_path: Path
) -> None:
    lines = (json.dumps({"word": word, "sentences": sentences}) for word, sentences in contexts.items())
    (tmp_path / "contexts.jsonl").write_text("\n".join(lines))
    alone = train_bertram(bert, TrainingRun(contexts, tmp_path / "alone", quick_config(variant="shallow")))
    assert alone is not None

    run_in_two_processes(
        *("bertram", "train", "--encoder", tiny_bert_folder, "--contexts", tmp_path / "contexts.jsonl"),
        *("--output", tmp_path / "two", "--variant", "shallow", "--device", "cpu", "--quiet", *SETTINGS),
    )

    together = Bertram.load(tmp_path / "two", bert)
    np.testing.assert_allclose(losses(tmp_path / "two-run"), losses(tmp_path / "alone"), rtol=1e-4)
    for name, weights in alone.network.state_dict().items():
        np.testing.assert_allclose(together.network.state_dict()[name], weights, atol=1e-3, err_msg=name)


def losses(folder: Path) -> list[float]:
    return [json.loads(line)["loss"] for line in (folder / "log.jsonl").read_text().splitlines()]


def test_a_batch_is_shared_out_whole() -> None:
    batches = list(ContextSampler(2, 4, contexts_a_batch=10).epoch(np.array([3, 0, 5, 1, 9, 4]), seed=0, epoch=1))

    assert sorted(np.concatenate([batch.rows for batch in batches])) == [0, 2, 3, 4, 5]  # each word with contexts once
    for batch in batches:
        assert sum(batch.counts) <= 10
        parts = [batch.part(rank, 3) for rank in range(3)]
        assert sorted(np.concatenate([part.rows for part in parts])) == sorted(batch.rows)
        assert all(len(part.rows) == len(part.contexts) for part in parts)


def test_vectors_are_computed_once_and_read_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "VECTORS_PER_FILE", 3)
    matrix, asked = np.arange(20, dtype=np.float32).reshape(10, 2), []

    def compute(start: int, stop: int) -> np.ndarray:
        asked.append((start, stop))
        return matrix[start:stop]

    for _ in range(2):
        cached = cache_vectors(
            compute, 10, home=tmp_path, fingerprint="a" * 64, processes=Processes(), show_progress=False
        )
        assert cached is not None
        np.testing.assert_array_equal(cached.rows(np.array([9, 0, 4, 4])), matrix[[9, 0, 4, 4]])

    assert asked == [(0, 3), (3, 6), (6, 9), (9, 10)]
