"""Studies about measures of texts and poolings of spans, at a tiny size on made data."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from made import make_data, write
from tiny import tiny_table

from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.spans import SpanJob, SpanStudy, layers_of_text, run_spans
from everyword.studies.kinds.texts import TextJob, TextStudy, run_texts

TEXTS = """
name = "tiny-texts"
kind = "texts"
title = "Tiny"
source = "made"
seeds = 2
columns = ["specificity/yelp_specificity", "entailment-direction/snli#neutral", "text-similarity/made"]
pairs = ["pairs.tsv"]
dev = "scored.tsv"
similarity = { "text-similarity/made" = "scored.tsv" }
small = ["epochs=1", "dim=4", "hidden=4", "batch=10", "mega_batch=2", "words=20"]
"""
VARIANTS = {
    "length": 'measure = "length"',
    "ranks": 'measure = "ranks"\nmean = true',
    "norms": 'measure = "vectors"',
    "table": 'measure = "vectors"\ntable = true\nmean = true',
    "WORDAVG": 'measure = "trained"\nmean = true\noverrides = ["method=average"]',
    "WORDSUM": 'measure = "trained"\noverrides = ["method=average"]',
    "operators": 'measure = "trained"\ntypos = true',
    "mapped": 'measure = "trained"\noverrides = ["method=mapped"]',
    "LSTM": 'measure = "trained"\noverrides = ["method=lstm-gaussian"]',
    "weights": 'measure = "weights"',
}
SPANS = """
name = "tiny-spans"
kind = "spans"
title = "Tiny"
source = "made"
seeds = 2
columns = ["spans/model constituent-labels", "spans/model constituents", "spans/model entities",
    "spans/model coreference", "spans/model mentions", "spans/model roles", "spans/pieces inputs"]
trees = "trees.tsv"
mentions = "mentions.jsonl.gz"
examples = { train = 40, dev = 10, test = 10 }
small = ["epochs=1", "projection=8", "hidden=8"]
entities = { train = ["tags.conll"], dev = ["tags.conll"], test = ["tags.conll"] }
roles = { train = "roles.jsonl", dev = "roles.jsonl", test = "roles.jsonl" }

[[variants]]
label = "average"
pooling = "average"

[[variants]]
label = "coherent"
pooling = "coherent"

[[claims]]
text = "Ends are better."
better = "coherent"
than = ["average"]
on = "spans/model constituents"
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_data(tmp_path_factory.mktemp("data"))
    words, rng = tiny_table().words, Random(3)
    texts = [" ".join(rng.choices(words, k=rng.randint(2, 5))) for _ in range(60)]
    pairs = pairwise(texts)
    write(folder / "pairs.tsv", "sentence1\tsentence2\n" + "".join(f"{one}\t{other}\n" for one, other in pairs))
    rows = [f"{one}\t{other}\t{rng.uniform(0, 5):.2f}\n" for one, other in zip(texts[:12], texts[12:24], strict=True)]
    write(folder / "scored.tsv", "sentence1\tsentence2\tscore\n" + "".join(rows))
    tree = "(S (NP (DT {}) (NN {})) (VP (VBD {}) (NP (NN {}))))"
    trees = [f"d{number // 2}\t{tree.format(*rng.choices(words, k=4))}\n" for number in range(20)]
    write(folder / "trees.tsv", "file\ttree\n" + "".join(trees))
    tags = [f"{rng.choice(words)}\tB-X\n{rng.choice(words)}\tO\n{rng.choice(words)}\tB-Y\n\n" for _ in range(10)]
    write(folder / "tags.conll", "".join(tags))
    mentions = [["a", 0, 1], ["b", 3, 3], ["a", 5, 5], ["b", 7, 8]]
    documents = [{"doc": f"d{n}", "sentences": [rng.choices(words, k=10)], "mentions": mentions} for n in range(10)]
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    (folder / "mentions.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    tagged = {"index": 1, "tags": ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"]}
    roles = [{"tokens": rng.choices(words, k=4), "predicates": [tagged]} for _ in range(20)]
    write(folder / "roles.jsonl", "".join(json.dumps(role) + "\n" for role in roles))
    return folder


def text_study(folder: Path, extra: str = "") -> TextStudy:
    rows = "".join(f'\n[[variants]]\nlabel = "{label}"\n{text}\n' for label, text in VARIANTS.items())
    study = load_study(str(write(folder / "texts.toml", TEXTS + extra + rows)))
    assert isinstance(study, TextStudy)
    return study


