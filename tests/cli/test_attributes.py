from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corpus.vocabulary.made_sources import write_wordnet

from .conftest import Run


def test_a_lexicon_is_made_from_wordnet(run: Run, refused: Callable[..., str], tmp_path: Path) -> None:
    write_wordnet(tmp_path / "dict")
    made = run("attributes", "--wordnet", "dict", "--output", "lexicon.tsv")
    assert made.exit_code == 0, made.stderr
    assert "attributes of" in made.stderr
    lines = dict(line.split("\t") for line in (tmp_path / "lexicon.tsv").read_text().splitlines())
    assert lines["dog"]
    assert lines["of"] == ""
    assert "exists already" in refused("attributes", "--wordnet", "dict", "--output", "lexicon.tsv")
    assert "lacks index.noun" in refused("attributes", "--wordnet", ".", "--output", "other.tsv")
