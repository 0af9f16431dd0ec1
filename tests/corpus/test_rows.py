from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from made import write

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.tasks.analogy import AnalogySet
from everyword.evaluation.tasks.clustering import ClusteringSet
from everyword.evaluation.tasks.misspelling import MisspellingSet
from everyword.evaluation.tasks.similarity import SimilaritySet

LOADERS = [SimilaritySet.load, ClusteringSet.load, AnalogySet.load, MisspellingSet.load]


def test_rows_are_numbered_as_in_the_file_and_may_have_more_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", "\ufeffwrong\tright\tremark\r\nteh\tthe\tx\r\nx\u2028y\tz\n")

    assert list(read_rows(path, "set", ("wrong", "right"))) == [(2, ["teh", "the"]), (3, ["x\u2028y", "z"])]


def test_gzip_is_read_and_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv.gz"
    whole = gzip.compress(b"wrong\tright\nteh\tthe\n")
    path.write_bytes(whole)
    assert MisspellingSet.load(path).rights == {"teh": ["the"]}
    for damage in (whole[:-4], b"wrong\tright\n", whole[:12] + b"\xff" + whole[13:]):
        path.write_bytes(damage)
        with pytest.raises(InputError, match=r"x\.tsv\.gz is not a complete gzip file"):
            MisspellingSet.load(path)


@pytest.mark.parametrize("load", LOADERS)
def test_empty_missing_and_foreign_files_are_named(load: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.tsv is empty"):
        load(write(tmp_path / "x.tsv", ""))
    with pytest.raises(InputError, match=r"There is no .* .*gone\.tsv"):
        load(tmp_path / "gone.tsv")
    (tmp_path / "latin.tsv").write_bytes(b"caf\xe9\tx\n")
    with pytest.raises(InputError, match=r"latin\.tsv cannot be read as UTF-8"):
        load(tmp_path / "latin.tsv")


@pytest.mark.parametrize(
    ("load", "header", "good", "bad"),
    [
        (ClusteringSet.load, "word\tcategory", "cat\tanimal", "dog"),
        (ClusteringSet.load, "word\tcategory", "cat\tanimal", "dog\t"),
        (AnalogySet.load, "section\ta\tb\tc\td", "s\ta\tb\tc\td", "s\ta\tb\tc"),
        (MisspellingSet.load, "wrong\tright", "teh\tthe", "adn and"),
    ],
)
def test_a_bad_line_and_a_wrong_column_are_named(
    load: Callable[[Path], object], header: str, good: str, bad: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"x\.tsv:3: needs .*fix this line") as caught:
        load(write(tmp_path / "x.tsv", f"{header}\n{good}\n{bad}\n"))
    assert repr(bad) in str(caught.value)
    with pytest.raises(InputError, match=r"x\.tsv:1: the first line must name the columns"):
        load(write(tmp_path / "x.tsv", f"{good}\n{good}\n"))


def test_a_similarity_set_without_a_header_would_lose_a_pair(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.tsv:1: .*put a header above it"):
        SimilaritySet.load(write(tmp_path / "x.tsv", "sun\tsea\t3\nsun\tmoon\t4\ncat\tdog\t5\n"))


def test_a_header_alone_is_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds 0 classes"):
        ClusteringSet.load(write(tmp_path / "x.tsv", "word\tcategory\n"))
    with pytest.raises(InputError, match="holds no question"):
        AnalogySet.load(write(tmp_path / "x.tsv", "section\ta\tb\tc\td\n"))
    with pytest.raises(InputError, match="holds no misspelling"):
        MisspellingSet.load(write(tmp_path / "x.tsv", "wrong\tright\n"))


def test_a_question_of_three_words_is_named_in_word2vecs_form(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"q\.txt:3: needs four words.*Got 'a b c'"):
        AnalogySet.load(write(tmp_path / "q.txt", ": s\na b c d\na b c\n"))
