from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from everyword import config, registry
from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.studies.benchmarks import base_of, find_benchmarks, known_benchmarks
from everyword.studies.claims import Judgement, Row, Rows, Score, judge, mean_row
from everyword.studies.commit import code_commit
from everyword.studies.config import (
    KINDS,
    Claim,
    ModelStudy,
    ModelVariant,
    Size,
    kind_of,
    load_study,
    published_studies,
)
from everyword.studies.findings import Findings, table
from everyword.studies.kinds.models.study import ModelJob
from everyword.systems.spelling.config import RecipeConfig
from everyword.systems.spelling.recipe import load_recipe

EVERY_STUDY = pytest.mark.parametrize("name", [*published_studies()])
MODEL_STUDIES = pytest.mark.parametrize("name", [*published_studies("models")])
RAREWORD = "similarity/rareword"
WITHOUT_NUMBERS = {
    "love-augmentation",
    "bertram-contexts",
    "bertram-rarified",
    "span-roles",
    "table-pruning",
    "scores-by-frequency",
    "emergent-codes",
    "compositionality",
    "names",
    "metric-losses",
    "structured-tags",
}
"""Studies whose paper has no numbers that can stand beside ours."""
LABELS = [{"label": "A"}, {"label": "B"}]


def model_study(name: str) -> ModelStudy:
    study = load_study(name)
    assert isinstance(study, ModelStudy)
    return study


def recipe_of(study: ModelStudy, variant: ModelVariant, size: Size, *given: str) -> RecipeConfig:
    here = Path()
    job = ModelJob(study=study, teacher=here, work=here, results=here, size=size, overrides=given)
    return load_recipe(variant.recipe or study.recipe, job.overrides_of(variant))


@EVERY_STUDY
def test_every_published_study_is_valid(name: str) -> None:
    study = load_study(name)
    labels = {variant.label for variant in study.variants}

    assert study.name == name
    assert study.kind == next(kind for kind in KINDS if name in published_studies(kind))
    assert study.claims
    assert all({claim.better, *claim.than} <= labels and claim.on in study.columns for claim in study.claims)


@MODEL_STUDIES
def test_every_benchmark_exists_and_networks_have_seeds(name: str) -> None:
    study = model_study(name)
    assert study.seeds > 1 or not study.trains_networks
    assert {base_of(benchmark) for benchmark in study.benchmarks} <= known_benchmarks()


@MODEL_STUDIES
def test_every_variant_is_a_recipe_of_its_own(name: str) -> None:
    study = model_study(name)
    trained = [variant for variant in study.variants if variant.is_trained]
    sizes: tuple[Size, ...] = ("small", "full")
    for size in sizes:
        built = [recipe_of(study, variant, size) for variant in trained]
        without_names = [
            {**config.to_dict(recipe), "name": "", "policy": variant.policy, "input": variant.input}
            for variant, recipe in zip(trained, built, strict=True)
        ]
        assert all(without_names.count(recipe) == 1 for recipe in without_names)
        if size == "small":
            # Texts hold commas and numbers; lists of words do not.
            assert all(recipe.words.alphabetic != study.trains_networks for recipe in built)
            assert all(10_000 <= (recipe.words.limit or 0) <= 20_000 for recipe in built)
            assert all(
                recipe.training.epochs <= (50 if variant.continues else 10)
                for variant, recipe in zip(trained, built, strict=True)
            )


def test_reconstruction_has_the_heads_of_its_paper() -> None:
    """Highway for analogies and nearest words, rectified for similarity and tagging (section 5 of the paper)."""
    expected = {"reconstruction-analogy": "highway", "reconstruction-similarity": "relu", "reconstruction-pos": "relu"}
    sizes: tuple[Size, ...] = ("small", "full")
    for name, head in expected.items():
        study = model_study(name)
        trained = [variant for variant in study.variants if not variant.teacher]
        heads = {recipe_of(study, variant, size).encoder.options["head"] for variant in trained for size in sizes}
        assert heads == {head}
        assert study.seeds >= 3