def test_every_measure_of_texts_is_scored_and_what_is_trained_is_used_again(
    data: Path, tmp_path: Path, tiny_model_folder: Path, teacher_path: Path
) -> None:
    said: list[str] = []
    job = TextJob(
        study=text_study(tmp_path),
        work=tmp_path / "work",
        results=tmp_path / "results",
        data=data,
        model_name=str(tiny_model_folder),
        vectors=teacher_path,
        report=said.append,
    )
    findings = run_texts(job)
    for label, row in findings.rows.items():
        assert row["specificity/yelp_specificity"] is not None, label
        assert (row["text-similarity/made"] is None) == (label in ("length", "ranks")), label
    assert sum(line.startswith("training") for line in said) == 8
    before = list(said)
    again = run_texts(job)
    assert not any(line.startswith("training") for line in said[len(before) :])
    assert again.to_json() == findings.to_json()
    without = run_texts(replace(job, vectors=None))
    assert set(without.rows["table"].values()) == {None}
    trained = findings.rows["WORDSUM"]["specificity/yelp_specificity"]
    assert trained is not None
    assert trained.spread is not None


def test_mistakes_in_a_study_of_texts_are_named(tmp_path: Path, data: Path, tiny_model_folder: Path) -> None:
    wrong = TEXTS.replace('"specificity/yelp_specificity"', '"similarity/rareword"')
    rows = '\n[[variants]]\nlabel = "length"\nmeasure = "length"\noverrides = ["dim=3"]\n'
    with pytest.raises(ConfigError, match="'similarity/rareword' is not a column"):
        load_study(str(write(tmp_path / "wrong.toml", wrong + rows.partition("overrides")[0])))
    with pytest.raises(ConfigError, match="is not trained and takes no overrides"):
        load_study(str(write(tmp_path / "wrong.toml", TEXTS + rows)))
    job = TextJob(study=text_study(tmp_path), work=tmp_path, results=tmp_path, data=tmp_path, report=lambda _: None)
    with pytest.raises(InputError, match="There is no file"):
        run_texts(job)


def test_poolings_of_spans_are_probed_and_their_scores_kept(
    data: Path, tmp_path: Path, tiny_model_folder: Path
) -> None:
    study = load_study(str(write(tmp_path / "spans.toml", SPANS)))
    assert isinstance(study, SpanStudy)
    said: list[str] = []
    job = SpanJob(
        study=study,
        work=tmp_path / "work",
        results=tmp_path,
        data=data,
        model_name=str(tiny_model_folder),
        report=said.append,
    )
    findings = run_spans(job)
    assert [findings.rows["coherent"][column] is not None for column in study.columns] == [True] * 6 + [False]
    assert "spans/pieces inputs: skipped, because --encoder is missing." in said
    assert findings.judgements[0].reason == "2 seeds; a verdict needs 3"
    before = len(said)
    assert run_spans(job).to_json() == findings.to_json()
    assert len(said) == before + 1  # nothing is trained again
    wrong = SPANS.replace("spans/model coreference", "spans/model verbs")
    with pytest.raises(ConfigError, match="'spans/model verbs' is not"):
        load_study(str(write(tmp_path / "wrong.toml", wrong)))
    without = "\n".join(line for line in SPANS.splitlines() if not line.startswith("roles"))
    with pytest.raises(ConfigError, match="'spans/model roles' needs roles, files inside the data folder"):
        load_study(str(write(tmp_path / "wrong.toml", without)))


def test_layers_and_pieces_of_an_encoder_are_pooled(data: Path, tmp_path: Path, tiny_bert_folder: Path) -> None:
    columns = '["spans/encoder entities", "spans/pieces inputs", "spans/pieces outputs"]'
    start, end = SPANS.index("columns"), SPANS.index("trees")
    text = SPANS[:start] + f"columns = {columns}\n" + SPANS[end : SPANS.index("[[claims]]")]
    study = load_study(str(write(tmp_path / "spans.toml", text)))
    assert isinstance(study, SpanStudy)
    job = SpanJob(
        study=replace(study, seeds=1), work=tmp_path, results=tmp_path, data=data, encoder=str(tiny_bert_folder),
        report=lambda _: None,
    )  # fmt: skip
    findings = run_spans(job)
    assert all(score is not None for row in findings.rows.values() for score in row.values())
    model = job.language_model
    assert model is not None
    words = [[5, 6], [7], [8, 9, 10]] * 100  # longer than a window
    layers = layers_of_text(model, words)
    assert layers.shape == (600, model.layers + 1, model.dim)
    short = layers_of_text(model, [[5, 6]])
    expected = model.outputs([[*model.special_pieces()[0], 5, 6, *model.special_pieces()[1]]])[0][0]
    begin = len(model.special_pieces()[0])
    assert short[:, -1].astype(np.float32) == pytest.approx(expected[begin : begin + 2].numpy(), abs=2e-3)
