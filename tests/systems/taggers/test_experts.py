"""Acceptance tests of the entity task and the mixture of entity experts (Liu, Winata and Fung 2020)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from everyword.arrays import FloatArray
from everyword.corpus.labelled.bio import first_break
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import ConfigError, InputError
from everyword.learning.experts import EntityExperts, categories, category
from everyword.learning.pruning import sparsity_of
from everyword.learning.sources import TableSource
from everyword.learning.word_vectors import WordVectors
from everyword.space.combination import CombinerConfig
from everyword.systems.taggers.bilstm import EntityHeads, Tagger
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.meta_attention import SourceInput
from everyword.systems.taggers.saved import load_tagger, save_tagger, tag_texts
from everyword.systems.taggers.tagger import SequenceTagger
from everyword.systems.taggers.train import TrainedTagger, train_tagger
from everyword.vectors.table import VectorTable

TAGS = ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]
HEADS = EntityHeads((1, 2, 1, 2, 0), experts=6, entity_task=True)
FIRST = ["Ada", "Bob", "Eve", "Ian", "Zoe"]
LAST = ["Rivers", "Stone", "Winter", "Lake"]
PLACES = ["Paris", "Ghent", "Turin", "Basel"]
WORDS = [*FIRST, *LAST, *PLACES, "lives", "in", "sees", "."]
ROWS = torch.tensor([[1, 2, 3], [3, 1, 0]])
LENGTHS = torch.tensor([3, 2])


def vectors(words: object) -> FloatArray:
    return np.random.default_rng(0).normal(size=(len(words), 4)).astype(np.float32)  # type: ignore[arg-type]


def network(entities: EntityHeads | None = HEADS) -> Tagger:
    torch.manual_seed(0)
    words = WordVectors(vectors, 4)
    words.rows([["a", "b", "c"]])
    read = SourceInput(words, (4,), CombinerConfig(kind="concatenation"))
    return Tagger(read, len(TAGS), hidden=8, dropout=0.0, crf=True, entities=entities).eval()


def test_labels_of_both_tasks_come_from_the_tags() -> None:
    assert categories(TAGS) == ["O", "LOC", "PER"]
    assert [int(category(tag) != "O") for tag in ("B-PER", "I-PER", "O")] == [1, 1, 0]


def test_weights_of_experts_add_up_to_one_and_one_expert_alone_is_its_own_layer() -> None:
    experts = EntityExperts(5, 3, 4)
    states = torch.randn(2, 7, 5, generator=torch.Generator().manual_seed(0))

    _, scores = experts(states)
    torch.testing.assert_close(F.softmax(scores, dim=-1).sum(dim=-1), torch.ones(2, 7))

    with torch.no_grad():
        experts.gate.weight.zero_()
        experts.gate.bias.copy_(torch.tensor([-50.0, -50.0, 50.0, -50.0]))
    alone = F.linear(states, experts.experts.weight[6:9], experts.experts.bias[6:9])
    torch.testing.assert_close(experts(states)[0], alone)


def test_equal_experts_are_one_linear_layer() -> None:
    experts = EntityExperts(5, 3, 2)
    with torch.no_grad():
        experts.experts.weight[3:] = experts.experts.weight[:3]
        experts.experts.bias[3:] = experts.experts.bias[:3]
    states = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))

    torch.testing.assert_close(
        experts(states)[0], F.linear(states, experts.experts.weight[:3], experts.experts.bias[:3])
    )


@pytest.mark.parametrize(
    ("heads", "parts"),
    [
        (None, set()),
        (EntityHeads(HEADS.categories, experts=6), {"experts"}),
        (EntityHeads(HEADS.categories, entity_task=True), {"entity_task"}),
        (HEADS, {"experts", "entity_task"}),
    ],
)
def test_each_part_adds_its_loss(heads: EntityHeads | None, parts: set[str]) -> None:
    tagger, tags = network(heads), torch.tensor([[1, 3, 4], [0, 2, 0]])

    tagger.loss(ROWS, LENGTHS, tags).backward()  # type: ignore[no-untyped-call]

    trained = {name.partition(".")[0] for name, weight in tagger.named_parameters() if weight.grad is not None}
    assert trained >= {"lstm", "crf", "output"} | parts
    assert all(weight.grad is not None for weight in tagger.parameters())


def test_the_gate_is_supervised_through_the_encoder() -> None:
    tagger = network(EntityHeads(HEADS.categories, experts=6))
    states = tagger.states(ROWS, LENGTHS)
    assert tagger.experts is not None

    F.cross_entropy(tagger.experts(states)[1][0], torch.tensor([2, 2, 0])).backward()  # type: ignore[no-untyped-call]

    assert all(weight.grad is not None for weight in tagger.lstm.parameters())
    torch.testing.assert_close(tagger.gate(ROWS, LENGTHS).sum(dim=-1)[0], torch.ones(3))


def sentences(name: str, seed: int, count: int = 60) -> TaggedSentences:
    rng = np.random.default_rng(seed)
    tokens, tags = [], []
    for _ in range(count):
        first, last, place = (str(rng.choice(options)) for options in (FIRST, LAST, PLACES))
        if rng.random() < 0.5:
            tokens.append((first, last, "lives", "in", place, "."))
            tags.append(("B-PER", "I-PER", "O", "O", "B-LOC", "O"))
        else:
            tokens.append((first, "sees", place, "."))
            tags.append(("B-PER", "O", "B-LOC", "O"))
    return TaggedSentences(name, tuple(tokens), tuple(tags), "bio")


@pytest.fixture(scope="module")
def source() -> TableSource:
    return TableSource("words", VectorTable(WORDS, np.eye(len(WORDS), dtype=np.float32)))


CONFIG = TaggerConfig(
    states=12, characters=6, experts=8, entity_task=True, epochs=8, batch=8, learning_rate=0.02, dropout=0.1
)


@pytest.fixture(scope="module")
def trained(source: TableSource) -> TrainedTagger:
    found = train_tagger(sentences("train", 0), sentences("dev", 1, 20), [source], CONFIG)
    assert found is not None
    return found


def test_a_tagger_with_everything_learns(trained: TrainedTagger) -> None:
    assert trained.dev > 95

    [found] = trained.tagger.tag_with_confidence([("Zoe", "Lake", "lives", "in", "Ghent", ".")])

    assert found.tags == ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]
    assert min(found.confidences) > 0.5
    assert max(found.confidences) <= 1 + 1e-5
    [weights] = trained.tagger.expert_weights([("Zoe", "sees", "Ghent")])
    assert trained.tagger.categories == ["O", "LOC", "PER"]
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)
    assert weights.argmax(axis=1).tolist() == [2, 0, 1]


def test_experts_adversary_and_pruning_combine(source: TableSource) -> None:
    config = replace(CONFIG, adversarial=0.1, prune=0.5)

    found = train_tagger(sentences("train", 0), sentences("dev", 1, 20), [source], config)

    assert found is not None
    assert found.dev > 90
    assert sparsity_of(found.tagger.network) > 0.45
    for name, weight in found.tagger.network.named_parameters():
        if weight.ndim > 1:
            assert float((weight == 0).float().mean()) == pytest.approx(0.5, abs=0.05), name


def test_tags_are_valid_whatever_the_scores(source: TableSource) -> None:
    torch.manual_seed(3)
    untrained = SequenceTagger([source], TAGS, TaggerConfig(states=4, characters=0), scheme="bio")
    with torch.no_grad():
        untrained.network.output[-1].bias.copy_(torch.tensor([0.0, 0.0, 5.0, 4.0, 0.0]))

    [tags] = untrained.tag([WORDS])

    assert first_break(tags) is None


def test_a_saved_tagger_finds_its_vectors_and_reads_texts(
    trained: TrainedTagger, source: TableSource, tmp_path: Path
) -> None:
    table = tmp_path / "words.vec"
    source.table.save(table)
    save_tagger(trained, tmp_path / "ner", [str(table)], metric="F1")

    loaded = load_tagger(tmp_path / "ner")
    [one, empty] = tag_texts(loaded, ["Ada Stone lives in Basel.", ""])

    assert [(span.text, span.label) for span in one.spans] == [("Ada Stone", "PER"), ("Basel", "LOC")]
    assert one.text[one.spans[1].begin : one.spans[1].end] == "Basel"
    assert one.to_dict()["tokens"] == ["Ada", "Stone", "lives", "in", "Basel", "."]
    assert empty.tokens == empty.spans == []
    assert (tmp_path / "ner" / "tagger.safetensors").stat().st_size < 100_000


def test_what_cannot_be(trained: TrainedTagger, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no tagger in .*: it has no tagger.safetensors"):
        load_tagger(tmp_path)
    with pytest.raises(ConfigError, match="entity_task needs crf = true"):
        SequenceTagger([], TAGS, TaggerConfig(entity_task=True, crf=False))
    plain = SequenceTagger(trained.tagger.sources.sources, TAGS, TaggerConfig(states=4, characters=0))
    with pytest.raises(InputError, match="This tagger has no experts"):
        plain.expert_weights([("a",)])
