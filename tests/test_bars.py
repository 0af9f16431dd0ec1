"""The table of bars and the page of strange words: how saved numbers are read and shown."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tiny import tiny_table

from everyword import config
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.models.model import Model

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def module(name: str) -> ModuleType:
    return import_module(name)


def test_a_bar_is_reached_as_it_is_shown() -> None:
    bar = module("bars.rows").Bar("made", "part/score", 72)

    assert bar.reached({"part": {"score": 71.96}}) is True  # 72.0
    assert bar.reached({"part": {"score": 71.94}}) is False
    assert bar.reached({}) is None
    assert bar.bar_text({}) == "≥ 72.0"


def test_less_may_be_better_and_numbers_may_be_scaled() -> None:
    bar = module("bars.rows").Bar("size, MB", "part/bytes", 50, lower=True, scale=1e6, form="{:,.0f}")

    assert bar.text(bar.value({"part": {"bytes": 2.79e10}})) == "27,900"
    assert bar.reached({"part": {"bytes": 2.79e7}}) is True
    assert bar.reached({"part": {"bytes": 2.79e10}}) is False


def test_the_best_rival_of_the_same_run_raises_the_bar() -> None:
    contenders = {"everyword": {"mrr": 93.0}, "everyword, by share": {"mrr": 99.0}, "aspell": {"mrr": 94.5}}
    bar = module("bars.rows").Bar("made", "part/contenders/everyword/mrr", 92, rivals="part/contenders")

    assert bar.to_reach({"part": {"contenders": contenders}}) == 94.5
    assert bar.reached({"part": {"contenders": contenders}}) is False
    assert bar.to_reach({}) == 92


def test_every_bar_reads_the_saved_parts() -> None:
    parts = module("record").read_parts(BENCHMARKS / "results" / "everyword-en-1")
    missing = [bar.label for bar in module("bars.rows").bars() if bar.value(parts) is None]

    assert missing == ["held-out words: cosine to the teacher"]  # needs its teacher


def test_spell_checkers_answer_line_by_line() -> None:
    output = "@(#) greeting\n& teh 3 1: the, tech, Te\n\n*\n\n# qqq 1\n\n& a 1 1: b\n& c 1 3: d\n\n"

    assert module("bars.spell_checkers").parsed(output) == [["the", "tech", "Te"], [], [], ["b"]]


def test_pairs_are_ranked_among_the_same_words() -> None:
    reading = module("bars.reading")
    vectors = {"the": [1.0, 0.0], "tea": [0.8, 0.6], "teh": [0.9, 0.1], "zzz": [0.0, 0.0]}
    model = EvaluatedModel("toy", "encode", lambda words: np.array([vectors[w] for w in words]), ["the", "tea"], str)
    pairs = [("teh", "the"), ("teh", "tea"), ("zzz", "the"), ("tea", "the")]

    assert reading.pair_ranks(model, pairs).tolist() == [1, 2, 0, 1]
    listed = {"teh": ["Tech", "The", "teh", "tea"], "zzz": [], "tea": ["the"]}
    assert reading.ranks_in_lists(listed.__getitem__, pairs, frozenset(["the", "tea"])) == [1, 2, 0, 1]


def test_a_fifth_of_the_right_words_evaluates() -> None:
    chosen = sum(map(module("bars.reading").for_evaluation, map(str, range(2000))))

    assert 300 < chosen < 500


def kept() -> dict[str, Any]:
    contenders = {"everyword": {"mrr": 85.44, "hit@1": 82.2, "hit@5": 89.0, "hit@10": 90.6}}
    return {
        "kinds": {"hit@10": 64.6, "lowest_kind": 0.0, "sections": {"number": {"n": 20, "hit@10": 5.0}}},
        "wikipedia": {"pairs": 2274, "candidates": 50000, "contenders": contenders},
    }


def test_the_page_shows_bars_kinds_and_spellers() -> None:
    text = module("report_bars").render({"made 1": kept(), "made 2": kept() | {"kinds": {"hit@10": 90.0}}})

    assert "| 31 kinds of tokens: hit among ten, % | 64.6 | 90.0 | ≥ 88.0 | **reached** |" in text
    assert "| Wikipedia's misspellings: MRR × 100 | 85.4 | 85.4 | ≥ 92.0 | missed |" in text
    assert "| number | 20 | 5 | – |" in text
    assert "| everyword | 85.4 | 82.2 | 89.0 | 90.6 |" in text
    assert module("report_bars").render({}) == ""


def test_parts_of_another_model_are_not_shown(tmp_path: Path) -> None:
    record = module("record")
    for name, identity in (("kinds", "a"), ("speed", "b")):
        record.keep(name, {"model": {"identity": identity}, "items": [1, 2]}, tmp_path)

    assert set(record.read_parts(tmp_path)) == {"kinds", "speed"}
    assert set(record.read_parts(tmp_path, "b")) == {"speed"}
    assert '"items": [ 1, 2 ]' in (tmp_path / "kinds.json").read_text()


def test_strange_words_of_any_model(tiny_model: Model) -> None:
    strange = module("strange_words")
    word = tiny_table().words[0]

    text = strange.render(tiny_model, [{"title": "Made", "about": "Up.", "tokens": [word, ""]}])

    assert "### Made\n\nUp.\n\n| token | nearest words |" in text
    assert f"| `{word}` |" in text
    assert strange.NUMBER.sub("", "cat .50, dog -.02, read as cat 93 % | 1.00 |") == "cat , dog , read as cat  |  |"


def test_the_page_of_strange_words_has_all_kinds() -> None:
    kinds = config.read_toml(BENCHMARKS / "strange_words.toml")["kinds"]
    page = (BENCHMARKS.parent / "docs" / "strange-words.md").read_text(encoding="utf-8")

    assert len({kind["name"] for kind in kinds}) == 31
    for kind in kinds:
        assert f"### {kind['title']}\n\n{kind['about']}\n" in page
        assert all(f"| `{token}` |" in page for token in kind["tokens"])
        assert len(kind["tokens"]) >= 5