def test_a_row_that_carries_a_training_on_differs_in_its_length_only() -> None:
    study = model_study("reconstruction-similarity")
    for variant in study.variants:
        if variant.continues:
            ours, earlier = (recipe_of(study, one, "small") for one in (variant, study.first_of(variant)))
            assert ours.training.epochs > earlier.training.epochs
            assert replace(ours, training=earlier.training) == earlier
    second = {"label": "B", "continues": "C"}
    with pytest.raises(ConfigError, match="'B' continues 'C', which is not a variant before it"):
        config.build(ModelStudy, small_study(variants=[{"label": "A"}, second, {"label": "C"}], claims=[]))


def test_the_rows_of_an_ablation_differ_in_what_they_are_named_for() -> None:
    study = model_study("love-ablation")
    sizes: tuple[Size, ...] = ("small", "full")
    for size in sizes:
        full, *others = (config.to_dict(recipe_of(study, variant, size)) for variant in study.variants)
        for row in (full, *others):
            options = config.build(registry.encoders.get(row["encoder"]["name"]).Config, row["encoder"]["options"])
            assert (options.dropout, options.initial_scale) == (0.2, 0.01)
        changed = [{key for key in full if key != "name" and row[key] != full[key]} for row in others]
        assert changed[:-1] == [{part} for part in ("units",) * 2 + ("encoder",) * 3 + ("loss",) * 2 + ("negatives",)]
        assert changed[-1] == {"negatives", "augmentation"}


@EVERY_STUDY
def test_the_papers_own_numbers_bear_out_its_claims_or_the_study_says_why_there_are_none(name: str) -> None:
    study = load_study(name)
    papers = {
        variant.label: {column: Score(value, seeds=None) for column, value in variant.paper.items()}
        for variant in study.variants
    }
    verdicts = [judge(claim, papers, 0.0).verdict for claim in study.claims]
    assert set(verdicts) <= {"holds", "not tested"}
    if name in WITHOUT_NUMBERS:
        assert re.search(r"\b(numbers?|figures|instead of)\b", " ".join([study.source, *study.cautions]))
    else:
        assert "holds" in verdicts, "no claim is about numbers of the paper"


@EVERY_STUDY
def test_all_claims_of_a_study_can_hold_at_once(name: str) -> None:
    """A claim that is told twice, or against another one, says nothing about a paper."""
    study = load_study(name)
    asked = [(claim.better, claim.than, claim.on, claim.within) for claim in study.claims]
    assert len(set(asked)) == len(asked)
    for column in study.columns:
        behind = {variant.label: set[str]() for variant in study.variants}
        for claim in study.claims:
            if claim.on == column and not claim.within:
                behind[claim.better] |= set(claim.than)
        for _ in behind:  # whoever is behind one that is behind is behind, too
            behind = {label: others.union(*(behind[other] for other in others)) for label, others in behind.items()}
        assert not [label for label, others in behind.items() if label in others]


