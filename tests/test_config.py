from __future__ import annotations

import dataclasses
import datetime
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.config import Count, Fraction, OpenFraction, Positive, Range, build, check, override, read_toml, to_dict
from everyword.errors import ConfigError, InputError
from everyword.systems.spelling.config import RecipeConfig, UnitsConfig
from everyword.systems.spelling.recipe import load_recipe, shipped_recipes
from everyword.text.normalise import Normaliser
from everyword.text.vocabulary import VocabularyConfig


@dataclass(frozen=True)
class Inner:
    count: int
    rate: float = 0.5

    def problems(self) -> list[str]:
        return [] if self.count >= 0 else [f"count must be 0 or more. Got {self.count} instead"]


@dataclass(frozen=True)
class Sample:
    inner: Inner
    name: str = "x"
    flag: bool = False
    kind: Literal["one", "two"] = "one"
    steps: tuple[Literal["a", "b"], ...] = ()
    shares: dict[str, float] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    limit: int | None = None
    ratio: float | None = None

    def problems(self) -> list[str]:
        return ["name and kind do not go together"] if self.name == self.kind else []


INNER = {"count": 1}


def problems_of(values: dict[str, Any]) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        build(Sample, values)
    sentence = str(caught.value)
    start = "The configuration has problems: "
    assert sentence.startswith(start)
    return sentence.removeprefix(start).split("; ")


def test_defaults_fill_what_is_not_given() -> None:
    assert build(Sample, {"inner": {"count": 3}}) == Sample(Inner(3, 0.5))


def test_values_of_every_kind_are_taken() -> None:
    values = {
        "inner": {"count": 0, "rate": 2},
        "name": "é",
        "flag": True,
        "kind": "two",
        "steps": ["a", "b", "a"],
        "shares": {"swap": 1, "drop": 0.5},
        "options": {"deep": {"er": [1, None]}},
        "limit": 7,
        "ratio": 0.25,
    }

    made = build(Sample, values)

    assert made == Sample(
        Inner(0, 2.0), "é", True, "two", ("a", "b", "a"), {"swap": 1, "drop": 0.5}, {"deep": {"er": [1, None]}}, 7, 0.25
    )
    assert isinstance(made.inner.rate, float)
    assert isinstance(made.steps, tuple)


def test_a_whole_number_for_a_number_is_the_same_configuration_everywhere() -> None:
    whole = build(Sample, {"inner": {"count": 1, "rate": 1}, "shares": {"swap": 1}, "ratio": 1})
    broken = build(Sample, {"inner": {"count": 1, "rate": 1.0}, "shares": {"swap": 1.0}, "ratio": 1.0})

    # A resumed run compares the text of its configuration.
    assert json.dumps(to_dict(whole)) == json.dumps(to_dict(broken))


@pytest.mark.parametrize(
    ("key", "value", "must_be"),
    [
        ("name", 5, "a text"),
        ("name", None, "a text"),
        ("flag", 1, "true or false"),
        ("flag", "true", "true or false"),
        ("kind", "three", "one of 'one', 'two'"),
        ("kind", ["one"], "one of 'one', 'two'"),
        ("steps", "a", "a list, each item one of 'a', 'b'"),
        ("steps", ["a", "c"], "a list, each item one of 'a', 'b'"),
        ("shares", {"swap": "much"}, "a section, each value a number"),
        ("shares", {"swap": True}, "a section, each value a number"),
        ("shares", [1], "a section, each value a number"),
        ("options", 3, "a section of keys"),
        ("limit", True, "a whole number or null"),
        ("limit", 1.0, "a whole number or null"),
        ("limit", "7", "a whole number or null"),
        ("ratio", False, "a number or null"),
        ("inner", 3, "a section of keys"),
        ("inner", None, "a section of keys"),
        ("ratio", float("nan"), "a number or null"),
        ("ratio", float("-inf"), "a number or null"),
        pytest.param("ratio", 10**400, "a number or null", id="too large"),
    ],
)
def test_a_value_of_the_wrong_kind_is_explained(key: str, value: Any, must_be: str) -> None:
    assert problems_of({"inner": INNER, key: value}) == [f"{key!r} must be {must_be}. Got {value!r} instead"]


