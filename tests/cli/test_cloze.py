from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from evaluation.probes.cloze.made_wordnet import write_wordnet

from .conftest import Run

TEXT = "berry fruit plant cranberry berries wet dry\n" * 100


def test_from_a_corpus_to_scores(run: Run, tmp_path: Path, tiny_masked_bert_folder: Path) -> None:
    write_wordnet(tmp_path / "dict")
    (tmp_path / "corpus.txt").write_text(TEXT)
    counted = run("cloze", "count", "corpus.txt", "--output", "counts.tsv")
    assert "Saved the counts of 7 words, 700 in all, to counts.tsv." in counted.stderr
    build = ("cloze", "build", "--wordnet", "dict", "--counts", "counts.tsv", "--output", "probe.tsv", "min_depth=1")
    built = run(*build, "dev_share=0")
    assert built.exit_code == 0, built.stderr
    assert "hypernym rare test" in built.stdout
    asked = run("cloze", "run", tiny_masked_bert_folder, "probe.tsv", "--device", "cpu", "--output", "kept.json")
    assert asked.exit_code == 0, asked.stderr
    assert asked.stdout.splitlines()[0].split() == ["relation", "band", "n", "answerable", "best", "mean"]
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert (kept["model"], kept["how"], kept["probe"], kept["top"]) == ("bert", "masked", "probe", 100)
    assert all(cell["answerable"] == 0 for cell in kept["cells"]), "the tiny model has no piece for a fruit"


def test_vectors_are_put_into_a_language_model(
    run: Run, refused: Callable[..., str], tmp_path: Path, tiny_masked_bert_folder: Path
) -> None:
    lines = ["split\trelation\tband\tkeyword\tcount\ttargets", "test\tcohyponym\trare\tcatdog\t0\tmat"]
    (tmp_path / "probe.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "rare.vec").write_text("catdog " + " ".join(["5"] * 16) + "\nyak " + " ".join(["-5"] * 16) + "\n")
    ask = ("cloze", "run", tiny_masked_bert_folder, "probe.tsv", "--device", "cpu", "--json")
    plain, replaced = (json.loads(run(*ask, *more).stdout) for more in ((), ("--vectors", "rare.vec")))
    assert "vectors" not in plain
    assert (replaced["vectors"], replaced["strategy"]) == ("rare.vec", "replace")
    assert plain["cells"] != replaced["cells"]
    assert "to ask vectors themselves, give them as MODEL" in refused(*ask, "--policy", "form", "--vectors", "rare.vec")


def test_vectors_can_be_asked_too(run: Run, tmp_path: Path, tiny_model_folder: Path) -> None:
    lines = ["split\trelation\tband\tkeyword\tcount\ttargets", "test\tcohyponym\trare\txdanx\t0\tdaner daning"]
    (tmp_path / "probe.tsv").write_text("\n".join(lines) + "\n")
    asked = run("cloze", "run", tiny_model_folder, "probe.tsv", "--policy", "form", "--json")
    record = json.loads(asked.stdout)
    assert (record["how"], record["policy"]) == ("static", "form")
    assert record["cells"][0]["n"] == record["cells"][0]["answerable"] == 1
    (tmp_path / "sentences.jsonl").write_text('{"word": "xdanx", "sentences": ["daner daner"]}\n')
    read = run("cloze", "run", tiny_model_folder, "probe.tsv", "--policy", "context", "--contexts", "sentences.jsonl")
    assert read.stdout.splitlines()[1].split()[-2:] == ["100.0", "100.0"]


def test_answers_can_be_limited(run: Run, refused: Callable[..., str], tmp_path: Path, tiny_bert_folder: Path) -> None:
    write_wordnet(tmp_path / "dict")
    (tmp_path / "counts.tsv").write_text("word\tcount\nfruit\t500\nplant\t500\n")
    (tmp_path / "answers.txt").write_text("plant\n")
    build = ("cloze", "build", "--wordnet", "dict", "--counts", "counts.tsv", "--output", "probe.tsv", "min_depth=1")
    assert run(*build, "--answers", "answers.txt").exit_code == 0
    text = (tmp_path / "probe.tsv").read_text()
    assert {line.split("\t")[-1] for line in text.splitlines()[1:]} == {"plant"}
    assert "Give --answers or --encoder, not both" in refused(
        *build, "--overwrite", "--answers", "answers.txt", "--encoder", tiny_bert_folder
    )
    assert "per_cell must be 1 or more. Got 0 instead" in refused(*build, "--overwrite", "per_cell=0")
    assert "did you mean 'build'" in refused("cloze", "bild")


def test_asking_for_nothing_is_asking_for_help(run: Run) -> None:
    assert run("cloze").stdout == run("cloze", "--help").stdout