def test_studies_against_their_own_paper_or_themselves_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two tests above can fail."""
    study = load_study("love-ablation")
    turned = [replace(claim, better=claim.than[0], than=(claim.better,)) for claim in study.claims]
    both = replace(study, claims=(*study.claims, *turned))
    bare = replace(study, variants=tuple(replace(variant, paper={}) for variant in study.variants))
    of_paper = test_the_papers_own_numbers_bear_out_its_claims_or_the_study_says_why_there_are_none
    together = test_all_claims_of_a_study_can_hold_at_once
    twice = replace(study, claims=study.claims * 2)
    for wrong, test in ((both, of_paper), (bare, of_paper), (both, together), (twice, together)):
        monkeypatch.setattr(f"{__name__}.load_study", lambda _, wrong=wrong: wrong)
        with pytest.raises(AssertionError):
            test(study.name)


def test_an_untrained_variant_stays_untrained() -> None:
    study = model_study("reconstruction-similarity")
    untrained = next(variant for variant in study.variants if variant.label == "untrained")
    recipe = recipe_of(study, untrained, "small", "training.epochs=3", "words.limit=7")
    assert (recipe.training.epochs, recipe.words.limit) == (0, 7)


def claim(*than: str) -> Claim:
    return Claim("A is best.", "A", than, RAREWORD)


def judged(better: Score | None, margin: float = 0.5, **than: Score | None) -> Judgement:
    rows = {"A": {RAREWORD: better}, **{label: {RAREWORD: score} for label, score in than.items()}}
    return judge(claim(*than), rows, margin)


def mean(value: float, spread: float | None = None, seeds: int | None = 3) -> Score:
    return Score(value, spread, seeds=seeds)


def test_claims_by_hand() -> None:
    assert judged(mean(40), B=mean(39), C=mean(12)).verdict == "holds"
    assert judged(mean(40), B=mean(39), C=mean(41)).verdict == "does not hold"
    assert judged(mean(40), B=mean(39), C=mean(39.6)).verdict == "too close to tell"
    assert judged(mean(40), B=mean(40.4)).verdict == "too close to tell"
    assert judged(mean(40), B=mean(39), C=None).verdict == "not tested"
    assert judged(None, B=mean(39)).verdict == "not tested"


def test_a_verdict_needs_three_seeds_of_every_score_with_chance_in_it() -> None:
    assert judged(mean(40, 0.1, seeds=5), B=mean(30, 0.1)).reason == "3 seeds"
    for few in (1, 2):
        found = judged(mean(40, 0.1), B=mean(30, seeds=None), C=mean(20, seeds=few))
        assert (found.verdict, found.margin, found.seeds) == ("not tested", None, few)
    assert judged(mean(40), B=mean(30, seeds=1)).reason == "one seed; a verdict needs 3"
    assert judged(Score(40), B=Score(30)).verdict == "not tested", "a score is from one seed unless it says otherwise"


def test_what_is_not_drawn_is_judged_by_the_margin() -> None:
    found = judged(mean(40, seeds=None), B=mean(30, seeds=None))
    assert (found.verdict, found.seeds, found.reason) == ("holds", None, "nothing is drawn")
    found = judged(mean(40, seeds=None), B=mean(39, 1.2))
    assert (found.verdict, found.seeds, found.margin) == ("too close to tell", 3, 1.2)


def test_as_good_within_some_points() -> None:
    rows = {"A": {RAREWORD: mean(39.5)}, "B": {RAREWORD: mean(40)}}
    assert judge(replace(claim("B"), within=1.1), rows, 0.5).verdict == "holds"
    assert judge(replace(claim("B"), within=0.9), rows, 0.5).verdict == "too close to tell"
    assert judge(claim("B"), rows, 0.4).verdict == "does not hold"


def test_a_wide_spread_makes_a_difference_too_close() -> None:
    near = judged(mean(40, 1.0), B=mean(38.5, 0.7))
    assert (near.verdict, near.margin) == ("too close to tell", 1.7)
    assert judged(mean(40, 0.1), B=mean(38.5, 0.1)).margin == 0.5
    # The rival that is nearest in points is not the one that decides.
    assert judged(mean(40, 0.0), B=mean(39.4, 0.0), C=mean(38, 3.0)).verdict == "too close to tell"


def test_rows_over_seeds_and_benchmarks() -> None:
    runs: list[Row] = [{"a/x": Score(10, n=7), "a/y": Score(30)}, {"a/x": Score(20, n=7), "a/y": Score(30)}]
    row = mean_row(runs, ("a/x", "a/y", "mean"))
    assert row == {"a/x": Score(15, 5, seeds=2, n=7), "a/y": mean(30, 0, 2), "mean": mean(22.5, 2.5, 2)}
    assert [score.runs for score in row.values() if score] == [(10, 20), (30, 30), (20, 25)]
    assert mean_row([{"a/x": Score(10, 2), "a/y": None}], ("a/x", "a/y", "mean")) == {
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
        "columns": [RAREWORD],
        "variants": [{"label": "A", "paper": {RAREWORD: 42.2}}, {"label": "B"}],
        "claims": [{"text": "A is best.", "better": "A", "than": ["B"], "on": RAREWORD}],
        **changes,
    }


def test_table_and_claims_to_text() -> None:
    study = config.build(ModelStudy, small_study(cautions=["A toy."]))
    rows: Rows = {"A": {RAREWORD: Score(40.04)}, "B": {RAREWORD: None}}
    assert table(study, rows).splitlines() == [
        "| variant |    rareword |",
        "| ------- | ----------: |",
        "| A       | 40.0 (42.2) |",
        "| B       |           – |",
    ]
    shown = Findings(study, "small", rows, "teacher").to_text()
    assert "  not tested:        A is best. [similarity/rareword: A 40.0; B –; no score of B]\n" in shown
    assert shown.endswith("cautions\n  A toy.")


def test_findings_tell_their_date_and_the_commit_of_the_code() -> None:
    found = Findings(config.build(ModelStudy, small_study()), "small", {"A": {}, "B": {}}, "teacher")
    kept = found.to_dict()
    assert date.fromisoformat(kept["date"]) <= date.today()
    assert kept["commit"] == code_commit()
    assert replace(found, commit=None).to_dict()["commit"] is None


def test_a_table_of_many_columns_is_transposed() -> None:
    columns = ["tagging/conll2003", "tagging/conll2003@typo-50", "tagging/bc2gm"]
    study = config.build(ModelStudy, small_study(columns=columns, margin=0.1, variants=LABELS, claims=[]))
    rows: Rows = {"A": {columns[0]: Score(40.044, 0.5)}, "B": {columns[1]: Score(1)}}
    assert table(study, rows).splitlines() == [
        "| variant           |            A |    B |",
        "| ----------------- | -----------: | ---: |",
        "| conll2003         | 40.04 ± 0.50 |    – |",
        "| conll2003@typo-50 |            – | 1.00 |",
        "| bc2gm             |            – |    – |",
    ]


def test_all_mistakes_of_a_study_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'name = "a b"\ntitle = ""\nsource = ""\nrecipe = "luve"\ncolumns = ["similarity/rarewords"]\nseeds = 0\n'
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
        "'mean' is not one of its columns",
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
        ({"columns": []}, "at least one column"),
        ({"variants": [{"label": "A", "teacher": True, "model": "m"}, {"label": "B"}]}, "cannot be both the teacher"),
        ({"variants": [{"label": "A", "model": "m", "recipe": "love"}, {"label": "B"}]}, "is not trained, so it takes"),
        ({"columns": [RAREWORD + "@published-10"]}, "which only texts have"),
        ({"columns": ["typo-similarity/rareword@typo-10"]}, "is about misspelt words already and takes no noise"),
        ({"columns": ["tagging/bc2gm@typos-10"]}, "did you mean 'typo'"),
        ({"columns": ["tagging/bc2gm@typo"]}, "corruption-strength, as in typo-70"),
        ({"columns": ["tagging/bc2gm@"]}, "corruption-strength, as in typo-70"),
        ({"columns": ["tagging/bc2gn@typo-10"]}, "did you mean 'tagging/bc2gm'"),
        ({"columns": ["tagging/bc2gm@published-10"]}, "which only texts have"),
        ({"networks": {"small": {"items": 9}}}, "none of its benchmarks trains one"),
        ({"networks": {"small": {"epochs": {"similarity": 1}}}}, "epochs is given for 'similarity'"),
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
        config.build(ModelStudy, small_study(**changes), "the study")
    assert told in str(raised.value)


def test_older_files_of_studies_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text(
        f'name = "old"\ntitle = ""\nsource = ""\nrecipe = "love"\npieces = ["{RAREWORD}"]\nmean = true\n'
        '[[variants]]\nlabel = "A"\n'
    )
    study = load_study(str(path))
    assert isinstance(study, ModelStudy)
    assert (study.columns, study.benchmarks) == ((RAREWORD, "mean"), (RAREWORD,))
    path.write_text('name = "old"\njudged_by = "probe"\n')
    assert kind_of(path) == "rare-words"
    path.write_text('name = "new"\nkind = "tabels"\n')
    with pytest.raises(ConfigError, match=r"The study .* cannot be used. There is no kind of study 'tabels'.*'tables'"):
        load_study(str(path))


def test_unknown_study() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'love-ablation'"):
        load_study("love-ablaton")


def test_a_set_that_is_missing_is_skipped_unless_all_are(tmp_path: Path) -> None:
    names = (RAREWORD, "similarity/men3000")
    with pytest.raises(InputError, match="'rareword' is missing"):
        find_benchmarks(names, tmp_path, print, required=True)
    (tmp_path / "similarity").mkdir()
    (tmp_path / "similarity" / "men3000.tsv").write_text("word1\tword2\tscore\n")
    found = find_benchmarks(names, tmp_path, print, required=True)
    assert [type(one).__name__ for one in found.values()] == ["MissingData", "Benchmark"]