def test_a_problem_in_a_section_is_named_with_its_path() -> None:
    assert problems_of({"inner": {"count": True, "rate": "fast"}}) == [
        "'inner.count' must be a whole number. Got True instead",
        "'inner.rate' must be a number. Got 'fast' instead",
    ]


def test_all_problems_are_told_at_once() -> None:
    values = {"nmae": "x", "flag": 0, "inner": {"rat": 1}, "steps": ["z"], "qqq": 1}

    assert problems_of(values) == [
        "unknown key 'nmae': did you mean 'name'?",
        "'flag' must be true or false. Got 0 instead",
        "unknown key 'inner.rat': did you mean 'rate'?",
        "the key 'inner.count' is missing",
        "'steps' must be a list, each item one of 'a', 'b'. Got ['z'] instead",
        "unknown key 'qqq': choose from flag, inner, kind, limit, name, options, ratio, shares, steps.",
    ]


def test_a_missing_section_is_told() -> None:
    assert problems_of({}) == ["the key 'inner' is missing"]


def test_values_that_do_not_go_together_are_told_with_their_section() -> None:
    assert problems_of({"inner": {"count": -1}}) == ["in inner, count must be 0 or more. Got -1 instead"]
    assert problems_of({"inner": INNER, "name": "two", "kind": "two"}) == [
        "in the recipe, name and kind do not go together"
    ]


def test_problems_of_two_sections_of_a_recipe_are_told_together() -> None:
    values = {"training": {"epochs": -1}, "words": {"held_out": 2}, "loss": {"name": "magic"}, "units": {"buckets": 0}}

    with pytest.raises(ConfigError) as caught:
        build(RecipeConfig, values)

    for part in (
        "in training, epochs must",
        "in words, held_out must",
        "in loss, there is no loss",
        "in units, in its options, buckets must",
    ):
        assert part in str(caught.value)


def test_a_built_configuration_does_not_change_with_the_values_it_came_from() -> None:
    values: dict[str, Any] = {"inner": INNER, "shares": {"swap": 0.5}}
    made = build(Sample, values)

    values["shares"]["swap"] = 9.0

    assert made.shares == {"swap": 0.5}


SECTIONS = [
    item.name
    for item in dataclasses.fields(RecipeConfig)
    if dataclasses.is_dataclass(getattr(RecipeConfig(), item.name))
]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_of_a_recipe_survives_being_saved(section: str) -> None:
    part = getattr(RecipeConfig(), section)

    assert build(type(part), json.loads(json.dumps(to_dict(part)))) == part


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_survives_being_saved(name: str) -> None:
    recipe = load_recipe(name)

    assert build(RecipeConfig, json.loads(json.dumps(to_dict(recipe)))) == recipe


@settings(deadline=None)
@given(
    st.builds(
        RecipeConfig,
        name=st.text(),
        normalise=st.builds(Normaliser, max_length=st.integers(1)),
        units=st.builds(UnitsConfig, options=st.fixed_dictionaries({"buckets": st.none() | st.integers(1)})),
        vocabulary=st.builds(
            VocabularyConfig,
            pieces=st.none() | st.text(),
            size=st.integers(1),
            top=st.integers(1),
            shrink=st.lists(st.sampled_from(["stem", "numerals", "top"])).map(tuple),
        ),
    )
)
def test_any_recipe_survives_being_saved(recipe: RecipeConfig) -> None:
    assert build(RecipeConfig, to_dict(recipe)) == recipe


