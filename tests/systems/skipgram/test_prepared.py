from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_transformers import save_tiny_gpt

from everyword.errors import EverywordError, InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram import PreparedCorpus, SentencesConfig, prepare, prepared
from everyword.systems.skipgram.network import centre_states
from everyword.systems.skipgram.parts import ARRAYS, Part, build_parts
from everyword.systems.skipgram.sampling import NO_WORD, BatchSampler, PartReader
from everyword.systems.skipgram.sentences import Vocabulary
from everyword.text.word_pattern import WORD_PATTERN

from .conftest import SHORT
from .deadly import DeadlyBuilder


def as_it_is(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def words_of(prepared: PreparedCorpus) -> list[list[str]]:
    found = []
    for part in prepared.parts():
        stops = np.cumsum(part.words)
        found += [
            [prepared.vocabulary.words[row] for row in part.rows[stop - size : stop]]
            for stop, size in zip(stops, part.words, strict=True)
        ]
    return found


def test_only_sentences_of_the_right_length_and_frequent_words_count(prepared: PreparedCorpus, corpus: Path) -> None:
    kept = [line for line in corpus.read_text().splitlines() if 4 <= len(WORD_PATTERN.findall(line)) <= 12]
    sentences = words_of(prepared)

    assert len(sentences) == sum(prepared.sizes) == len(kept) - 1  # in the one of the zebra no word is frequent
    assert sentences[0] == [word.lower() for word in WORD_PATTERN.findall(kept[0])]
    assert "zebra" not in prepared.vocabulary.words
    assert prepared.vocabulary.counts.tolist() == sorted(prepared.vocabulary.counts, reverse=True)
    assert sum(map(len, sentences)) == prepared.vocabulary.counts.sum()


def test_rare_words_stay_in_what_the_encoder_reads(bert: LanguageModel, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("the dog sat on the zyx mat\n" + "the dog sat on the mat\n" * 4)
    made = prepare([tmp_path / "text.txt"], tmp_path / "made", SHORT, model=bert)
    part = made.part(0)

    assert words_of(made)[0] == ["the", "dog", "sat", "on", "the", "mat"]
    assert part.pieces[: part.lengths[0]].tolist() == bert.tokenize(["the dog sat on the zyx mat"])[0].ids


@pytest.mark.parametrize("name", ["bert", "roberta"])
def test_states_of_words_are_the_means_of_their_pieces(
    name: str, corpus: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: LanguageModel = request.getfixturevalue(name)
    made = prepare([corpus], tmp_path, SHORT, model=model)
    batch = PartReader(made.part(0), 0).batch(np.array([4, 0, 3]), as_it_is, total=3)
    monkeypatch.setattr(LanguageModel, "pieces_per_batch", 30)  # in several parts
    states = centre_states(model, batch, (-1,))

    sentences = [line for line in corpus.read_text().splitlines() if line][:5]
    encoding = model.tokenize([sentences[4]])[0]
    outputs, _ = model.outputs([encoding.ids])
    vocabulary = made.vocabulary
    mentions = vocabulary.find(sentences[4])
    assert batch.rows[0, : len(mentions)].tolist() == [mention.row for mention in mentions]
    assert (batch.rows[0, len(mentions) :] == NO_WORD).all()
    for number, mention in enumerate(mentions):
        pieces = sorted({encoding.char_to_token(place) for place in range(*mention.letters)})
        torch.testing.assert_close(states[number], outputs[0, pieces].mean(dim=0), rtol=1e-4, atol=1e-4)
    assert any(size > 1 for size in batch.sizes.tolist())


def test_phrases_of_a_list_are_words_of_their_own(bert: LanguageModel, corpus: Path, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="2 of 5 words are left out.*'new', 'unicorn'"):
        made = prepare(
            [corpus], tmp_path, SHORT, model=bert, words=["New York", "new", "walked", "unicorn", "walked in"]
        )

    assert sorted(made.vocabulary.words) == ["new york", "walked", "walked in"]
    assert words_of(made)[0] == ["walked", "walked in", "new york"]
    assert (made.folder / "words.tsv").read_text().count("\n") == len(made.vocabulary.words)


def test_a_prepared_corpus_is_not_made_twice(
    bert: LanguageModel, corpus: Path, prepared: PreparedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("everyword.systems.skipgram.prepared.frequent_words", never)
    again = prepare([corpus], prepared.folder, SHORT, model=bert)

    assert again.record == prepared.record
    with pytest.raises(InputError, match="prepared from other files, words or settings"):
        prepare([corpus], prepared.folder, SentencesConfig(4, 12, 2), model=bert)


def test_a_limit_takes_the_first_sentences(corpus: Path, prepared: PreparedCorpus, tmp_path: Path) -> None:
    few = prepare([corpus], tmp_path / "few", replace(SHORT, limit=100))
    assert few.sizes == [100]
    assert few.vocabulary.counts.sum() < prepared.vocabulary.counts.sum()
    most = prepare([corpus], tmp_path / "most", replace(SHORT, limit=10_000))
    assert most.sizes == prepared.sizes
    assert most.fingerprint != few.fingerprint
    # A corpus that was prepared before there was a limit is still the same one.
    without = {key: value for key, value in prepared.record["sentences"].items() if key != "limit"}
    (prepared.folder / "corpus.json").write_text(json.dumps({**prepared.record, "sentences": without}))
    assert PreparedCorpus.load(prepared.folder).fingerprint == prepared.fingerprint
    (prepared.folder / "corpus.json").write_text(json.dumps(prepared.record))


def test_parts_survive_the_disk_and_batches_hold_each_sentence_once(
    bert: LanguageModel, corpus: Path, prepared: PreparedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.systems.skipgram.prepared.SENTENCES_A_PART", 70)
    made = prepare([corpus], tmp_path, SHORT, model=bert)
    assert made.sizes == [70, 70, 70, 70, 20]
    assert words_of(made) == words_of(prepared)

    sampler = BatchSampler(made, batch=16, seed=0)
    rows = [batch.rows for batch in sampler.epoch(0, send=as_it_is)]
    assert len(rows) == sampler.steps == 4 * 5 + 2
    drawn = sorted(row[row >= 0].tolist() for batch in rows for row in batch)
    assert drawn == sorted([made.vocabulary.words.index(word) for word in sentence] for sentence in words_of(made))
    later = [batch.rows for batch in sampler.epoch(0, 7, send=as_it_is)]
    assert all(torch.equal(one, other) for one, other in zip(rows[7:], later, strict=True))
    assert not torch.equal(next(sampler.epoch(1, send=as_it_is)).rows, rows[0])


def test_words_that_a_tokenizer_loses_are_context_and_no_centres(bert: LanguageModel, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("the dog sat on 猫 mat\n" * 5, encoding="utf-8")
    made = prepare([tmp_path / "text.txt"], tmp_path / "made", SHORT, model=bert)
    batch = PartReader(made.part(0), 0).batch(np.array([0]), as_it_is, total=1)

    assert "猫" in made.vocabulary.words
    assert batch.rows.shape == (1, 6)
    assert batch.centres.tolist() == [0, 1, 2, 3, 5]


def test_words_that_share_a_piece_both_have_it(bert: LanguageModel, tmp_path: Path) -> None:
    # The tokenizer drops the soft hyphen between the two and so reads one word.
    (tmp_path / "text.txt").write_text("on the c\u00adat sat the dog\n" * 3, encoding="utf-8")
    made = prepare([tmp_path / "text.txt"], tmp_path / "made", SHORT, model=bert)
    part = made.part(0)

    assert words_of(made)[0] == ["on", "the", "c", "at", "sat", "the", "dog"]
    shared = bert.tokenize(["on the c\u00adat sat the dog"])[0]
    expected = [shared.char_to_token(place) for place in (0, 3, 7, 9, 12, 16, 20)]
    assert part.first_pieces()[: part.words[0]].tolist() == expected


def test_bad_corpora_are_told_in_a_sentence(bert: LanguageModel, tmp_path: Path) -> None:
    def refused(text: str, **options: Any) -> str:
        (tmp_path / "text.txt").write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as error:
            prepare([tmp_path / "text.txt"], tmp_path / "made", SHORT, model=bert, overwrite=True, **options)
        return str(error.value)

    assert "No line of text.txt has 4 to 12 words" in refused("\n\n")
    assert "No line of text.txt has 4 to 12 words" in refused("a gigantic line " * 100_000)
    assert "this line is longer than 16,777,216 bytes" in refused("x" * (1 << 24) + "yz")
    assert "must have two words or more. Got 'dog'" in refused("dog dog dog dog\n" * 3)
    assert "must have two words or more. Got 'dog'" in refused("a dog and a cat", words=["dog"])
    assert "loses every word of the corpus" in refused("猫 犬 鳥 馬\n" * 5)
    with pytest.raises(InputError, match="at least one text file"):
        prepare([], tmp_path / "made", model=bert)
    with pytest.raises(InputError, match="does not exist"):
        prepare([tmp_path / "nothing"], tmp_path / "made", model=bert)


def test_damaged_and_foreign_folders_are_told(
    bert: LanguageModel, roberta: LanguageModel, corpus: Path, prepared: PreparedCorpus, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="does not hold a prepared corpus"):
        PreparedCorpus.load(tmp_path)
    (tmp_path / "part.npz").write_bytes(b"PK, and no more")
    with pytest.raises(InputError, match="is not a part of a prepared corpus"):
        Part.load(tmp_path / "part.npz")
    with pytest.raises(InputError, match="prepared for another tokenizer"):
        prepared.check_encoder(roberta)
    bare = prepare([corpus], tmp_path / "bare", SHORT)
    with pytest.raises(InputError, match="prepared without an encoder"):
        bare.check_encoder(bert)


def test_counting_forgets_what_is_rare_before_the_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.systems.skipgram.sentences.MOST_SPELLINGS", 4)
    found: Vocabulary = prepared.frequent_words(["a b", "a b", "c d e f", "a b"], 3)

    assert found.words == ["a", "b"]


def test_an_encoder_of_gpts_kind_reads_the_same_words(prepared: PreparedCorpus, corpus: Path, tmp_path: Path) -> None:
    gpt = LanguageModel.load(save_tiny_gpt(tmp_path / "gpt"), device="cpu")
    made = prepare([corpus], tmp_path / "made", SHORT, model=gpt)
    batch = PartReader(made.part(0), 0).batch(np.arange(6), as_it_is, total=6)
    states = centre_states(gpt, batch, (-1,))

    assert made.vocabulary.words == prepared.vocabulary.words
    assert len(states) == int((batch.rows >= 0).sum())
    # A causal model that reads less of a sentence says the same of its first words.
    short = PartReader(made.part(0), 0).batch(np.array([0]), as_it_is, total=1)
    torch.testing.assert_close(centre_states(gpt, short, (-1,))[0], states[0], rtol=1e-4, atol=1e-4)


def test_a_corpus_prepared_for_an_encoder_serves_methods_without_one(
    bert: LanguageModel, corpus: Path, prepared: PreparedCorpus, tmp_path: Path
) -> None:
    assert prepare([corpus], prepared.folder, SHORT).record == prepared.record
    bare = prepare([corpus], tmp_path, SHORT)
    with pytest.raises(InputError, match="or for another tokenizer"):
        prepare([corpus], bare.folder, SHORT, model=bert)


def test_parts_are_joined_and_cut_anywhere(prepared: PreparedCorpus) -> None:
    whole = prepared.part(0)
    again = Part.joined([whole.some(0, 7), whole.some(7, 7), whole.some(7, len(whole))])

    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(again, name), getattr(whole, name))
        assert getattr(again, name).dtype == getattr(whole, name).dtype


def test_workers_write_the_same_bytes(
    bert: LanguageModel, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.systems.skipgram.prepared.SENTENCES_A_PART", 70)
    monkeypatch.setattr("everyword.systems.skipgram.parts.SENTENCES_AT_ONCE", 32)
    alone = prepare([corpus], tmp_path / "alone", SHORT, model=bert)
    together = prepare([corpus], tmp_path / "together", SHORT, model=bert, workers=2)

    assert together.record == alone.record
    files = sorted(path.name for path in alone.folder.iterdir())
    assert len(files) == 5 + 2
    assert all((together.folder / name).read_bytes() == (alone.folder / name).read_bytes() for name in files)


def test_a_worker_that_dies_is_told(prepared: PreparedCorpus) -> None:
    with pytest.raises(EverywordError, match="One of 2 workers died"):
        list(build_parts(["a sentence"], DeadlyBuilder(prepared.vocabulary), workers=2))
