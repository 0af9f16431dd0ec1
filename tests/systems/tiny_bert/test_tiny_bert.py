from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.language_models.heads import load_with_head
from everyword.language_models.input_embeddings import single_piece_words
from everyword.language_models.language_model import LanguageModel
from everyword.systems.tiny_bert.config import TinyBertConfig, TinyBertRun
from everyword.systems.tiny_bert.masked_corpus import block_starts, load_corpus
from everyword.systems.tiny_bert.masking import hide_pieces
from everyword.systems.tiny_bert.tokenizer import END, FIRST, SPECIAL
from everyword.systems.tiny_bert.train import Training, prepare, train

TINY = TinyBertConfig(
    layers=1,
    width=16,
    heads=2,
    inner=32,
    vocabulary=120,
    length=16,
    epochs=2,
    batch=8,
    rate=1e-2,
    held_out=0.1,
    checkpoint_steps=5,
    dropout=0.1,
)


def silent(_: str) -> None:
    pass


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, path = Random(3), tmp_path_factory.mktemp("corpus") / "text.txt"
    animals, deeds = ("cat", "dog", "cow", "bird"), ("sat", "walked", "ran", "slept")
    lines = [f"The {rng.choice(animals)} {rng.choice(deeds)} on the mat, then {rng.choice(deeds)}." for _ in range(200)]
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return path


@pytest.fixture
def run(text: Path, tmp_path: Path) -> TinyBertRun:
    return TinyBertRun(TINY, tmp_path / "run", (text,), device="cpu", report=silent)


def test_blocks_begin_at_sentences_unless_one_is_too_long() -> None:
    assert block_starts(np.array([0, 3, 5, 9]), total=12, length=4).tolist() == [0, 3, 5]
    assert block_starts(np.array([0, 10]), total=14, length=4).tolist() == [0, 4, 8, 10]
    assert block_starts(np.array([0, 4, 8]), total=12, length=4).tolist() == [0, 4, 8]
    assert block_starts(np.array([0]), total=3, length=4).tolist() == []


def test_a_corpus_is_prepared_once_and_read_again(run: TinyBertRun) -> None:
    corpus = prepare(run)
    again = load_corpus(run.folder)

    assert corpus.vocabulary[: len(SPECIAL)] == list(SPECIAL)
    assert corpus.pieces.dtype == np.uint16
    np.testing.assert_array_equal(corpus.pieces, again.pieces)
    assert corpus.sha256 == again.sha256
    assert (corpus.pieces == END).sum() == 200
    words = [corpus.vocabulary[piece] for piece in corpus.pieces[:12]]
    assert words[0] == "the"
    record = json.loads((run.folder / "corpus.json").read_text())
    assert (record["sentences"], list(record["sources"])) == (200, ["text.txt"])


def test_blocks_are_the_pieces_behind_a_mark(run: TinyBertRun) -> None:
    corpus = prepare(run)
    training = Training(run, corpus)
    blocks = training._blocks(corpus.starts[:3])

    assert blocks.shape == (3, 16)
    assert (blocks[:, 0] == FIRST).all()
    for block, start in zip(blocks.tolist(), corpus.starts.tolist(), strict=False):
        assert block[1:] == corpus.pieces[start : start + 15].tolist()


def test_hidden_pieces_are_never_special_and_mostly_masked() -> None:
    ids = torch.randint(0, 50, (400, 20), generator=torch.Generator().manual_seed(1))
    ids[:, :8] = torch.arange(10, 18)
    hidden = hide_pieces(ids, 3, mask=4, first_plain=5, vocabulary=50, generator=torch.Generator().manual_seed(0))

    assert (hidden.targets == ids.gather(1, hidden.positions)).all()
    assert (hidden.targets >= 5).all()
    seen = hidden.shown.gather(1, hidden.positions)
    assert (seen == 4).float().mean().item() == pytest.approx(0.8, abs=0.05)
    assert (seen == hidden.targets).float().mean().item() == pytest.approx(0.1, abs=0.04)
    unchanged = torch.ones_like(ids, dtype=torch.bool).scatter(1, hidden.positions, False)
    assert (hidden.shown == ids)[unchanged].all()


def test_rare_pieces_are_hidden_more_often_with_weights() -> None:
    generator = torch.Generator().manual_seed(3)
    ids = torch.multinomial(torch.tensor([0.0] * 5 + [0.64, 0.32, 0.04]), 20_000 * 10, True, generator=generator)
    ids = ids.view(20_000, 10)
    counts = torch.bincount(ids.flatten(), minlength=8).float()
    weights = torch.where(counts > 0, counts.clamp_min(1) ** -0.5, 0.0)
    given = {"mask": 4, "first_plain": 5, "vocabulary": 8}

    plain = hide_pieces(ids, 1, **given, generator=torch.Generator().manual_seed(0))
    rare = hide_pieces(ids, 1, **given, generator=torch.Generator().manual_seed(0), weights=weights)

    shares = [torch.bincount(hidden.targets.flatten(), minlength=8)[5:] / counts[5:] for hidden in (plain, rare)]
    assert shares[0].tolist() == pytest.approx([0.1] * 3, abs=0.01)
    assert shares[1][2] > 2 * shares[1][0]
    assert rare.positions.shape == plain.positions.shape  # as many of all positions
    seen = rare.shown.gather(1, rare.positions)
    assert (seen == 4).float().mean().item() == pytest.approx(0.8, abs=0.01)
    single = ids[:, :2]
    drawn = hide_pieces(single, 1, **given, generator=torch.Generator().manual_seed(1), weights=weights)
    both = (single == torch.tensor([5, 7])).all(dim=1)
    expected = weights[7] / (weights[5] + weights[7])
    assert (drawn.targets[both] == 7).float().mean().item() == pytest.approx(expected.item(), abs=0.05)


