from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch
from tiny import DIM, tiny_table

from everyword.config import build
from everyword.errors import ConfigError
from everyword.models.blend.blender import Blender, signs_of_certainty
from everyword.models.blend.reading_gate import misfits
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.retrieval.similar_words import MOST, SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords
from everyword.systems.spelling.gate_network import (
    UNKNOWN_WORD,
    GateConfig,
    GateExamples,
    GateNetwork,
    UnknownWords,
    assemble_gate,
    calibrate,
    cosines,
    train_gate,
    trigram_logarithms,
)
from everyword.text.corruption import swap
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.stored import StoredMatrix

TABLE = tiny_table()
TRIGRAMS = trigram_logarithms(SpeltWords.of(TABLE.words))
KNOWN = KnownWords(TABLE.words, StoredMatrix.pack(TABLE.matrix, "float32"))
CONFIG = GateConfig(hidden=16, form_hidden=8, epochs=30, batch=32, learning_rate=0.02)


def swapped_words() -> tuple[list[str], np.ndarray]:
    """Words with two letters swapped, and the rows of what was meant."""
    typos = {swap(word, Random(row)): row for row, word in enumerate(TABLE.words)}
    typos = {typo: row for typo, row in typos.items() if typo not in TABLE}
    return list(typos), np.array(list(typos.values()))


def noise(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)


@pytest.fixture(scope="module")
def finder() -> SimilarWords:
    return SimilarWords(TABLE.words)


@pytest.fixture(scope="module")
def kinds(finder: SimilarWords) -> list[GateExamples]:
    """Misspellings, of which the form knows nothing, and new words, of which it knows all."""
    typos, right = swapped_words()
    new = ["".join(Random(seed).choices("vwxyz", k=7)) for seed in range(100)]
    meant = noise(len(new), 1)
    return [
        GateExamples.of(UnknownWords(typos, noise(len(typos), 0), TABLE.matrix[right], right), finder, KNOWN, TRIGRAMS),
        GateExamples.of(UnknownWords(new, meant, meant), finder, KNOWN, TRIGRAMS),
    ]


@pytest.fixture(scope="module")
def network(kinds: list[GateExamples]) -> GateNetwork:
    return train_gate(kinds[:1], [1.0], kinds[1], CONFIG)


def test_it_learns_when_to_trust_a_word_and_when_the_spelling(kinds: list[GateExamples], network: GateNetwork) -> None:
    with torch.no_grad():
        of_typos, of_new = map(network, kinds)
        for_typos, for_new = of_typos.shares().numpy(), of_new.shares().numpy()
    _, right = swapped_words()
    share_of_right = (for_typos[:, :-1] * (kinds[0].rows.numpy() == right[:, None])).sum(axis=1)
    assert share_of_right.mean() > 0.8
    assert (share_of_right > for_typos[:, -1]).mean() > 0.95
    assert for_new[:, -1].mean() > 0.8
    assert (of_typos.sign > 0).float().mean() > 0.95
    assert (of_new.sign < 0).float().mean() > 0.95


def test_the_same_seed_gives_the_same_gate(kinds: list[GateExamples], network: GateNetwork) -> None:
    again, other = (
        train_gate(kinds[:1], [1.0], kinds[1], GateConfig(**vars(CONFIG) | {"seed": seed})) for seed in (0, 1)
    )
    assert all(np.array_equal(table, again.fold()[name]) for name, table in network.fold().items())
    assert not np.array_equal(network.fold()["score"], other.fold()["score"])


def test_examples_say_which_places_hold_a_candidate(finder: SimilarWords) -> None:
    words = ["bna", "zzzzzzzz"]
    unknown, pairs = UnknownWords(words, noise(2, 0), noise(2, 1)), finder.find(SpeltWords.of(words))
    examples = GateExamples.of(unknown, finder, KNOWN, TRIGRAMS)
    assert examples.present.sum(dim=1).tolist() == np.bincount(pairs.query, minlength=2).tolist()
    assert examples.rows[examples.present].tolist() == pairs.row.tolist()
    assert examples.right.tolist() == [UNKNOWN_WORD] * 2
    assert len(examples.take(torch.tensor([1]))) == 1


def test_the_cosine_of_a_blend_is_that_of_its_vector(finder: SimilarWords) -> None:
    words = ["bna", "zzzzzzzz", "grelons"]
    form, targets = noise(3, 0), noise(3, 1)
    examples = GateExamples.of(UnknownWords(words, form, targets), finder, KNOWN, TRIGRAMS)
    shares = torch.rand(3, MOST + 1).softmax(dim=1)
    sources = unit_rows(TABLE.matrix)[examples.rows.numpy()]
    sources = np.concatenate([sources, unit_rows(form)[:, None]], axis=1)
    blended = unit_rows(np.einsum("nk,nkd->nd", shares.numpy(), sources))
    expected = (blended * unit_rows(targets)).sum(axis=1)
    np.testing.assert_allclose(cosines(shares, examples).numpy(), expected, atol=2e-3)


def test_confidence_is_right_on_the_average(tiny_dan_model: Model, network: GateNetwork) -> None:
    typos, right = swapped_words()
    known = tiny_dan_model.known_words.without(typos)
    blender = Blender(known, tiny_dan_model.form_encoder, assemble_gate(network, TRIGRAMS, {}))
    targets = np.where(np.arange(len(typos))[:, None] % 3 > 0, TABLE.matrix[right], noise(len(typos), 7))
    gate = assemble_gate(network, TRIGRAMS, calibrate(blender, typos, targets, CONFIG))
    assert misfits(gate.tables) == []
    mixture = blender.mix(typos)
    true = (unit_rows(mixture.blended) * unit_rows(targets)).sum(axis=1)
    assert gate.confidence(signs_of_certainty(mixture)).mean() == pytest.approx(true.mean(), abs=0.03)


def test_sizes_that_cannot_be_are_all_named() -> None:
    with pytest.raises(ConfigError, match=r"(?s)hidden must be 1 or more. Got 0.*epochs must be 1 or more. Got -1"):
        build(GateConfig, {"hidden": 0, "epochs": -1})
