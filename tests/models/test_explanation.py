from __future__ import annotations

import json

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.models.blend.reading_gate import ReadingGate
from everyword.models.explanation import Explanation, Share, Source
from everyword.models.known import KnownWords
from everyword.models.model import Model

UNKNOWN = ["bna", "grelonesss", "trusting", "plinnnes", "ban2", "sorug"]


def test_a_stored_word_is_sure(tiny_dan_model: Model) -> None:
    assert tiny_dan_model.explain(" BAN") == Explanation("ban", Source.KNOWN, (), 0.0, 1.0)


@pytest.mark.parametrize("word", ["", "🙂"])
def test_a_word_of_which_nothing_is_known(tiny_dan_model: Model, word: str) -> None:
    assert tiny_dan_model.explain(word) == Explanation(word, Source.NONE, (), 0.0, 0.0)


def test_without_a_gate_all_comes_from_spelling_and_nobody_knows_how_sure(tiny_model: Model) -> None:
    assert tiny_model.explain("bannx") == Explanation("bannx", Source.INFERRED, (), 1.0, None)


def test_without_known_words_there_is_nothing_to_blend(tiny_dan_model: Model) -> None:
    model = tiny_dan_model.without(tiny_dan_model.known_words.words)
    assert model.blender is None
    assert model.explain("ban").source is Source.INFERRED
    np.testing.assert_array_equal(model["ban"], tiny_dan_model.infer(["ban"])[0])


@pytest.mark.parametrize("word", UNKNOWN)
def test_shares_are_in_order_and_make_up_the_whole(tiny_dan_model: Model, word: str) -> None:
    explained = tiny_dan_model.explain(word)
    shares = [part.share for part in explained.candidates]
    assert shares == sorted(shares, reverse=True)
    assert all(share >= ReadingGate.LEAST_SHARE for share in shares)
    assert 0.8 < sum(shares) + explained.form_share <= 1.0001
    assert all(tiny_dan_model.known(part.word) for part in explained.candidates)
    assert explained.source is (Source.INFERRED if explained.form_share > 0.5 else Source.RETRIEVED)
    assert tiny_dan_model.source(word) is explained.source
    assert explained.confidence is not None
    assert 0 <= explained.confidence <= 1


def test_a_word_that_only_sounds_like_a_known_one_is_less_sure(tiny_dan_model: Model) -> None:
    known = max(tiny_dan_model.known_words.words, key=len)
    letters = dict(zip("abdefgiklmnoprstuvyz", "абдефгиклмнопрстувйз", strict=True))
    word = "".join(letters[letter] for letter in known)
    gate = tiny_dan_model.gate
    assert gate is not None
    leaning = type(gate)(gate.tables | {"form.score_bias": np.array([100, -100], dtype=np.float32)})
    model = Model(
        "x", tiny_dan_model.normalise, tiny_dan_model.form_encoder, tiny_dan_model.known_words, {}, gate=leaning
    )
    misspelt = model.explain(f"{known}x")
    heard = model.explain(word)

    assert misspelt.source is Source.RETRIEVED
    assert heard.source is model.source(word) is model.encode_with_origins([word])[1][0].source is Source.TRANSLITERATED
    assert heard.candidates[0].word == known
    assert heard.confidence is not None
    assert heard.confidence <= 0.5


@pytest.mark.parametrize(("bias", "source"), [(100, Source.INFERRED), (-100, Source.RETRIEVED)])
def test_the_source_is_what_most_of_the_vector_comes_from(tiny_dan_model: Model, bias: float, source: Source) -> None:
    gate = tiny_dan_model.gate
    assert gate is not None
    leaning = type(gate)(gate.tables | {"form.score_bias": np.array([-bias, bias], dtype=np.float32)})
    model = Model(
        "x", tiny_dan_model.normalise, tiny_dan_model.form_encoder, tiny_dan_model.known_words, {}, gate=leaning
    )
    explained = model.explain("bna")
    assert explained.source is source
    assert explained.form_share == pytest.approx(float(source is Source.INFERRED), abs=1e-3)
    if source is Source.INFERRED:
        np.testing.assert_allclose(model["bna"], tiny_dan_model.infer(["bna"])[0], atol=1e-4)


