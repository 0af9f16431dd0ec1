"""What a gate learns from: which words it may see, which misspellings, and the same gate twice."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from made import misspelling_text, write
from tiny import TINY_OVERRIDES

from everyword import config
from everyword.corpus import codespell_split
from everyword.errors import ConfigError, InputError
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.systems.spelling import gate_training
from everyword.systems.spelling.gate_network import GateConfig, GateExamples, UnknownWords
from everyword.systems.spelling.gate_training import CALIBRATE_ONE_IN, BlendConfig, learn_gate, made_up_misspellings
from everyword.systems.spelling.preparation import TrainingData
from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.train import SpellingRun, get_prepared, train

QUICK = BlendConfig(made_up=150, network=GateConfig(epochs=1, batch=64))
EVALUATED = ("words.evaluated=12", "words.evaluated_from=20", "words.evaluated_to=250")
World = tuple[TrainingData, FormEncoder, KnownWords]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, teacher_path: Path) -> World:
    """A trained encoder without a gate, and all it was made of."""
    overrides = [*TINY_OVERRIDES, *EVALUATED, "training.epochs=1", "words.held_out=0.1"]
    run = SpellingRun(load_recipe("dan", overrides), tmp_path_factory.mktemp("run"), teacher_path, show_progress=False)
    model = train(run)
    assert model is not None
    return get_prepared(SpellingRun(run.config, run.folder, resume=True)), model.form_encoder, model.known_words


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The words that examples are made of, and last in each list those that candidates are looked for among."""
    seen: list[list[str]] = []
    make = GateExamples.of

    def spy(
        unknown: UnknownWords, finder: gate_training.SimilarWords, known: KnownWords, trigrams: np.ndarray
    ) -> GateExamples:
        seen.extend([list(unknown.words), list(finder.words)])
        return make(unknown, finder, known, trigrams)

    monkeypatch.setattr(gate_training.GateExamples, "of", spy)
    return seen


@pytest.fixture
def few_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight pairs are kept for evaluation in place of 2,000, which the tiny world does not have."""
    monkeypatch.setattr(codespell_split, "split_pairs", partial(codespell_split.split_pairs, size=8))


def test_the_same_gate_twice(world: World) -> None:
    one, two = (learn_gate(QUICK, *world).tables for _ in range(2))
    assert one.keys() == two.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])


def test_new_words_are_hidden(world: World, shown: list[list[str]]) -> None:
    prepared, _, known = world
    learn_gate(QUICK, *world)
    misspelt, candidates, slips, _, new, candidates_of_new = shown
    hidden = {*prepared.held_out_words, *prepared.evaluated_words}
    assert len(hidden) == len(prepared.held_out_words) + 12
    assert candidates == candidates_of_new == [word for word in known.words if word not in hidden]
    assert new == [word for row, word in enumerate(prepared.held_out_words) if row % CALIBRATE_ONE_IN]
    assert not {*misspelt, *slips} & hidden.union(known.words)


@pytest.mark.usefixtures("few_are_judged")
def test_pairs_that_are_judged_stay_out_with_all_misspellings_of_their_words(
    world: World, shown: list[list[str]], tmp_path: Path
) -> None:
    path = write(tmp_path / "wrong.tsv", misspelling_text() + "xban\tban\nbanx\tban\n")
    prepared, _, known = world
    learn_gate(BlendConfig(misspellings=str(path), made_up=0, network=QUICK.network), *world)
    split = codespell_split.load_split(path, known.words)
    assert len(split.evaluation) == 8
    judged = {right for _, right in split.evaluation}
    pairs = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    hidden = {*prepared.held_out_words, *prepared.evaluated_words}
    visible = known.without(hidden)
    expected = [wrong for wrong, right in pairs if right not in judged | hidden and wrong not in known.index]
    learnt = [wrong for wrong in expected if visible.index[dict(pairs)[wrong]] % CALIBRATE_ONE_IN]
    assert shown[0] == learnt
    assert learnt


@pytest.mark.parametrize("by_ear", [False, True])
def test_frequent_words_are_misspelt_more_often(world: World, by_ear: bool) -> None:
    known = world[2]
    pairs = made_up_misspellings(BlendConfig(made_up=6000), known.words, by_ear=by_ear)
    assert {right for _, right in pairs} <= set(known.words)
    assert all(wrong for wrong, _ in pairs)
    ranks = np.array([known.index[right] for _, right in pairs])
    assert ranks.mean() < (len(known) - 1) / 2
    assert pairs == made_up_misspellings(BlendConfig(made_up=6000), known.words, by_ear=by_ear)


def test_nothing_to_learn_from_is_one_sentence(world: World) -> None:
    with pytest.raises(InputError, match=r"no misspellings to learn from; name a file or raise blend\.made_up"):
        learn_gate(BlendConfig(made_up=0), *world)


def test_a_corruption_that_does_not_exist() -> None:
    with pytest.raises(ConfigError, match="there is no corruption 'swpa'"):
        config.build(BlendConfig, {"corruptions": ["swpa"]})
