"""Similarity, analogies, compounds and function words under scorers other than the cosine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import SQUARE, toy_model, write

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.results import result_path
from everyword.evaluation.run import evaluate_model, run_benchmark
from everyword.evaluation.scoreboard import row_of
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import compounds, function_words, kinds, similarity
from everyword.evaluation.tasks.analogy import AnalogySet, run_analogy
from everyword.evaluation.tasks.compounds import CompoundSet
from everyword.evaluation.tasks.function_words import FunctionWords
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.space import FuzzySpace
from everyword.space.scorer import Scorer, read_scorer
from everyword.vectors.table import VectorTable

RNG = np.random.default_rng(5)
WORDS = [f"w{row}" for row in range(40)]
VECTORS = dict(zip(WORDS, RNG.normal(size=(40, 6)).tolist(), strict=True))
TABLE = VectorTable(WORDS, np.array(list(VECTORS.values()), dtype=np.float32))
PAIRS = [(WORDS[row], WORDS[row + 1]) for row in range(0, 38, 2)]


@pytest.mark.parametrize("text", ["cross-entropy", "kl:normalise=row:direction=from", "overlap:unit=true", "kl:base=2"])
def test_similarity_is_ranked_by_the_scorer(text: str) -> None:
    scorer = read_scorer(text)
    assert scorer is not None
    space = FuzzySpace(TABLE, normalise=scorer.normalise, base=scorer.base, unit=scorer.unit)
    human = RNG.uniform(size=len(PAIRS))
    compare = {"cross-entropy": "cross_entropy", "kl": "kl", "overlap": "overlap"}[scorer.measure]
    expected = []
    for one, other in PAIRS:
        both = [getattr(space[a], compare)(space[b]) for a, b in ((one, other), (other, one))]
        expected.append(both[0] if scorer.direction == "from" else sum(both) / 2)
    sign = 1 if scorer.measure == "overlap" else -1

    scores = similarity.run(toy_model(VECTORS).compared_by(scorer), SimilaritySet("toy", PAIRS, human), 0)

    assert scores.values["spearman"] == pytest.approx(100 * sign * spearman(np.array(expected), human))


def test_analogies_of_tuples_are_those_of_the_space() -> None:
    questions = [tuple(RNG.choice(WORDS, 4, replace=False)) for _ in range(20)]
    scorer = Scorer(measure="bernoulli-kl", direction="from")
    space = FuzzySpace(TABLE)
    right = [space.analogy(a, b, c, measure="bernoulli-kl", direction="from")[0][0] == d for a, b, c, d in questions]
    answered = [
        (a, b, c, space.analogy(a, b, c, measure="bernoulli-kl", direction="from")[0][0]) for a, b, c, _ in questions
    ]

    for asked, expected in ((questions, 100 * np.mean(right)), (answered, 100.0)):
        data = AnalogySet("toy", ["one"] * 20, asked)
        scores = run_analogy(toy_model(VECTORS).compared_by(scorer), data, 0)
        assert scores.values["tuples"] == pytest.approx(expected)
        assert set(scores.values) == {"tuples", "only_c", "tuples_known", "only_c_known"}
        assert scores.sections["one"]["tuples"] == pytest.approx(expected)


def test_the_scorer_is_part_of_a_result(tmp_path: Path) -> None:
    path = write(tmp_path / "toy.tsv", "word1\tword2\tscore\n" + "".join(f"{a}\t{b}\t{a[1:]}\n" for a, b in PAIRS))
    benchmark = Benchmark(similarity.TASK, "toy", (path,), "here", "0" * 64)
    plain, other = toy_model(VECTORS), toy_model(VECTORS).compared_by(Scorer("kl", "row"))

    results = [run_benchmark(model, benchmark) for model in (plain, other)]

    assert [result.scorer for result in results] == ["cosine", "kl:normalise=row"]
    assert "scorer" not in results[0].as_json()
    assert '"scorer": "kl:normalise=row"' in results[1].as_json()
    assert [row_of(result) for result in results] == ["toy, zero", "toy, zero, kl:normalise=row"]
    assert result_path(tmp_path, plain, benchmark) != result_path(tmp_path, other, benchmark)


def test_a_task_of_cosines_takes_no_other_scorer(tmp_path: Path) -> None:
    benchmark = Benchmark(kinds.TASK, "toy", (tmp_path,), "here", "0" * 64)
    with pytest.raises(NoScoreError, match="The task kinds compares words by cosine only; leave out the scorer"):
        run_benchmark(toy_model(VECTORS).compared_by(Scorer()), benchmark)


COMPOUNDS = (
    "modifier\thead\tscore\tset\toriginal\n"
    "king\tqueen\t5\tone\ttrue\nman\twoman\t3\tone\ttrue\nking\tthe\t1\ttwo\ttrue\nking\tapple\t0\ttwo\tfalse\n"
)


def test_compounds_are_ranked_by_the_closeness_of_their_parts(tmp_path: Path) -> None:
    data = CompoundSet.load(write(tmp_path / "toy.tsv", COMPOUNDS))
    assert [term.parts for term in data.terms] == [("king", "queen"), ("man", "woman"), ("king", "the")]

    scores = compounds.run(toy_model(SQUARE), data, 0)

    assert scores.values["spearman"] == pytest.approx(100)
    assert (scores.n, scores.known) == (3, 3)
    assert scores.values["terms_with_a_vector"] == 0
    assert set(scores.sections) == {"one", "two"}


@pytest.mark.parametrize(
    "scorer", [None, Scorer("kl", "row"), Scorer("overlap", "row"), Scorer("cross-entropy", "row")]
)
def test_a_term_with_a_vector_is_compared_with_its_parts(tmp_path: Path, scorer: Scorer | None) -> None:
    vectors = {
        **SQUARE,
        "king_queen": [1.0, 0.5, 0.5, 0.0],
        "man-woman": [1.0, -1.0, 1.0, 0.3],
        "king the": [0, 0, 0, 5],
    }
    data = CompoundSet.load(write(tmp_path / "toy.tsv", COMPOUNDS))

    values = compounds.run(toy_model(vectors).compared_by(scorer), data, 0).values

    assert values["terms_with_a_vector"] == pytest.approx(100)
    assert values["spearman_term_parts"] == pytest.approx(100)
    assert values["spearman_term_composed"] == pytest.approx(100)


def test_other_forms_of_ratings(tmp_path: Path) -> None:
    shares = write(tmp_path / "a.tsv", "modifier\thead\tnoncompositional\nking\tqueen\t0\nking\tthe\t1\n")
    phrases = write(tmp_path / "b.tsv", "phrase\tscore\nking queen man\t3\nking the\t1\n")

    assert [term.rating for term in CompoundSet.load(shares).terms] == [0, -1]
    assert CompoundSet.load(phrases).terms[0].parts == ("king", "queen", "man")
    assert compounds.run(toy_model(SQUARE), CompoundSet.load(phrases), 0).values["spearman"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word\tscore\na\t1\n", "toy.tsv:1: the columns must include modifier and head, or phrase"),
        ("modifier\thead\tscore\na\tb\n", "toy.tsv:2: needs modifier, head, score between tabs"),
        ("modifier\thead\tscore\na\tb\tnan\n", "toy.tsv:2: needs two words or more and a number as score"),
        ("phrase\tscore\nalone\t1\n", "toy.tsv:2: needs two words or more"),
        ("phrase\tscore\na b\t1\n", "holds 1 compounds; a correlation needs two"),
    ],
)
def test_compounds_that_cannot_be_read(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        CompoundSet.load(write(tmp_path / "toy.tsv", text))


def test_compounds_of_another_language(tmp_path: Path) -> None:
    data = CompoundSet.load(write(tmp_path / "toy.tsv", COMPOUNDS))
    with pytest.raises(NoOverlapError, match="No compound of toy has all its parts in toy"):
        compounds.run(toy_model(VECTORS), data, 0)


def test_function_words_are_counted_among_the_first() -> None:
    words = [f"w{row}" for row in range(200)]
    vectors = RNG.normal(size=(200, 6))
    vectors[::4] *= 0.01  # every fourth word is short, so its tuple is nearly uniform
    model = toy_model(dict(zip(words, vectors.tolist(), strict=True)))
    data = FunctionWords("toy", dict.fromkeys(words[::4], "pronoun"))

    values = function_words.run(model, data, 0).values

    assert values["entropy_50"] == values["length_50"] == values["entropy_15_of_1000"] == 100
    assert values["frequency_50"] == pytest.approx(26)
    unit = function_words.run(model.compared_by(Scorer(normalise="row", unit=True)), data, 0).values
    assert unit["entropy_50"] < 60
    with pytest.raises(NoOverlapError, match="most frequent words of toy is in other"):
        function_words.run(model, FunctionWords("other", {"x": "article"}), 0)


def test_our_list_of_function_words_is_shipped() -> None:
    scores = evaluate_model(
        VectorTable(["the", "cat", "of"], np.eye(3, dtype=np.float32)), None, "function-words/english"
    )
    result = scores["function-words/english"]
    assert result.data_expected
    assert (result.n, result.known) == (225, 2)
