"""What is made of texts comes back: parts, sentences, prepared corpora, lists of words and counts."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.atomic import write_lines
from everyword.corpus.contexts.parts import PartReader, as_json, write_scan_result
from everyword.corpus.contexts.scan import ScanResult
from everyword.corpus.contexts.sentences import read_sentences
from everyword.corpus.word_list import read_words
from everyword.evaluation.probes.cloze.counts import read_counts, write_counts
from everyword.evaluation.probes.cloze.entries import BANDS, RELATIONS, SPLITS, Entry, read_entries, write_entries
from everyword.files import read_lines
from everyword.language_models.pieces import Span
from everyword.systems.skipgram.parts import Part, Sentence
from everyword.systems.skipgram.prepared import PreparedCorpus

from .strange import any_word

sentences = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1, max_size=5)
in_a_line = any_word.filter(
    lambda word: not {*word} & {"\n", "\r", "\t"} and word == word.strip() and word[0] != "\ufeff"
)


@given(texts=sentences)
@settings(deadline=None, max_examples=40)
def test_parts_of_contexts(texts: list[str]) -> None:
    places = np.arange(len(texts))
    keys = (places.astype(np.uint64) << np.uint64(40)) + np.uint64(5)
    with tempfile.TemporaryDirectory() as folder:
        write_scan_result(Path(folder) / "part", ScanResult(places + 1, keys, places, texts))
        part = PartReader(Path(folder) / "part")
        assert part.counts(range(len(texts))).tolist() == [*range(1, len(texts) + 1)]
        assert [json.loads(text) for text in part.texts(places)] == texts


@given(found=st.dictionaries(any_word, sentences, min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_sentences_of_words(found: dict[str, list[str]]) -> None:
    found = {word: list(dict.fromkeys(texts)) for word, texts in found.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contexts.jsonl"
        write_lines(path, (as_json({"word": word, "sentences": texts}) for word, texts in found.items()))
        assert read_sentences(folder) == found


@st.composite
def prepared_sentences(draw: st.DrawFn) -> Sentence:
    rows = draw(st.lists(st.integers(0, 2**31), min_size=2, max_size=6))
    edges = draw(st.lists(st.integers(1, 40), min_size=2 * len(rows), max_size=2 * len(rows)).map(sorted))
    spans = [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)]
    return Sentence(rows, draw(st.lists(st.integers(0, 2**20), min_size=41, max_size=41)), spans)


@given(
    corpus=st.lists(prepared_sentences(), min_size=1, max_size=4)
    | st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=5).map(Sentence), min_size=1, max_size=4)
)
@settings(deadline=None, max_examples=40)
def test_prepared_parts(corpus: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Part.of(corpus).save(Path(folder) / "part.npz")
        part = Part.load(Path(folder) / "part.npz")
    assert part.rows.tolist() == [row for sentence in corpus for row in sentence.rows]
    assert part.words.tolist() == [len(sentence.rows) for sentence in corpus]
    assert part.pieces.tolist() == [piece for sentence in corpus for piece in sentence.pieces]
    spans = [span for sentence in corpus for span in sentence.spans]
    assert part.sizes.tolist() == [span.stop - span.start for span in spans]
    if spans:
        seen = zip(part.first_pieces().tolist(), spans, strict=True)
        assert all(first == span.start for first, span in seen if not span.empty)


@given(words=st.lists(any_word.filter(lambda word: "\n" not in word), min_size=2, max_size=5, unique=True))
@settings(deadline=None, max_examples=40)
def test_the_words_of_a_prepared_corpus(words: list[str]) -> None:
    record = {"stamp": "x", "parts": [], "sentences": {}, "tokenizer": None}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_lines(folder / "words.tsv", (f"{word}\t{count}" for count, word in enumerate(words)))
        (folder / "corpus.json").write_text(json.dumps(record), encoding="utf-8")
        kept = PreparedCorpus.load(folder).vocabulary
    assert kept.words == words
    assert kept.counts.tolist() == [*range(len(words))]


@given(words=st.lists(in_a_line, min_size=1, max_size=5, unique=True))
@settings(deadline=None, max_examples=60)
def test_lists_of_words(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_lines(Path(folder) / "words.txt", words)
        assert read_lines(Path(folder) / "words.txt", "list of words") == words
        write_lines(Path(folder) / "words.tsv", ["word\tcount", *(f"{word}\t3" for word in words)])
        assert read_words(Path(folder) / "words.tsv") == words


@given(counts=st.dictionaries(in_a_line.map(str.lower), st.integers(0, 10**12), min_size=1, max_size=5))
@settings(deadline=None, max_examples=40)
def test_counts_of_words(counts: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_counts(Path(folder) / "counts.tsv", counts)
        assert read_counts(Path(folder) / "counts.tsv") == counts


entries = st.builds(
    Entry,
    st.sampled_from(SPLITS),
    st.sampled_from(RELATIONS),
    st.sampled_from(BANDS),
    in_a_line,
    st.integers(0, 10**9),
    st.lists(st.text("abcé'", min_size=1, max_size=5), min_size=1, max_size=3).map(tuple),
)


@given(asked=st.lists(entries, min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_questions_of_the_probe(asked: list[Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_entries(Path(folder) / "probe.tsv", asked)
        assert read_entries(Path(folder) / "probe.tsv") == asked
