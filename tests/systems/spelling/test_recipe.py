"""Recipes by name, by file, and laid over one another; sources in place of their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made import write

from everyword.errors import ConfigError, InputError, UnknownNameError
from everyword.systems.spelling.recipe import load_recipe, needed_sources, read_sources, recipe_values, with_sources


class TestExtending:
    def test_a_recipe_lies_over_another(self, tmp_path: Path) -> None:
        mine = write(tmp_path / "mine.toml", 'extends = "dan"\nname = "mine"\n[units]\ntop = 9\n[store]\nwords = 3\n')
        recipe, base = load_recipe(str(mine)), load_recipe("dan")
        units = replace(base.units, options={**base.units.options, "top": 9})
        assert recipe == replace(base, name="mine", units=units, store=replace(base.store, words=3))

    def test_overrides_lie_over_both(self, tmp_path: Path) -> None:
        mine = write(tmp_path / "mine.toml", 'extends = "dan"\n[training]\nanchors = 7\n')
        values = recipe_values(str(mine), ["training.epochs=3"])
        assert values["training"] == {"epochs": 3, "anchors": 7, "frequency_power": 0.5, "schedule": "cosine"}
        assert "extends" not in values

    def test_a_file_is_found_beside_the_one_that_extends_it(self, tmp_path: Path) -> None:
        (tmp_path / "deep").mkdir()
        write(tmp_path / "base.toml", 'extends = "love"\nname = "base"\nlicense = "mit"\n')
        mine = write(tmp_path / "deep" / "mine.toml", 'extends = "../base.toml"\nname = "mine"\n')
        recipe = load_recipe(str(mine))
        assert (recipe.name, recipe.license, recipe.summary) == ("mine", "mit", load_recipe("love").summary)

    def test_a_circle_is_refused(self, tmp_path: Path) -> None:
        one = write(tmp_path / "one.toml", 'extends = "two.toml"\n')
        write(tmp_path / "two.toml", 'extends = "one.toml"\n')
        with pytest.raises(ConfigError, match=r"one\.toml extends itself, by way of two\.toml"):
            load_recipe(str(one))

    @pytest.mark.parametrize(
        ("value", "kind", "message"),
        [
            ('"lov"', UnknownNameError, "There is no recipe 'lov': did you mean 'love'"),
            ('"none.toml"', InputError, r"There is no file .*none\.toml"),
            ("3", ConfigError, r"mine\.toml: 'extends' must be the name of a recipe. Got 3 instead"),
        ],
    )
    def test_what_is_not_there(self, tmp_path: Path, value: str, kind: type[Exception], message: str) -> None:
        mine = write(tmp_path / "mine.toml", f"extends = {value}\n")
        with pytest.raises(kind, match=message):
            load_recipe(str(mine))

    def test_the_small_model_has_the_teacher_and_the_words_of_the_large_one(self) -> None:
        small, large = load_recipe("everyword-en-small"), load_recipe("everyword-en")
        assert (small.space, small.words, small.training) == (large.space, large.words, large.training)
        assert small.store.words is not None
        assert large.store.words is None  # all of them
        assert small.name == "everyword-en-small"


class TestSources:
    def test_names_and_paths(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a=b.tsv", "")
        assert read_sources([f"one={path}", f"two={tmp_path}"]) == {"one": path, "two": tmp_path}
        assert read_sources([]) == {}

    @pytest.mark.parametrize("text", ["words.tsv", "=words.tsv", "name=", "="])
    def test_what_does_not_read_as_one(self, text: str) -> None:
        with pytest.raises(InputError, match=f"^A source must read NAME=PATH. Got '{text}' instead.$"):
            read_sources([text])

    def test_a_path_with_nothing_at_it(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"There is nothing at .*gone, given as source 'words'; check the path"):
            read_sources([f"words={tmp_path / 'gone'}"])

    def test_paths_stand_in_for_names(self) -> None:
        recipe = load_recipe("love", ["synonyms.file=@mine", "blend.misspellings=plain.tsv"])
        resolved = with_sources(recipe, {"mine": Path("deep/words.tsv"), "more": Path("more.tsv")})
        assert resolved.synonyms.file == "deep/words.tsv"
        assert resolved.blend.misspellings == "plain.tsv"
        assert with_sources(load_recipe("love"), {}) == load_recipe("love")

    def test_a_recipe_says_what_it_needs(self) -> None:
        recipe = load_recipe("everyword-en")
        own = ["synonyms", "misspellings", "human-misspellings", "slang"]
        assert needed_sources(recipe) == own
        assert needed_sources(recipe, ["lexicon", "synonyms"]) == ["lexicon", *own]
        assert needed_sources(load_recipe("love")) == []

    def test_a_name_without_a_path(self) -> None:
        given = {name: Path("words.tsv") for name in ("synonyms", "human-misspellings", "slang")}
        with pytest.raises(InputError, match=r"sources that were not given; add --source misspellings=PATH$"):
            with_sources(load_recipe("everyword-en"), given)
