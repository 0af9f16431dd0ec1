from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from everyword.arrays import FloatArray
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.errors import InputError
from everyword.learning.sources import Source, Sources, TableSource
from everyword.space.combination import KINDS, Combination, CombinerConfig
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.meta_attention import Combiner
from everyword.systems.taggers.tagger import SequenceTagger
from everyword.systems.taggers.train import TrainedTagger, train_tagger
from everyword.vectors.table import VectorTable

DIMS = (3, 5, 4)


def made(kind: str = "attention", dims: tuple[int, ...] = DIMS) -> Combiner:
    torch.manual_seed(0)
    return Combiner(dims, CombinerConfig(kind=kind, hidden=6))  # type: ignore[arg-type]


def vectors(*shape: int, dims: tuple[int, ...] = DIMS) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(*shape, dim, generator=generator) for dim in dims]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_a_word_add_up_to_one(kind: str) -> None:
    combined, weights = made(kind)(vectors(2, 7))

    assert combined.shape == (2, 7, sum(DIMS) if kind == "concatenation" else max(DIMS))
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 7))
    assert (weights > 0).all()


def test_the_equations() -> None:
    combiner, given = made(), vectors(1)

    projected = [torch.tanh(layer(one)) for layer, one in zip(combiner.projections, given, strict=True)]
    scores = [combiner.score.weight @ torch.tanh(combiner.hidden.weight @ one[0]) for one in projected]
    alpha = torch.softmax(torch.cat(scores), dim=0)
    expected = (alpha[:, None, None] * torch.stack(projected)).sum(dim=0)

    combined, weights = combiner(given)
    torch.testing.assert_close(weights[0], alpha)
    torch.testing.assert_close(combined, expected)


def test_sources_in_another_order_have_the_same_weights_in_that_order() -> None:
    combiner, given, order = made(), vectors(4), [2, 0, 1]
    combined, weights = combiner(given)

    combiner.projections = torch.nn.ModuleList(combiner.projections[place] for place in order)
    again, moved = combiner([given[place] for place in order])

    torch.testing.assert_close(moved, weights[:, order])
    torch.testing.assert_close(again, combined)


def test_a_single_source_has_all_weight() -> None:
    _, weights = made(dims=(4,))(vectors(3, dims=(4,)))

    torch.testing.assert_close(weights, torch.ones(3, 1))


def test_equal_sources_with_equal_projections_have_equal_weights() -> None:
    combiner = made(dims=(4, 4))
    combiner.projections[1].load_state_dict(combiner.projections[0].state_dict())
    given = vectors(3, dims=(4,)) * 2

    torch.testing.assert_close(combiner(given)[1], torch.full((3, 2), 0.5))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "concatenation"])
def test_all_weights_are_trained(kind: str) -> None:
    combiner = made(kind)
    combiner(vectors(6))[0].square().sum().backward()

    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in combiner.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_without_the_word_has_no_weight(kind: str) -> None:
    given = vectors(3)
    given[0][0] = 0
    for one in given:
        one[2] = 0
    given = [one.requires_grad_() for one in given]
    combiner = made(kind)
    combined, weights = combiner(given)
    combined.sum().backward()

    assert weights[0, 0] == 0
    torch.testing.assert_close(weights.sum(dim=1), torch.tensor([1.0, 1.0, 0.0]))
    assert not combined[2].detach().any()
    assert all(one.grad is not None and one.grad.isfinite().all() for one in given)


