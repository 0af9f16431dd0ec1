from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword.corpus.contexts.sentences import read_sentences

from .conftest import Run

TEXT = "The cat sat on a mat.\nA cat and a Cat met in New York.\nNo dogs here at all.\n"


@pytest.fixture(autouse=True)
def _files(run: Run) -> None:
    Path("corpus.txt").write_text(TEXT, encoding="utf-8")
    Path("words.txt").write_text("cat\nnew york\nunseen\ncat\nCat\n", encoding="utf-8")


ASKED = ["contexts", "corpus.txt", "--words", "words.txt", "--output", "out", "--workers", 1, "--quiet"]


def test_sentences_counts_and_bands(run: Run) -> None:
    result = run(*ASKED, "--bands", "1,3")

    assert result.exit_code == 0, result.stderr
    assert result.stderr == "Saved the sentences of 4 words (1 rare, 1 medium, 2 frequent) to out.\n"
    lines = [json.loads(line) for line in Path("out/contexts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["word"], line["count"], line["band"]) for line in lines] == [
        ("cat", 3, "frequent"),
        ("new york", 1, "medium"),
        ("unseen", 0, "rare"),
        ("Cat", 3, "frequent"),
    ]
    assert read_sentences("out")["new york"] == ["A cat and a Cat met in New York."]
    assert set(read_sentences("out")["cat"]) == set(read_sentences("out")["Cat"]) == set(TEXT.split("\n")[:2])


def test_again_is_nothing_to_do_and_otherwise_is_refused(run: Run, refused: Callable[..., str]) -> None:
    run(*ASKED)
    before = Path("out/contexts.jsonl").stat().st_mtime_ns

    assert run(*ASKED).exit_code == 0
    assert "holds the result of other words, options or files" in refused(*ASKED, "--sentences", 1)
    assert Path("out/contexts.jsonl").stat().st_mtime_ns == before


def test_shares(run: Run) -> None:
    result = run(*ASKED, "--shard", "1/2")

    assert result.stderr == "Shard 1/2 is done; run without --shard when all shards are.\n"
    assert run(*ASKED).exit_code == 0
    assert len(read_sentences("out")["cat"]) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bands", "10"], "--bands takes two whole numbers, as in 10,100. Got '10' instead."),
        (["--bands", "100,10"], "the band medium must not begin above frequent. Got 100 and 10 instead"),
        (["--shard", "1:2"], "--shard takes two whole numbers, as in 3/16. Got '1:2' instead."),
        (["--shard", "3/2"], "A share must be one of 1/N to N/N"),
        (["--longest", "3"], "shortest must not be above longest. Got 4 and 3 instead"),
        (["--words", "corpus2.txt"], "corpus2.txt"),
        (["missing.txt"], "missing.txt does not exist"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_read(
    refused: Callable[..., str], options: list[str], message: str
) -> None:
    assert message in refused(*ASKED, *options)
    assert not Path("out/contexts.jsonl").exists()


def test_words_that_cannot_be_found_are_told(run: Run) -> None:
    Path("words.txt").write_text("cat\nc++\n", encoding="utf-8")

    result = run(*ASKED)

    assert "everyword: 1 of 2 words cannot be found in any text, because" in result.stderr
    assert read_sentences("out")["c++"] == []
