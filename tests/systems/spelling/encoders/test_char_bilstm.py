"""MIMICK and Reconstruction: sizes, heads, and what the heads can and cannot say."""

from __future__ import annotations

import pytest
import torch

from everyword.systems.spelling.encoders.char_bilstm import CharBiLstm, CharBiLstmConfig

IDS = torch.randint(2, 40, (200, 7), generator=torch.Generator().manual_seed(0))


def make(dim: int = 12, **options: object) -> CharBiLstm:
    torch.manual_seed(0)
    return CharBiLstm(40, dim, CharBiLstmConfig(**options)).eval()


def test_stratos_sizes() -> None:
    # d = 100 and 93 characters; the paper's LSTM has one bias a gate, torch's has two that add up.
    encoder = CharBiLstm(93, 100)
    sizes = {name: sum(p.numel() for p in part.parameters()) for name, part in encoder.named_children()}
    second_biases = 2 * 4 * 100
    assert sizes == {"units": 9_300, "lstm": 160_800 + second_biases, "out": 20_100, "second": 10_100, "dropout": 0}


def test_mimick_sizes() -> None:
    encoder = CharBiLstm(93, 64, CharBiLstmConfig(char_dim=20, hidden=50, head="mlp"))
    assert encoder.out.weight.shape == (64, 100)
    assert encoder.second.weight.shape == (64, 64)
    assert encoder.units.embedding.weight.shape == (93, 20)


@pytest.mark.parametrize(("bias", "same_as"), [(-20.0, "linear"), (20.0, "relu")])
def test_a_highway_can_be_all_linear_or_all_rectified(bias: float, same_as: str) -> None:
    highway, other = make(head="highway"), make(head=same_as)
    other.load_state_dict({name: weight for name, weight in highway.state_dict().items() if "second" not in name})
    torch.nn.init.constant_(highway.second.bias, bias)
    torch.testing.assert_close(highway(IDS), other(IDS), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("head", "negative"), [("relu", False), ("highway", True), ("linear", True), ("mlp", True)])
def test_only_the_rectified_student_has_no_negative_cosine(head: str, negative: bool) -> None:
    outputs = torch.nn.functional.normalize(make(head=head)(IDS).detach(), dim=1)
    if negative:
        assert float(outputs.min()) < 0
    else:
        assert float((outputs @ outputs.T).min()) >= 0


def test_both_directions_end_at_the_end_of_the_word() -> None:
    """The forward state is that after the last character, the backward one that after the first."""
    encoder = make(head="linear")
    units = encoder.units(IDS[:1, :5])
    states, _ = encoder.lstm(units)
    hidden = encoder.lstm.hidden_size
    ends = torch.cat([states[:, -1, :hidden], states[:, 0, hidden:]], dim=1)
    padded = torch.cat([IDS[:1, :5], torch.zeros(1, 9, dtype=torch.int64)], dim=1)
    torch.testing.assert_close(encoder(padded), encoder.out(ends), rtol=1e-5, atol=1e-6)


def test_words_that_are_turned_round_end_in_the_same_states_as_packed_ones() -> None:
    """What a GPU computes, which does not pack words: the same states and the same gradients."""
    encoder, lengths = make(head="linear"), torch.tensor([7, 1, 3, 7, 5])
    ids = IDS[:5].masked_fill(torch.arange(7) >= lengths[:, None], 0)
    found = []
    for read in (encoder._read_packed, encoder._read_turned):
        encoder.zero_grad()
        ends = read(encoder.units(ids), lengths)
        ends.square().sum().backward()
        found.append([ends.detach(), *(weights.grad.clone() for weights in encoder.lstm.parameters())])
    for packed, turned in zip(*found, strict=True):
        torch.testing.assert_close(turned, packed, rtol=1e-4, atol=1e-6)


def test_order_matters() -> None:
    encoder = make()
    assert not torch.allclose(encoder(IDS), encoder(IDS.flip(1)), atol=1e-3)


def test_recurrent_weights_start_orthogonal() -> None:
    gate = make().lstm.weight_hh_l0_reverse[:12]
    torch.testing.assert_close(gate @ gate.T, torch.eye(12), rtol=1e-4, atol=1e-5)
