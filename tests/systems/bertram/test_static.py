"""The static ancestors against plain loops over their formulas."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from tiny import tiny_table

from everyword.errors import ConfigError, InputError
from everyword.space.linear_map import ridge_regression
from everyword.systems.bertram import ALaCarte, AttentiveMimicking, FormContextModel, RunContext, StaticConfig
from everyword.systems.bertram.masking import MaskedSentence
from everyword.systems.bertram.static import bags_of
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

QUICK = StaticConfig(epochs=3, contexts_a_word=4)


@pytest.fixture(scope="module")
def table() -> VectorTable:
    return tiny_table()


@pytest.fixture(scope="module")
def contexts(table: VectorTable) -> dict[str, list[str]]:
    """Words stand among words that their vectors are near to."""
    rng = Random(2)
    near = table.nearest(table.matrix, 9)
    return {
        word: [
            " ".join([*rng.sample([other for other, _ in near[row] if other != word], 4), "xyzzy,", word])
            for _ in range(5)
        ]
        for row, word in enumerate(table.words)
    }


@pytest.mark.parametrize("kind", [AttentiveMimicking, FormContextModel])
def test_loss_falls_and_vectors_are_the_formula(
    kind: type[AttentiveMimicking], table: VectorTable, contexts: dict[str, list[str]], tmp_path: Path
) -> None:
    model = kind.train(table, contexts, QUICK, run=RunContext(tmp_path))
    assert model is not None

    losses = [json.loads(line)["loss"] for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert losses[-1] < losses[0]
    word, sentences = "newword", ["Ban newword dan", "newword baner, DANING dan"]
    bags = [["ban", "dan"], ["baner", "daning", "dan"]]
    means = np.stack([np.mean([table[other] for other in bag], axis=0) for bag in bags])
    network = model.network
    if kind is FormContextModel:
        pooled = np.mean([table[other] for bag in bags for other in bag], axis=0)
    else:
        assert network.attention is not None
        projected = means @ network.attention.weight.detach().numpy().T + network.attention.bias.detach().numpy()
        scores = (projected @ projected.T).sum(axis=1)
        assert abs(scores.sum()) > 0.1 * np.abs(scores).sum()
        pooled = (scores / scores.sum()) @ means
    assert network.gate is not None
    with torch.no_grad():
        form, context = network.form([word])[0], torch.from_numpy(pooled.astype(np.float32))
        share = torch.sigmoid(network.gate(torch.cat([form, context])))
        expected = share * network.to_space(context) + (1 - share) * form
        np.testing.assert_allclose(model.infer(word, sentences), expected.numpy(), rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(model.infer(word), form.numpy())
        np.testing.assert_array_equal(model.infer(word, ["only newword xyzzy"]), form.numpy())


def test_a_la_carte_is_the_ridge_map_of_the_mean_word(table: VectorTable, contexts: dict[str, list[str]]) -> None:
    model = ALaCarte.train(table, contexts)

    means = [
        np.mean([table[other] for text in texts for other in text.split()[:4]], axis=0) for texts in contexts.values()
    ]
    means_of_all = np.stack(means).astype(np.float32)
    matrix, offset, _ = ridge_regression(unit_rows(means_of_all), unit_rows(table.matrix))
    expected = unit_rows(unit_rows(means_of_all) @ matrix + offset)
    np.testing.assert_allclose(unit_rows(model.infer(contexts)), expected, atol=1e-4)
    assert (unit_rows(model.infer(contexts)) * unit_rows(table.matrix)).sum(axis=1).mean() > 0.8
    assert not model.infer("newword").any()
    assert model.infer({"a": [], "b": ["b ban"]}).shape == (2, table.dim)


def test_the_word_itself_and_unknown_words_do_not_count(table: VectorTable) -> None:
    bags = bags_of(table, [MaskedSentence("  ban xyzzy", 0), MaskedSentence("xyzzy", 0)])

    assert bags.sizes.tolist() == [1]
    np.testing.assert_array_equal(bags.means[0], table["ban"])


def test_a_stopped_training_goes_on(table: VectorTable, contexts: dict[str, list[str]], tmp_path: Path) -> None:
    whole = AttentiveMimicking.train(table, contexts, QUICK)
    AttentiveMimicking.train(table, contexts, QUICK, run=RunContext(tmp_path))

    again = AttentiveMimicking.train(table, contexts, QUICK, run=RunContext(tmp_path, resume=True))

    assert whole is not None
    assert again is not None
    np.testing.assert_array_equal(again.infer(contexts), whole.infer(contexts))


def test_what_cannot_be_learnt_from(table: VectorTable) -> None:
    with pytest.raises(InputError, match="None of 1 words has both a vector in the table and a sentence"):
        FormContextModel.train(table, {"xyzzy": ["a xyzzy"]})
    with pytest.raises(InputError, match=r"A La Carte needs at least 20 words with contexts. Got 1 instead"):
        ALaCarte.train(table, {"ban": ["ban dan"]})
    with pytest.raises(ConfigError, match=r"epochs must be 0 or more. Got -1 instead"):
        AttentiveMimicking.train(table, {"ban": ["ban dan"]}, StaticConfig(epochs=-1))
