from __future__ import annotations

import pytest

from everyword import registry
from everyword.errors import UnknownNameError
from everyword.registry import Registry

ENTRIES = [(kind, name) for kind in registry.ALL for name in kind]


@pytest.mark.parametrize(("kind", "name"), ENTRIES, ids=[f"{kind.kind}: {name}" for kind, name in ENTRIES])
def test_every_registered_name_can_be_imported(kind: Registry, name: str) -> None:
    assert name in kind
    assert kind.get(name) is not None


def test_all_registries_are_listed_and_none_is_empty() -> None:
    defined = [thing for thing in vars(registry).values() if isinstance(thing, Registry)]

    assert list(registry.ALL) == defined
    assert all(len(kind) > 0 for kind in registry.ALL)


def test_registries_have_names_of_their_own() -> None:
    kinds = [kind.kind for kind in registry.ALL]

    assert len(set(kinds)) == len(kinds)


def test_no_two_names_of_a_registry_stand_for_one_thing() -> None:
    for kind in registry.ALL:
        things = [id(kind.get(name)) for name in kind]
        assert len(set(things)) == len(things), kind.kind


def test_what_can_be_trained_can_be_run_without_torch() -> None:
    assert list(registry.encoders) == list(registry.forward_passes)


@pytest.mark.parametrize(
    "kind",
    [
        *(registry.forward_passes, registry.encoders, registry.unit_vocabularies, registry.tasks),
        *(registry.space_steps, registry.mergers),
    ],
    ids=lambda k: k.kind,
)
def test_names_in_saved_models_and_results_carry_a_version(kind: Registry) -> None:
    assert all(name.rpartition(".v")[2].isdigit() for name in kind)


def test_unit_vocabularies_know_their_registered_name() -> None:
    assert all(name == registry.unit_vocabularies.get(name).NAME for name in registry.unit_vocabularies)


def test_a_name_can_be_taken_only_once() -> None:
    things = Registry("thing", {"one": "math:pi"})

    with pytest.raises(ValueError, match="thing 'one' is registered already, as math:pi"):
        things.add("one", "math:e")
    assert list(things) == ["one"]


@pytest.mark.parametrize("target", ["", "math", "math.pi", "a:b:c"])
def test_a_target_must_name_module_and_attribute(target: str) -> None:
    with pytest.raises(ValueError, match="must read 'module:attribute'"):
        Registry("thing", {"one": target})


def test_a_mistyped_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="There is no loss 'contrastiv': did you mean 'contrastive'"):
        registry.losses.get("contrastiv")


def test_without_a_near_name_all_names_are_told() -> None:
    with pytest.raises(UnknownNameError, match=r"choose from mixed\.v1, ngrams\.v1"):
        registry.unit_vocabularies.get("?")


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    things = Registry("thing", {"broken": "no.such.module:thing", "pi": "math:pi"})

    assert list(things) == ["broken", "pi"]
    assert things.get("pi") == pytest.approx(3.14159, abs=1e-5)
    with pytest.raises(ModuleNotFoundError, match="no"):
        things.get("broken")