def test_a_mask_decides_against_a_vector() -> None:
    present = torch.tensor([[True, False, True]])

    assert made()(vectors(1), present)[1][0, 1] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_gives_the_same(kind: str, tmp_path: Path) -> None:
    combiner, given = made(kind), vectors(5)
    given[1][0] = 0
    for one in given:
        one[4] = 0
    combiner.frozen(["a", "b", "c"]).save(tmp_path / "combination.safetensors")
    frozen = Combination.load(tmp_path / "combination.safetensors")

    combined, weights = frozen([one.numpy() for one in given])

    expected = combiner(given)
    assert frozen.names == ("a", "b", "c")
    np.testing.assert_allclose(combined, expected[0].detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(weights, expected[1].detach().numpy(), atol=1e-5)
    with pytest.raises(InputError, match="Give the vectors of 3 sources"):
        frozen([one.numpy() for one in given[:2]])


class Endings:
    """A source that knows the last letter of every word with one."""

    dim = 26

    def __init__(self, name: str = "endings") -> None:
        self.name = name

    def encode(self, words: object) -> FloatArray:
        found = np.zeros((len(words), self.dim), dtype=np.float32)  # type: ignore[arg-type]
        for row, word in enumerate(words):  # type: ignore[call-overload, var-annotated]
            if word[-1:].isalpha():
                found[row, ord(word[-1]) % 26] = 1
        return found


STEMS = ["bal", "kor", "tim", "zep", "lud", "gan", "fis", "rop", "wex", "mul", "hob", "dit"]


def tagged(name: str, *sentences: tuple[tuple[str, ...], tuple[str, ...]]) -> TaggedSentences:
    return TaggedSentences(name, tuple(one for one, _ in sentences), tuple(tags for _, tags in sentences), "plain")


def data(first: int, last: int) -> TaggedSentences:
    stems = STEMS[first:last]
    tokens = [(f"{one}o", f"{two}as", ".") for one in stems for two in stems]
    return tagged("made", *((one, ("NOUN", "VERB", "PUNCT")) for one in tokens))


def sources() -> list[Source]:
    words = sorted({word for tokens in data(0, 8).tokens for word in tokens})
    random = np.random.default_rng(0).normal(size=(len(words), 10)).astype(np.float32)
    return [TableSource("words", VectorTable(words, random)), Endings()]


CONFIG = TaggerConfig(
    states=8, epochs=6, batch=8, learning_rate=0.02, characters=0, dropout=0.1, combiner=CombinerConfig(hidden=8)
)


@pytest.fixture(scope="module")
def trained() -> TrainedTagger:
    found = train_tagger(data(0, 8), data(6, 9), sources(), CONFIG)
    assert found is not None
    return found


def test_a_tagger_learns_from_several_sources(trained: TrainedTagger) -> None:
    new = data(8, 12)

    assert trained.dev > 90
    assert 1 <= trained.epoch <= CONFIG.epochs
    given = trained.tagger.tag([*new.tokens, ()])
    assert given[-1] == []
    correct = [list(one) == other for one, other in zip(new.tags, given[:-1], strict=True)]
    assert np.mean(correct) > 0.9


def test_the_user_sees_which_source_served_a_word(trained: TrainedTagger) -> None:
    [weights] = trained.tagger.weights([("balo", "wexas", ".")])

    assert trained.tagger.sources.names == ("words", "endings")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert 0 < weights[0, 0] < 1  # both sources have the word
    np.testing.assert_allclose(weights[1], [0, 1], atol=1e-6)
    np.testing.assert_allclose(weights[2], [1, 0], atol=1e-6)


def test_a_tagger_is_saved_and_loaded(trained: TrainedTagger, tmp_path: Path) -> None:
    path = tmp_path / "tagger.safetensors"
    trained.tagger.save(path)
    loaded = SequenceTagger.load(path, sources())

    new = data(8, 12).tokens
    assert loaded.tag(new) == trained.tagger.tag(new)
    np.testing.assert_allclose(loaded.weights(new)[0], trained.tagger.weights(new)[0], atol=1e-6)
    with pytest.raises(InputError, match=r"needs the sources words \(10 dimensions\), endings"):
        SequenceTagger.load(path, sources()[1:])
    with pytest.raises(InputError, match="There is no file"):
        SequenceTagger.load(tmp_path / "other.safetensors", sources())
    trained.tagger.combination().save(path)
    with pytest.raises(InputError, match="cannot be read as a tagger"):
        SequenceTagger.load(path, sources())


def test_the_same_seed_gives_the_same_tagger() -> None:
    few = TaggerConfig(states=4, epochs=1, batch=16)
    one, other = (train_tagger(data(0, 4), data(4, 6), sources(), few) for _ in range(2))

    assert one is not None
    assert other is not None
    np.testing.assert_allclose(
        one.tagger.weights([("balo",)])[0], other.tagger.weights([("balo",)])[0], rtol=0, atol=1e-6
    )


def test_vectors_of_all_sources_have_the_same_length() -> None:
    encoded = Sources(sources(), length=3.0).encode(["balo", "BALO", "qqqo", "."])

    assert encoded.shape == (4, 36)
    np.testing.assert_allclose(np.linalg.norm(encoded[:, :10], axis=1), [3, 3, 0, 3], rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(encoded[:, 10:], axis=1), [3, 3, 3, 0], rtol=1e-5)


def test_bad_sources() -> None:
    assert Sources([]).encode(["a"]).shape == (1, 0)
    with pytest.raises(InputError, match="different names"):
        Sources([Endings(), Endings()])
    with pytest.raises(InputError, match="vectors of length 1 or more"):
        Combiner([3, 0], CombinerConfig())
    with pytest.raises(InputError, match="must give 1 vectors of length 3"):
        Sources([_Wrong()]).encode(["a"])
    unknown = tagged("one", ((".", "!"), ("PUNCT", "OTHER")))
    with pytest.raises(InputError, match="No source has a vector"):
        train_tagger(unknown, unknown, [Endings()], CONFIG)
    with pytest.raises(InputError, match="There are no sentences in train; one or more"):
        train_tagger(tagged("train"), data(0, 2), sources(), CONFIG)
    with pytest.raises(InputError, match="Sentence 1 of dev has 1 tokens and 2 tags"):
        train_tagger(data(0, 2), tagged("dev", (("a",), ("X", "Y"))), sources(), CONFIG)
    with pytest.raises(InputError, match="train has only one tag, 'X'; two or more"):
        train_tagger(tagged("train", (("a",), ("X",))), data(0, 2), sources(), CONFIG)


class _Wrong(Endings):
    dim = 3

    def encode(self, words: object) -> FloatArray:
        return np.zeros((1, 4), dtype=np.float32)
