from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from evaluation.tasks.extrinsic.tiny_sets import tagged, texts

from everyword.corpus.labelled.sets import TaggedSentences, check, cut_dev, fold, tag_splits, text_splits
from everyword.errors import InputError

DATA = texts("data", 100, 1)


def test_dev_is_cut_by_seed_and_nothing_is_lost() -> None:
    sentences = tagged("train", 50, 1)
    train, dev = cut_dev(sentences, 0.2, seed=3)

    assert (len(train), len(dev)) == (40, 10)
    assert sorted((*train.tokens, *dev.tokens)) == sorted(sentences.tokens)
    assert (train, dev) == cut_dev(sentences, 0.2, seed=3)
    assert dev != cut_dev(sentences, 0.2, seed=4)[1]
    assert [len(tags) for tags in dev.tags] == [len(tokens) for tokens in dev.tokens]


def test_folds_share_nothing_and_cover_everything() -> None:
    folds = [fold(DATA, number, folds=5, seed=1) for number in range(5)]

    for splits in folds:
        assert (len(splits.train), len(splits.dev), len(splits.test)) == (72, 8, 20)
        together = (*splits.train.tokens, *splits.dev.tokens, *splits.test.tokens)
        assert sorted(together) == sorted(DATA.tokens)
    assert sorted(t for splits in folds for t in splits.test.tokens) == sorted(DATA.tokens)


def test_splits_that_cannot_be_cut_are_refused() -> None:
    with pytest.raises(InputError, match="must lie between 0 and 1"):
        cut_dev(DATA, 1.0)
    with pytest.raises(InputError, match="too few"):
        cut_dev(texts("few", 2, 1))
    with pytest.raises(InputError, match="one of 0 to 9"):
        fold(DATA, 10)


def test_splits_that_a_set_lacks_are_cut(tmp_path: Path) -> None:
    sst2, chunks = tmp_path / "sst2", tmp_path / "conll2000"
    sst2.mkdir()
    chunks.mkdir()
    for name in ("train", "dev", "test"):
        (sst2 / f"{name}.tsv").write_text(f"label\ttext\n1\tfine {name}\n")
    (tmp_path / "mr.tsv.gz").write_bytes(gzip.compress(b"label\ttext\n" + b"0\tpoor thing\n" * 100))
    for name in ("train", "test"):
        (chunks / f"{name}.conll.gz").write_bytes(gzip.compress(b"He\tPRP\tB-NP\n\n" * 20))

    assert text_splits(sst2).dev.tokens == (("fine", "dev"),)
    assert len(text_splits(tmp_path / "mr.tsv.gz", number=9).test) == 10
    splits = tag_splits(chunks)
    assert (len(splits.train), len(splits.dev), len(splits.test)) == (18, 2, 20)


def test_a_new_mark_of_a_known_type_is_scored_and_a_new_type_refused() -> None:
    train = TaggedSentences("train", (("a", "b"),), (("B-LST", "O"),))

    assert check(train, [TaggedSentences("test", (("a", "b"),), (("B-LST", "I-LST"),))]) == ["B-LST", "O"]
    with pytest.raises(InputError, match="Item 1 of 'test' has the label 'B-GPE'"):
        check(train, [TaggedSentences("test", (("a", "b"),), (("B-LST", "B-GPE"),))])
    plain = TaggedSentences("train", (("a", "b"),), (("B-LST", "O"),), "plain")
    with pytest.raises(InputError, match="'I-LST'"):
        check(plain, [TaggedSentences("test", (("a",),), (("I-LST",),), "plain")])
