"""Words read by those around them, with a model and n-grams that are made here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from everyword import InputError, Model
from everyword.errors import DamagedModelError
from everyword.models.explanation import Source
from everyword.models.load import load
from everyword.models.saved.parts import write_part
from everyword.sentences.context.read import written_like
from everyword.sentences.context.stream import Numbering, items_of
from everyword.systems.context.config import ContextConfig
from everyword.systems.context.train import Sources, save_context, train_context

SETTINGS = ContextConfig(
    reach=300, least=2, most=50_000, held_out=200, texts=400, clean_texts=60, judging_texts=60, hidden=8, epochs=30,
    batch=128, changed=0.02,
)  # fmt: skip


def sentences(words: list[str], count: int, seed: int = 1) -> Iterator[str]:
    """Sentences in which each word is followed by one of three others."""
    rng = Random(seed)
    for _ in range(count):
        number = rng.randrange(len(words))
        chosen = []
        for _ in range(rng.randrange(6, 14)):
            chosen.append(words[number])
            number = (number * 7 + rng.randrange(3) * 11 + 3) % len(words)
        yield " ".join(chosen).capitalize() + "."


@pytest.fixture(scope="module")
def context_model(tiny_dan_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("context")
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(sentences(list(tiny_dan_model)[:120], 3000)) + "\n", encoding="utf-8")
    told: list[str] = []
    reader = train_context(tiny_dan_model, Sources([corpus]), SETTINGS, told.append)
    assert len(told) == 2
    save_context(tiny_dan_model, reader, folder / "model", SETTINGS)
    return load(folder / "model")


def test_items_are_tokens_and_marks() -> None:
    items = list(items_of("Dr. No left. He (too) didn't\n\nrest"))

    assert [item.text for item in items if item.is_token] == ["Dr", "No", "left", "He", "too", "didn't", "rest"]
    assert [item.text for item in items if item.begins] == ["Dr", "He", "rest"]


def test_words_are_numbers_and_all_else_is_a_mark(tiny_dan_model: Model) -> None:
    numbering = Numbering(tiny_dan_model.known_words, tiny_dan_model.normalise)
    word = next(iter(tiny_dan_model))

    numbers = numbering.of_text(f"{word.upper()}'s 12, {word}! zzzzzz")

    assert numbers == [
        numbering.end, 0, numbering.number, numbering.comma, 0, numbering.end, numbering.unknown, numbering.end,
    ]  # fmt: skip


def test_errors_in_context_are_put_right(context_model: Model) -> None:
    words = list(context_model)[:120]
    right = list(sentences(words, 120, seed=7))
    rng = Random(3)
    spoilt, meant = [], []
    for text in right:
        tokens = text.split()
        place = rng.randrange(2, len(tokens) - 1)
        meant.append(tokens[place])
        cut = rng.randrange(len(tokens[place]))
        tokens[place] = tokens[place][:cut] + "q" + tokens[place][cut + 1 :]
        spoilt.append(" ".join(tokens))

    corrected = context_model.correct(spoilt)

    assert np.mean([one == other for one, other in zip(corrected, right, strict=True)]) > 0.6
    unchanged = context_model.correct(right)
    assert np.mean([one == other for one, other in zip(unchanged, right, strict=True)]) > 0.8


def test_words_to_keep_stay(tiny_dan_model: Model) -> None:
    word = max(tiny_dan_model, key=len)
    wrong = word[:-2] + word[-1]
    text = f"{wrong} {wrong.capitalize()}"
    assert tiny_dan_model.correct(text) != text
    assert tiny_dan_model.correct(text, keep=[wrong.upper()]) == text
    with pytest.raises(InputError, match="must be a list of words"):
        tiny_dan_model.correct(text, keep=wrong)


def test_a_token_tells_what_it_was_read_as(context_model: Model) -> None:
    words = list(context_model)[:120]
    for text in sentences(words, 40, seed=11):
        first, second, third, *_ = text.split()
        wrong = third[:-1] + "q"
        tokens = context_model.read(f"{first} {second} {wrong} " + " ".join(text.split()[3:]))
        if tokens[2].read_as == third:
            break
    else:
        pytest.fail("nothing was put right")

    assert (tokens[2].text, tokens[2].source) == (wrong, Source.RETRIEVED)
    assert 0 < (tokens[2].confidence or 0) <= 1
    np.testing.assert_allclose(tokens[2].vector, context_model.encode(third), atol=1e-6)
    assert tokens[0].read_as is None
    assert tokens[0].source == Source.KNOWN
    assert tokens[2].to_dict()["read_as"] == third


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "\x00\x01\x1f", "a" * 100_000, "’'’", "12 3,5 %", "ЖЖ 漢字 😢", "I I I"]
)
def test_strange_texts_come_back(context_model: Model, tiny_dan_model: Model, text: str) -> None:
    for model in (context_model, tiny_dan_model):
        assert model.correct(text) == text
        assert "".join(token.text for token in model.read(text)) in text.replace(" ", "") or not text.strip()


def test_a_long_text_is_read_in_parts(context_model: Model) -> None:
    text = " ".join(sentences(list(context_model)[:120], 4000))

    assert len(text) > 200_000
    corrected = context_model.correct(text)
    assert len(corrected.split()) == len(text.split())


def test_only_words_change(context_model: Model) -> None:
    word = list(context_model)[5]
    strange = f"\t{word.upper()}Q  http://{word}q.org/{word} {word}-{word}q me@{word}q.org #{word}q {word}9 \r\n"

    assert context_model.correct(strange) == strange


@pytest.mark.parametrize("text", [None, 3, float("nan"), [b"word"], ["right", None]])
def test_what_is_not_text_is_refused(context_model: Model, text: Any) -> None:
    for act in (context_model.read, context_model.correct):
        with pytest.raises(InputError, match="A text is needed"):
            act(text)


def test_many_texts_are_read_as_each_one_is(context_model: Model) -> None:
    texts = list(sentences(list(context_model), 30, seed=5))

    assert context_model.correct(texts) == [context_model.correct(text) for text in texts]


def test_a_model_without_the_part_reads_by_spelling(tiny_dan_model: Model) -> None:
    assert tiny_dan_model.context_reader is None
    assert tiny_dan_model.correct([]) == []
    word = max(tiny_dan_model, key=len)
    assert tiny_dan_model.read(word)[0].read_as is None


def test_a_model_with_fewer_words_still_reads(context_model: Model) -> None:
    words = list(context_model)
    fewer = context_model.without(words[:10])

    text = " ".join(words[20:30])
    assert len(fewer.read(text)) == 10
    assert isinstance(fewer.correct(text), str)


def test_the_part_is_saved_with_its_words_only(context_model: Model, tmp_path: Path) -> None:
    context_model.save_pretrained(tmp_path / "same")
    context_model.without(list(context_model)[:3]).save_pretrained(tmp_path / "fewer")

    assert (tmp_path / "same" / "context.safetensors").exists()
    assert not (tmp_path / "fewer" / "context.safetensors").exists()
    text = next(sentences(list(context_model)[:120], 1, seed=8))
    assert load(tmp_path / "same").correct(text) == context_model.correct(text)


def test_a_damaged_part_is_refused(context_model: Model, tmp_path: Path) -> None:
    context_model.save_pretrained(tmp_path)
    file, config = tmp_path / "context.safetensors", tmp_path / "config.json"
    content, described = file.read_bytes(), config.read_text(encoding="utf-8")

    for wrong, message in ((content[:-1], "missing or damaged"), (b"", "missing or damaged")):
        file.write_bytes(wrong)
        with pytest.raises(DamagedModelError, match=message):
            load(tmp_path).correct("some text")
    file.write_bytes(content)
    for old, new, message in (
        ('"context.v1"', '"context.v9"', "pip install -U everyword"),
        ('"thresholds"', '"limits"', "two numbers from 0 to 1"),
    ):
        config.write_text(described.replace(old, new), encoding="utf-8")
        with pytest.raises(DamagedModelError, match=message):
            load(tmp_path).read("some text")
    config.write_text(described, encoding="utf-8")
    assert load(tmp_path).correct("") == ""


def test_other_tables_than_those_of_the_part_are_refused(context_model: Model, tmp_path: Path) -> None:
    part = context_model.parts["context"]
    tensors = dict(part.tensors())
    context_model.save_pretrained(tmp_path)
    for name, wrong in (
        ("words", tensors["words"][:3]),
        ("known.bias", tensors["known.bias"][:-1]),
        ("unknown.score", tensors["unknown.score"] * np.float32(np.nan)),
        ("n-grams.shifts", tensors["n-grams.shifts"][:-1]),
    ):
        write_part(tmp_path, "context", {**tensors, name: wrong}, part.described)
        with pytest.raises(DamagedModelError, match=r"[Dd]ownload or save the model again"):
            load(tmp_path).correct("some text")


@pytest.mark.parametrize(
    ("word", "written", "expected"),
    [("doctor", "docter", "doctor"), ("doctor", "Docter", "Doctor"), ("i'd", "Id", "I'd"), ("don't", "do’nt", "don’t")],
)
def test_capitals_and_apostrophes_stay(word: str, written: str, expected: str) -> None:
    assert written_like(word, written) == expected


def test_what_is_remembered_does_not_grow_without_end(context_model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list(sentences(list(context_model), 30, seed=6))
    expected = context_model.correct(texts)
    for module in ("stream", "candidates"):
        monkeypatch.setattr(f"everyword.sentences.context.{module}.REMEMBERED", 5)

    assert [context_model.correct(text) for text in texts] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I herd the new song on the radio yesterday.", "I heard the new song on the radio yesterday."),
        ("My docter diagnosed leukamia last week.", "My doctor diagnosed leukemia last week."),
        ("Do you no the answer to this qestion?", "Do you know the answer to this question?"),
        ("The whether is nice today.", "The weather is nice today."),
        ("Whether the weather is cold or hot, we shall weather it.", None),
        ("Their dog is over there, and they’re waiting for it.", None),
        ("pip install numpy && python -m pytest -q tests/", None),
        ("Der schnelle braune Fuchs springt über den faulen Hund.", None),
        ("My niece's fiancé loves crème brûlée;\n\n  so do I, he'd not've said…", None),
    ],
)
def test_the_shipped_model_puts_right_what_is_wrong_and_leaves_the_rest(text: str, expected: str | None) -> None:
    assert load().correct(text) == (text if expected is None else expected)
