from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from everyword.arrays import FloatArray
from everyword.config import build, read_toml
from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.languages import study as languages
from everyword.studies.kinds.languages.inputs import load_inputs
from everyword.studies.kinds.languages.study import LanguageJob, LanguageStudy, run_languages
from everyword.vectors.table import VectorTable

pytest.importorskip("torch")
pytest.importorskip("gensim")

STEMS = ["bal", "kor", "tim", "zep", "lud", "gan", "fis", "rop"]
ENDINGS = {"aa": ("o", "as"), "bb": ("e", "is"), "cc": ("o", "is"), "dd": ("e", "as")}


def sentences(language: str, stems: list[str]) -> list[tuple[str, str]]:
    noun, verb = ENDINGS[language]
    return [(one + noun, two + verb) for one in stems for two in stems]


def conllu(rows: list[tuple[str, str]]) -> bytes:
    lines = []
    for noun, verb in rows:
        for number, (form, tag) in enumerate([(noun, "NOUN"), (verb, "VERB")], start=1):
            lines.append("\t".join([str(number), form, "_", tag, *"______"]))
        lines.append("")
    return gzip.compress("\n".join(lines).encode())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for language in ENDINGS:
        home = folder / language
        home.mkdir(parents=True)
        text = "\n".join(f"{noun} {verb}." for noun, verb in sentences(language, STEMS))
        (home / "corpus.txt").write_text(text)
        parts = {"dev": STEMS[2:6], "test": STEMS[4:]} | ({} if language == "bb" else {"train": STEMS[:6]})
        for part, stems in parts.items():
            (home / f"{part}.conllu.gz").write_bytes(conllu(sentences(language, stems)))
    names = folder / "names"
    names.mkdir()
    for part in ("train", "dev", "test"):
        # The first tag continues nothing, as a few of published files do.
        text = "\n".join(
            f"{noun}\t{'B' if part == 'dev' else 'I'}-X\n{verb}\tO\n" for noun, verb in sentences("dd", STEMS[:4])
        )
        (names / f"{part}.conll.gz").write_bytes(gzip.compress(text.encode()))
    words = sorted({word for pair in sentences("aa", STEMS) for word in pair})
    (tmp_path / "tables").mkdir()
    VectorTable(words, np.eye(len(words), 6, dtype=np.float32) + 0.1).save(tmp_path / "tables" / "aa.vec")
    return folder


VARIANTS = [
    {"label": "Mono", "sources": ["own"]},
    {"label": "Mono+Mono", "sources": ["own", "again"]},
    {"label": "Mono+X, best on dev", "sources": ["own", "each"], "chosen": "dev"},
    {"label": "Mono+X, mean", "sources": ["own", "each"]},
    {"label": "Meta", "sources": ["own", "multi", "others"], "combiner": "attention"},
    {"label": "Mono+everyword", "sources": ["own", "everyword"]},
    {"label": "Words", "sources": ["own", "words"], "combiner": "mean"},
]
PIECES = [f"{name}.{value}" for name in ("pieces", "multi") for value in ("pieces=40", "dim=6", "epochs=1")]


@pytest.fixture
def study() -> LanguageStudy:
    return build(
        LanguageStudy,
        {
            "kind": "languages",
            "name": "tiny",
            "title": "Tiny",
            "source": "nobody",
            "seeds": 2,
            "columns": ["languages/pos aa", "languages/pos bb", "languages/ner dd", "mean"],
            "tasks": {"languages/pos aa": "aa", "languages/pos bb": "bb", "languages/ner dd": "names"},
            "corpora": {name: f"{name}/corpus.txt" for name in ("aa", "bb", "cc")},
            "small": ["sentences=12", "judged=10", *PIECES, "tagger.states=4", "tagger.epochs=2", "tagger.batch=8"],
            "variants": VARIANTS,
        },
    )


