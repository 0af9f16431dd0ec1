from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword.errors import DamagedModelError
from everyword.models.word_index import FEW, LONGEST, WordIndex, word_key, word_keys
from everyword.models.word_list import WordList, check_text, joined

# Saved models hold these numbers, and compiled code computes them too: they must never change.
GOLDEN = {
    "": 0x00000000,
    "a": 0xF3051F49,
    "dog": 0xD515319E,
    "naïve": 0x968EF22C,
    "guinea pig": 0x5CD6573D,
    "собака": 0x2085CC96,
    "x" * 255: 0x2C605042,
    "x" * 300: 0x2AFE5A8B,
}
any_text = (
    st.text(max_size=8) | st.text("ab", max_size=3) | st.sampled_from(["é" * 200, "\ud800", "x" * 255, "x" * 256])
)
word = any_text.filter(lambda text: "\n" not in text)


def test_keys_are_those_of_saved_models() -> None:
    assert {text: word_key(text.encode()) for text in GOLDEN} == GOLDEN


@given(words=st.lists(word, max_size=20))
def test_many_words_have_the_keys_of_one(words: list[str]) -> None:
    listed = WordList(joined(words))
    ends = listed.ends.astype(np.int64)
    keys = word_keys(listed.text, listed.begins(np.arange(len(listed))), ends)
    assert keys.tolist() == [word_key(text.encode("utf-8", "surrogatepass")) for text in words]


@given(words=st.lists(word, unique=True, max_size=30), asked=st.lists(any_text, max_size=30))
def test_an_index_answers_as_a_dictionary_does(words: list[str], asked: list[str]) -> None:
    expected = {text: row for row, text in enumerate(words)}
    index = WordIndex.of(WordList.of(words))
    asked += words
    assert index.rows_of(asked).tolist() == [expected.get(text, -1) for text in asked]
    assert [index.get(text) for text in asked] == [expected.get(text) for text in asked]
    assert [text in index for text in asked] == [text in expected for text in asked]
    assert dict(index) == expected
    assert index.repeated() is None
    again = WordIndex.from_tensors(index.words, index.to_tensors("index"), "index")
    assert again.rows_of(asked).tolist() == index.rows_of(asked).tolist()


def test_words_of_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.kernel.compiled", False)  # its modulus is a constant
    monkeypatch.setattr("everyword.models.word_index.MODULUS", 3)
    monkeypatch.setattr("everyword.models.word_index._WEIGHTS", np.ones(LONGEST + 1, dtype=np.uint64))  # 256 mod 3
    words = [f"word{number}" for number in range(3 * FEW)]
    index = WordIndex.of(WordList.of(words))
    assert len(set(index.keys_in_order.tolist())) <= 3
    assert index.rows_of([*words, "word", "word99", "ord1"]).tolist() == [*range(3 * FEW), -1, -1, -1]
    assert [index.get(text, -1) for text in [*words, "ord1", "xword1"]] == [*range(3 * FEW), -1, -1]


def test_a_word_that_is_not_listed_is_a_key_error() -> None:
    index = WordIndex.of(WordList.of(["ban"]))
    assert index["ban"] == 0
    with pytest.raises(KeyError, match="bann"):
        index["bann"]
    assert 3 not in index


def test_a_word_listed_twice_is_told() -> None:
    assert WordIndex.of(WordList.of(["ban", "tin", "ban"])).repeated() == "ban"


@pytest.mark.parametrize("change", ["missing", "short", "type", "order", "twice", "beyond", "other words", "counts"])
def test_a_saved_index_that_does_not_fit_is_one_sentence(change: str) -> None:
    index = WordIndex.of(WordList.of([f"w{number}" for number in range(200)]))
    tensors, words = index.to_tensors("index"), index.words
    if change == "missing":
        del tensors["index.rows"]
    elif change == "short":
        tensors["index.tails"] = tensors["index.tails"][:-1]
    elif change == "type":
        tensors["index.rows"] = index.rows
    elif change == "order":
        tensors["index.tails"] = tensors["index.tails"][::-1]
    elif change == "twice":
        tensors["index.rows"][0] = tensors["index.rows"][1]
    elif change == "beyond":
        tensors["index.rows"][0] = 255
    elif change == "counts":
        tensors["index.counts"][0] += 1
    else:
        words = WordList.of([f"v{number}" for number in range(200)])
    with pytest.raises(DamagedModelError, match=r"^The table by which the model finds its words does not fit them; "):
        WordIndex.from_tensors(words, tensors, "index")


def test_an_index_can_be_copied_and_pickled() -> None:
    index = WordIndex.of(WordList.of(["ban", "tin"]))
    for again in (copy.deepcopy(index), pickle.loads(pickle.dumps(index))):
        assert again["tin"] == 1


@given(words=st.lists(word, max_size=20), data=st.data())
def test_a_list_of_words_is_a_sequence(words: list[str], data: st.DataObject) -> None:
    listed = WordList.of(words)
    assert list(listed) == words
    assert listed == words
    assert listed == WordList.of(list(words))
    assert len(listed) == len(words)
    some = slice(
        *data.draw(st.tuples(*[st.none() | st.integers(-25, 25)] * 2)), data.draw(st.sampled_from([None, 2, -1]))
    )
    assert listed[some] == words[some]
    assert [listed[row] for row in range(-len(words), len(words))] == words + words
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))), dtype=np.bool_)
    assert listed.kept(keep) == [text for text, kept in zip(words, keep, strict=True) if kept]
    with pytest.raises(IndexError):
        listed[len(words)]
    assert listed != [*words, "more"]
    assert listed != "text"


def test_text_is_checked_across_the_parts_it_is_read_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.models.word_list.BYTES_AT_ONCE", 3)
    text = joined(["naïve", "собака"])
    check_text(text)
    assert list(WordList(text)) == ["naïve", "собака"]
    for damaged in (text[:-2], text[::-1]):
        with pytest.raises(UnicodeDecodeError):
            check_text(damaged)