def test_a_run_with_rarity_trains_and_is_another_run(run: TinyBertRun) -> None:
    corpus = prepare(run)
    plain, rare = (Training(replace(run, config=replace(TINY, rarity=power)), corpus) for power in (0.0, 0.5))
    assert plain.weights is None
    assert rare.weights is not None
    assert rare.weights[len(SPECIAL) :].sum().item() == pytest.approx(1, abs=1e-5)
    assert plain.loop.fingerprint != rare.loop.fingerprint


def weights(folder: Path) -> dict[str, Any]:
    return dict(load_with_head(folder, "MaskedLM", device="cpu")[0].state_dict())


def test_it_learns_and_transformers_loads_it(run: TinyBertRun, tmp_path: Path) -> None:
    told: list[str] = []
    run = replace(run, config=replace(TINY, epochs=12), report=told.append)
    assert train(run, tmp_path / "bert")

    network, tokenizer = load_with_head(tmp_path / "bert", "MaskedLM", device="cpu")
    assert tokenizer.tokenize("The CAT sat") == ["the", "cat", "sat"]
    assert tokenizer.model_max_length == 16
    inputs = tokenizer("the cat sat on [MASK] mat", return_tensors="pt")
    with torch.inference_mode():
        guess = network.eval()(**inputs).logits[0, 5].argmax()
    assert tokenizer.convert_ids_to_tokens(int(guess)) == "the"
    logged = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert logged[-1]["held_out_loss"] < logged[0]["held_out_loss"] / 2
    assert any(line.startswith("epoch 12: loss") for line in told)
    assert json.loads((tmp_path / "bert" / "training.json").read_text())["config"]["width"] == 16
    assert not list(tmp_path.glob(".bert*")), "nothing is left beside it"


def test_a_model_of_byte_pairs_is_a_small_roberta(run: TinyBertRun, tmp_path: Path) -> None:
    run = replace(run, config=replace(TINY, epochs=10, vocabulary=320, units="byte-pairs", saved="bfloat16"))
    assert train(run, tmp_path / "roberta")

    network, tokenizer = load_with_head(tmp_path / "roberta", "MaskedLM", device="cpu")
    assert network.config.model_type == "roberta"
    assert network.dtype == torch.bfloat16
    assert tokenizer.tokenize("The cat") == ["ĠThe", "Ġcat"], "case and blanks stay"
    inputs = tokenizer("The cat sat on <mask> mat", return_tensors="pt")
    assert tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])[-3:] == ["<mask>", "Ġmat", "</s>"]
    with torch.inference_mode():
        guess = network.eval()(**inputs).logits[0, 5].argmax()
    assert tokenizer.convert_ids_to_tokens(int(guess)) == "Ġthe"
    model = LanguageModel.load(tmp_path / "roberta", device="cpu")
    assert "cat" in single_piece_words(model)
    with pytest.raises(ConfigError, match="leave out causal=true"):
        check(TinyBertConfig(units="byte-pairs", causal=True))


def test_a_stopped_run_goes_on_to_the_same_weights(run: TinyBertRun, tmp_path: Path) -> None:
    assert train(run, tmp_path / "whole")
    stopped = replace(run, folder=tmp_path / "stopped")
    training = Training(stopped, prepare(stopped))
    for _ in islice(training.loop.steps(), 13):
        pass
    training.loop.save()
    assert train(replace(stopped, resume=True), tmp_path / "resumed")

    one, other = weights(tmp_path / "whole"), weights(tmp_path / "resumed")
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_another_configuration_is_not_resumed(run: TinyBertRun, tmp_path: Path) -> None:
    training = Training(run, prepare(run))
    training.loop.save()
    other = replace(run, config=replace(TINY, rate=1e-3), resume=True)
    with pytest.raises(InputError, match="was started with another configuration"):
        train(other, tmp_path / "bert")


def test_what_cannot_be_is_refused(run: TinyBertRun, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no prepared corpus"):
        load_corpus(tmp_path)
    (tmp_path / "short.txt").write_text("a b\n")
    with pytest.raises(InputError, match="fewer than a block of 16"):
        prepare(replace(run, texts=(tmp_path / "short.txt",)))
    (tmp_path / "short.txt").write_text("\n")
    with pytest.raises(InputError, match="holds no sentences"):
        prepare(replace(run, texts=(tmp_path / "short.txt",)))
    with pytest.raises(ConfigError) as error:
        check(TinyBertConfig(width=10, heads=4, vocabulary=70_000, masked=0, length=3, layers=0))
    assert str(error.value).count("must be") == 5
