from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tiny import OWN_DIM, own_table, tiny_table

import everyword
from everyword.errors import DamagedModelError, InputError
from everyword.files import checksum
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.explanation import Share, Source
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.vectors.storage.stored import Precision
from everyword.vectors.table import VectorTable

ONLY_THE_BASE_KNOWS = tiny_table().words[:40]
NOBODY_KNOWS = ["bann", "plinnesx", "trusted"]


@pytest.fixture
def folder(tiny_adapted_model: Model, tmp_path: Path) -> Path:
    tiny_adapted_model.save_pretrained(tmp_path / "adapted")
    return tmp_path / "adapted"


def altered(folder: Path, **changes: object) -> Path:
    path = folder / layout.CONFIG
    described = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(described), encoding="utf-8")
    return folder


def test_the_words_of_the_table_keep_their_vectors_bit_for_bit(tiny_adapted_model: Model) -> None:
    table = own_table()
    np.testing.assert_array_equal(tiny_adapted_model.encode(table.words), table.matrix)
    assert tiny_adapted_model.known_words.words == table.words
    assert all(map(tiny_adapted_model.known, table.words))
    assert not any(map(tiny_adapted_model.known, ONLY_THE_BASE_KNOWS + NOBODY_KNOWS))


def test_words_that_only_the_base_knows_are_mapped(tiny_adapted_model: Model, tiny_dan_model: Model) -> None:
    assert isinstance(tiny_adapted_model, AdaptedModel)
    expected = tiny_adapted_model.to_own_space(tiny_dan_model.encode(ONLY_THE_BASE_KNOWS))
    np.testing.assert_allclose(tiny_adapted_model.encode(ONLY_THE_BASE_KNOWS), expected, rtol=1e-4, atol=1e-4)


def test_mapped_vectors_come_near_those_of_the_space(tiny_adapted_model: Model) -> None:
    whole, own = tiny_table(), own_table()
    solution = np.linalg.lstsq(np.c_[whole.matrix[40:], np.ones(len(own))], own.matrix, rcond=None)[0]
    true = np.c_[whole.matrix[:40], np.ones(40)] @ solution
    made = tiny_adapted_model.encode(ONLY_THE_BASE_KNOWS)
    cosines = (true * made).sum(axis=1) / np.linalg.norm(true, axis=1) / np.linalg.norm(made, axis=1)
    assert cosines.mean() > 0.9


def test_made_vectors_have_the_length_of_the_table(tiny_adapted_model: Model) -> None:
    lengths = np.linalg.norm(tiny_adapted_model.encode(ONLY_THE_BASE_KNOWS + NOBODY_KNOWS), axis=1)
    shared = own_table().select(own_table().words[:160])  # the base stores the first 200 of all words
    np.testing.assert_allclose(lengths, np.linalg.norm(shared.matrix, axis=1).mean(), rtol=1e-4)


def test_inferred_vectors_are_the_inferred_ones_of_the_base(tiny_adapted_model: Model, tiny_dan_model: Model) -> None:
    assert isinstance(tiny_adapted_model, AdaptedModel)
    words = ["Ban", "bann", "trusted"]
    expected = tiny_adapted_model.to_own_space(tiny_dan_model.infer(words))
    np.testing.assert_array_equal(tiny_adapted_model.infer(words), expected)
    assert expected.shape == (3, OWN_DIM)


def test_every_word_says_where_its_vector_comes_from(tiny_adapted_model: Model) -> None:
    assert tiny_adapted_model.source(own_table().words[0]) is Source.KNOWN
    explained = tiny_adapted_model.explain(ONLY_THE_BASE_KNOWS[0])
    assert (explained.source, explained.candidates) == (Source.RETRIEVED, (Share(ONLY_THE_BASE_KNOWS[0], 1.0),))
    assert explained.confidence is None
    blended = tiny_adapted_model.explain("bann")
    assert sum(share.share for share in blended.candidates) + blended.form_share == pytest.approx(1, abs=0.16)
    assert tiny_adapted_model.explain("🙂").confidence == 0.0


