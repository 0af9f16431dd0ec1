from __future__ import annotations

import os
import pickle
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.ml import StaticVectors
from spacy.tokens import Doc

import everyword
from everyword.config import read_toml
from everyword.errors import InputError, UnknownNameError
from everyword.models.model import Model
from everyword.plugins.spacy import DOC_VECTORS, REGISTERED, EverywordVectors, create_everyword_vectors

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
TEXT = "Ban grelo bannn"
NOTHING = "\u200b"


def pipeline_of(model: object) -> Language:
    return spacy.blank("en", config={"nlp": {"vectors": {"@vectors": REGISTERED, "model": model}}})


@pytest.fixture(scope="module")
def nlp(tiny_model_folder: Path) -> Language:
    return pipeline_of(str(tiny_model_folder))


@pytest.fixture(scope="module")
def doc(nlp: Language) -> Doc:
    return nlp(TEXT)


def test_tokens_have_the_vectors_of_the_model(doc: Doc, tiny_model: Model) -> None:
    expected = tiny_model.encode(TEXT.split())
    np.testing.assert_allclose([token.vector for token in doc], expected, atol=1e-5)
    np.testing.assert_allclose(doc.vector, expected.mean(axis=0), atol=1e-5)
    assert all(token.has_vector and not token.is_oov for token in doc)
    assert doc.has_vector


def test_a_doc_has_the_vector_of_its_text_by_choice(tiny_model_folder: Path, tiny_model: Model) -> None:
    nlp = pipeline_of(str(tiny_model_folder))
    nlp.add_pipe(DOC_VECTORS)
    texts = [TEXT, "", "?!", "grelo, grelo; kust!"] * 2
    docs, expected = list(nlp.pipe(texts, batch_size=3)), tiny_model.encode_texts(texts)

    np.testing.assert_allclose([doc.vector for doc in docs], expected, atol=1e-5)
    np.testing.assert_allclose([doc._.everyword_vector for doc in docs], expected, atol=1e-5)
    np.testing.assert_allclose(nlp(TEXT).vector, expected[0], atol=1e-5)
    assert docs[0].vector_norm == pytest.approx(np.linalg.norm(expected[0]), rel=1e-5)
    similarity = tiny_model.similarity_of_texts(texts[0], texts[3])
    assert docs[0].similarity(docs[3]) == pytest.approx(similarity, abs=1e-5)
    tokens = tiny_model.encode(TEXT.split())
    np.testing.assert_allclose([token.vector for token in docs[0]], tokens, atol=1e-5)
    np.testing.assert_allclose(docs[0][:2].vector, tokens[:2].mean(axis=0), atol=1e-5)


def test_doc_vectors_are_saved_with_a_pipeline(tiny_model_folder: Path, tiny_model: Model, tmp_path: Path) -> None:
    nlp = pipeline_of(str(tiny_model_folder))
    nlp.add_pipe(DOC_VECTORS)
    nlp.to_disk(tmp_path)
    np.testing.assert_allclose(spacy.load(tmp_path)(TEXT).vector, tiny_model.encode_texts(TEXT), atol=1e-5)


def test_doc_vectors_of_other_vectors_are_refused() -> None:
    with pytest.raises(InputError, match="'everyword_doc_vectors' needs a pipeline with everyword's vectors: choose"):
        spacy.blank("en").add_pipe(DOC_VECTORS)
    assert spacy.blank("en")("ban")._.everyword_vector is None


def test_similarities_are_cosines(nlp: Language, doc: Doc, tiny_model: Model) -> None:
    assert doc[0].similarity(doc[1]) == pytest.approx(tiny_model.similarity("ban", "grelo"), abs=1e-5)
    assert doc.similarity(nlp(TEXT.upper())) == pytest.approx(1, abs=1e-5)
    assert doc[:2].similarity(doc[:2]) == pytest.approx(1, abs=1e-5)


def test_a_token_tells_where_its_vector_comes_from(doc: Doc, tiny_model: Model) -> None:
    assert [token._.everyword_source for token in doc] == [tiny_model.source(word).value for word in TEXT.split()]
    assert spacy.blank("en")("ban")[0]._.everyword_source is None


def test_a_word_of_which_nothing_is_known_has_no_vector(nlp: Language) -> None:
    token = Doc(nlp.vocab, words=[NOTHING])[0]
    assert not token.has_vector
    assert token.vector.shape == (16,)
    assert not token.vector.any()
    assert token._.everyword_source == "none"


def test_batches_are_rows_in_the_order_of_the_keys(nlp: Language, doc: Doc, tiny_model: Model) -> None:
    vectors = nlp.vocab.vectors
    keys = [token.orth for token in doc] * 2
    # Not to the bit: spaCy asks for each word once, and a product of matrices rounds by the size of its batch.
    np.testing.assert_allclose(vectors.get_batch(keys), tiny_model.encode(TEXT.split() * 2), atol=1e-5)
    np.testing.assert_array_equal(vectors.get_batch(["grelo", keys[0]]), tiny_model.encode(["grelo", "ban"]))
    np.testing.assert_array_equal(vectors["grelo"], tiny_model["grelo"])
    assert vectors.get_batch([]).shape == (0, 16)
    assert 12345 not in vectors
    assert "grelo" in vectors


def test_spacy_sees_a_table_it_cannot_change(nlp: Language) -> None:
    vectors = nlp.vocab.vectors
    assert vectors.shape == (len(vectors), 16) == (200, nlp.vocab.vectors_length)
    assert vectors.size == 200 * 16
    assert nlp.meta["vectors"]["width"] == 16
    with pytest.raises(InputError, match="A vector cannot be added"):
        vectors.add("ban", vector=np.ones(16))


