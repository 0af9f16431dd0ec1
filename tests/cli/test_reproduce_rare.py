from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made import make_data
from tiny_transformers import save_tiny_bert

from everyword.studies.kinds.rare_words import run as rare_words
from everyword.systems.bertram import train

from .conftest import Run
from .test_bertram import FREQUENT, write_contexts
from .test_rare_texts import QUICK, data

assert data  # texts about cats and dogs, as a fixture

STUDY = """
name = "toy"
kind = "rare-words"
title = "A toy study"
source = "nobody, table 0"
judged_by = "{judged_by}"
texts = {texts}
columns = {columns}
small = ["contexts_a_word=2", "context.epochs=1", "form.epochs=1", "combined.epochs=1", "static.epochs=1",
  "one_token.iterations=2"]
cautions = ["Nothing here means anything."]

[[variants]]
label = "first"
vectors = "{first}"
paper = {{ "{on}" = 11.2 }}

[[variants]]
label = "Attentive Mimicking"
vectors = "attentive-mimicking"

[[variants]]
label = "form"
vectors = "bertram"
sentences = "none"

[[variants]]
label = "BERTRAM"
vectors = "bertram"
strategy = "slash"
sentences = "{sentences}"

[[claims]]
text = "Sentences help."
better = "BERTRAM"
than = ["form"]
on = "{on}"
"""
FAST = tuple(f"rarify.{value}" for value in QUICK)


def write_study(judged_by: str, columns: list[str], **more: str) -> None:
    filled = {"texts": "[]", "first": "plain", "sentences": "given", "on": columns[0], "columns": json.dumps(columns)}
    Path("toy.toml").write_text(STUDY.format(judged_by=judged_by, **(filled | more)), encoding="utf-8")
    write_contexts("frequent.jsonl", FREQUENT)
    write_contexts("rare.jsonl", {"catdog": ["the catdog sat on a mat"], "feline": ["a feline sat"]})


@pytest.fixture(scope="module")
def calm_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("calm") / "bert", "ForMaskedLM", initializer_range=0.1)


def asked(encoder: Path, *more: object) -> tuple[object, ...]:
    known = ("--contexts", "frequent.jsonl", "--rare", "rare.jsonl", "--device", "cpu", "--work", "work")
    return ("reproduce", "toy.toml", "--encoder", encoder, *known, *more)