@pytest.mark.parametrize(
    ("explanation", "text"),
    [
        (Explanation("ban", Source.KNOWN, (), 0.0, 1.0), "ban: known, confidence 1.00"),
        (Explanation("bannx", Source.INFERRED, (), 1.0, None), "bannx: inferred"),
        (
            Explanation("bna", Source.RETRIEVED, (Share("ban", 0.75), Share("dan", 0.05)), 0.2, 0.625),
            "bna: retrieved, confidence 0.62 (ban 75%, dan 5%, its own spelling 20%)",
        ),
        (
            Explanation("bna", Source.RETRIEVED, (Share("ban", 1.0),), 0.001, 0.9),
            "bna: retrieved, confidence 0.90 (ban 100%)",
        ),
    ],
)
def test_an_explanation_reads_well(explanation: Explanation, text: str) -> None:
    assert str(explanation) == text


def test_words_that_are_hidden_are_new_words(tiny_dan_model: Model) -> None:
    hidden = tiny_dan_model.without(["BAN", "grelo", "not there"])
    assert len(hidden.known_words) == len(tiny_dan_model.known_words) - 2
    for word in ("ban", "grelo"):
        assert tiny_dan_model.source(word) is Source.KNOWN
        assert hidden.source(word) in (Source.RETRIEVED, Source.INFERRED)
        assert not hidden.known(word)
        assert word not in {part.word for part in hidden.explain(word).candidates}
        assert (hidden[word] != tiny_dan_model[word]).any()
    everything = dict(hidden.nearest("bans", k=1000))
    assert not {"ban", "grelo"} & everything.keys()
    assert "ban" in dict(tiny_dan_model.nearest("bans", k=1000))
    assert hidden.name == tiny_dan_model.name
    np.testing.assert_array_equal(hidden["bans"], tiny_dan_model["bans"])


def test_hiding_a_text_instead_of_a_list_is_explained(tiny_dan_model: Model) -> None:
    with pytest.raises(InputError, match=r"write \['ban'\]"):
        tiny_dan_model.without("ban")


def test_hidden_words_leave_the_model_as_it_was(tiny_dan_model: Model) -> None:
    before = len(tiny_dan_model.known_words)
    assert isinstance(tiny_dan_model.without(["ban"]).known_words, KnownWords)
    assert len(tiny_dan_model.known_words) == before


@pytest.mark.parametrize("fixture", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_many_words_at_once_have_the_sources_and_vectors_they_have_alone(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(fixture).without(())  # it remembers no word of another batch
    words = [*UNKNOWN, " BAN", "", "🙂", *model.known_words.words[:3], "banly"]

    vectors, origins = model.encode_with_origins(words)

    for word, origin in zip(words, origins, strict=True):
        explained = model.explain(word)
        largest = max((part.share for part in explained.candidates), default=0.0)
        assert origin.source is explained.source
        if origin.source is not Source.KNOWN and largest >= ReadingGate.LEAST_SHARE:
            assert origin.largest_share == pytest.approx(largest, abs=1e-6)
    assert all(origin.largest_share == 1.0 for origin in origins if origin.source is Source.KNOWN)
    np.testing.assert_array_equal(vectors, model.encode(words))


def test_a_source_prints_alike_on_every_python() -> None:
    assert str(Source.KNOWN) == f"{Source.KNOWN}" == "{}".format(Source.KNOWN) == "known"  # noqa: UP032
    assert f"{Source.NONE:>6}" == "  none"


def test_an_explanation_as_plain_values(tiny_dan_model: Model) -> None:
    explained = tiny_dan_model.explain("bna")
    plain = explained.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert list(plain) == ["word", "source", "confidence", "candidates", "form_share", "read_as"]
    assert plain["source"] == explained.source.value
    assert [(part["word"], part["share"]) for part in plain["candidates"]] == [
        (part.word, part.share) for part in explained.candidates
    ]
