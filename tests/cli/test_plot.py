from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from made import make_data

from everyword.cli.plot import plot
from everyword.evaluation.probes.probe_results import ProbeResult, read_all

from .conftest import Run

PNG = b"\x89PNG\r\n\x1a\n"
WORDS = "daner\tdd\ndann\tdd\nkin\tkk\nkiner\tkk\nsorus\t$s$ & <s>\n東京\tss\n"
PAIRS = "wrong\tright\ndann\tdan\nkinn\tkin\nsorrus\tsorus\n東京\tdan\n"
POINTS = (
    "series\tstrength\tscore\tspread\tn\n"
    "one\t0\t80\t1\t500\none\t50\t70\t2\t500\ntwo\t0\t81\t1\t400\ntwo\t50\t60\t1\t400\n"
)
STUDY = '{"study": "mine", "variants": [{"label": "swap", "ours": {"ap": 7}}, {"label": "none", "ours": {"ap": 6}}]}'

KINDS = {
    "clusters": (
        ["clusters", "--classes", "words.tsv", "--model", "MODEL"],
        [
            "Words of 3 classes in tiny, policy encode",
            "n = 5 words, 2 of them not stored",
            "dann",
            "$s$ & <s>",
        ],
    ),
    "pairs": (
        ["pairs", "--pairs", "pairs.tsv", "--model", "MODEL"],
        ["Misspellings and their words in tiny", "n = 3 pairs", "1 pair without a vector left out", "sorrus"],
    ),
    "relations": (
        ["relations", "--pairs", "pairs.tsv", "--model", "MODEL"],
        ["Words in one relation in tiny", "n = 4 pairs", "mean cosine of two arrows", "sorrus"],
    ),
    "attention": (
        ["attention", "daner", "--model", "MODEL"],
        [
            "What the units of “daner” attend to",
            "positional kernel",
            "self-attention",
            "[CLS]",
            "encoder pam-stacked.v1",
        ],
    ),
    "scores": (
        ["scores", "results"],
        ["Scores of 2 models on 4 benchmarks", "clustering.v1, purity", "ap  n = 20", "tiny", "20 seeds"],
    ),
    "curves": (["curves", "points.tsv"], ["2 series", "one", "two", "n = 400 to 500 items", "one standard deviation"]),
    "curves of results": (["curves", "results"], ["typo", "errors in the first word of each pair", "1 data set"]),
    "curves under noise": (
        ["curves", "noisy"],
        ["What noise leaves of the score of tiny", "by policy", "clustering, ap, typo", "clustering, ap, ocr", "zero"],
    ),
    "curves of one corruption": (
        ["curves", "typos"],
        ["clustering, ap, typo", "words with a typo, %", "encode", "zero"],
    ),
    "clusters by t-SNE": (
        ["clusters", "--classes", "words.tsv", "--model", "MODEL", "--projection", "tsne"],
        ["t-SNE of unit vectors", "seed 0", "dann"],
    ),
    "pairs by t-SNE": (
        ["pairs", "--pairs", "pairs.tsv", "--model", "MODEL", "--projection", "tsne"],
        ["t-SNE", "sorrus"],
    ),
    "contexts": (
        ["contexts", "reading"],
        [
            "What sentences reveal about a rare word of tiny",
            "chimera/chimeras",
            "context-similarity/crw",
            "context",
            "form",
        ],
    ),
    "profile": (
        ["profile", "answers"],
        ["What is in the vectors of 2 models", "tiny, encode", "bert, layer 3", "colour", "accuracy, n = 50", "95 %"],
    ),
    "layers": (
        ["layers", "layers"],
        ["What the layers of 1 model know", "colour", "bert", "depth, %", "95 %"],
    ),
    "augmentation": (
        ["augmentation", "study.json"],
        ["Augmentations alone and in pairs, mine", "ap, ours", "7.0", "none 6.0", "14 cells without a score"],
    ),
}