@pytest.fixture
def job(study: LanguageStudy, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LanguageJob:
    monkeypatch.setattr(languages, "load", lambda name: _Model())
    return LanguageJob(
        study=study,
        work=tmp_path / "work",
        results=tmp_path / "results",
        data=data,
        vectors=tmp_path / "tables",
        report=lambda line: None,
    )


class _Model:
    def encode(self, words: list[str]) -> FloatArray:
        return np.array([[len(word), word.count("a") + 1, 1] for word in words], dtype=np.float32)


def test_a_study_from_corpora_to_findings(job: LanguageJob) -> None:
    findings = run_languages(job)

    rows = findings.rows
    for label in ("Mono", "Mono+Mono", "Meta", "Mono+everyword"):
        assert rows[label]["languages/pos aa"] is not None
    assert rows["Mono"]["languages/ner dd"] is None  # no corpus of its own
    assert rows["Meta"]["languages/ner dd"] is not None
    assert rows["Words"]["languages/pos aa"] is not None
    assert rows["Words"]["languages/pos bb"] is None  # no table of words
    kept = findings.to_dict()["details"]
    details = kept["columns"]["languages/pos aa"]
    assert details["sentences"] == {"train": 12, "dev": 10, "test": 10}
    assert set(details["helpers"]) == {"bb", "cc"}
    assert sum(details["weights"]["Meta"].values()) == pytest.approx(1, abs=0.01)
    assert 0 < details["p"] <= 1
    assert details["unseen"]["Meta"] is not None
    assert kept["settings"]["sentences"] == 12


def test_prepared_inputs_suffice_and_trained_taggers_are_used_again(
    job: LanguageJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    first = run_languages(replace(job, languages=("bb",)))
    assert first.rows["Meta"]["languages/pos aa"] is None

    prepared = job.work / "prepared"
    monkeypatch.setattr(languages, "train_tagger", None)
    again = run_languages(replace(job, data=None, prepared=prepared, languages=("bb",)))
    assert again.to_dict() == first.to_dict()
    inputs = load_inputs(prepared)
    assert len(inputs.tasks["languages/pos bb"]) == 5
    assert not set(inputs.tasks["languages/pos bb"][0].train.tokens) & set(
        inputs.tasks["languages/pos bb"][0].dev.tokens
    )
    assert {tag for tags in inputs.tasks["languages/ner dd"][0].train.tags for tag in tags} == {"B-X", "O"}
    assert inputs.sources["words-aa"].dim == 6
    assert inputs.sources["words-aa"].encode(["balo"]).any()
    assert not inputs.sources["words-aa"].encode(["bale", "nowhere"]).any()
    assert inputs.sources["bb"].encode(["bale"]).any()


def test_bad_jobs(job: LanguageJob, monkeypatch: pytest.MonkeyPatch, study: LanguageStudy) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    with pytest.raises(InputError, match="no language 'zz'; it has aa, bb, dd"):
        run_languages(replace(job, languages=("zz",)))
    with pytest.raises(InputError, match="holds no prepared inputs"):
        run_languages(replace(job, data=None))
    missing = replace(study, tasks={**study.tasks, "languages/pos aa": "nowhere"})
    with pytest.raises(InputError, match="There is no folder"):
        run_languages(replace(job, study=missing))


def test_the_published_study() -> None:
    found = load_study("auxiliary-languages")

    assert isinstance(found, LanguageStudy)
    small, full = (
        LanguageJob(study=found, work=Path("runs"), results=Path("results"), size=size).settings
        for size in ("small", "full")
    )
    assert small.sentences < full.sentences
    assert small.tagger.states < full.tagger.states
    assert {"Mono", "Meta", "Meta+everyword"} <= {variant.label for variant in found.variants}
    with pytest.raises(ConfigError, match="'owl'"):
        build(LanguageStudy, {**read_toml_of("auxiliary-languages"), "variants": [{"label": "a", "sources": ["owl"]}]})


def read_toml_of(name: str) -> dict[str, object]:
    from everyword.studies.config import published_studies

    return {key: value for key, value in read_toml(published_studies()[name]).items() if key != "claims"}