def test_networks_of_spacy_take_them_as_static_vectors(nlp: Language, doc: Doc) -> None:
    layer = StaticVectors(nO=4)
    layer.initialize(X=[doc])
    assert layer.predict([doc]).data.shape == (3, 4)


def test_a_saved_pipeline_brings_its_model(tmp_path: Path, tiny_model: Model) -> None:
    tiny_model.save_pretrained(tmp_path / "model")
    pipeline_of(str(tmp_path / "model")).to_disk(tmp_path / "pipeline")
    (tmp_path / "model").rename(tmp_path / "moved")

    loaded = spacy.load(tmp_path / "pipeline")

    np.testing.assert_array_equal(loaded("bannn")[0].vector, tiny_model["bannn"])


def test_a_pipeline_saved_with_other_vectors_may_be_loaded_with_these(
    tmp_path: Path, tiny_model: Model, tiny_model_folder: Path
) -> None:
    spacy.blank("en").to_disk(tmp_path)
    chosen = {"@vectors": REGISTERED, "model": str(tiny_model_folder)}
    loaded = spacy.load(tmp_path, config={"nlp": {"vectors": chosen}})
    np.testing.assert_array_equal(loaded("bannn")[0].vector, tiny_model["bannn"])


def test_bytes_and_pickles_bring_their_model(nlp: Language, tiny_model: Model) -> None:
    from_bytes = pipeline_of("no-such-model").from_bytes(nlp.to_bytes())
    np.testing.assert_array_equal(from_bytes("bannn")[0].vector, tiny_model["bannn"])
    vocab = pickle.loads(pickle.dumps(nlp.vocab))
    np.testing.assert_array_equal(vocab.get_vector("bannn"), tiny_model["bannn"])


def test_bytes_of_an_adapted_model(tiny_adapted_model: Model) -> None:
    vectors = EverywordVectors(model=tiny_adapted_model)
    again = EverywordVectors(model="no-such-model").from_bytes(vectors.to_bytes())
    np.testing.assert_allclose(again["bannn"], tiny_adapted_model.without(())["bannn"], atol=1e-5)


def test_most_similar_words_are_those_of_spacy(nlp: Language, tiny_model: Model) -> None:
    known = tiny_model.known_words
    table = spacy.vectors.Vectors(
        data=known.matrix.floats().copy(), keys=[nlp.vocab.strings.add(w) for w in known.words]
    )
    queries = tiny_model.encode(["bannn", known.words[3]])

    keys, rows, scores = nlp.vocab.vectors.most_similar(queries.copy(), n=3)

    expected = table.most_similar(queries.copy(), n=3)
    np.testing.assert_array_equal(keys, expected[0])
    np.testing.assert_array_equal(rows, expected[1])
    np.testing.assert_allclose(scores, expected[2], atol=1e-4)
    assert nlp.vocab.strings[keys[1, 0]] == known.words[3]
    assert [found.shape for found in nlp.vocab.vectors.most_similar(queries[:0], n=2)] == [(0, 2)] * 3
    assert not nlp.vocab.vectors.most_similar(np.zeros_like(queries), n=2)[2].any()
    with pytest.raises(InputError, match=r"n must be from 1 to the 200 stored words\. Got 201 instead"):
        nlp.vocab.vectors.most_similar(queries, n=201)


def test_tokens_have_a_confidence(nlp: Language, tiny_dan_model: Model) -> None:
    other = spacy.blank("en")
    assert other("ban")[0]._.everyword_confidence is None
    other.vocab.vectors = EverywordVectors(model=tiny_dan_model)
    found = [token._.everyword_confidence for token in other("ban bannn \u200b")]
    assert found == [tiny_dan_model.explain(word).confidence for word in ("ban", "bannn", "\u200b")]
    assert (found[0], found[2]) == (1.0, 0.0)
    assert 0 < found[1] <= 1


def test_vectors_may_be_given_to_a_vocabulary_by_hand(tiny_model: Model) -> None:
    nlp = spacy.blank("en")
    nlp.vocab.vectors = EverywordVectors(model=tiny_model)
    np.testing.assert_array_equal(nlp("bannn")[0].vector, tiny_model["bannn"])


def test_a_model_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownNameError, match="There is no model 'no-such-model'"):
        pipeline_of("no-such-model")("ban")[0].vector  # noqa: B018


def test_the_entry_point_leads_to_the_registered_function() -> None:
    entries: dict[str, Any] = read_toml(PYPROJECT)["project"]["entry-points"]["spacy_vectors"]
    assert list(entries) == [REGISTERED]
    assert EntryPoint(REGISTERED, entries[REGISTERED], "spacy_vectors").load() is create_everyword_vectors


def test_spacy_finds_the_name_by_the_entry_point(tmp_path: Path, tiny_model_folder: Path) -> None:
    installed = tmp_path / "stand_in-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-in\nVersion: 1.0\n")
    target = read_toml(PYPROJECT)["project"]["entry-points"]["spacy_vectors"][REGISTERED]
    (installed / "entry_points.txt").write_text(f"[spacy_vectors]\n{REGISTERED} = {target}\n")
    code = (
        "import spacy\n"
        f"chosen = {{'@vectors': '{REGISTERED}', 'model': {str(tiny_model_folder)!r}}}\n"
        "nlp = spacy.blank('en', config={'nlp': {'vectors': chosen}})\n"
        "print(nlp('bannn')[0]._.everyword_source)"
    )
    path = os.pathsep.join([str(tmp_path), str(Path(everyword.__file__).parents[1])])

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.strip() == "inferred", done.stderr
