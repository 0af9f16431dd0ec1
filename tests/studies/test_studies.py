from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from everyword import config
from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.studies.benchmarks import base_of, known_pieces
from everyword.studies.config import (
    ClaimConfig,
    StudyConfig,
    VariantConfig,
    load_study,
    shipped_studies,
)
from everyword.studies.findings import Findings, Judged, Row, Rows, Score, judge, row_of, table
from everyword.studies.job import overrides_of
from everyword.studies.rare_config import is_rare_study, load_rare_study, shipped_rare_studies
from everyword.studies.study import pieces_at_hand
from everyword.systems.spelling.recipe import load_recipe

EVERY_STUDY = pytest.mark.parametrize("name", [*shipped_studies()])
RAREWORD = "similarity/rareword"
LABELS = [{"label": "A"}, {"label": "B"}]


@EVERY_STUDY
def test_every_shipped_study_is_valid(name: str) -> None:
    study = load_study(name)
    labels = {variant.label for variant in study.variants}

    assert study.name == name
    assert study.seeds > 1 or not study.trains_networks
    assert {base_of(piece) for piece in study.pieces} <= known_pieces()
    assert study.claims
    assert all({claim.better, *claim.than} <= labels and claim.on in study.columns for claim in study.claims)


@EVERY_STUDY
def test_every_variant_is_a_recipe_of_its_own(name: str) -> None:
    study = load_study(name)
    trained = [variant for variant in study.variants if not variant.teacher]
    for size in ("small", "full"):
        built = [load_recipe(variant.recipe or study.recipe, overrides_of(study, variant, size)) for variant in trained]
        without_names = [
            {**config.to_dict(recipe), "name": "", "policy": variant.policy, "input": variant.input}
            for variant, recipe in zip(trained, built, strict=True)
        ]
        assert all(without_names.count(recipe) == 1 for recipe in without_names)
        if size == "small":
            # Texts hold commas and numbers; lists of words do not.
            assert all(recipe.words.alphabetic != study.trains_networks for recipe in built)
            assert all(10_000 <= (recipe.words.limit or 0) <= 20_000 for recipe in built)
            assert all(recipe.training.epochs <= 10 for recipe in built)


@EVERY_STUDY
def test_the_papers_own_numbers_bear_out_its_claims(name: str) -> None:
    study = load_study(name)
    papers = {
        variant.label: {piece: Score(value) for piece, value in variant.paper.items()} for variant in study.variants
    }
    assert {judge(claim, papers, 0.0).verdict for claim in study.claims} <= {"holds", "not tested"}


@pytest.mark.parametrize("name", [*shipped_rare_studies()])
def test_every_study_about_rare_words_is_valid_and_borne_out_by_its_paper(name: str) -> None:
    study = load_rare_study(name)
    papers = {
        variant.label: {column: Score(value) for column, value in variant.paper.items()} for variant in study.variants
    }

    assert study.name == name
    assert is_rare_study(name)
    assert study.claims
    assert {judge(claim, papers, 0.0).verdict for claim in study.claims} <= {"holds", "not tested"}


def test_an_untrained_variant_stays_untrained() -> None:
    study = load_study("reconstruction-similarity")
    untrained = next(variant for variant in study.variants if variant.label == "untrained")
    recipe = load_recipe(study.recipe, overrides_of(study, untrained, "small", ["training.epochs=3", "words.limit=7"]))
    assert (recipe.training.epochs, recipe.words.limit) == (0, 7)


def claim(*than: str) -> ClaimConfig:
    return ClaimConfig("A is best.", "A", than, RAREWORD)


def judged(better: Score | None, margin: float = 0.5, **than: Score | None) -> Judged:
    rows = {"A": {RAREWORD: better}, **{label: {RAREWORD: score} for label, score in than.items()}}
    return judge(claim(*than), rows, margin)


