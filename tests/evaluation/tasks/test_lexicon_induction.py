"""Translations among the words of another table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.run import evaluate_model
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.lexicon_induction import LexiconSet, rank_scores, run
from everyword.vectors.table import VectorTable

WORDS = ["cat", "dog", "sun", "tree"]
TRANSLATIONS = ["katze", "hund", "sonne", "baum"]
MATRIX = np.eye(4, dtype=np.float32) + 0.1
SOURCE, TARGET = VectorTable(WORDS, MATRIX), VectorTable(TRANSLATIONS, MATRIX)


def scores_of(
    pairs: list[tuple[str, str]], source: VectorTable = SOURCE, target: VectorTable = TARGET
) -> dict[str, float | None]:
    return dict(run(evaluated_table(source, "source"), LexiconSet.of("pairs", pairs, target, "target"), 0).values)


def test_a_space_against_itself_is_perfect() -> None:
    values = scores_of(list(zip(WORDS, TRANSLATIONS, strict=True)))
    assert {values[name] for name in ("p@1", "p@5", "mrr", "csls_p@1", "csls_p@5", "csls_mrr")} == {100.0}


def test_ranks_1_2_and_4_have_a_mean_reciprocal_rank_of_58() -> None:
    assert rank_scores(np.array([1, 2, 4]))["mrr"] == pytest.approx(58.33, abs=0.01)
    assert rank_scores(np.array([0, 1]))["mrr"] == pytest.approx(50)


def test_the_best_of_several_translations_counts() -> None:
    assert scores_of([("cat", "hund"), ("cat", "Katze")])["p@1"] == 100.0


def test_words_that_a_table_lacks_are_misses_and_left_out_of_the_known() -> None:
    pairs = [("cat", "katze"), ("cow", "hund"), ("dog", "kuh"), ("tree", "baum")]
    found = run(evaluated_table(SOURCE, "source"), LexiconSet.of("pairs", pairs, TARGET, "target"), 0)
    assert (found.n, found.known) == (4, 2)
    assert (found.values["p@1"], found.values["p@1_known"]) == (50.0, 100.0)


def test_crowded_words_lose_under_csls() -> None:
    """A hub is near to all words, and so its neighbourhood is subtracted."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(40, 10))
    hub = x.mean(axis=0, keepdims=True) + 3
    source = VectorTable([f"s{i}" for i in range(40)], (x + 3).astype(np.float32))
    target = VectorTable(
        [*(f"t{i}" for i in range(40)), "hub"],
        np.concatenate([x + 3 + draw.normal(size=x.shape), hub]).astype(np.float32),
    )
    values = scores_of([(f"s{i}", f"t{i}") for i in range(40)], source, target)
    assert values["csls_mrr"] > values["mrr"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [([("x", "katze")], "No word of pairs is in source"), ([("cat", "x")], "No translation of pairs is in target")],
)
def test_another_language_is_refused(pairs: list[tuple[str, str]], sentence: str) -> None:
    with pytest.raises(NoOverlapError, match=sentence):
        scores_of(pairs)


def test_another_dimension_is_refused() -> None:
    wide = VectorTable(TRANSLATIONS, np.ones((4, 5), dtype=np.float32))
    with pytest.raises(InputError, match="target has dimension 5 and source has 4; align the two first"):
        scores_of([("cat", "katze")], target=wide)


def test_the_catalogue_has_all_directions_of_seven_languages() -> None:
    names = {data.name for data in DATA_SETS if data.kind == "translation"}
    languages = ("en", "de", "fi", "it", "ru", "tr", "fr")
    assert {f"xling-{one}-{two}" for one in languages for two in languages if one != two} <= names
    assert {f"wiktionary-{one}" for two in languages[1:] for one in (f"en-{two}", f"{two}-en")} <= names


def test_a_set_of_the_catalogue_is_read_in_both_directions(tmp_path: Path) -> None:
    folder = tmp_path / "multilingual" / "dict" / "xling" / "en-de"
    folder.mkdir(parents=True)
    (folder / "test.tsv").write_text("source\ttarget\ncat\tKatze\ndog\tHund\nsun\tkatze\n")
    for table, name in ((SOURCE, "en"), (TARGET, "de")):
        table.save(tmp_path / f"{name}.vec")
    for task, n in (("xling-en-de", 3), ("lexicon-induction/xling-de-en", 3)):
        one, other = task[-5:].split("-")
        results = evaluate_model(tmp_path / f"{one}.vec", tmp_path, task, target=tmp_path / f"{other}.vec")
        [found] = results.results
        assert found.n == n
        assert found.scores["p@1"] > 50


def test_without_a_second_table_the_task_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="searches in the vectors of another language: give --target"):
        evaluate_model(SOURCE, tmp_path, "lexicon-induction")
    with pytest.raises(InputError, match="There is no file"):
        evaluate_model(SOURCE, tmp_path, "xling-en-de", target=tmp_path / "none.vec")
