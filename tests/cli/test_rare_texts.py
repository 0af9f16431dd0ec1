from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tiny_transformers import save_tiny_bert

from .conftest import Run

QUICK = ("training.epochs=10", "training.batch=8", "training.rate=0.005", "misspelt_share=0.9", "max_words=3")


@pytest.fixture(scope="module")
def calm_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With small weights, from which it can learn."""
    return save_tiny_bert(tmp_path_factory.mktemp("calm") / "bert", "ForMaskedLM", initializer_range=0.1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng, rows = Random(1), []
    for number in range(240):
        words = rng.choices(["the", "city", "walked", "mat"], k=3)
        words.insert(rng.randint(0, 3), ["dog", "cat"][number % 2])
        rows.append(f"{number % 2}\t{' '.join(words)}\n")
    (tmp_path / "sst2").mkdir()
    for split, part in (("train", rows[:150]), ("dev", rows[150:190]), ("test", rows[190:])):
        (tmp_path / "sst2" / f"{split}.tsv").write_text("label\ttext\n" + "".join(part))
    (tmp_path / "counts.tsv").write_text("word\tcount\nthe\t1000\ncat\t500\ndog\t500\n")
    synonyms = "cat\tfeline\tn\t1\ndog\tcanine\tn\t1\ncity\tmetropolis\tn\t1\n"
    (tmp_path / "synonyms.tsv").write_text("word\tsynonym\tpos\tsense_rank\n" + synonyms)
    return tmp_path / "sst2"


def test_a_set_is_made_and_judged(
    run: Run, data: Path, tmp_path: Path, calm_bert: Path, refused: Callable[..., str]
) -> None:
    make = (
        "rare-texts",
        "make",
        calm_bert,
        data,
        "--counts",
        "counts.tsv",
        "--synonyms",
        "synonyms.tsv",
        "--device",
        "cpu",
    )
    made = run(*make, "--output", "rare", *QUICK)
    assert made.exit_code == 0, made.stderr
    lines = [json.loads(line) for line in (tmp_path / "rare" / "rarified.jsonl").read_text().splitlines()]
    record = json.loads((tmp_path / "rare" / "record.json").read_text())
    assert lines
    assert record["rarified"] == len(lines)
    assert record["trained_on"] + record["candidates"] == 200
    assert record["trained_on"] >= 66
    assert record["dev_accuracy"] > 90
    assert record["config"]["freeze_embeddings"] is True
    for line in lines:
        assert 1 <= len(line["replaced"]) <= 3
        assert line["text"] != line["original"]
    judged = run("rare-texts", "score", "rare", "--device", "cpu", "--output", "plain.json")
    assert judged.exit_code == 0, judged.stderr
    parts = {part["name"]: part for part in json.loads((tmp_path / "plain.json").read_text())["parts"]}
    assert parts["all"]["n"] == len(lines)
    assert parts["as they were"]["accuracy"] == 100
    assert parts["all"]["accuracy"] < 100
    (tmp_path / "rare.vec").write_text(
        "feline " + " ".join(["0.5"] * 16) + "\n" + "canine " + " ".join(["-0.5"] * 16) + "\n"
    )
    inside = ("rare-texts", "score", "rare", "--device", "cpu", "--vectors", "rare.vec")
    replaced = json.loads(run(*inside, "--json").stdout)
    assert (replaced["vectors"], replaced["strategy"]) == ("rare.vec", "replace")
    assert {part["name"]: part for part in replaced["parts"]}["as they were"] == parts["as they were"]
    slash = json.loads(run(*inside, "--strategy", "slash", "--json").stdout)
    assert slash["strategy"] == "slash"
    assert "'slahs' is not one of" in refused(*inside, "--strategy", "slahs")
    assert "rare exists already and is not empty" in refused(*make, "--output", "rare")
    assert "max_words must be 1 or more" in refused(*make, "--output", "other", "max_words=0")
    assert "There is no file of rarified texts nowhere" in refused("rare-texts", "score", "nowhere")


def test_asking_for_nothing_is_asking_for_help(run: Run) -> None:
    assert run("rare-texts").stdout == run("rare-texts", "--help").stdout
