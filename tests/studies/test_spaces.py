"""Studies about feature tuples and sizes of resources, at a tiny size on made data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from made import make_data, write
from tiny import tiny_table

from everyword.errors import ConfigError, InputError
from everyword.studies.claims import Row
from everyword.studies.config import load_study, published_studies
from everyword.studies.kinds.features import FeatureJob, FeatureStudy, run_features
from everyword.studies.kinds.resources import ResourceJob, ResourceStudy, run_resources

FEATURES = """
name = "tiny-features"
kind = "features"
title = "Tiny"
source = "made"
seeds = 2
once = [3]
first_only = ["function-words"]
training = ["epochs=1", "sentences.shortest=2", "sentences.min_count=1"]
columns = ["similarity/simlex999 3", "similarity/simlex999 4", "analogy/google#semantic 3",
    "function-words/english#15 4", "compounds/noun_compounds#set1:pearson 3"]

[[variants]]
label = "cosine"
ranking = "frequency"

[[variants]]
label = "tuples"
scorer = "cross-entropy:normalise=row"
tasks = ["similarity", "function-words"]

[[claims]]
text = "Tuples are better."
better = "tuples"
than = ["cosine"]
on = "similarity/simlex999 4"
"""
WORDS = """
name = "tiny-words"
kind = "resources"
title = "Tiny"
source = "made"
width = 20
columns = ["similarity/rareword 0", "similarity/rareword 1-741,455",
    "similarity/rareword per doubling", "similarity/none 0"]

[[variants]]
label = "model"
vectors = "model"

[[variants]]
label = "table"
vectors = "table"
"""
LANGUAGES = """
name = "tiny-languages"
kind = "resources"
title = "Tiny"
source = "made"
tokens = [10, 30]
columns = ["corpus, M words", "known", "accuracy, 10 tokens", "accuracy, 30 tokens", "per doubling", "low", "high"]
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_data(tmp_path_factory.mktemp("data"))
    words, rng = tiny_table().words, Random(2)
    for split in ("train", "test"):
        lines = []
        for number in range(20):
            for place, word in enumerate(rng.choices(words[:60], k=4), start=1):
                lines.append(f"{place}\t{word}\t_\t{'VERB' if word.endswith('ing') else 'NOUN'}\t_\t_\t0\t_\t_\t_")
            lines += ["1-2\tjoined\t_\t_\t_\t_\t_\t_\t_\t_", "# a remark"] if number == 3 else []
            lines.append("")
        write(folder / f"{split}.conllu", "\n".join(lines))
    write(folder / "text.txt", "\n".join(" ".join(rng.choices(words, k=8)) for _ in range(400)) + "\n")
    write(folder / "counts.tsv", "".join(f"{word}\t{place + 1}\n" for place, word in enumerate(words)))
    return folder


def values_of(row: Row) -> list[float]:
    return [score.value for score in row.values() if score is not None]


def test_tables_are_trained_once_and_compared_in_several_ways(data: Path, tmp_path: Path) -> None:
    study = load_study(str(write(tmp_path / "features.toml", FEATURES)))
    assert isinstance(study, FeatureStudy)
    said: list[str] = []
    job = FeatureJob(
        study=study,
        work=tmp_path / "work",
        results=tmp_path / "results",
        data=data,
        corpus=(data / "text.txt",),
        report=said.append,
    )
    findings = run_features(job)

    assert sum(line.startswith("training ") for line in said) == 3
    assert sorted(path.name for path in (tmp_path / "work").glob("*.npy")) == [
        "skip-gram-3-0.npy",
        "skip-gram-4-0.npy",
        "skip-gram-4-1.npy",
    ]
    cosine, tuples = findings.rows["cosine"], findings.rows["tuples"]
    assert all(score is not None for score in cosine.values())
    assert cosine["similarity/simlex999 3"].spread is None  # type: ignore[union-attr]
    assert tuples["similarity/simlex999 4"].spread is not None  # type: ignore[union-attr]
    assert tuples["analogy/google#semantic 3"] is None
    assert tuples["function-words/english#15 4"].spread is None  # type: ignore[union-attr]
    again = run_features(replace(job, corpus=()))
    for label, row in again.rows.items():
        before = findings.rows[label]
        assert values_of(row) == pytest.approx(values_of(before), abs=1e-3)
    with pytest.raises(InputError, match=r"no table skip-gram-3-0.npy in .*; give --corpus"):
        run_features(replace(job, corpus=(), work=tmp_path / "other"))


def test_words_by_frequency(data: Path, tmp_path: Path, tiny_model_folder: Path, teacher_path: Path) -> None:
    study = load_study(str(write(tmp_path / "words.toml", WORDS.replace(', "similarity/none 0"', ""))))
    assert isinstance(study, ResourceStudy)
    job = ResourceJob(
        study=study,
        work=tmp_path,
        results=tmp_path,
        data=data,
        model_name=str(tiny_model_folder),
        vectors=teacher_path,
        frequencies=data / "counts.tsv",
        report=lambda _: None,
    )
    rows = run_resources(job).rows
    for label in ("model", "table"):
        assert rows[label]["similarity/rareword 0"] is None
        assert rows[label]["similarity/rareword per doubling"] is not None
    without = run_resources(replace(job, vectors=None)).rows
    assert set(without["table"].values()) == {None}
    with pytest.raises(InputError, match="give --frequencies"):
        run_resources(replace(job, frequencies=None))


def test_languages_by_the_size_of_their_corpora(data: Path, tmp_path: Path) -> None:
    rows = ""
    for number, name in enumerate(("aa", "bb", "cc")):
        tiny_table().save(tmp_path / f"{name}.vec", format="word2vec")
        write(tmp_path / f"{name}.tsv", f"word\t{10 ** (number + 3)}\n")
        rows += f'[[variants]]\nlabel = "{name}"\nvectors = "language"\nlanguage = "{name}"\n'
        rows += 'train = "train.conllu"\ntest = "test.conllu"\n'
    rows += '[[variants]]\nlabel = "corpus"\nvectors = "regression"\nsize = "corpus"\ntogether = true\n'
    study = load_study(str(write(tmp_path / "languages.toml", LANGUAGES + rows)))
    assert isinstance(study, ResourceStudy)
    job = ResourceJob(study=study, work=tmp_path, results=tmp_path, data=data, vectors=tmp_path, report=lambda _: None)
    found = run_resources(job).rows

    assert found["aa"]["corpus, M words"].value == pytest.approx(0.001)  # type: ignore[union-attr]
    assert found["aa"]["known"].value == 100  # type: ignore[union-attr]
    assert found["aa"]["accuracy, 30 tokens"].value > 60  # type: ignore[union-attr]
    assert found["corpus"]["per doubling"].value == pytest.approx(0, abs=1e-6)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="give --vectors"):
        run_resources(replace(job, vectors=None))


@pytest.mark.parametrize(
    ("text", "change", "sentence"),
    [
        (FEATURES, ("similarity/simlex999 4", "similarity/simlex999"), "must end in the size of the vectors"),
        (FEATURES, ("cross-entropy:normalise=row", "cosinus"), "has a scorer that cannot be read"),
        (WORDS, ('vectors = "table"', 'vectors = "language"'), "'table' does not fit: languages need tokens"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, change: tuple[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        load_study(str(write(tmp_path / "wrong.toml", text.replace(*change))))


@pytest.mark.parametrize("kind", ["features", "resources"])
def test_the_published_ones_are_read(kind: str) -> None:
    for name in published_studies(kind):
        assert load_study(name).kind == kind