def test_candidates_come_from_the_table_and_from_the_base(tiny_adapted_model: Model) -> None:
    assert isinstance(tiny_adapted_model, AdaptedModel)
    words = tiny_adapted_model.moved_base.known_words.words
    assert words[: len(own_table())] == own_table().words
    assert set(words) == set(tiny_table().words)


def test_neighbours_are_words_of_the_table(tiny_adapted_model: Model) -> None:
    assert {word for word, _ in tiny_adapted_model.nearest("bann", k=20)} <= set(own_table().words)


def test_a_hidden_word_is_made_as_a_new_one(tiny_adapted_model: Model) -> None:
    word = own_table().words[0]
    hidden = tiny_adapted_model.without([word])
    assert hidden.source(word) is Source.RETRIEVED
    assert not np.array_equal(hidden[word], tiny_adapted_model[word])


def test_a_base_without_a_gate_infers(tiny_model: Model) -> None:
    adapted = everyword.adapt(own_table(), tiny_model)
    assert adapted.source("bann") is Source.INFERRED
    assert "scores" not in adapted.record  # nobody asked
    np.testing.assert_array_equal(adapted.encode(["bann"]), adapted.infer(["bann"]))


def test_how_good_the_map_is_stands_in_the_record(tiny_adapted_model: Model) -> None:
    record = tiny_adapted_model.record
    assert record["adaptation"]["shared_words"] == 160
    assert [(row["what"], row["n"]) for row in record["scores"]["rows"]] == [
        (f"words that tiny {kind}: {way}", n)
        for kind, n in (("knows", 16), ("does not know", 100))
        for way in ("adapted", "the mean vector", "nearest spelling")
    ]
    adapted, mean, spelling = (float(row["score"].split()[1][:-1]) for row in record["scores"]["rows"][:3])
    assert adapted > 0.9 > max(mean, spelling)


def test_saved_and_loaded_it_is_the_same(tiny_adapted_model: Model, folder: Path) -> None:
    words = [*own_table().words, *ONLY_THE_BASE_KNOWS, *NOBODY_KNOWS, "", "🙂"]
    loaded = everyword.load(folder)
    assert isinstance(loaded, AdaptedModel)
    # Not to the bit: vectors of the base are mapped when first needed, in other batches here and there.
    np.testing.assert_allclose(loaded.encode(words), tiny_adapted_model.encode(words), atol=1e-5)
    assert loaded.record == tiny_adapted_model.record
    assert loaded.explain("bann") == tiny_adapted_model.explain("bann")
    loaded.save_pretrained(folder.with_name("again"))
    for name in (*layout.ADAPTED_CHECKED, layout.CONFIG, layout.CARD):
        assert (folder / name).read_bytes() == (folder.with_name("again") / name).read_bytes()


def test_the_folder_holds_what_is_documented(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        "base",
        "config.json",
        "model.safetensors",
        "words.txt",
        "README.md",
    }
    assert everyword.load(folder / layout.BASE).name == "tiny"
    described = json.loads((folder / layout.CONFIG).read_text(encoding="utf-8"))
    assert (described["format"], described["dim"], described["map"]["from"]) == (2, OWN_DIM, "tiny")
    assert "those of tiny, mapped" in (folder / layout.CARD).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*layout.ADAPTED_CHECKED, "base/model.safetensors"])
