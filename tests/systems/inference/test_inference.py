"""Acceptance tests of inference with semantic roles (Cengiz and Yuret 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from made import write
from tiny_transformers import save_tiny_bert

from everyword.arrays import FloatArray
from everyword.corpus.labelled.bio import first_break
from everyword.corpus.labelled.pairs import Pairs, joined, read_pairs
from everyword.corpus.labelled.roles import Roles, read_roles
from everyword.errors import InputError
from everyword.evaluation.tasks.word_order import ChallengeSet, score_labels
from everyword.learning.crf import CRF, barred_in_spans
from everyword.learning.word_vectors import WordVectors
from everyword.systems.inference.config import InferenceConfig
from everyword.systems.inference.encoders import PieceEncoder, WordEncoder
from everyword.systems.inference.network import SharedNetwork
from everyword.systems.inference.train import InferenceModel, train_inference

WORDS = ("the", "cat", "dog", "sat", "on", "mat", "walked", "city", "york", "owner", "")
PAIRS = Pairs(
    ("the cat sat", "the dog sat", "the cat walked", "the owner walked") * 4,
    ("the cat sat", "the city sat", "the mat walked", "the owner walked") * 4,
    ("entailment", "contradiction", "contradiction", "entailment") * 4,
)
ROLES = [
    Roles(("the", "cat", "sat", "on", "mat"), 2, ("B-ARG1", "I-ARG1", "B-V", "B-LOC", "I-LOC")),
    Roles(("the", "dog", "walked", "the", "cat"), 2, ("B-ARG0", "I-ARG0", "B-V", "B-ARG1", "I-ARG1")),
] * 4
TINY = InferenceConfig(hidden=8, epochs=2, batch=4, dropout=0.1)


def vectors() -> WordVectors:
    table = {word: np.random.default_rng(place).normal(size=6) for place, word in enumerate(WORDS)}

    def encode(words: Sequence[str]) -> FloatArray:
        return np.array([table.get(word.lower(), np.zeros(6)) for word in words], dtype=np.float32)

    return WordVectors(encode, 6)


def words_encoder(config: InferenceConfig = TINY) -> WordEncoder:
    return WordEncoder(vectors(), config)


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, object]:
    import transformers

    folder = save_tiny_bert(tmp_path_factory.mktemp("bert"))
    return transformers.AutoModel.from_pretrained(folder), transformers.AutoTokenizer.from_pretrained(folder)


def test_both_tasks_are_learnt_by_one_encoder() -> None:
    config = InferenceConfig(roles="uniform", hidden=16, epochs=1, batch=4, dropout=0.1, rate=2e-2)
    model = train_inference(lambda: words_encoder(config), joined([PAIRS] * 15), PAIRS, ROLES, config)
    assert model.accuracy(PAIRS) > 90
    assert model.role_f1(ROLES) > 90


def test_the_same_seed_gives_the_same_system_and_roles_can_be_left_out() -> None:
    config = InferenceConfig(hidden=8, epochs=1, batch=4, roles="none")
    lines: list[str] = []
    one, other = (
        train_inference(lambda: words_encoder(config), PAIRS, PAIRS, (), config, report=lines.append) for _ in range(2)
    )
    assert torch.equal(one.network.inference[1].weight, other.network.inference[1].weight)  # type: ignore[arg-type]
    assert lines[0].startswith("epoch 1: loss ")
    with pytest.raises(InputError, match="needs pairs"):
        train_inference(words_encoder, PAIRS, PAIRS, (), TINY)


def test_a_step_on_roles_leaves_the_head_of_inference_alone() -> None:
    network = SharedNetwork(words_encoder(), 6)
    items = network.encoder.word_items(ROLES[:2])
    network.role_loss(items, torch.tensor([[0, 1, 2, 3, 4]] * 2)).backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is None for parameter in network.inference.parameters())
    assert all(parameter.grad is not None for parameter in (*network.roles.parameters(), *network.encoder.parameters()))


def test_averages_cannot_tell_orders_apart_and_an_lstm_can() -> None:
    one, other = "the cat walked the dog", "the dog walked the cat"
    for reader, same in (("average", True), ("lstm", False)):
        config = InferenceConfig(hidden=8, reader=reader)  # type: ignore[arg-type]
        network = SharedNetwork(words_encoder(config), 2).eval()
        scores = network.pair_scores(network.encoder.pair_items([one, one], [one, other]))
        assert torch.allclose(scores[0], scores[1], atol=1e-5) == same


def test_an_average_is_right_in_half_of_comparisons_of_the_same_words(tmp_path: Path) -> None:
    rows = "".join(
        f"{label}\tthe cat sat on the dog\t{text}\tsame\n"
        for label, text in (("entailment", "the cat sat on the dog"), ("contradiction", "the dog sat on the cat"))
    )
    data = ChallengeSet.load(write(tmp_path / "made.tsv", "label\tpremise\thypothesis\tcategory\n" + rows))
    network = SharedNetwork(words_encoder(InferenceConfig(reader="average")), 2)
    predicted = InferenceModel(network, ("O", "B-V")).predict(data.premises, data.hypotheses)
    assert score_labels(predicted, data)["mean"] == 50


def test_predicted_roles_are_valid_spans_and_the_best_where_those_are_valid() -> None:
    tags = ("B-A", "B-C", "I-A", "I-C", "O")
    barred, chain = barred_in_spans(tags), CRF(len(tags))
    generator = torch.Generator().manual_seed(0)
    scores, mask = torch.randn(40, 6, 5, generator=generator), torch.ones(40, 6, dtype=torch.bool)
    paths = [[tags[tag] for tag in path] for path in chain.decode(scores, mask, barred)]
    best = [[tags[tag] for tag in path] for path in scores.argmax(dim=2).tolist()]
    assert all(first_break(path) is None for path in paths)
    valid = [place for place, path in enumerate(best) if first_break(path) is None]
    assert 0 < len(valid) < 40
    assert all(paths[place] == best[place] for place in valid)
    untrained = InferenceModel(SharedNetwork(words_encoder(), 5), tags).tag(ROLES)
    assert all(first_break(path) is None and len(path) == 5 for path in untrained)


def test_a_transformer_marks_texts_and_predicates_by_segments(tiny_bert: tuple[object, object]) -> None:
    encoder = PieceEncoder(*tiny_bert, TINY)
    [pair] = encoder.pair_items(["The cat sat"], ["on the mat"])
    assert len(pair.first) == len(pair.second)
    assert pair.second.tolist() == sorted(pair.second.tolist())
    assert set(pair.second.tolist()) == {0, 1}
    [sentence] = encoder.word_items([Roles(("the", "naïvety", "sat"), 1, ("O", "B-V", "O"))])
    assert sentence.marks.sum() == sentence.starts[2] - sentence.starts[1] > 1  # all pieces of the predicate
    assert sentence.marks[sentence.starts[1]] == 1
    assert encoder.read_words([sentence]).shape == (1, 3, 16)
    assert encoder.read_pairs([pair]).shape == (1, 16)


def test_a_transformer_learns_both_tasks_too(tiny_bert: tuple[object, object]) -> None:
    config = InferenceConfig(epochs=1, batch=8, rate=1e-3, roles="uniform")
    model = train_inference(lambda: PieceEncoder(*tiny_bert, config), PAIRS, PAIRS, ROLES, config)
    assert set(model.predict(PAIRS.premises, PAIRS.hypotheses)) <= {"entailment", "neutral", "contradiction"}
    assert [len(tags) for tags in model.tag(ROLES)] == [5] * 8


def test_a_transformer_without_segments_is_refused(tiny_bert: tuple[object, object]) -> None:
    import transformers

    network = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=8, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, type_vocab_size=1
        )
    )
    with pytest.raises(InputError, match="must tell two segments apart"):
        PieceEncoder(network, tiny_bert[1], TINY)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label\tpremise\n", "must name the columns label, premise, hypothesis"),
        ("label\tpremise\thypothesis\nmaybe\ta\tb\n", ":2: the label must be one of"),
        ("label\tpremise\thypothesis\n", "holds no pairs"),
    ],
)
def test_wrong_pairs_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read_pairs(write(tmp_path / "pairs.tsv", text))


def test_pairs_are_split_and_joined() -> None:
    rest, some = PAIRS.split(3, seed=1)
    assert (len(rest), len(some)) == (13, 3)
    assert sorted(joined([rest, some]).labels) == sorted(PAIRS.labels)
    with pytest.raises(InputError, match="cannot be split"):
        PAIRS.split(16)


def test_wrong_roles_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"roles\.jsonl:1: predicates must have the index of one of 2 tokens"):
        read_roles(
            write(
                tmp_path / "roles.jsonl", '{"tokens": ["a", "b"], "predicates": [{"index": 2, "tags": ["O", "O"]}]}\n'
            )
        )
    with pytest.raises(InputError, match="holds no predicates"):
        read_roles(write(tmp_path / "none.jsonl", '{"tokens": ["a", "b"], "predicates": []}\n'))
