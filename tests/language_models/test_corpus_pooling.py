from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_transformers import SENTENCES

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.language_models import corpus_pooling
from everyword.language_models.corpus_pooling import CHECKPOINT, CorpusRun, Occurrences, pool_corpus
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.mentions import MentionFinder
from everyword.language_models.text_vectors import text_vectors

from .naive import word_vector

WORDS = ["cat", "dog", "New York", "naïve", "the", "walking", "York"]


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """The sentences several times over, in three files of different kinds."""
    plain, zipped, packed = tmp_path / "a.txt", tmp_path / "b.txt.gz", tmp_path / "c.txt.xz"
    plain.write_text("\n".join(SENTENCES) + "\n\n", encoding="utf-8")
    zipped.write_bytes(gzip.compress("\r\n".join(SENTENCES[::-1]).encode()))
    packed.write_bytes(lzma.compress(("\ufeff" + "\n".join(SENTENCES[1:])).encode()))
    return [plain, zipped, packed]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_pooling, "PASSAGES_AT_ONCE", 2)
    monkeypatch.setattr(corpus_pooling, "CHUNKS_PER_CHECKPOINT", 1)


def pooled(model: LanguageModel, run: CorpusRun) -> Occurrences:
    result = pool_corpus(model, run)
    assert result is not None
    return result


def slowly(model: LanguageModel, word: str, most: int) -> FloatArray:
    """The vectors of a word's first occurrences, one sentence at a time."""
    sentences = [*SENTENCES, *SENTENCES[::-1], *SENTENCES[1:]]
    found = [(text, mention.letters) for text in sentences for mention in MentionFinder([word]).find(text)]
    return np.array([word_vector(model, text, *letters) for text, letters in found[:most]])


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("most", [1, 3, 100])
def test_occurrences_are_pooled_as_one_would_by_hand(model: LanguageModel, corpus: list[Path], most: int) -> None:
    result = pooled(model, CorpusRun(WORDS, corpus, occurrences=most))

    assert result.table("mean").words == WORDS
    for word in WORDS:
        vectors = slowly(model, word, most)
        np.testing.assert_allclose(result.table("mean")[word], vectors.mean(axis=0), atol=1e-5)
        np.testing.assert_allclose(result.table("max")[word], vectors.max(axis=0), atol=1e-5)


@pytest.mark.usefixtures("small_parts")
def test_texts_around_a_word_are_pooled_too(bert: LanguageModel, corpus: list[Path]) -> None:
    result = pooled(bert, CorpusRun(["cat"], corpus, occurrences=3, texts=True))
    texts = [text for text in [*SENTENCES, *SENTENCES[::-1]] for _ in MentionFinder(["cat"]).find(text)][:3]
    np.testing.assert_allclose(result.text_table()["cat"], text_vectors(bert, texts).mean(axis=0), atol=1e-5)
    with pytest.raises(InputError, match="The texts around the words were not pooled; make the run with texts=True"):
        pooled(bert, CorpusRun(["cat"], corpus)).text_table()


def test_processes_pool_what_a_thread_does(bert: LanguageModel, corpus: list[Path]) -> None:
    expected = pooled(bert, CorpusRun(WORDS, corpus, occurrences=2)).table()
    table = pooled(bert, CorpusRun(WORDS, corpus, occurrences=2, workers=2)).table()
    np.testing.assert_allclose(table.matrix, expected.matrix, atol=1e-6)
    with pytest.raises(InputError, match="The number of worker processes must be 0 or more"):
        CorpusRun(WORDS, corpus, workers=-1)


