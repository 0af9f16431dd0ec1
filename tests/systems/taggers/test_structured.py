"""Acceptance tests of tags that are spelt symbol by symbol (Bhargava and Penn 2020)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from everyword.arrays import FloatArray
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.corpus.labelled.tag_symbols import CategoryTags, FeatureTags, WholeTags, spelling_of
from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.evaluation.tagging import tag_scores
from everyword.learning.word_vectors import WordVectors
from everyword.space.combination import CombinerConfig
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.meta_attention import SourceInput
from everyword.systems.taggers.saved import load_tagger, save_tagger, tag_texts
from everyword.systems.taggers.structured import SpeltTagger
from everyword.systems.taggers.train import TrainedTagger, train_tagger

TAGS = ["NOUN|Case=Nom|Number=Sing", "NOUN|Case=Gen|Number=Plur", "VERB", "NOUN|Case=Nom|Number=Plur"]
ROWS, LENGTHS = torch.tensor([[1, 2, 3, 2], [3, 1, 0, 0]]), torch.tensor([4, 2])
CATEGORIES = ["NP", r"(S[dcl]\NP)/NP", r"((S\NP)\(S\NP))/((S\NP)\(S\NP))", "N[num]", "."]


def network(*, history: bool = True, ends: bool = True, seed: int = 0) -> SpeltTagger:
    torch.manual_seed(seed)
    words = WordVectors(vectors, 4)
    words.rows([["a", "b", "c"]])
    read = SourceInput(words, (4,), CombinerConfig(kind="concatenation"))
    spelling = FeatureTags() if ends else WholeTags()
    spelt = [spelling.split(tag) for tag in TAGS]
    return SpeltTagger(read, spelt, hidden=16, dropout=0.0, history=history, ends=ends).eval()


def vectors(words: object) -> FloatArray:
    return np.random.default_rng(0).normal(size=(len(words), 4)).astype(np.float32)  # type: ignore[arg-type]


def forced(tagger: SpeltTagger, symbol: str | None) -> None:
    """Make a tagger want one symbol everywhere, or the end for None."""
    with torch.no_grad():
        tagger.output.weight.zero_()
        tagger.output.bias.fill_(-5.0)
        tagger.output.bias[tagger.end if symbol is None else tagger.symbols.index(symbol)] = 5.0


@pytest.mark.parametrize("tag", [*TAGS, "X", "ADJ|Number[psor]=Sing|Person[psor]=3"])
def test_tags_of_features_are_put_together_again(tag: str) -> None:
    assert FeatureTags().join(FeatureTags().split(tag)) == tag
    assert FeatureTags().valid(tag)


@pytest.mark.parametrize("tag", CATEGORIES)
def test_categories_are_put_together_again(tag: str) -> None:
    assert CategoryTags().join(CategoryTags().split(tag)) == tag
    assert CategoryTags().valid(tag)


def test_brackets_that_say_nothing_go_and_unbalanced_ones_stay() -> None:
    spelling = CategoryTags()
    assert spelling.join(spelling.split(r"((S\NP))/(NP)")) == r"(S\NP)/NP"
    assert spelling.join(spelling.split(r"(S\NP)")) == r"S\NP"
    for wrong in (r"(S\NP", r"S\NP)", "((S)"):
        assert spelling.join(spelling.split(wrong)) == wrong
        assert not spelling.valid(wrong)
    with pytest.raises(InputError, match="no way to spell tags called 'feature'"):
        spelling_of("feature")


@pytest.mark.parametrize("history", [True, False])
def test_after_an_end_the_next_word_is_spelt(history: bool) -> None:
    tagger = network(history=history)
    forced(tagger, None)  # a tag cannot be empty: one symbol, then the end

    for beam in (1, 3):
        found = tagger.spell(ROWS, LENGTHS, beam)
        assert [[len(word.symbols) for word in words] for words in found] == [[1, 1, 1, 1], [1, 1]]


@pytest.mark.parametrize("history", [True, False])
def test_a_tag_is_never_longer_than_any_of_train(history: bool) -> None:
    tagger = network(history=history)
    forced(tagger, "Case=Nom")

    found = tagger.spell(ROWS, LENGTHS)
    assert [[word.symbols for word in words] for words in found] == [[("Case=Nom",) * 3] * 4, [("Case=Nom",) * 3] * 2]
    assert not FeatureTags().valid(FeatureTags().join(found[0][0].symbols))


@torch.no_grad()
def test_without_history_words_are_spelt_by_themselves() -> None:
    tagger = network(history=False)
    words = torch.randn(1, 3, tagger.each_way, generator=torch.Generator().manual_seed(1))
    alone = [tagger._search(words[:, place : place + 1], torch.tensor([1]), 2)[0][0] for place in range(3)]
    batch = tagger._search(words.transpose(0, 1), torch.tensor([1, 1, 1]), 2)

    assert [one.symbols for one in alone] == [one.symbols for [one] in batch]
    losses = [
        float(network(history=how).loss(ROWS, LENGTHS, torch.tensor([[0, 2, 1, 2], [1, 0, 0, 0]]))) for how in (1, 0)
    ]  # type: ignore[arg-type]
    assert losses[0] != pytest.approx(losses[1], abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_is_never_worse_than_the_best_symbol_at_each_step(seed: int) -> None:
    tagger = network(seed=seed)
    with torch.no_grad():
        tagger.output.weight *= 20

    def score(beam: int) -> list[float]:
        return [float(np.prod([word.probability for word in words])) for words in tagger.spell(ROWS, LENGTHS, beam)]

    for one, other in zip(score(1), score(5), strict=True):
        assert other >= one * (1 - 1e-5)


@torch.no_grad()
def test_the_loss_is_that_of_the_symbols_that_are_written() -> None:
    tagger, tags = network(), torch.tensor([[0, 2, 1, 2], [1, 0, 0, 0]])
    words = tagger.words(ROWS, LENGTHS)
    total, count = 0.0, 0
    for row, length in enumerate(LENGTHS.tolist()):
        state, before = None, tagger.end
        for place in range(length):
            for symbol in tagger.table[tags[row, place]].tolist():
                if symbol < 0:
                    break
                inputs = torch.cat([words[row, place], tagger.embedding.weight[before]])[None, None]
                out, state = tagger.writer(inputs, state)
                total -= float(torch.log_softmax(tagger.output(out[0, 0]), dim=0)[symbol])
                before, count = symbol, count + 1

    assert float(tagger.loss(ROWS, LENGTHS, tags)) == pytest.approx(total / count, rel=1e-5)


def test_accuracy_of_unseen_tags_counts_unseen_tags_only() -> None:
    train = TaggedSentences("train", (("a", "b"),) * 10, (("X", "Y|A=1"),) * 10, "plain")
    rare = TaggedSentences("train", (*train.tokens, ("c",)), (*train.tags, ("Z",)), "plain")
    test = TaggedSentences("test", (("a", "b", "d", "c"),), (("X", "Y|A=2", "Y|A=2", "Z"),), "plain")

    found = tag_scores(test, [["X", "Y|A=2", "Y|A=1", "A=1"]], rare, FeatureTags())
    assert found["accuracy"] == 50.0
    assert (found["seen"], found["rare"], found["unseen"], found["new words"]) == (100.0, 0.0, 50.0, 0.0)
    assert (found["valid"], found["tokens unseen"], found["tokens rare"], found["new tags"]) == (75.0, 2.0, 1.0, 2.0)
    assert "unseen" not in tag_scores(train, train.tags, train, FeatureTags())


class Endings:
    """A word is a stem and two letters for case and number; its vector says which."""

    name, dim = "endings", 6

    def encode(self, words: object) -> FloatArray:
        return np.array([[1.0, *(float(mark in word) for mark in "ngspv")] for word in words], dtype=np.float32)  # type: ignore[attr-defined]


def made(seed: int, count: int, tags: list[str]) -> TaggedSentences:
    """Sentences of words such as "bon", a noun in the nominative and the plural; one pair is never shown in train."""
    rng, spelt = Random(seed), {"n": "Case=Nom", "g": "Case=Gen", "s": "Number=Sing", "p": "Number=Plur"}
    tokens, found = [], []
    for _ in range(count):
        words = [rng.choice(tags) for _ in range(4)]
        tokens.append(tuple(f"xo{word}" for word in words))
        found.append(
            tuple("VERB" if word == "v" else "|".join(["NOUN", *(spelt[mark] for mark in word)]) for word in words)
        )
    return TaggedSentences(f"made-{seed}", tuple(tokens), tuple(found), "plain")


CONFIG = TaggerConfig(
    combiner=CombinerConfig(kind="concatenation"),
    states=12,
    characters=0,
    dropout=0.05,
    spelling="features",
    beam=3,
    epochs=12,
    batch=8,
    learning_rate=0.03,
    patience=None,
    schedule="cosine",
    averaged=0.9,
)


@pytest.fixture(scope="module")
def trained() -> TrainedTagger:
    found = train_tagger(
        made(0, 80, ["ns", "np", "gs", "v"]), made(1, 10, ["ns", "np", "gs", "v"]), [Endings()], CONFIG
    )
    assert found is not None
    return found


def test_a_tagger_that_spells_learns_and_gives_new_tags(trained: TrainedTagger, tmp_path: Path) -> None:
    assert trained.dev == 100.0
    test = made(2, 20, ["gp", "v"])
    predicted = trained.tagger.tag(test.tokens)
    assert all(FeatureTags().valid(tag) for tags in predicted for tag in tags)

    save_tagger(trained, tmp_path, ["words.vec"])
    with pytest.raises(UnknownNameError):
        load_tagger(tmp_path)  # its vectors are not there
    again = type(trained.tagger).load(tmp_path / "tagger.safetensors", [Endings()])
    assert again.tag(test.tokens) == predicted
    [text] = tag_texts(again, ["xons xov"])
    assert [span.label for span in text.spans] == ["NOUN|Case=Nom|Number=Sing", "VERB"]
    assert all(0 < one <= 1 for one in text.confidences)
    assert again.tag([[], ["xov"] * 300])[1] == ["VERB"] * 300


def test_what_does_not_go_together_is_refused() -> None:
    data = made(0, 4, ["ns", "v"])
    with pytest.raises(ConfigError, match="spelling excludes experts"):
        train_tagger(data, data, [Endings()], replace(CONFIG, experts=4))
    with pytest.raises(ConfigError, match="averaged and prune exclude each other"):
        train_tagger(data, data, [Endings()], replace(CONFIG, prune=0.5))
    with pytest.raises(InputError, match="reads vectors, characters, a lookup or shapes"):
        train_tagger(data, data, [], CONFIG)


def test_a_tagger_can_do_without_vectors() -> None:
    data = made(0, 30, ["ns", "v"])
    settings = replace(CONFIG, spelling="none", crf=False, lookup=8, shapes=2, hidden_words=0.1, epochs=6)
    found = train_tagger(data, data, [], settings)
    assert found is not None
    assert found.dev > 90
