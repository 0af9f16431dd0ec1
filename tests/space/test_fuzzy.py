"""Feature tuples: the identities of the specification, and words that the fit has not seen."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.models.model import Model
from everyword.space import Features, FeatureTuple, FuzzySpace, load_record, postprocess
from everyword.space.divergences import DIRECTIONS, MEASURES, Targets, entropy, of_pairs
from everyword.space.feature_tuple import analogy_tuples
from everyword.space.scorer import Scorer, read_scorer
from everyword.vectors.table import VectorTable

RNG = np.random.default_rng(0)
TABLE = VectorTable([f"w{row}" for row in range(60)], RNG.normal(size=(60, 8)).astype(np.float32))


@pytest.fixture(params=["column", "row", "none"])
def space(request: pytest.FixtureRequest) -> FuzzySpace:
    return FuzzySpace(TABLE, normalise=request.param)


def values(space: FuzzySpace) -> np.ndarray:
    return space.transform(TABLE.matrix)


@pytest.mark.parametrize("base", [math.e, 2.0])
@pytest.mark.parametrize("unit", [False, True])
def test_columns_or_rows_sum_to_one(base: float, unit: bool) -> None:
    columns, rows = (values(FuzzySpace(TABLE, normalise=how, base=base, unit=unit)) for how in ("column", "row"))

    assert columns.sum(axis=0) == pytest.approx(1, rel=1e-5)
    assert rows.sum(axis=1) == pytest.approx(1, rel=1e-5)
    powers = base ** (TABLE.unit().matrix if unit else TABLE.matrix).astype(np.float64)
    assert columns == pytest.approx(powers / powers.sum(axis=0), rel=1e-4)
    assert rows == pytest.approx(powers / powers.sum(axis=1, keepdims=True), rel=1e-4)


def test_without_normalising_powers_are_limited_to_one() -> None:
    found = values(FuzzySpace(TABLE, normalise="none"))
    assert found == pytest.approx(np.minimum(1, np.exp(TABLE.matrix.astype(np.float64))), rel=1e-5)


def test_large_numbers_do_not_overflow() -> None:
    table = VectorTable(["a", "b"], np.array([[900.0, -900.0], [899.0, 0.0]], dtype=np.float32))
    for how in ("column", "row", "none"):
        found = FuzzySpace(table, normalise=how).transform(table.matrix)
        assert np.isfinite(found).all()
        assert ((found >= 0) & (found <= 1)).all()


def test_the_identities_of_sets(space: FuzzySpace) -> None:
    a, b = space["w1"], space["w2"]
    smaller, larger = np.minimum(a.values, b.values), np.maximum(a.values, b.values)

    assert (a - a).values == pytest.approx(0)
    assert ((a & b).values <= smaller + 1e-15).all()
    assert ((a | b).values >= larger - 1e-15).all()
    assert (~(a | b)).values == pytest.approx((~a & ~b).values)
    assert (~(a & b)).values == pytest.approx((~a | ~b).values)
    assert a.bounded_sum(b).values == pytest.approx(np.minimum(1, a.values + b.values))
    assert (a - b).values == pytest.approx(np.maximum(0, a.values - b.values))
    assert a.cardinality == pytest.approx(a.values.sum())
    assert (a & b).words == {"w1", "w2"}


def test_inclusion_has_an_order_and_degrees() -> None:
    small, large = FeatureTuple(np.array([0.1, 0.2])), FeatureTuple(np.array([0.2, 0.2]))

    assert small.within(large)
    assert not large.within(small)
    assert small.inclusion(large) == 1
    assert large.inclusion(small) == pytest.approx(0.75)
    assert large.inclusion(small, by_feature=True) == 0.5


def test_entropies_and_divergences(space: FuzzySpace) -> None:
    a, b = space["w1"], space["w2"]

    assert a.cross_entropy(a) == pytest.approx(a.entropy)
    assert a.cross_entropy(b) == pytest.approx(a.entropy + a.bernoulli_kl(b))
    assert a.bernoulli_kl(b) > 0
    assert a.bernoulli_kl(a) == pytest.approx(0, abs=1e-12)
    assert a.kl(a) == pytest.approx(0, abs=1e-12)
    assert a.kl(b) == pytest.approx(float((a.values * np.log(a.values / b.values)).sum()), rel=1e-6)
    assert a.cross_entropy(b) != pytest.approx(b.cross_entropy(a), rel=1e-6)


def test_a_uniform_tuple_of_200_features() -> None:
    assert float(entropy(np.full(200, 1 / 200))) == pytest.approx(6.29581, abs=5e-6)


def test_the_published_asymmetry_of_an_intersection_is_that_of_its_size() -> None:
    uniform = FeatureTuple(np.full(200, 1 / 200))
    both = uniform & uniform

    assert both.cross_entropy(uniform) == pytest.approx(1.0290, abs=5e-5)
    assert uniform.cross_entropy(both) == pytest.approx(10.6016, abs=5e-5)
    scaled = both.scaled()
    assert scaled.cross_entropy(uniform) == pytest.approx(uniform.cross_entropy(scaled))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("size", [0.9, 1e-5])
def test_blocks_of_targets_give_what_pairs_give(measure: str, direction: str, size: float) -> None:
    queries, targets = RNG.uniform(0, size, (3, 6)), RNG.uniform(0, size, (5, 6))
    expected = [[of_pairs(measure, direction, query, target) for target in targets] for query in queries]

    assert Targets(targets).compare(measure, direction, queries) == pytest.approx(np.array(expected), rel=1e-9)
    rough = Targets(targets.astype(np.float32)).compare(measure, direction, queries)
    assert rough == pytest.approx(np.array(expected), rel=1e-3, abs=1e-5 * size)


def test_certain_features_have_finite_divergences() -> None:
    certain, impossible = np.ones((1, 4)), np.zeros((1, 4))
    for measure in MEASURES:
        assert np.isfinite(of_pairs(measure, "both", certain, impossible)).all()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_nearest_words_are_those_of_a_plain_search(space: FuzzySpace, measure: str, direction: str) -> None:
    asked = space["w3"]
    compared = of_pairs(measure, direction, np.broadcast_to(asked.values, (60, 8)), values(space))
    order = [row for row in np.argsort(-compared if measure == "overlap" else compared) if row != 3][:5]

    found = space.nearest("w3", 5, measure=measure, direction=direction)

    assert [value for _, value in found] == pytest.approx(compared[order].tolist())


def test_the_words_of_a_combination_are_not_its_neighbours(space: FuzzySpace) -> None:
    found = space.nearest(space["w1"] & space["w2"], 60, leave_out=["w5"])
    assert len(found) == 57
    assert {word for word, _ in found}.isdisjoint({"w1", "w2", "w5"})


def test_renormalised_combinations_have_the_size_of_a_word(space: FuzzySpace) -> None:
    both = space["w1"] & space["w2"]
    assert both.scaled(space.mean_cardinality).cardinality <= space.mean_cardinality * (1 + 1e-9)
    as_it_is = space.nearest(both, 1, renormalise=False, measure="kl")[0][1]
    assert as_it_is == pytest.approx(both.kl(space[space.nearest(both, 1, renormalise=False, measure="kl")[0][0]]))


def test_an_analogy_without_a_is_the_bounded_sum() -> None:
    b, x = RNG.uniform(size=(2, 5))
    assert analogy_tuples(np.zeros(5), b, x) == pytest.approx(np.minimum(1, b + x))
    assert analogy_tuples(b, b, x) == pytest.approx(x)


def test_an_analogy_finds_the_fourth_word() -> None:
    words = {"man": [2, 0, 2], "king": [2, 2, 2], "woman": [-2, 0, 2], "queen": [-2, 2, 2], "stone": [0, 0, -3]}
    space = FuzzySpace(VectorTable(list(words), np.array(list(words.values()), dtype=np.float32)))
    assert space.analogy("man", "king", "woman", measure="bernoulli-kl")[0][0] == "queen"


def test_words_of_highest_entropy(space: FuzzySpace) -> None:
    own = {word: space.entropy(word) for word in TABLE.words}
    best = sorted(own, key=lambda word: -own[word])

    assert [word for word, _ in space.top_entropy(5)] == best[:5]
    counts = {word: row for row, word in enumerate(TABLE.words)}
    frequent = [word for word in best if counts[word] >= 58]
    assert [word for word, _ in space.top_entropy(5, counts=counts, min_count=58)] == frequent
    assert {word for word, _ in space.top_entropy(5, among=3)} == {"w0", "w1", "w2"}


def test_a_saved_space_maps_later_vectors_as_the_fit_did(tmp_path: Path, space: FuzzySpace) -> None:
    later = RNG.normal(size=(4, 8)).astype(np.float32)
    space.save(tmp_path / "record")
    record = load_record(tmp_path / "record")
    other = FuzzySpace.from_record(VectorTable(["x", "y"], later[:2]), record)

    assert record.apply(later) == pytest.approx(space.transform(later), rel=1e-6)
    assert other["x"].values == pytest.approx(space.transform(later[:1])[0], rel=1e-6)
    changed = postprocess(TABLE, [space.fitted.step]).table
    assert changed["w3"] == pytest.approx(space["w3"].values, rel=1e-5)


def test_a_model_gives_every_word_a_tuple(tiny_model: Model) -> None:
    space = FuzzySpace(tiny_model)
    made, stored = space["daans"], space["dan"]

    assert made.values == pytest.approx(space.transform(tiny_model.encode(["daans"]))[0])
    assert len(space) == len(tiny_model.known_words)
    assert space.nearest("dan", 3)[0][0] != "dan"
    assert "dan" not in [word for word, _ in space.nearest(made & stored, 20)]
    assert space.nearest("daans & dan", 4)[0][0] == space.nearest(made & stored, 4)[0][0]


def test_refusals() -> None:
    with pytest.raises(UnknownNameError, match="'nope' is not in the table"):
        FuzzySpace(TABLE)["nope"]
    with pytest.raises(InputError, match="needs words; the table has none"):
        FuzzySpace(VectorTable([], np.zeros((0, 3), dtype=np.float32)))
    with pytest.raises(InputError, match="of 'b' holds NaN or infinity"):
        FuzzySpace(VectorTable.from_checked(["a", "b"], np.array([[0.0], [np.nan]], dtype=np.float32)))
    record = postprocess(TABLE, "features:row").record
    with pytest.raises(InputError, match="fitted to vectors of dimension 8"):
        FuzzySpace.from_record(VectorTable(["a"], np.ones((1, 3), dtype=np.float32)), record)
    with pytest.raises(InputError, match="the one step 'features'"):
        FuzzySpace.from_record(TABLE, postprocess(TABLE, "centre").record)
    with pytest.raises(ConfigError, match="base must be above 1"):
        postprocess(TABLE, "features:base=1")
    with pytest.raises(ConfigError, match="'normalise' must be"):
        FuzzySpace(TABLE, normalise="rows")  # type: ignore[arg-type]


def test_scorers_as_text() -> None:
    assert read_scorer("cosine") is None
    assert read_scorer("overlap") == Scorer("overlap")
    text = "kl:normalise=none:base=2:unit=true:direction=from:renormalise=false"
    scorer = read_scorer(text)
    assert scorer == Scorer("kl", "none", 2, True, "from", False)
    assert scorer is not None
    assert read_scorer(str(scorer)) == scorer
    assert scorer.features == Features("none", 2, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cosinus", "There is no scorer 'cosinus'"),
        ("cosine:unit=true", "takes no options"),
        ("kl:row", "must read key=value"),
        ("kl:normalise=rows", "'normalise'? must be"),
        ("kl:norm=row", "norm"),
        ("kl:unit=2", "'unit'? must be"),
    ],
)
def test_scorers_that_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises((InputError, UnknownNameError, ConfigError), match=sentence):
        read_scorer(text)
