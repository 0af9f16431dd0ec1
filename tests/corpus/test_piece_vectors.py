from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.corpus.piece_vectors import NO_PIECE, PiecesConfig, PieceVectors, tokenized_lines, train_pieces
from everyword.errors import InputError

pytest.importorskip("gensim")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "text.txt"
    lines = ["Walking and talking, walked and talked.", "He walks; she talks in 1999!"] * 30
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def trained(corpus: Path) -> PieceVectors:
    return train_pieces([corpus], PiecesConfig(pieces=26, dim=8, epochs=1), "en")


def test_any_word_of_the_script_has_a_vector(trained: PieceVectors) -> None:
    vectors = trained.encode(["walking", "TALKING", "walktalk", "東京", ""])

    assert trained.dim == 16
    assert vectors.shape == (5, 16)
    assert vectors[:3].any(axis=1).all()
    assert not vectors[3:].any()
    assert (trained.pieces(["東京"]) == NO_PIECE).all()


def test_a_word_is_its_first_and_its_last_piece(trained: PieceVectors) -> None:
    [[first, last]] = trained.pieces(["walktalking"])

    np.testing.assert_allclose(trained.encode(["walktalking"])[0], [*trained.vectors[first], *trained.vectors[last]])
    np.testing.assert_allclose(trained.encode(["1999"]), trained.encode(["2024"]))


def test_saving(trained: PieceVectors, tmp_path: Path) -> None:
    path = tmp_path / "en.safetensors"
    trained.save(path)
    loaded = PieceVectors.load(path)

    assert loaded.name == "en"
    np.testing.assert_allclose(loaded.encode(["talks"]), trained.encode(["talks"]))
    with pytest.raises(InputError, match="There is no file"):
        PieceVectors.load(tmp_path / "de.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"{}")
    with pytest.raises(InputError, match="cannot be read as vectors of pieces"):
        PieceVectors.load(tmp_path / "bad.safetensors")


def test_a_corpus_is_read_to_a_number_of_words(corpus: Path, tmp_path: Path) -> None:
    assert list(tokenized_lines(corpus, 9)) == [
        ["walking", "and", "talking", ",", "walked", "and", "talked", "."],
        ["he", "walks", ";", "she", "talks", "in", "0000", "!"],
    ]
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    with pytest.raises(InputError, match="holds no words"):
        train_pieces([empty], PiecesConfig())
