"""What is asked of every registered task: it runs under every policy, counts what it counted, and forgets nobody."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import make_data

from everyword import registry
from everyword.evaluation.data_sets import DATA_SETS
from everyword.evaluation.pieces import Piece, choose, known_tasks
from everyword.evaluation.run import evaluate
from everyword.evaluation.way import POLICIES, Way, open_way
from everyword.models.model import Model
from everyword.vectors.table import VectorTable


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory, teacher_path: Path, tiny_model: Model) -> list[Piece]:
    folder = make_data(tmp_path_factory.mktemp("data"))
    new = [word for word in VectorTable.load(teacher_path) if not tiny_model.known(word)]
    (folder / "new.txt").write_text("\n".join(new))
    chosen = choose(["all"], folder, words=folder / "new.txt", teacher=teacher_path)
    return [piece for piece in chosen if isinstance(piece, Piece)]


def test_names_carry_the_version_of_the_task() -> None:
    assert [task.full_name for task in known_tasks()] == list(registry.tasks)
    assert all(task.summary and task.main for task in known_tasks())


@pytest.fixture(scope="module")
def slow_pieces(tmp_path_factory: pytest.TempPathFactory) -> list[Piece]:
    folder = make_data(tmp_path_factory.mktemp("data"))
    chosen = choose([task.name for task in known_tasks() if task.slow], folder)
    return [piece for piece in chosen if isinstance(piece, Piece)]


def test_nothing_registered_is_skipped(pieces: list[Piece], slow_pieces: list[Piece]) -> None:
    expected = {f"{task.name}/{data.name}" for task in known_tasks() for data in DATA_SETS if data.kind == task.kind}

    assert {piece.name for piece in [*pieces, *slow_pieces]} == expected | {"held-out/new"}
    assert {piece.task.full_name for piece in [*pieces, *slow_pieces]} == set(registry.tasks)


def test_all_leaves_out_what_trains_something(pieces: list[Piece], slow_pieces: list[Piece]) -> None:
    assert not any(piece.task.slow for piece in pieces)
    assert all(piece.task.slow for piece in slow_pieces)


def test_every_slow_piece_runs_too(slow_pieces: list[Piece], tiny_model_folder: Path) -> None:
    way = open_way(str(tiny_model_folder))
    for done in evaluate(way, slow_pieces):
        assert done.result is not None, done
        assert 0 <= done.result.scores[done.result.main] <= 100
        assert done.result.seeds == 3
        assert done.result.encode_seconds > 0


@pytest.fixture(params=[*POLICIES, "table"])
def way(request: pytest.FixtureRequest, tiny_model_folder: Path, tiny_model: Model, tmp_path: Path) -> Way:
    if request.param != "table":
        return open_way(str(tiny_model_folder), request.param)
    tiny_model.vectors_for(tiny_model.known_words.words).save(tmp_path / "stored.vec")
    return open_way(str(tmp_path / "stored.vec"))


def test_every_piece_runs_and_says_what_it_counted(pieces: list[Piece], way: Way) -> None:
    done = {one.piece: one.result for one in evaluate(way, pieces)}

    assert set(done) == {piece.name for piece in pieces}
    for piece in pieces:
        result = done[piece.name]
        assert result is not None, piece.name
        assert result.n > 0
        assert 0 <= result.known <= result.n
        assert result.value is not None
        assert -100 <= result.value <= 100
        assert all(value is None or np.isfinite(value) for value in result.scores.values())
        assert set(result.spread) <= set(result.scores)
        assert bool(result.spread) == (result.seeds > 1)


def test_the_same_seed_gives_the_same_scores(pieces: list[Piece], tiny_model_folder: Path) -> None:
    first, second = (
        {done.piece: done.result.scores for done in evaluate(open_way(str(tiny_model_folder)), pieces) if done.result}
        for _ in range(2)
    )

    assert first == second
