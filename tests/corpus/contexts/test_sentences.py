from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.corpus.contexts.sentences import WordSentences, read_sentences, stream_sentences
from everyword.errors import InputError

LINES = (
    '{"word": "cat", "count": 3, "band": "rare", "sentences": ["A cat sat.", "The cat ran."]}\n'
    '\n{"word": "café", "sentences": []}\n'
)
EXPECTED = {"cat": ["A cat sat.", "The cat ran."], "café": []}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "contexts.jsonl"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_a_file_a_compressed_file_and_a_folder_are_the_same(file: Path) -> None:
    packed = file.with_name("packed.jsonl.gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))

    assert read_sentences(file) == read_sentences(packed) == read_sentences(str(file.parent)) == EXPECTED


def test_counts_are_streamed_where_they_are_known(file: Path) -> None:
    assert list(stream_sentences(file)) == [WordSentences("cat", EXPECTED["cat"], 3), WordSentences("café", [])]


def test_a_word_on_two_lines_has_the_sentences_of_both(file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write('{"word": "cat", "sentences": ["A cat sat.", "No cat."]}\n')

    assert read_sentences(file)["cat"] == ["A cat sat.", "The cat ran.", "No cat."]


@pytest.mark.parametrize(
    "line",
    ["cat", "[1]", '{"word": 1, "sentences": []}', '{"word": "a"}', '{"word": "a", "sentences": [1]}', "[" * 9999],
)
def test_a_line_of_another_kind_is_refused(file: Path, line: str) -> None:
    file.write_text(LINES + line, encoding="utf-8")

    with pytest.raises(InputError, match=r"contexts.jsonl:4: an object such as .* was expected\. Got .* instead\."):
        read_sentences(file)


@pytest.mark.parametrize("count", ["-1", "1.5", "true", '"3"'])
def test_a_count_that_counts_nothing_is_refused(file: Path, count: str) -> None:
    file.write_text(f'{{"word": "a", "sentences": [], "count": {count}}}', encoding="utf-8")

    with pytest.raises(InputError, match="the count of a word must be a whole number, 0 or more"):
        read_sentences(file)


def test_a_folder_of_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no contexts\.jsonl; finish the run"):
        read_sentences(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist; give the path of a file of sentences"):
        read_sentences(tmp_path / "none.jsonl")