@pytest.mark.parametrize(
    ("assignment", "result"),
    [
        ("a=3", {"a": 3}),
        ("a=0.5", {"a": 0.5}),
        ("a=1e-3", {"a": 0.001}),
        ("a=true", {"a": True}),
        ("a=null", {"a": None}),
        ("a=[1, 2]", {"a": [1, 2]}),
        ('a={"b": 1}', {"a": {"b": 1}}),
        ("a=text", {"a": "text"}),
        ("a=True", {"a": "True"}),
        ('a="5"', {"a": "5"}),
        ("a=", {"a": ""}),
        ("a=b=c", {"a": "b=c"}),
        (" a.b = two words ", {"a": {"b": "two words"}}),
        ("a.b.c=1", {"a": {"b": {"c": 1}}}),
        ("a=" + "1" * 5000, {"a": "1" * 5000}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_assignment_is_read_as_json_or_else_as_text(assignment: str, result: dict[str, Any]) -> None:
    assert override({}, [assignment]) == result


def test_the_last_assignment_wins_and_the_rest_stays() -> None:
    values = {"loss": {"name": "mse", "options": {"t": 1}}, "name": "x"}

    changed = override(values, ["loss.name=cosine", "loss.name=contrastive", "loss.new=1"])

    assert changed == {"loss": {"name": "contrastive", "options": {"t": 1}, "new": 1}, "name": "x"}
    assert values == {"loss": {"name": "mse", "options": {"t": 1}}, "name": "x"}


@pytest.mark.parametrize("assignment", ["", "epochs", "=5", " =5", "training.=5", ".epochs=5", "a..b=5"])
def test_an_assignment_without_key_or_value_is_refused(assignment: str) -> None:
    with pytest.raises(ConfigError, match=r"must read section\.key=value"):
        override({}, [assignment])


def test_an_assignment_into_a_value_is_refused() -> None:
    with pytest.raises(ConfigError, match="goes into 'name', which is a value"):
        override({"name": "x"}, ["name.first=y"])
    with pytest.raises(ConfigError, match="goes into 'b', which is a value"):
        override({}, ["a.b=1", "a.b.c=2"])


def test_a_date_in_a_recipe_is_a_problem_of_the_recipe() -> None:
    values = override({"inner": INNER, "name": datetime.date(2024, 1, 1)}, [])

    assert problems_of(values) == ["'name' must be a text. Got datetime.date(2024, 1, 1) instead"]


def test_a_toml_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes('name = "é"\r\n[inner]\r\ncount = 1_000\r\n'.encode())

    assert read_toml(path) == {"name": "é", "inner": {"count": 1000}}


@pytest.mark.parametrize("content", [b"name = ", b"name = 'caf\xe9'", b"a = 1\na = 2\n", b"\x00"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"recipe\.toml is not a valid TOML file: "):
        read_toml(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file .*recipe\.toml"):
        read_toml(tmp_path / "recipe.toml")


def test_a_folder_is_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file "):
        read_toml(tmp_path)


@dataclass(frozen=True)
class Constrained:
    epochs: Count = 1
    rate: Positive = 0.1
    warm_up: OpenFraction = 0.5
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.0
    limit: Count | None = None
    rates: tuple[Positive, ...] = (0.1,)
    shares: dict[str, Fraction] = field(default_factory=dict)


def test_constraints_in_types_are_all_reported_at_once() -> None:
    values = {"epochs": 0, "rate": 0, "warm_up": 1, "dropout": 1, "limit": -1, "rates": [0.1, -2], "shares": {"a": 2}}

    with pytest.raises(ConfigError) as caught:
        build(Constrained, values, "this")

    assert str(caught.value) == (
        "The configuration has problems: in this, epochs must be 1 or more. Got 0 instead; "
        "in this, rate must be above 0. Got 0.0 instead; "
        "in this, warm_up must be above 0 and below 1. Got 1.0 instead; "
        "in this, dropout must be 0 or more and below 1. Got 1.0 instead; "
        "in this, limit must be 1 or more. Got -1 instead; "
        "in this, each of rates must be above 0. Got -2.0 instead; "
        "in this, shares.a must be between 0 and 1. Got 2.0 instead"
    )


def test_constraints_hold_for_values_made_in_python() -> None:
    check(Constrained(limit=3))
    with pytest.raises(ConfigError, match="warm_up must be above 0 and below 1"):
        check(Constrained(warm_up=0.0))


def test_a_constrained_field_still_has_a_type() -> None:
    with pytest.raises(ConfigError, match="'epochs' must be a whole number"):
        build(Constrained, {"epochs": "many"})
    with pytest.raises(ConfigError, match="'limit' must be a whole number or null"):
        build(Constrained, {"limit": 0.5})
