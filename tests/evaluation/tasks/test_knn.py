"""The balanced vote of nearest neighbours (Coria and others 2020), worked out by hand."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from made import toy_model

from everyword.errors import InputError
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.knn import LabelledParts, balanced_knn_f1, macro_f1, misspelt, run, text_means, vote

VECTORS = {"red": [1.0, 0.1], "pink": [0.9, 0.2], "sea": [0.1, 1.0], "lake": [0.2, 0.9], "the": [0.5, 0.5]}


def folder(path: Path, train: str, test: str, header: str = "label\ttext\n", name: str = "train.tsv.gz") -> Path:
    path.mkdir(exist_ok=True)
    for file, text in ((name, train), ("test.tsv.gz", test)):
        (path / file).write_bytes(gzip.compress((header + text).encode(), mtime=0))
    return path


def test_one_neighbour_of_a_rare_class_outweighs_nine_of_a_frequent_one() -> None:
    near, far = np.array([1.0, 0.0]), np.array([-1.0, 0.0])
    # 900 texts of class 0, of which nine are near; ten of class 1, of which one is.
    train = np.concatenate([np.tile(near, (9, 1)), np.tile(far, (891, 1)), near[None], np.tile(far, (9, 1))])
    labels = np.array([0] * 900 + [1] * 10)
    assert vote(train, labels, near[None], k=10).tolist() == [1]
    assert vote(train, labels, near[None], k=10, balance=False).tolist() == [0]


def test_of_equal_votes_the_nearest_text_decides() -> None:
    train = np.array([[1.0, 0.3], [1.0, 0.1], [1.0, 0.2], [1.0, 0.4]])
    labels = np.array([0, 1, 0, 1])
    assert vote(train, labels, np.array([[1.0, 0.0]]), k=4).tolist() == [1]
    assert vote(train, labels, np.array([[1.0, 0.3]]), k=2, balance=False).tolist() == [0]


def test_a_class_that_is_never_predicted_counts_zero() -> None:
    assert macro_f1(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0])) == pytest.approx(100 * (2 / 3) / 2)
    assert macro_f1(np.array([0, 0]), np.array([0, 2])) == pytest.approx(200 / 3)  # class 2 is not in gold
    assert macro_f1(np.array([0, 1]), np.array([1, 1]), leave_out=0) == pytest.approx(200 / 3)
    points = np.eye(3).repeat(4, axis=0)
    classes = np.arange(3).repeat(4)
    assert balanced_knn_f1(points, classes, np.eye(3), np.arange(3), k=3) == pytest.approx(100)


def test_texts_are_classified_by_their_neighbours(tmp_path: Path) -> None:
    train = "none\tred pink\nnone\tpink the\nwater\tsea the\nwater\tlake sea\n"
    data = LabelledParts.load(folder(tmp_path / "made", train, "none\tthe red\nwater\tthe lake\nwater\tred\n"))
    scores = run(toy_model(VECTORS), data, 0)
    assert data.classes == ("none", "water")
    assert (scores.n, scores.known) == (3, 3)
    assert set(scores.values) == {
        f"{name}{end}" for name in ("f1", "f1_without_none", "accuracy") for end in ("", "_plain")
    }
    assert run(toy_model(VECTORS), misspelt(data, lambda word: "?"), 0).n == 3
    with pytest.raises(NoOverlapError, match="No word of made"):
        run(toy_model({"hund": [1.0]}), data, 0)


def test_the_finest_labels_are_read_and_titles_belong_to_the_text(tmp_path: Path) -> None:
    header, rows = "label\tcategory\ttitle\ttext\n", "yes\ta\tred\tsea\nno\tb\tlake\t\n"
    data = LabelledParts.load(folder(tmp_path / "made", rows, rows, header, "train8k.tsv.gz"))
    assert data.classes == ("a", "b")
    assert data.train == [["red", "sea"], ["lake"]]
    means = text_means(toy_model(VECTORS).encode, [["red", "sea"], []])
    assert means == pytest.approx(np.array([[0.55, 0.55], [0, 0]]))


@pytest.mark.parametrize(
    ("header", "train", "test", "said"),
    [
        ("class\ttext\n", "a\tx\n", "a\tx\n", "train.tsv.gz:1: the first line must name a column category or label"),
        ("label\ttext\n", "a\tx\nb\n", "a\tx\n", "train.tsv.gz:3: needs 2 cells"),
        ("label\ttext\n", "a\tx\na\ty\n", "a\tx\n", "only one class"),
        ("label\ttext\n", "a\tx\nb\ty\n", "c\tx\n", "the class 'c', which train.tsv.gz never has"),
    ],
)
def test_wrong_files_are_told_and_texts_are_not_quoted(
    header: str, train: str, test: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        LabelledParts.load(folder(tmp_path / "made", train, test, header))
    with pytest.raises(InputError, match="vectors and a class for each"):
        vote(np.ones((2, 2)), np.array([0]), np.ones((1, 2)))