def test_claims_by_hand() -> None:
    assert judged(Score(40), B=Score(39), C=Score(12)).verdict == "holds"
    assert judged(Score(40), B=Score(39), C=Score(41)).verdict == "does not hold"
    assert judged(Score(40), B=Score(39), C=Score(39.6)).verdict == "too close to tell"
    assert judged(Score(40), B=Score(40.4)).verdict == "too close to tell"
    assert judged(Score(40), B=Score(39), C=None).verdict == "not tested"
    assert judged(None, B=Score(39)).verdict == "not tested"


def test_as_good_within_some_points() -> None:
    rows = {"A": {RAREWORD: Score(39.5)}, "B": {RAREWORD: Score(40)}}
    assert judge(replace(claim("B"), within=1.1), rows, 0.5).verdict == "holds"
    assert judge(replace(claim("B"), within=0.9), rows, 0.5).verdict == "too close to tell"
    assert judge(claim("B"), rows, 0.4).verdict == "does not hold"


def test_a_wide_spread_makes_a_difference_too_close() -> None:
    near = judged(Score(40, 1.0), B=Score(38.5, 0.7))
    assert (near.verdict, near.margin) == ("too close to tell", 1.7)
    assert judged(Score(40, 0.1), B=Score(38.5, 0.1)).margin == 0.5
    # The rival that is nearest in points is not the one that decides.
    assert judged(Score(40, 0.0), B=Score(39.4, 0.0), C=Score(38, 3.0)).verdict == "too close to tell"


def test_rows_over_seeds_and_pieces() -> None:
    runs: list[Row] = [{"a/x": Score(10), "a/y": Score(30)}, {"a/x": Score(20), "a/y": Score(30)}]
    assert row_of(runs, ("a/x", "a/y", "mean")) == {
        "a/x": Score(15, 5),
        "a/y": Score(30, 0),
        "mean": Score(22.5, 2.5),
    }
    assert row_of([{"a/x": Score(10, 2), "a/y": None}], ("a/x", "a/y", "mean")) == {
        "a/x": Score(10, 2),
        "a/y": None,
        "mean": None,
    }


def small_study(**changes: object) -> dict[str, object]:
    return {
        "name": "toy",
        "title": "A toy",
        "source": "nowhere",
        "recipe": "love",
        "pieces": [RAREWORD],
        "variants": [{"label": "A", "paper": {RAREWORD: 42.2}}, {"label": "B"}],
        "claims": [{"text": "A is best.", "better": "A", "than": ["B"], "on": RAREWORD}],
        **changes,
    }


def test_table_and_claims_as_text() -> None:
    study = config.build(StudyConfig, small_study(cautions=["A toy."]))
    rows: Rows = {"A": {RAREWORD: Score(40.04)}, "B": {RAREWORD: None}}
    assert table(study, rows).splitlines() == [
        "| variant |    rareword |",
        "| ------- | ----------: |",
        "| A       | 40.0 (42.2) |",
        "| B       |           – |",
    ]
    shown = Findings(study, "small", rows, "teacher").as_text()
    assert "  not tested:        A is best. [similarity/rareword: A 40.0; B –]\n" in shown
    assert shown.endswith("cautions\n  A toy.")


def test_a_table_of_many_pieces_is_laid_on_its_side() -> None:
    pieces = ["tagging/conll2003", "tagging/conll2003@typo-50", "tagging/bc2gm"]
    study = config.build(StudyConfig, small_study(pieces=pieces, margin=0.1, variants=LABELS, claims=[]))
    rows: Rows = {"A": {pieces[0]: Score(40.044, 0.5)}, "B": {pieces[1]: Score(1)}}
    assert table(study, rows).splitlines() == [
        "| variant           |            A |    B |",
        "| ----------------- | -----------: | ---: |",
        "| conll2003         | 40.04 ± 0.50 |    – |",
        "| conll2003@typo-50 |            – | 1.00 |",
        "| bc2gm             |            – |    – |",
    ]


