from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from made import SQUARE, toy_model

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.context_models import ContextModel, mean_of_context_words
from everyword.evaluation.probes.cloze.entries import PATTERNS, Entry, phrases
from everyword.evaluation.probes.cloze.scoring import EntryRanks, answerable_words, ask_model, ask_table, cells
from everyword.language_models.heads import load_with_head


def entry(keyword: str, *targets: str, relation: str = "cohyponym", band: str = "rare") -> Entry:
    return Entry("test", relation, band, keyword, 0, targets)


def test_phrases_have_articles_and_end_marks() -> None:
    assert phrases("hypernym", "apple", "[MASK]")[2:4] == ["an apple is a [MASK].", "an apple is an [MASK]."]
    assert phrases("hypernym", "pear", "_")[-1] == "a pear is a kind of _."
    assert phrases("corruption", "paer", "<mask>")[1] == '" paer " . did you mean " <mask> " ?'
    assert {relation: len(listed) for relation, listed in PATTERNS.items()} == {
        "antonym": 5,
        "hypernym": 8,
        "cohyponym": 2,
        "corruption": 2,
    }


def test_reciprocal_ranks_by_hand() -> None:
    asked = [
        EntryRanks(entry("a", "x"), (1, 4)),
        EntryRanks(entry("b", "x"), (101, 2)),
        EntryRanks(entry("c", "x"), ()),
        EntryRanks(entry("d", "x", relation="antonym", band="medium"), (2, 2)),
    ]
    found = {(cell.relation, cell.band): cell for cell in cells(asked)}

    rare = found["cohyponym", "rare"]
    assert (rare.n, rare.answerable) == (3, 2)
    assert rare.best == pytest.approx(100 * (1 + 0.5 + 0) / 3)
    assert rare.mean == pytest.approx(100 * (0.625 + 0.25 + 0) / 3)
    assert found["all", "rare"].best == rare.best
    assert found["antonym", "medium"].best == found["all", "medium"].mean == 50
    assert len(found) == 4


def test_the_nearest_known_words_answer_for_a_table() -> None:
    model = toy_model(SQUARE)
    asked = ask_table(
        model, [entry("king", "man", "zzz"), entry("king", "king"), entry("zzz", "man"), entry("king", "zzz")]
    )

    # Nearest to king but king itself: man, then queen.
    rank = 1 + sum(
        bool(model.units(["king"]) @ model.units([word])[0] > model.units(["king"]) @ model.units(["man"])[0])
        for word in SQUARE
        if word != "king"
    )
    assert asked[0].ranks == (rank,)
    assert asked[2].ranks == (6,), "a keyword without a vector finds everything last"
    assert asked[3].ranks == ()
    with pytest.raises(NoScoreError, match="No target of the probe is among the 6 candidates of toy"):
        ask_table(model, [entry("king", "zzz")])


def test_sentences_are_given_to_what_reads_them() -> None:
    base = toy_model(SQUARE)
    model = ContextModel(base, "context", mean_of_context_words(base))

    assert ask_table(model, [entry("quing", "king")], {"quing": ["a king"]})[0].ranks == (1,)


@pytest.fixture(scope="module")
def masked(tiny_masked_bert_folder: Path) -> tuple[Any, Any]:
    network, tokenizer = load_with_head(tiny_masked_bert_folder, "MaskedLM", device="cpu")
    return network.eval(), tokenizer


def test_ranks_are_those_of_the_logits_at_the_mask(masked: tuple[Any, Any]) -> None:
    network, tokenizer = masked
    entries = [entry("dog", "cat", "mat"), entry("dog", "zzz"), entry("walking", "city", relation="hypernym")]
    asked = ask_model(network, tokenizer, entries)

    assert [len(one.ranks) for one in asked] == [2, 0, 8]
    text = "dog and [MASK]."
    ids = tokenizer(text, return_tensors="pt")
    place = ids["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.inference_mode():
        logits = network(**ids).logits[0, place]
    best = max(logits[tokenizer.convert_tokens_to_ids(word)] for word in ("cat", "mat"))
    assert 1 + int((logits > best).sum()) in asked[0].ranks
    assert {"cat", "city"} <= answerable_words(tokenizer)
    assert not any(word.startswith("##") for word in answerable_words(tokenizer))


def test_a_perfect_predictor_has_100_and_one_that_is_second_50(masked: tuple[Any, Any]) -> None:
    _, tokenizer = masked
    cat, dog = tokenizer.convert_tokens_to_ids(["cat", "dog"])

    class Always(torch.nn.Module):
        device = torch.device("cpu")

        def forward(self, input_ids: torch.Tensor, **_: Any) -> SimpleNamespace:
            logits = torch.zeros(*input_ids.shape, len(tokenizer))
            logits[..., cat], logits[..., dog] = 2, 1
            return SimpleNamespace(logits=logits)

    for target, score in (("cat", 100), ("dog", 50)):
        [cell, _] = cells(ask_model(Always(), tokenizer, [entry("new", target)]))
        assert (cell.best, cell.mean) == (score, score)


def test_a_model_without_a_mask_is_refused() -> None:
    with pytest.raises(InputError, match="The tokenizer has no mask"):
        ask_model(None, SimpleNamespace(mask_token=None), [entry("a", "b")])


def test_a_model_without_a_head_is_refused(tiny_bert_folder: Path) -> None:
    with pytest.raises(InputError, match=r"lack \d parts of the model \(cls.predictions"):
        load_with_head(tiny_bert_folder, "MaskedLM", device="cpu")
    assert np.isfinite(
        load_with_head(tiny_bert_folder, "MaskedLM", device="cpu", new_head=3)[0].cls.predictions.bias.sum().item()
    )
