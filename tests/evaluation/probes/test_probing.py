"""Representations, the questions that are put to them, and the answers that are kept."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_table
from tiny_probes import write_tagged

from everyword import registry
from everyword.errors import InputError, UnknownNameError
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.probes import probe_results
from everyword.evaluation.probes.intervals import drawn_interval, mean_interval
from everyword.evaluation.probes.parts_of_speech import PROBE
from everyword.evaluation.probes.probe import (
    CONTROL_LABELS,
    MAJORITY,
    RANDOM_VECTORS,
    Probe,
    ProbeScore,
    ProbeSettings,
    choose_probes,
    known_probes,
)
from everyword.evaluation.probes.probing import Probing
from everyword.evaluation.probes.representation import RandomVectors, StaticVectors, open_representation
from everyword.language_models.language_model import LanguageModel
from everyword.vectors.table import VectorTable

TEXTS = [["ban", "nowhere", "ban"], [], ["plin"]]


def static(table: VectorTable | None = None) -> StaticVectors:
    return StaticVectors(evaluated_table(table or tiny_table(), "tiny", fingerprint="f" * 64))


def test_a_static_word_has_one_vector_and_an_unknown_one_zeros() -> None:
    table = tiny_table()
    found = static().tokens(TEXTS)
    assert found.starts.tolist() == [0, 3, 3, 4]
    assert found.vectors.shape == (4, 1, table.dim)
    np.testing.assert_array_equal(found.vectors[0], found.vectors[2])
    np.testing.assert_array_equal(found.vectors[0, 0], table["ban"])
    assert not found.vectors[1].any()
    np.testing.assert_allclose(static().texts(TEXTS)[0], table["ban"], rtol=1e-5)
    assert not static().texts(TEXTS)[1].any()


def test_random_vectors_depend_on_the_word_alone() -> None:
    one, other = RandomVectors(8), RandomVectors(8)
    np.testing.assert_array_equal(one.words(["a", "b"]), other.words(["b", "a"])[::-1])
    assert one.fingerprint != RandomVectors(9).fingerprint
    assert one.tokens([]).vectors.shape == (0, 1, 8)


def test_a_representation_is_found_by_name(tmp_path: Path, teacher_path: Path) -> None:
    [table] = open_representation(str(teacher_path))
    assert (table.name, table.policy, table.layer) == ("tiny", "zero", None)
    [random] = open_representation("random-20")
    assert (random.name, random.dim) == ("random-20", 20)
    with pytest.raises(InputError, match="need 1 dimension or more"):
        open_representation("random-0")
    with pytest.raises(InputError, match="makes vectors from given sentences"):
        open_representation(str(teacher_path), "context")


def test_words_of_a_transformer_are_means_of_their_pieces(tiny_bert_folder: Path, bert: LanguageModel) -> None:
    layers = open_representation(str(tiny_bert_folder), layers="all", device="cpu")
    assert [one.layer for one in layers] == [0, 1, 2]
    texts = [["The", "walking", "cat"], ["dog"]]
    ids = [bert.tokenize([f" {word}"], bare=True)[0].ids for word in texts[0]]
    before, after = bert.special_pieces()
    outputs, _ = bert.outputs([[*before, *(piece for word in ids for piece in word), *after]], [2])
    begin = len(before) + len(ids[0])
    expected = outputs[0, begin : begin + len(ids[1])].mean(dim=0).numpy()
    found = layers[2].tokens(texts)
    np.testing.assert_allclose(found.vectors[1, 0], expected, rtol=2e-3, atol=2e-3)
    assert layers[2].all_layers(texts).vectors.shape == (4, 3, bert.dim)
    np.testing.assert_array_equal(layers[0].tokens(texts, layer=2).vectors, found.vectors)
    long = [["cat", "dog"] * 80]
    assert layers[1].tokens(long).vectors.any(axis=2).all()  # longer than the network reads at once


def test_layers_that_a_transformer_has_not_are_refused(tiny_bert_folder: Path) -> None:
    folder = str(tiny_bert_folder)
    with pytest.raises(InputError, match=r"are 0 \(its input\) to 2"):
        open_representation(folder, layers=[7], device="cpu")
    with pytest.raises(InputError, match="all, last, middle or numbers"):
        open_representation(folder, layers="top", device="cpu")
    with pytest.raises(InputError, match="leave out the policy"):
        open_representation(folder, "zero")
    [middle] = open_representation(folder, layers="middle", device="cpu")
    np.testing.assert_array_equal(
        middle.tokens([["a", "cat"]]).vectors,
        open_representation(folder, layers=[1], device="cpu")[0].tokens([["a", "cat"]]).vectors,
    )
    [last] = open_representation(folder, layers=[-1], device="cpu")
    with pytest.raises(InputError, match="was opened for the layers 2"):
        last.tokens([["a"]], layer=1)


def test_parts_of_speech_are_found_in_vectors_and_not_in_random_ones(tmp_path: Path) -> None:
    settings = ProbeSettings(control_labels=True)
    [answer] = Probing(write_tagged(tmp_path), settings).ask(static(), [PROBE])
    assert answer.result is not None, answer.reason
    assert answer.result.value > 95
    assert answer.result.interval is not None
    assert answer.result.interval[0] <= answer.result.value <= answer.result.interval[1]
    assert set(answer.result.controls) == {MAJORITY, CONTROL_LABELS, RANDOM_VECTORS}
    assert answer.result.controls[MAJORITY] < 70
    assert answer.result.controls[CONTROL_LABELS] < answer.result.value
    assert answer.result.n == 300
    assert not answer.result.items


def counting(scores: list[int]) -> Probe:
    def run(asked: object, paths: Sequence[Path], settings: ProbeSettings, progress: Callable[..., None]) -> ProbeScore:
        scores.append(1)
        return ProbeScore(50.0, "accuracy", 2, (40.0, 60.0), {}, {"easy": 60.0}, {}, {"score": [1.0, 0.0]})

    return Probe("counting", 1, "Is it counted?", ("words.txt",), run, random_control=False)


def test_an_answer_is_kept_and_asked_again_only_where_something_changed(tmp_path: Path) -> None:
    asked: list[int] = []
    probe = counting(asked)
    (tmp_path / "words.txt").write_text("a\n")
    probing = Probing(tmp_path, results=tmp_path / "results")
    [first] = probing.ask(static(), [probe])
    [again] = probing.ask(static(), [probe])
    assert (first.kept_before, again.kept_before, len(asked)) == (False, True, 1)
    assert first.result is not None
    assert again.result == first.result or abs(again.result.seconds - first.result.seconds) < 1e-3  # type: ignore[union-attr]
    with_items = Probing(tmp_path, results=tmp_path / "results", items=True)
    [more] = with_items.ask(static(), [probe])
    assert more.result is not None
    assert more.result.items == {"score": (1.0, 0.0)}
    (tmp_path / "words.txt").write_text("b\n")
    list(probing.ask(static(), [probe]))
    list(Probing(tmp_path, ProbeSettings(seed=1), tmp_path / "results").ask(static(), [probe]))
    list(Probing(tmp_path, results=tmp_path / "results", overwrite=True).ask(static(), [probe]))
    assert len(asked) == 5
    saved = sorted((tmp_path / "results").rglob("*.json"))
    assert [path.name for path in saved] == ["probe-counting.v1-seed-1.json", "probe-counting.v1.json"]
    saved[1].write_text("{}")
    with pytest.raises(InputError, match="is not the result of a probe"):
        probe_results.read(saved[1])
    [repaired] = probing.ask(static(), [probe])
    assert not repaired.kept_before
    assert len(probe_results.read_all([tmp_path / "results"])) == 2


def test_what_is_missing_or_malformed_is_named_and_skipped(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a\n")
    data = write_tagged(tmp_path)
    path = data / "tagging" / "ud_ewt" / "test.conll.gz"
    path.write_bytes(gzip.compress(b"ban\tNOUN\nplin\n"))
    answers = list(Probing(data).ask(static(), [PROBE, counting([])]))
    assert answers[0].reason.startswith(f"{path}:2: needs a token, a tab and a part of speech.")
    assert answers[1].result is not None
    path.unlink()
    [missing] = Probing(data).ask(static(), [PROBE])
    assert missing.reason == f"There is no file {path}."


def test_probes_are_chosen_by_name() -> None:
    assert [probe.name for probe in choose_probes(["parts-of-speech"])] == ["parts-of-speech"]
    assert choose_probes() == [probe for probe in known_probes() if not probe.slow]
    with pytest.raises(UnknownNameError, match="did you mean 'parts-of-speech'"):
        choose_probes(["part-of-speech"])


@pytest.mark.parametrize("name", registry.probes)
def test_every_probe_is_a_question_with_data(name: str) -> None:
    probe = registry.probes.get(name)
    assert probe.full_name == name
    assert probe.summary.endswith("?")
    assert all(not Path(file).is_absolute() for file in probe.needs)


def test_intervals_hold_the_mean_and_are_wider_where_items_of_a_text_agree() -> None:
    values = np.repeat([100.0, 0.0, 100.0, 100.0, 0.0], 20)
    alone, by_text = mean_interval(values), mean_interval(values, np.repeat(np.arange(5), 20))
    assert alone[0] < 60 < alone[1]
    assert by_text[1] - by_text[0] > 2 * (alone[1] - alone[0])
    assert drawn_interval(lambda rows: float(values[rows].mean()), len(values)) == pytest.approx(alone)


def test_a_result_is_plain_json(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a\n")
    list(Probing(tmp_path, results=tmp_path / "r").ask(static(), [counting([])]))
    [path] = (tmp_path / "r").rglob("*.json")
    record = json.loads(path.read_text())
    assert record["interval"] == [40.0, 60.0]
    assert record["layer"] is None
    assert "items" not in record
