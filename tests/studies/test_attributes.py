"""A study about attributes: small language models with and without them, measured once."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.attributes import run as attribute_runs
from everyword.studies.kinds.attributes.models import _trained
from everyword.studies.kinds.attributes.run import run_attributes, swap_errors
from everyword.studies.kinds.attributes.study import AttributeJob, AttributeStudy
from everyword.studies.kinds.attributes.texts import Reader
from everyword.systems.tiny_bert.tokenizer import UNKNOWN

ANIMALS, DEEDS = ("cat", "dog", "cow", "bird", "fish", "horse"), ("sat", "ran", "slept", "ate", "sang")
ROWS = ("words alone", "input and prediction", "attributes without training")


def texts(rng: Random, count: int) -> list[str]:
    return [f"the {rng.choice(ANIMALS)} {rng.choice(DEEDS)} on a mat and {rng.choice(DEEDS)} ." for _ in range(count)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("data"), Random(1)
    for name in ("corpus/wikitext2", "lexical", "similarity", "classification/sst2"):
        (folder / name).mkdir(parents=True)
    for part, count in (("train", 60), ("valid", 10), ("test", 10)):
        with gzip.open(folder / "corpus" / "wikitext2" / f"{part}.txt.gz", "wt") as file:
            file.write("\n".join(texts(rng, count)) + "\n")
    for part, count in (("train", 40), ("dev", 10), ("test", 20)):
        lines = [f"{int('cat' in text)}\t{text}" for text in texts(rng, count)]
        (folder / "classification" / "sst2" / f"{part}.tsv").write_text("label\ttext\n" + "\n".join(lines) + "\n")
    senses = [f"{word}\tn\t1\tnoun.animal\tanimal\t-\t-" for word in (*ANIMALS, "lion", "feline", "hound")]
    senses += [f"{word}\tv\t1\tverb.motion\t-\t-\t-" for word in (*DEEDS, "sprint")]
    header = "word\tpos\tsense_rank\tsupersense\thypernym1\thypernym2\thypernym3"
    with gzip.open(folder / "lexical" / "wordnet_attributes.tsv.gz", "wt") as file:
        file.write("\n".join([header, *senses]) + "\n")
    with gzip.open(folder / "lexical" / "wordnet_synonyms.tsv.gz", "wt") as file:
        file.write("word\tsynonym\tpos\tsense_rank\ncat\tfeline\tn\t1\ndog\thound\tn\t1\nmat\trug\tn\t1\n")
    pairs = ["cat\tdog\t8", "cat\tsat\t1", "cow\tran\t2", "lion\tcat\t9", "sprint\tcat\t1", "lion\tsprint\t3"]
    for name in ("simlex999", "rareword"):
        (folder / "similarity" / f"{name}.tsv").write_text("word1\tword2\tscore\n" + "\n".join(pairs) + "\n")
    return folder


@pytest.fixture
def job(data: Path, tmp_path: Path) -> AttributeJob:
    study = load_study("word-attributes")
    assert isinstance(study, AttributeStudy)
    variants = tuple(replace(one, paper={}) for one in study.variants if one.label in ROWS)
    tiny = ("layers=1", "width=8", "heads=2", "inner=8", "epochs=1", "batch=4", "vocabulary=40", "length=16")
    small = replace(study, variants=variants, claims=(), seeds=1, small=tiny)
    return AttributeJob(study=small, work=tmp_path / "work", results=tmp_path, data=data, report=lambda _: None)


def test_every_model_is_measured_once(job: AttributeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run_attributes(job)
    plain, both, untrained = (found.rows[label] for label in ROWS)
    assert all(both[column] is not None for column in job.study.columns)
    assert plain["attributes/perplexity"] is not None
    assert plain["attributes/map"] is None
    assert plain["attributes/rareword lexicon"] is None
    lexicon = untrained["attributes/rareword lexicon"]
    assert lexicon is not None
    assert lexicon.value > 80
    assert found.details is not None
    assert found.details["pairs"]["words alone"] == [{"simlex": 3, "rareword known": 3, "rareword lexicon": 3}]
    assert not list(job.work.glob("*/checkpoint.safetensors"))
    monkeypatch.setattr(attribute_runs, "measure", None)  # all are saved
    assert run_attributes(job).rows == found.rows


def test_words_that_only_the_lexicon_knows_are_read_if_attributes_are_added(job: AttributeJob) -> None:
    job.work.mkdir()
    plain, both = job.study.variants[:2]
    for variant, known in ((plain, False), (both, True)):
        training = _trained(job, variant, 0)
        reader = Reader(training, job.lexicon(variant), ["the feline sat", "the zebra sat"])
        [feline, zebra] = reader.read(["the feline sat", "the zebra sat"])
        assert (feline[2] == UNKNOWN) is not known
        assert zebra[2] == UNKNOWN
        assert list(reader.extra) == (["feline"] if known else [])


def test_errors_are_counted_over_texts_that_all_rows_get_right(job: AttributeJob) -> None:
    counts = [len(swaps) for swaps in job.swaps]
    first, second = (next(row for row in range(start, 20) if counts[row]) for start in (0, 10))
    right = np.zeros(20, dtype=bool)
    right[[first, second]] = True
    total, of_first = sum(counts), range(sum(counts[:first]), sum(counts[: first + 1]))

    def answers(own: np.ndarray, wrong: range) -> dict[str, str]:
        bits = ["0" if number in wrong else "1" for number in range(total)]
        return {
            "right": "".join("1" if one else "0" for one in own),
            "swaps right": "".join(bits),
            "swaps known": "1" * total,
        }

    found = {"one": [answers(right, of_first)], "two": [answers(np.ones(20, dtype=bool), range(total))], "none": [{}]}
    errors, details = swap_errors(job, found)
    asked = counts[first] + counts[second]
    assert errors == {"one": {0: pytest.approx(100 * counts[first] / asked, abs=0.01)}, "two": {0: 100.0}}
    assert details["swaps"]["all"] == [asked]
    assert details["swaps"]["unknown"] == [0]


def test_what_cannot_be_is_refused(job: AttributeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="is not attributes/MEASURE"):
        check(replace(job.study, columns=("attributes/speed",)))
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    with pytest.raises(InputError, match="name it by --data"):
        _ = replace(job, data=None).folder