def test_a_probe_is_put_to_a_model_with_vectors_in_it(
    run: Run, tmp_path: Path, tiny_masked_bert_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_study("probe", ["all rare", "all rare (mean of phrases)", "all medium"])
    write_contexts("frequent.jsonl", {**FREQUENT, "mats": ["the mats", "a dog sat on mats"]})
    lines = ["split\trelation\tband\tkeyword\tcount\ttargets", "test\tcohyponym\trare\tcatdog\t0\tmat"]
    Path("probe.tsv").write_text("\n".join(lines) + "\n")
    first = run(*asked(tiny_masked_bert_folder, "--probe", "probe.tsv", "--seeds", "2"))
    assert first.exit_code == 0, first.stderr
    assert "(11.2) |" in first.stdout
    assert "Sentences help. [all rare: BERTRAM" in first.stdout
    kept = json.loads(Path("results/toy.json").read_text())
    scores = {variant["label"]: variant["ours"] for variant in kept["variants"]}
    assert scores["first"]["all medium"] is None
    assert len({score["all rare"] for score in scores.values()}) > 1
    assert kept["seeds"] == 2
    weights = [path.read_bytes() for path in Path("work/bertram").glob("*/model.safetensors")]
    assert len(weights) == len(set(weights)) == 2, "a BERTRAM a seed, whatever number of rows use it"
    assert len(list(Path("work/scores/toy").glob("*-1.json"))) == len(scores)
    assert kept["variants"][-1]["n"]["all rare"] == 1
    assert kept["sizes"]["words"] == len(FREQUENT) + 1
    assert kept["sizes"]["of them one piece"] == len(FREQUENT), "mats are two pieces"

    monkeypatch.setattr(train, "prepare", None)
    monkeypatch.setitem(rare_words.SCORERS, "probe", None)
    again = run(*asked(tiny_masked_bert_folder, "--probe", "probe.tsv", "--seeds", "2"))
    assert again.stderr.count("scored before") == 8
    assert again.stdout == first.stdout


def test_sets_are_rarified_and_judged(run: Run, data: Path, calm_bert: Path) -> None:
    Path("lexical").mkdir()
    Path("lexical/wordnet_synonyms.tsv.gz").write_bytes(gzip.compress(Path("synonyms.tsv").read_bytes()))
    write_study("rarified", ["sst2 all", "sst2 as they were"], texts='["sst2"]', sentences="in-domain")
    ask = asked(calm_bert, "--data", ".", "--counts", "counts.tsv", "--seeds", "2")
    part = run(*ask, "--only-row", "form", "--only-seed", "1", *FAST)
    assert part.exit_code == 0, part.stderr
    assert [path.name for path in Path("work/scores/toy").iterdir()] == ["form-1.json"]
    result = run(*ask, *FAST)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("scored before") == 1
    scores = {one["label"]: one["ours"] for one in json.loads(Path("results/toy.json").read_text())["variants"]}
    assert all(score["sst2 as they were"] >= score["sst2 all"] for score in scores.values())
    assert sorted(path.name for path in Path("work/sets").iterdir()) == ["sst2-0", "sst2-1"]


def test_tasks_with_sentences_are_scored(run: Run, tiny_bert_folder: Path) -> None:
    make_data(Path("data"))
    columns = ["context-similarity/crw#spearman@1", "chimera/chimeras"]
    write_study("contexts", columns, first="pieces")
    write_contexts("frequent.jsonl", {word: [*some, "nothing about it"] for word, some in FREQUENT.items()})
    result = run(*asked(tiny_bert_folder, "--data", "data"))
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("sentences that do not contain") == 1
    scores = [one["ours"] for one in json.loads(Path("results/toy.json").read_text())["variants"]]
    assert all(score[column] is not None for score in scores for column in columns)


def test_what_cannot_be_run_is_refused(run: Run, refused: Callable[..., str], tiny_masked_bert_folder: Path) -> None:
    write_study("probe", ["all rare"])
    ask = asked(tiny_masked_bert_folder)
    assert "The study toy needs --probe" in refused(*ask)
    assert "There is no file probe.tsv; check --probe" in refused(*ask, "--probe", "probe.tsv")
    assert "contexts_a_wrd" in refused(*ask, "--probe", "probe.tsv", "contexts_a_wrd=3")
    assert "give --seeds instead" in refused(*ask, "--probe", "probe.tsv", "seed=3")
    assert "equally many sentences" in refused(*ask, "--probe", "probe.tsv", "static.contexts_a_word=3")
    assert "has no row 'BERTRM': did you mean 'BERTRAM'" in refused(
        *ask, "--probe", "probe.tsv", "--only-row", "BERTRM"
    )
    assert "--only-seed must be from 0 to 0. Got 1" in refused(*ask, "--probe", "probe.tsv", "--only-seed", "1")
    assert "Missing option '--encoder'" in run("reproduce", "toy.toml", "--contexts", "frequent.jsonl").stderr
    assert "Missing option '--teacher'" in run("reproduce", "love-ablation").stderr
    write_study("probe", ["all rare"], texts='["sst2"]')
    assert "texts must be given with" in refused(*ask)
    write_study("probe", ["all rare"], on="all rre")
    assert "'all rre' is not one of its columns" in refused(*ask)


def test_a_mistyped_study_of_any_kind_is_suggested(refused: Callable[..., str]) -> None:
    assert "did you mean 'bertram-probe'" in refused("reproduce", "bertram-prob")
