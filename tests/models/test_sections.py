"""Known words in sections: words, phrases and words of other languages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from attacks.sound import small_model
from safetensors.numpy import save_file

import everyword
from everyword.arrays import read_tensors
from everyword.errors import DamagedModelError, InputError
from everyword.files import checksum
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.vectors.storage.quantised import QuantisedMatrix
from everyword.vectors.storage.quantising import KnownPrecision, Quantisation, pack
from everyword.vectors.storage.stored import StoredMatrix
from everyword.vectors.table import VectorTable

WORDS = ["dog", "cat", "house", "tree", "guinea pig", "heart attack", "hund", "katze", "haus"]
SIZES = {"words": 4, "phrases": 2, "foreign": 3}
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 3)).astype(np.float32)
MATRIX[6:] = MATRIX[:3]  # hund lies where dog lies
PRECISIONS = pytest.mark.parametrize("precision", ["float32", "int4", "pq"])


def model_of(precision: KnownPrecision) -> Model:
    matrix = pack(MATRIX, precision, Quantisation(bytes=2, fine_rows=5, fine_bytes=3))
    return small_model().with_known(KnownWords(WORDS, matrix, SIZES))


@PRECISIONS
def test_words_of_other_languages_are_neighbours_only_on_request(precision: KnownPrecision) -> None:
    model = model_of(precision)
    assert {word for word, _ in model.nearest("dog", 20)} == set(WORDS[1:6])
    assert model.nearest("dog", 1, foreign=True)[0] == ("hund", pytest.approx(1, abs=1e-5))
    assert model.nearest("hund", 1)[0] == ("dog", pytest.approx(1, abs=1e-5))
    assert len(model.nearest(model["dog"], 20)) == 6
    assert len(model.nearest(model["dog"], 20, foreign=True)) == 9
    assert len(model.nearest(positive=["dog", "cat"], k=20)) == 4
    assert len(model.nearest(["dog"], 20, foreign=True)[0]) == 8


@PRECISIONS
def test_sections_are_saved(precision: KnownPrecision, tmp_path: Path) -> None:
    model = model_of(precision)
    model.save_pretrained(tmp_path / "one")
    described = json.loads((tmp_path / "one" / layout.CONFIG).read_text())
    assert described["known"] == {"words": 9, "precision": precision, "sections": SIZES}
    assert described["format"] == (3 if precision == "pq" else 1)
    again = everyword.load(tmp_path / "one")
    assert again.known_words.sections == {"words": range(4), "phrases": range(4, 6), "foreign": range(6, 9)}
    assert again.known_words.words == WORDS
    np.testing.assert_array_equal(again.encode(WORDS), model.encode(WORDS))
    assert again.nearest("hund", 3) == model.nearest("hund", 3)
    again.save_pretrained(tmp_path / "two")
    for name in (*layout.CHECKED, layout.CONFIG):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@PRECISIONS
def test_sections_follow_the_words(precision: KnownPrecision) -> None:
    model = model_of(precision)
    left = model.without(["cat", "HUND", "heart attack", "nobody"])
    assert left.known_words.section_sizes() == {"words": 3, "phrases": 1, "foreign": 2}
    assert left.known_words.words == ["dog", "house", "tree", "guinea pig", "katze", "haus"]
    np.testing.assert_allclose(left.encode(["tree", "haus"]), model.encode(["tree", "haus"]), atol=1e-5)
    own = VectorTable(["mouse", "cat"], MATRIX[:2] * [[1], [2]])
    attached = everyword.attach(own, left, precision="float32")
    assert attached.known_words.section_sizes() == {"words": 5, "phrases": 1, "foreign": 2}


def test_a_model_without_sections_has_one() -> None:
    known = small_model().known_words
    assert known.sections == {"words": range(5)}
    empty = KnownWords([], StoredMatrix(np.empty((0, 3), dtype=np.float32)))
    assert empty.sections == {"words": range(0)}
    assert empty.nearest(MATRIX[:1], 2) == [[]]


@pytest.mark.parametrize("sizes", [{"words": 8}, {"words": 10, "phrases": -1}, {"foreign": 3, "words": 6}])
def test_sections_that_do_not_fit_are_refused(sizes: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^The sections? "):
        KnownWords(WORDS, StoredMatrix(MATRIX), sizes)
    model_of("float32").save_pretrained(tmp_path)
    path = tmp_path / layout.CONFIG
    described = json.loads(path.read_text())
    for wrong in (sizes, [9], {"words": "9"}, {}):
        described["known"]["sections"] = wrong
        path.write_text(json.dumps(described))
        with pytest.raises(DamagedModelError, match=r"^The model's sections do not hold its 9 words; download or save"):
            everyword.load(tmp_path)


def test_an_adapted_model_may_be_quantised(tiny_model: Model, tmp_path: Path) -> None:
    words = list(tiny_model.known_words.words)
    table = VectorTable([*words, "zebra"], np.random.default_rng(1).normal(size=(len(words) + 1, 6)).astype(np.float32))
    adapted = everyword.adapt(table, tiny_model, precision="pq")
    adapted.save_pretrained(tmp_path)
    again = everyword.load(tmp_path)
    assert isinstance(again.known_words.matrix, QuantisedMatrix)
    asked = [*words[:20], "zebra", "trustin"]
    np.testing.assert_allclose(again.encode(asked), adapted.encode(asked), atol=1e-5)
    # So few words leave most centres of the code book unused, and their zeros are left out of the file.
    assert json.loads((tmp_path / layout.CONFIG).read_text())["format"] == layout.PRUNED_FORMAT


def test_a_large_table_stays_in_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = model_of("pq")
    model.save_pretrained(tmp_path)
    copied = everyword.load(tmp_path).known_words.matrix
    monkeypatch.setattr("everyword.arrays.MAPPED_FROM", 1)
    mapped = everyword.load(tmp_path)
    assert isinstance(copied, QuantisedMatrix)
    assert isinstance(mapped.known_words.matrix, QuantisedMatrix)
    np.testing.assert_array_equal(mapped.known_words.matrix.floats(), copied.floats())
    np.testing.assert_array_equal(mapped.encode(["dogg"]), model.encode(["dogg"]))
    model.without(["dog"]).save_pretrained(tmp_path)  # replaces the file, not what is in it
    np.testing.assert_array_equal(mapped.encode(WORDS), model.encode(WORDS))


def test_longer_terms_that_contain_the_word_are_not_its_neighbours() -> None:
    words = ["heart", "lung", "heart attack", "sweetheart deal", "attack"]
    vectors = np.array([[1, 0, 0], [0.9, 0.4, 0], [1, 0.05, 0], [0.95, 0.3, 0], [0.2, 1, 0]], dtype=np.float32)
    known = KnownWords(words, StoredMatrix.pack(vectors, "float32"), {"words": 2, "phrases": 3})
    model = small_model().with_known(known)
    assert [word for word, _ in model.nearest("heart", 5)] == ["sweetheart deal", "lung", "attack"]
    assert [word for word, _ in model.nearest("heart attack", 2)] == ["heart", "sweetheart deal"]


def test_words_of_which_little_is_known_are_less_certain(tmp_path: Path) -> None:
    matrix = pack(MATRIX, "pq", Quantisation(bytes=2, fine_rows=5, fine_bytes=3))
    known = KnownWords(WORDS, matrix, SIZES, reliability=np.arange(0, 180, 20, dtype=np.uint8))
    small_model().with_known(known.without(["cat"])).save_pretrained(tmp_path)
    model = everyword.load(tmp_path)
    confidences = [explanation.confidence for explanation in model.explain(["dog", "house", "haus"])]
    assert confidences == pytest.approx([0, 40 / 255, 160 / 255])
    assert model_of("pq").explain("dog").confidence == 1
    tensors, _ = read_tensors(tmp_path / layout.TENSORS)
    save_file(tensors | {layout.KNOWN_RELIABILITY: np.zeros(3, dtype=np.uint8)}, tmp_path / layout.TENSORS)
    described = json.loads((tmp_path / layout.CONFIG).read_text())
    described["files"][layout.TENSORS] = checksum(tmp_path / layout.TENSORS)
    (tmp_path / layout.CONFIG).write_text(json.dumps(described))
    with pytest.raises(DamagedModelError, match="must be a byte for each of them"):
        everyword.load(tmp_path)