def test_the_order_of_words_and_the_size_of_parts_do_not_matter(
    model: LanguageModel, corpus: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pooled(model, CorpusRun(WORDS, corpus, occurrences=2)).table()
    monkeypatch.setattr(corpus_pooling, "PASSAGES_AT_ONCE", 3)

    table = pooled(model, CorpusRun(WORDS[::-1], corpus, occurrences=2)).table()

    np.testing.assert_allclose(table.select(WORDS).matrix, expected.matrix, atol=1e-5)


def test_sentences_are_not_encoded_when_their_words_are_full(
    bert: LanguageModel, corpus: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []
    outputs = bert.outputs
    monkeypatch.setattr(bert, "outputs", lambda ids, layers: (encoded.append(len(ids)), outputs(ids, layers))[1])

    pooled(bert, CorpusRun(["cat"], corpus, occurrences=2))

    assert sum(encoded) == 1


def test_a_long_line_is_read_to_its_end(model: LanguageModel, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("the " * corpus_pooling.LONGEST_PASSAGE + "cat", encoding="utf-8")

    np.testing.assert_allclose(
        pooled(model, CorpusRun(["cat"], [path])).table()["cat"], word_vector(model, "cat", 0, 3), atol=1e-5
    )


def test_words_that_do_not_occur_are_left_out_and_counted(bert: LanguageModel, corpus: list[Path]) -> None:
    result = pooled(bert, CorpusRun(["cat", "xylophone"], corpus))

    with pytest.warns(UserWarning, match="1 of 2 words are left out, because they do not occur in the .*: 'xylophone'"):
        assert result.table("max").words == ["cat"]


def stop_after(parts: int, by: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do something when so many parts are added."""
    add = corpus_pooling._add

    def add_and_stop(model: LanguageModel, run: CorpusRun, part: corpus_pooling._Part, kept: Occurrences) -> None:
        add(model, run, part, kept)
        if kept.chunks == parts:
            by()

    monkeypatch.setattr(corpus_pooling, "_add", add_and_stop)


@pytest.mark.usefixtures("small_parts")
def test_a_killed_run_resumes_to_the_same_table(
    model: LanguageModel, corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CorpusRun(WORDS, corpus, occurrences=3, run_folder=tmp_path / "run")
    expected = pooled(model, replace(run, run_folder=None))

    def die() -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        stop_after(3, die, patch)
        with pytest.raises(MemoryError):
            pool_corpus(model, run)
    resumed = pooled(model, replace(run, resume=True))

    for pool in ("mean", "max"):
        assert resumed.table(pool).words == expected.table(pool).words
        np.testing.assert_array_equal(resumed.table(pool).matrix, expected.table(pool).matrix)
    np.testing.assert_array_equal(resumed.counts, expected.counts)


@pytest.mark.usefixtures("small_parts")
def test_ctrl_c_stops_after_a_part_and_a_finished_run_is_not_made_again(
    bert: LanguageModel, corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import signal

    run = CorpusRun(WORDS, corpus, run_folder=tmp_path / "run")
    with monkeypatch.context() as patch:
        stop_after(2, lambda: signal.raise_signal(signal.SIGINT), patch)
        assert pool_corpus(bert, run) is None
    finished = pooled(bert, replace(run, resume=True))

    monkeypatch.setattr(bert, "outputs", None)  # nothing is left to encode
    again = pooled(bert, replace(run, resume=True))

    np.testing.assert_array_equal(again.table("max").matrix, finished.table("max").matrix)


def test_a_run_of_other_words_is_not_resumed(bert: LanguageModel, corpus: list[Path], tmp_path: Path) -> None:
    run = CorpusRun(WORDS, corpus, run_folder=tmp_path / "run")
    pooled(bert, run)

    assert [path.name for path in (tmp_path / "run").iterdir()] == [CHECKPOINT]
    with pytest.raises(InputError, match="was started with another configuration or teacher"):
        pool_corpus(bert, replace(run, words=WORDS[1:], resume=True))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"the cat sat on the mat")[:-9], "the compressed data are damaged or cut off .*fetch the file"),
        (lzma.compress(b"the cat" * 1000)[:-20], "the compressed data are damaged or cut off .*fetch the file"),
        (b"the cat\nna\xefve", ":2: this line is not UTF-8 text; convert the file to UTF-8"),
    ],
    ids=["gzip", "xz", "not UTF-8"],  # compressed bytes hold the time, and make a test's name another one
)
def test_damaged_corpora_are_refused(bert: LanguageModel, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(content)

    with pytest.raises(InputError, match=message):
        pool_corpus(bert, CorpusRun(["cat"], [path]))


def test_a_line_without_end_is_refused(bert: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everyword.corpus.text_file.LONGEST_LINE", 64)
    path = tmp_path / "corpus.txt"
    path.write_text("short\n" + "cat " * 100)

    with pytest.raises(InputError, match=r"corpus\.txt:2: this line is longer than 64 bytes; break it into lines"):
        pool_corpus(bert, CorpusRun(["cat"], [path]))


def test_a_corpus_that_is_not_there_is_refused(bert: LanguageModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist; give the path of a text file"):
        pool_corpus(bert, CorpusRun(["cat"], [tmp_path / "no.txt"]))
    with pytest.raises(InputError, match="is a folder; give the path of a text file"):
        pool_corpus(bert, CorpusRun(["cat"], [tmp_path]))


def test_what_cannot_be_asked_of_a_corpus(bert: LanguageModel, corpus: list[Path]) -> None:
    with pytest.raises(InputError, match="at least one text file is needed"):
        CorpusRun(WORDS, [])
    with pytest.raises(InputError, match=r"must be 1 or more\. Got 0 instead"):
        CorpusRun(WORDS, corpus, occurrences=0)
    with pytest.raises(InputError, match="nothing to resume without a run folder"):
        CorpusRun(WORDS, corpus, resume=True)
    with pytest.raises(InputError, match="There is no pooling 'cls' over occurrences: choose from max, mean"):
        pooled(bert, CorpusRun(WORDS, corpus)).table("cls")