def test_all_mistakes_of_a_study_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'name = "a b"\ntitle = ""\nsource = ""\nrecipe = "luve"\npieces = ["similarity/rarewords"]\nseeds = 0\n'
        '[[variants]]\nlabel = "A"\n[[variants]]\nlabel = "a"\npaper = { mean = 1 }\n'
        '[[claims]]\ntext = "t"\nbetter = "A"\nthan = ["C"]\non = "similarity/rarewords"\n'
    )
    with pytest.raises(ConfigError) as raised:
        load_study(str(path))
    message = str(raised.value)
    for part in (
        "in the study, the name must",
        "did you mean 'love'",
        "did you mean 'similarity/rareword'",
        "seeds must be 1 or more",
        "two variants share the folder 'a'",
        "'mean' is none of its pieces",
        "names the variant 'C'",
    ):
        assert part in message, part


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"variants": 3}, "'variants' must be a list of sections"),
        ({"variants": [{}]}, "the key 'variants[1].label' is missing"),
        ({"variants": [{"label": "A", "papers": {}}, {"label": "B"}]}, "unknown key 'variants[1].papers'"),
        ({"variants": [{"label": "A"}, {"label": "?"}]}, "must hold a letter or a digit"),
        ({"variants": [{"label": "A", "teacher": True, "recipe": "mimik"}, {"label": "B"}]}, "did you mean 'mimick'"),
        ({"pieces": []}, "at least one piece"),
        ({"pieces": [RAREWORD, "tagging/bc2gm"]}, "must all train networks on the vectors, or none"),
        ({"pieces": [RAREWORD + "@published-10"]}, "which only texts have"),
        ({"pieces": ["typo-similarity/rareword@typo-10"]}, "is about misspelt words already and takes no noise"),
        ({"pieces": ["tagging/bc2gm@typos-10"]}, "did you mean 'typo'"),
        ({"pieces": ["tagging/bc2gm@typo"]}, "corruption-strength, as in typo-70"),
        ({"pieces": ["tagging/bc2gm@"]}, "corruption-strength, as in typo-70"),
        ({"pieces": ["tagging/bc2gn@typo-10"]}, "did you mean 'tagging/bc2gm'"),
        ({"pieces": ["tagging/bc2gm@published-10"]}, "which only texts have"),
        ({"networks": {"small": {"items": 9}}}, "none of its pieces trains one"),
        ({"networks": {"small": {"epochs": {"similarity": 1}}}}, "epochs are given for 'similarity'"),
        ({"variants": [{"label": "A", "input": "char"}, {"label": "B"}]}, "for studies that train taggers"),
        ({"variants": [{"label": "A", "input": "chars"}, {"label": "B"}]}, "must be one of 'frozen', 'frozen+char'"),
        ({"variants": [{"label": "A", "policy": "speling"}, {"label": "B"}]}, "did you mean 'spelling'"),
        ({"variants": [{"label": "A", "policy": "characters"}, {"label": "B"}]}, "the policy 'characters'"),
        ({"variants": [{"label": "A", "teacher": True, "policy": "infer"}, {"label": "B"}]}, "the policy 'infer'"),
        ({"claims": [{"text": "t", "better": "A", "than": ["B"], "on": RAREWORD, "within": -1}]}, "0 or more"),
        ({"margin": -1}, "margin must be 0 or more"),
        ({"claims": [{"text": "t", "better": "A", "than": ["A"], "on": RAREWORD}]}, "better than itself"),
        ({"claims": [{"text": "t", "better": "A", "than": [], "on": RAREWORD}]}, "at least one variant"),
    ],
)
def test_mistakes_one_by_one(changes: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.build(StudyConfig, small_study(**changes), "the study")
    assert told in str(raised.value)


def test_unknown_study() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'love-ablation'"):
        load_study("love-ablaton")


def test_a_set_that_is_missing_is_passed_over_unless_all_are(tmp_path: Path) -> None:
    pieces = (RAREWORD, "similarity/men3000")
    study = StudyConfig("toy", "", "", "love", pieces, (VariantConfig("A"),))
    with pytest.raises(InputError, match="'rareword' is missing"):
        pieces_at_hand(study, tmp_path)
    (tmp_path / "similarity").mkdir()
    (tmp_path / "similarity" / "men3000.tsv").write_text("word1\tword2\tscore\n")
    assert [type(piece).__name__ for piece in pieces_at_hand(study, tmp_path).values()] == ["MissingData", "Benchmark"]
