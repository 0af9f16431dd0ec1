"""Encoders that see a word as a bag: BoS, KVQ, self-attention, DAN; and the CNN, which sees windows."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from everyword import config, registry
from everyword.errors import ConfigError
from everyword.models.forward.kvq import ROLES, shared_rows
from everyword.systems.spelling.encoders.bos import BagOfSubstrings, BagOfSubstringsConfig
from everyword.systems.spelling.encoders.cnn import Cnn, CnnConfig
from everyword.systems.spelling.encoders.dan import DeepAveraging, DeepAveragingConfig
from everyword.systems.spelling.encoders.kvq import KeyValueQuery, KeyValueQueryConfig
from everyword.systems.spelling.encoders.transformer import Transformer, TransformerConfig
from everyword.text.units import PAD, UNK

BAGS = ["bos.v1", "kvq.v1", "self-attention.v1", "dan.v1"]
IDS = torch.tensor([[5, 9, 9, 3], [7, 8, PAD, PAD]])


def test_bos_is_the_mean_with_repeats_counted() -> None:
    encoder = BagOfSubstrings(20, 6, BagOfSubstringsConfig(initial_scale=1.0))
    rows = encoder.units.embedding.weight
    expected = torch.stack([(rows[5] + 2 * rows[9] + rows[3]) / 4, (rows[7] + rows[8]) / 2])
    torch.testing.assert_close(encoder(IDS), expected)


def test_bos_can_start_at_zero() -> None:
    encoder = BagOfSubstrings(20, 6, BagOfSubstringsConfig(initial_scale=0.0))
    assert not encoder(IDS).any()


@pytest.mark.parametrize("blocks", [1, 2])
def test_dan_is_its_formula_word_by_word(blocks: int) -> None:
    encoder = DeepAveraging(20, 6, DeepAveragingConfig(width=5, hidden=7, blocks=blocks, initial_scale=1.0))
    rows = encoder.units.embedding.weight
    for ids, output in zip(IDS, encoder(IDS), strict=True):
        mean = 8 * rows[ids[ids != PAD]].mean(dim=0)
        expected = encoder.straight(mean) + encoder.outer(encoder.inner(mean).relu())
        if blocks == 2:
            expected = expected + encoder.second_outer(encoder.second_inner(expected).relu())
        torch.testing.assert_close(output, expected)


def test_dan_leaves_units_out_in_training_only() -> None:
    encoder = DeepAveraging(20, 6, DeepAveragingConfig(dropout=0.5, initial_scale=1.0))
    torch.manual_seed(0)
    ids = torch.arange(2, 20).repeat(50, 1)
    assert len(torch.unique(encoder(ids).detach(), dim=0)) > 40
    assert torch.equal(encoder.eval()(ids), encoder(ids))


def test_only_the_rows_of_the_batch_get_a_gradient_from_dan() -> None:
    encoder = DeepAveraging(20, 6)
    encoder(IDS).sum().backward()
    gradient = encoder.units.embedding.weight.grad
    assert gradient.is_sparse
    assert gradient.to_dense().abs().sum(dim=1).nonzero().flatten().tolist() == [3, 5, 7, 8, 9]


def test_kvq_is_its_formula_word_by_word() -> None:
    dim, rows = 6, 50
    encoder = KeyValueQuery(20, dim, KeyValueQueryConfig(rows=rows, initial_scale=1.0)).eval()
    table = encoder.units.embedding.weight.detach().numpy()
    for ids, output in zip(IDS.numpy(), encoder(IDS).detach().numpy(), strict=True):
        present = ids[ids != PAD]
        key, value, query = (table[shared_rows(present, role, rows)] for role in ROLES)
        weights = np.exp(np.sqrt(dim) * query.sum(axis=0) * key)
        weights /= weights.sum(axis=0)
        np.testing.assert_allclose(output, (weights * value).sum(axis=0), rtol=1e-4, atol=1e-5)


def test_kvq_weights_each_dimension_for_itself() -> None:
    encoder = KeyValueQuery(300, 8, KeyValueQueryConfig(rows=1000, initial_scale=3.0)).eval()
    ids = torch.tensor([[10, 11, 12]])
    value = encoder.units(encoder.rows[ids])[0, :, 1]
    nearest = (encoder(ids) - value).abs().argmin(dim=0)
    assert len(set(nearest.tolist())) > 1


def test_the_three_hashes_use_the_whole_table_and_are_independent() -> None:
    rows, ids = 40_000, np.arange(2, 300_000)
    key, value, query = (shared_rows(ids, role, rows) for role in ROLES)
    for role in (key, value, query):
        assert role.min() > UNK
        assert role.max() < UNK + 1 + rows
        assert len(np.unique(role)) > 0.99 * rows
    for one, other in ((key, value), (key, query), (value, query)):
        together = np.unique(one * rows + other, return_counts=True)[1]
        assert (together * (together - 1) // 2).sum() < 1_000  # of 10⁶ pairs that share one role; chance gives 28


def test_the_published_second_multiplier_would_use_a_small_part_of_the_table() -> None:
    from everyword.text.hashing import PRIME, fnv1a_of_numbers

    hashes = fnv1a_of_numbers(np.arange(100_000), PRIME + 1)
    assert not (hashes % 4).any()


def test_padding_and_the_unknown_unit_keep_their_rows() -> None:
    for role in ROLES:
        assert shared_rows(np.array([PAD, UNK]), role, 10).tolist() == [PAD, UNK]


def test_kvq_has_as_many_parameters_as_rows_whatever_the_number_of_ngrams() -> None:
    few, many = (KeyValueQuery(size, 8, KeyValueQueryConfig(rows=100)) for size in (50, 50_000))
    assert few.parameter_count() == many.parameter_count() == 102 * 8
    assert list(few.state_dict()) == ["units.embedding.weight"]


@pytest.mark.parametrize("name", BAGS)
def test_a_bag_has_no_order(name: str) -> None:
    kind = registry.encoders.get(name)
    encoder = kind(20, 6, kind.Config(initial_scale=1.0)).eval()
    ids = torch.tensor([[5, 9, 4, 3]])
    torch.testing.assert_close(encoder(ids), encoder(ids[:, [2, 0, 3, 1]]), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", [name for name in registry.encoders if name not in BAGS])
def test_all_others_see_an_order(name: str) -> None:
    kind = registry.encoders.get(name)
    torch.manual_seed(0)
    encoder = kind(20, 6, kind.Config(initial_scale=1.0)).eval()
    ids = torch.tensor([[5, 9, 4, 3]])
    assert not torch.allclose(encoder(ids), encoder(ids[:, [2, 0, 3, 1]]), atol=1e-3)


def test_all_filters_are_parameters_and_are_moved_by_training() -> None:
    encoder = Cnn(30, 6, CnnConfig(widths=(2, 3), filters=5))
    filters = [name for name, _ in encoder.named_parameters() if name.startswith("convolutions")]
    assert filters == [f"convolutions.{place}.{kind}" for place in (0, 1) for kind in ("weight", "bias")]


def test_a_cnn_finds_a_pattern_wherever_it_stands() -> None:
    encoder = Cnn(30, 6, CnnConfig(initial_scale=1.0)).eval()
    with torch.no_grad():
        encoder.convolutions[0].weight.zero_()
        encoder.convolutions[0].weight[:, :, 1] = torch.eye(6)  # each filter looks at one dimension of one unit
    one, other = encoder(torch.tensor([[5, 6, 7, 8], [8, 7, 6, 5]]))
    torch.testing.assert_close(one, other)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (CnnConfig, {"widths": []}),
        (CnnConfig, {"widths": [3, 3]}),
        (TransformerConfig, {"width": 10, "heads": 3}),
        (TransformerConfig, {"layers": 0}),
        (KeyValueQueryConfig, {"rows": 0}),
        (DeepAveragingConfig, {"hidden": 0}),
        (DeepAveragingConfig, {"blocks": 3}),
        (DeepAveragingConfig, {"dropout": 1.0}),
    ],
)
def test_sizes_that_cannot_be_are_refused(kind: type, options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        config.build(kind, options)


def test_the_transformer_has_about_the_parameters_of_love() -> None:
    love = registry.encoders.get("pam-stacked.v1")(21_000, 100).parameter_count()
    assert Transformer(21_000, 100).parameter_count() == pytest.approx(love, rel=0.05)