def test_an_altered_file_is_noticed(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    with pytest.raises(DamagedModelError, match=f"{name} is damaged"):
        everyword.load(folder)


def test_a_map_that_is_not_whole_is_refused(folder: Path) -> None:
    tensors = load_file(folder / layout.TENSORS)
    save_file({name: tensor for name, tensor in tensors.items() if name != "map.offset"}, folder / layout.TENSORS)
    files = json.loads((folder / layout.CONFIG).read_text(encoding="utf-8"))["files"]
    altered(folder, files=files | {layout.TENSORS: checksum(folder / layout.TENSORS)})
    with pytest.raises(DamagedModelError, match="map is incomplete"):
        everyword.load(folder)


def test_a_later_map_is_refused(folder: Path) -> None:
    with pytest.raises(DamagedModelError, match=r"a map 'curved.v1', and this version .* pip install -U"):
        everyword.load(altered(folder, map={"name": "curved.v1"}))


@pytest.mark.parametrize(("precision", "error"), [("float16", 1e-2), ("int8", 0.1), ("int4", 2.5)])
def test_other_precisions(tiny_model: Model, tmp_path: Path, precision: Precision, error: float) -> None:
    table = own_table()
    everyword.adapt(table, tiny_model, precision=precision).save_pretrained(tmp_path / "small")
    loaded = everyword.load(tmp_path / "small")
    assert loaded.known_words.matrix.precision == precision
    np.testing.assert_allclose(loaded.encode(table.words), table.matrix, atol=error)
    assert loaded.encode(["bann"]).shape == (1, OWN_DIM)


def test_a_file_and_its_first_words(tiny_model_folder: Path, tmp_path: Path) -> None:
    own_table().save(tmp_path / "own.npy")
    adapted = everyword.adapt(tmp_path / "own.npy", tiny_model_folder, words=150, name="mine")
    assert (adapted.name, len(adapted.known_words)) == ("mine", 150)
    assert adapted.record["teacher"]["description"] == "own.npy, 150 vectors of dimension 10"
    assert adapted.record["teacher"]["sha256"] == checksum(tmp_path / "own.npy")


def test_of_two_spellings_the_one_that_is_asked_for_is_kept(tiny_model: Model) -> None:
    table = own_table()
    words = [table.words[1].upper(), "Ban", *table.words[2:-1], table.words[1]]
    adapted = everyword.adapt(VectorTable(words, table.matrix), tiny_model)
    np.testing.assert_array_equal(adapted[table.words[1]], table.matrix[-1])
    np.testing.assert_array_equal(adapted["ban"], table.matrix[1])
    assert len(adapted.known_words) == len(words) - 1


def test_a_zero_vector_is_kept_but_not_learnt_from(tiny_model: Model) -> None:
    table = own_table()
    table.matrix[0] = 0
    adapted = everyword.adapt(table, tiny_model)
    assert adapted.known(table.words[0])
    assert not adapted[table.words[0]].any()
    assert adapted.record["adaptation"]["shared_words"] == 159


def test_bad_tables_are_one_sentence_each(tiny_model: Model) -> None:
    table = own_table()
    foreign = VectorTable([f"{word}0" for word in table.words], table.matrix)
    with pytest.raises(InputError, match="Only 0 words have vectors in both a table and tiny, and a map needs 100; "):
        everyword.adapt(foreign, tiny_model)
    with pytest.raises(InputError, match="Only 99 words"):
        everyword.adapt(table, tiny_model, words=99)
    with pytest.raises(InputError, match=r"number of words must be 1 or more. Got 0 instead"):
        everyword.adapt(table, tiny_model, words=0)
    with pytest.raises(InputError, match="holds no word"):
        everyword.adapt(VectorTable([" "], table.matrix[:1]), tiny_model)
    with pytest.raises(InputError, match=r"precision must be float32, float16, int8, int4 or pq. Got 'int9' instead"):
        everyword.adapt(table, tiny_model, precision="int9")  # type: ignore[arg-type]
    table.matrix[7, 3] = np.nan
    with pytest.raises(InputError, match=f"The vector of '{table.words[7]}' holds NaN or infinity"):
        everyword.adapt(table, tiny_model)


def test_an_adapted_model_is_no_base(tiny_adapted_model: Model) -> None:
    with pytest.raises(InputError, match="adapted is adapted from tiny itself; adapt that one instead"):
        everyword.adapt(own_table(), tiny_adapted_model)