@pytest.fixture(scope="session")
def kept(tiny_model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from click.testing import CliRunner

    from everyword.cli import main

    folder = tmp_path_factory.mktemp("kept")
    data = make_data(folder / "data")
    for policy in ("encode", "zero"):
        arguments = ["--tasks", "clustering,relation,typo-similarity/rareword", "--policy", policy]
        done = CliRunner().invoke(
            main, ["evaluate", str(tiny_model_folder), *arguments, "--data", str(data), "--results", str(folder / "r")]
        )
        assert done.exit_code == 0, done.stderr
    noisy = ["--tasks", "ap", "--policy", "encode,zero", "--corruption", "typo,ocr", "--strengths", "0,40,80"]
    done = CliRunner().invoke(
        main, ["evaluate", str(tiny_model_folder), *noisy, "--data", str(data), "--results", str(folder / "n")]
    )
    assert done.exit_code == 0, done.stderr
    reading = ["--tasks", "context-similarity,chimera", "--policy", "form,context"]
    done = CliRunner().invoke(
        main, ["evaluate", str(tiny_model_folder), *reading, "--data", str(data), "--results", str(folder / "s")]
    )
    assert done.exit_code == 0, done.stderr
    return folder


def write_layers(folder: Path) -> None:
    """Write the answers of three layers to a question, without an interval and a control in one of them."""
    write_answers(folder)
    found = read_all([folder / "bert"])[0]
    for layer in (0, 6):
        control = {"majority": 20.0} if layer else {}
        one = replace(found, layer=layer, value=40.0 + layer, interval=None, controls=control)
        (folder / "bert" / f"probe-colour.v1-layer-{layer}.json").write_text(one.as_json(), encoding="utf-8")


def write_answers(folder: Path) -> None:
    """Write the answers of two models to a question of their own each and to one that both were asked."""
    common = {"schema": 1, "version": 1, "question": "What?", "model_sha256": None, "dim": 4, "data": ()}
    common |= {"data_sha256": "", "seed": 0, "quick": False, "metric": "accuracy", "n": 50, "parts": {}}
    common |= {"seconds": 0.1, "versions": {}, "interval": (40.0, 60.0), "controls": {"majority": 20.0}}
    for model, policy, layer, probe in (
        ("tiny", "encode", None, "colour"),
        ("tiny", "encode", None, "size"),
        ("bert", "pieces", 3, "colour"),
    ):
        given = {**common, "model": model, "policy": policy, "layer": layer, "probe": probe, "value": 50.0}
        path = folder / model / f"probe-{probe}.v1.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ProbeResult(**given).as_json(), encoding="utf-8")  # type: ignore[arg-type]


@pytest.fixture
def inputs(tmp_path: Path, kept: Path) -> None:
    (tmp_path / "words.tsv").write_text(WORDS, encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "points.tsv").write_text(POINTS, encoding="utf-8")
    (tmp_path / "study.json").write_text(STUDY, encoding="utf-8")
    write_answers(tmp_path / "answers")
    write_layers(tmp_path / "layers")
    shutil.copytree(kept / "r", tmp_path / "results")
    shutil.copytree(kept / "n", tmp_path / "noisy")
    shutil.copytree(kept / "s", tmp_path / "reading")
    shutil.copytree(kept / "n", tmp_path / "typos", ignore=shutil.ignore_patterns("*-ocr-*"))


def with_model(arguments: list[str], folder: Path) -> list[object]:
    return [folder if argument == "MODEL" else argument for argument in arguments]


def test_answers_without_layers_cannot_be_drawn_by_layer(run: Run, inputs: None) -> None:
    done = run("plot", "layers", "answers/tiny", "--output", "l.svg")
    assert done.exit_code == 2
    assert "no answers of several layers" in done.stderr


def test_every_kind_is_tested_here() -> None:
    assert {arguments[0] for arguments, _ in KINDS.values()} == set(plot.commands)


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_in_both_forms_and_twice_the_same(
    run: Run, tiny_model_folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    arguments, texts = KINDS[kind]
    for name in ("one.png", "two.png", "one.svg", "two.SVG"):
        result = run("plot", *with_model(arguments, tiny_model_folder), "--output", name)
        assert result.exit_code == 0, result.stderr
        assert result.stderr == f"Saved the picture to {name}.\n"
        assert not caplog.records  # matplotlib's own remarks would reach the terminal
    png, svg = (tmp_path / "one.png").read_bytes(), (tmp_path / "one.svg").read_bytes()
    assert png.startswith(PNG)
    assert len(png) > 5000
    assert png == (tmp_path / "two.png").read_bytes()
    assert svg == (tmp_path / "two.SVG").read_bytes()
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    seen = " ".join(
        " ".join("".join(text.itertext()).split()) for text in root.iter("{http://www.w3.org/2000/svg}text")
    )
    for text in texts:
        assert " ".join(text.split()) in seen, seen


@pytest.mark.usefixtures("inputs")
def test_title_and_size(run: Run, tmp_path: Path) -> None:
    run("plot", "curves", "points.tsv", "--output", "a.svg", "--title", "My own", "--size", "10x4.5")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "My own" in text
    assert 'width="720pt" height="324pt"' in text
    run("plot", "curves", "points.tsv", "--output", "b.svg", "--title", "")
    assert "What noise leaves" not in (tmp_path / "b.svg").read_text(encoding="utf-8")


def test_the_lists_of_our_own_and_the_default_model(run: Run, tmp_path: Path) -> None:
    for kind in ("clusters", "pairs"):
        assert run("plot", kind, "--output", f"{kind}.svg").exit_code == 0
    assert "nitrogenn" in (tmp_path / "clusters.svg").read_text(encoding="utf-8")
    assert "goverment" in (tmp_path / "pairs.svg").read_text(encoding="utf-8")


def test_a_table_of_vectors_has_its_map_too(run: Run, teacher_path: Path, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("dan\ta\nkin\ta\ndann\ta\n")
    result = run("plot", "clusters", "--classes", "words.tsv", "--model", teacher_path, "--output", "x.svg")
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "1 without a vector left out" in text
    assert "purity" not in text  # of one class there is none


def test_help(run: Run) -> None:
    assert run("plot").stdout == run("plot", "--help").stdout
    for kind in plot.commands:
        result = run("plot", kind, "--help")
        assert result.exit_code == 0
        assert f"Examples:\n    everyword plot {kind}" in result.stdout


@pytest.mark.usefixtures("inputs")
def test_refusals(refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path) -> None:
    assert "There is no kind of picture 'cluster': did you mean 'clusters'?" in refused("plot", "cluster")
    assert "Missing option '--output'" in refused("plot", "clusters")
    assert "must end in .png or .svg. Got 'x.gif'" in refused("plot", "clusters", "--output", "x.gif")
    assert "must end in .png or .svg. Got 'svg'" in refused("plot", "clusters", "--output", "svg")
    assert "There is no folder no; make it first" in refused("plot", "clusters", "--output", "no/x.svg")
    for size in ("7", "7x", "0x5", "7x500", "axb"):
        assert "as in 7x5. Got" in refused("plot", "clusters", "--output", "x.svg", "--size", size)
    for kind in ("clusters", "scores"):
        assert "no room for the picture on 2 by 2 inches" in refused("plot", kind, "--output", "x.svg", "--size", "2x2")
    assert "Missing argument 'WORD'" in refused("plot", "attention", "--output", "x.svg")
    assert "There are no results in none" in refused("plot", "scores", "none", "--output", "x.svg")
    (tmp_path / "empty").mkdir()
    assert "There are no scores to draw" in refused("plot", "scores", "empty", "--output", "x.svg")
    assert "There are no points to draw" in refused("plot", "curves", "empty", "--output", "x.svg")
    clustering = sorted(tmp_path.glob("results/*/*/clustering*"))
    assert "none of the task typo-similarity; run" in refused("plot", "curves", *clustering, "--output", "x.svg")
    (tmp_path / "words.tsv").write_text("dan\t京\n東京\t京\n", encoding="utf-8")
    tiny = ("--model", tiny_model_folder, "--output", "x.svg")
    words, pairs = ("--classes", "words.tsv", *tiny), ("--pairs", "words.tsv", *tiny)
    assert "needs 2 or more words with vectors; tiny, policy encode, has 1 of 2." in refused("plot", "clusters", *words)
    assert "needs a pair with two vectors" in refused("plot", "pairs", *pairs)
    assert "two pairs with vectors are needed" in refused("plot", "relations", *pairs)
    (tmp_path / "words.tsv").write_text("")
    assert "words.tsv is empty" in refused("plot", "clusters", *words)
    assert "'tsn' is not one of 'pca', 'tsne', 'umap'" in refused(
        "plot", "pairs", "--projection", "tsn", "--output", "x.svg"
    )
    assert "'characters' is for taggers" in refused("plot", "pairs", "--policy", "characters", "--output", "x.svg")
    lone = next((tmp_path / "typos").rglob("*typo-40.json"))
    assert "has a single point, but a curve needs two" in refused("plot", "curves", lone, "--output", "x.svg")
    assert "is not the result of a study" in refused("plot", "augmentation", lone, "--output", "x.svg")
    assert "study.json is not a saved result" in refused("plot", "scores", "study.json", "--output", "x.svg")
    assert not list(tmp_path.glob("x.*"))


def test_an_encoder_without_weights(run: Run, refused: Callable[..., str]) -> None:
    said = refused("plot", "attention", "bec0me", "--model", "everyword-en", "--output", "x.svg")
    assert "The encoder of everyword-en, dan.v1, has no attention to show" in said
    assert "as in --model love-en" in said
    assert run("plot", "attention", "bec0me", "--output", "x.svg").exit_code == 0


def test_without_matplotlib(refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused("plot", "clusters", "--output", "x.svg")
    assert 'Drawing needs the package matplotlib: run  pip install "everyword[plot]"' in said
