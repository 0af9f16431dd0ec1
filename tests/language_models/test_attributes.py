from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from torch import nn

from everyword.corpus.lexicons.attributes import AttributeLexicon
from everyword.errors import InputError
from everyword.language_models.attribute_vectors import SavedAttributes
from everyword.language_models.attributes import AttributeEmbedding, AttributeTable, attribute_loss, folded

WORDS = ["[PAD]", "cat", "dog", "lion", "stone"]
LEXICON = AttributeLexicon({"cat": ("animal", "pet"), "dog": ("animal", "pet"), "lion": ("animal", "wild")})


@pytest.fixture
def layer() -> AttributeEmbedding:
    torch.manual_seed(0)
    own = nn.Embedding(len(WORDS), 4, padding_idx=0)
    return AttributeEmbedding(own, AttributeTable.collect(WORDS, LEXICON.of), seed=1)


def test_attributes_of_a_vocabulary_and_of_other_words() -> None:
    table = AttributeTable.collect(WORDS, LEXICON.of)
    assert table.names == ["animal", "pet", "wild"]
    assert table.ids.tolist() == [[0, 0], [1, 2], [1, 2], [1, 3], [0, 0]]

    shared = AttributeTable.collect(WORDS, LEXICON.of, min_words=2)
    assert shared.names == ["animal", "pet"]
    assert shared.ids[3].tolist() == [1, 0]
    assert shared.of(["tiger", "rock"], lambda word: ["wild", "animal"] if word == "tiger" else []).tolist() == [
        [1],
        [0],
    ]


def test_a_word_without_attributes_keeps_its_vector(layer: AttributeEmbedding) -> None:
    assert torch.equal(layer(torch.tensor([4])), layer.weight[4:5])


def test_words_with_equal_attributes_differ_by_their_own_vectors(layer: AttributeEmbedding) -> None:
    cat, dog = layer(torch.tensor([[1, 2]]))[0]
    assert torch.allclose(cat - dog, layer.weight[1] - layer.weight[2], atol=1e-6)
    mean = (layer.attributes[1] + layer.attributes[2]) / 2
    assert torch.allclose(cat, layer.weight[1] + mean, atol=1e-6)


def test_a_word_that_only_the_lexicon_knows_is_the_mean_of_its_attributes(layer: AttributeEmbedding) -> None:
    layer.add_words(np.array([[2, 3, 0], [1, 2, 3]]))
    found = layer(torch.tensor([[5, 6, 1]]))[0]
    assert torch.allclose(found[0], layer.attributes[2:4].mean(dim=0), atol=1e-6)
    assert torch.allclose(found[1], layer.attributes[1:4].mean(dim=0), atol=1e-6)
    assert torch.allclose(found[2], layer.weight[1] + layer.attributes[1:3].mean(dim=0), atol=1e-6)


def test_the_loss_is_that_of_a_hand_computation() -> None:
    logits = torch.tensor([[0.0, 2.0, -1.0], [1.0, 0.0, 3.0]])
    ids = torch.tensor([[1, 3], [0, 0]])  # the first state has attributes 1 and 3, the second none

    def log_chance(logit: float, right: bool) -> float:
        return math.log(1 / (1 + math.exp(-logit if right else logit)))

    first = log_chance(0.0, True) + log_chance(2.0, False) + log_chance(-1.0, True)
    second = log_chance(1.0, False) + log_chance(0.0, False) + log_chance(3.0, False)
    assert attribute_loss(logits, ids).item() == pytest.approx(-(first / 3 + second / 3) / 2, abs=1e-6)


def test_every_parameter_learns_and_no_vector_of_no_attribute_does(layer: AttributeEmbedding) -> None:
    states = layer(torch.tensor([1, 2, 3, 4]))
    loss = attribute_loss(layer.logits(states), layer.ids[torch.tensor([1, 2, 3, 4])])
    (loss + states.square().sum()).backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in layer.parameters())
    assert layer.attributes.grad is not None
    assert layer.attributes.grad[0].abs().sum() == 0


@pytest.mark.parametrize("embed", [True, False])
def test_a_folded_model_is_a_plain_one(embed: bool, tmp_path: Path) -> None:
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    network = transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=len(WORDS), **shape)).eval()
    own = network.get_input_embeddings()
    layer = AttributeEmbedding(own, AttributeTable.collect(WORDS, LEXICON.of), embed=embed)
    network.set_input_embeddings(layer)
    torch.nn.init.normal_(layer.attributes)
    torch.nn.init.normal_(network.cls.predictions.bias)

    plain = folded(network)
    plain.save_pretrained(tmp_path)
    loaded = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path).eval()
    ids = torch.tensor([[1, 4, 3]])
    with torch.inference_mode():
        expected = network(input_ids=ids).logits
        assert torch.allclose(loaded(input_ids=ids).logits, expected, atol=1e-5)
    assert network.get_input_embeddings() is layer, "the network that is trained on stays as it is"


def test_saved_attributes_give_vectors_to_words_of_the_lexicon(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="has no vectors of attributes"):
        SavedAttributes.load(tmp_path)
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    SavedAttributes(["animal", "pet", "wild"], vectors, LEXICON, inflected=True).save(tmp_path)

    saved = SavedAttributes.load(tmp_path)
    cats, lion, rock = saved.vectors_of(["Cats", "lion", "rock"])
    np.testing.assert_allclose(cats, [1, 2])
    np.testing.assert_allclose(lion, [2, 3])
    assert rock is None

    (tmp_path / "attributes.safetensors").write_bytes(b"no tensors")
    with pytest.raises(InputError, match="is damaged"):
        SavedAttributes.load(tmp_path)
