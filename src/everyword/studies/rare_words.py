"""Run a study about rare words: tasks with sentences, rarified texts or a cloze probe judge their vectors.

The scores of each variant are saved to the work folder at once, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from everyword.atomic import write_atomic
from everyword.config import to_dict
from everyword.corpus.contexts.sentences import CONTEXTS_FILE
from everyword.errors import InputError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.context_models import ContextModel
from everyword.evaluation.probes.cloze.entries import read_entries
from everyword.evaluation.probes.cloze.scoring import ask_model, cells
from everyword.evaluation.robustness.rare_texts.items import (
    CLASSIFIER,
    RECORD,
    TEXTS,
    RareText,
    read_rare_texts,
    score_before_and_after,
)
from everyword.evaluation.robustness.rare_texts.making import Sources, load_classifier, make_set
from everyword.evaluation.run import run_benchmark
from everyword.files import checksum, fingerprint, read_object
from everyword.language_models.heads import load_with_head
from everyword.language_models.mentions import MentionFinder
from everyword.models.model import Model
from everyword.studies.benchmarks import base_of, find_benchmarks, score_in
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import RareWordVariant
from everyword.studies.findings import Findings
from everyword.studies.rare_models import RareModels, RareWordJob
from everyword.systems.bertram.masking import OneWarning
from everyword.vectors.table import VectorTable

SYNONYMS = Path("lexical") / "wordnet_synonyms.tsv.gz"
OVER_PHRASES = " (mean of phrases)"


def score_contexts(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> list[Row]:
    """Score tasks that give words in sentences."""
    model = ContextModel(models.inputs, variant.label, models.infer(variant))
    benchmarks = find_benchmarks(dict.fromkeys(map(base_of, job.study.columns)), job.data, job.report)
    results = {base: run_benchmark(model, one) for base, one in benchmarks.items() if isinstance(one, Benchmark)}
    return [{name: score_in(results[base_of(name)], name) for name in job.study.columns if base_of(name) in results}]


def score_rarified(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> list[Row]:
    """Score classifiers on their rarified sets by accuracy, a row per seed."""
    return [
        {
            f"{_name(texts)} {part}": Score(accuracy)
            for texts in job.study.texts
            for part, accuracy in _accuracies(job, models, variant, _rarified_set(job, texts, seed))
        }
        for seed in range(job.study.seeds)
    ]


def _accuracies(
    job: RareWordJob, models: RareModels, variant: RareWordVariant, folder: Path
) -> Iterable[tuple[str, float]]:
    texts = read_rare_texts(folder / TEXTS)
    classifier = load_classifier(folder / CLASSIFIER, job.device)
    sentences = _sentences(job, variant, texts)
    if variant.vectors != "plain":
        job.put_in(classifier.network, classifier.tokenizer, _vectors(models, variant, sentences), variant)
    parts = score_before_and_after(classifier.predict, texts)
    return ((part.name, part.accuracy) for part in parts)


def _rarified_set(job: RareWordJob, texts: str, seed: int) -> Path:
    """Return the folder of a rarified set, which is made if it is not there."""
    assert job.counts is not None  # checked before the study begins
    folder, settings = job.work / "sets" / f"{_name(texts)}-{seed}", job.rarify_settings(seed)
    home = data_folder(job.data)
    if home is None:
        raise InputError("Rarified sets need --data, the folder with texts and synonyms.")
    if (folder / RECORD).exists():
        if json.loads((folder / RECORD).read_text(encoding="utf-8"))["config"] != to_dict(settings):
            raise InputError(f"{folder} was made with another configuration; choose another --work, or delete it.")
    else:
        sources = Sources(job.counts, home / SYNONYMS)
        made = make_set(job.encoder, home / texts, sources, settings, folder, device=job.device, report=job.report)
        job.report(f"{folder.name}: {len(made.texts):,} rarified texts")
    return folder


def _name(texts: str) -> str:
    return Path(texts).name.partition(".")[0]


def _sentences(job: RareWordJob, variant: RareWordVariant, texts: Sequence[RareText]) -> dict[str, list[str]]:
    """Return the sentences of the rare words of texts, in-domain also the texts themselves."""
    words = sorted({one.by for text in texts for one in text.replaced})
    found = {word: list(job.rare_sentences.get(word, ())) for word in words}
    if variant.sentences == "in-domain":
        mentions = MentionFinder(words)
        word_of = dict(zip(mentions.row_of_word, words, strict=True))
        for text in texts:
            for row in dict.fromkeys(mention.row for mention in mentions.find(text.text)):
                found[word_of[row]].append(text.text)
    return found


def _vectors(models: RareModels, variant: RareWordVariant, sentences: dict[str, list[str]]) -> Model | VectorTable:
    """Return what is put in: a model of everyword, or a table; a word that gets no vector keeps its pieces."""
    if variant.vectors == "everyword":
        return models.everyword
    vectors = models.infer(variant)(sentences)
    words, known = list(sentences), np.flatnonzero(vectors.any(axis=1))
    return VectorTable([words[index] for index in known], vectors[known])


def score_probe(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> list[Row]:
    """Score the probe by mean reciprocal rank, per relation and band, with the best phrase and over all phrases."""
    assert job.probe is not None  # checked before the study begins
    entries = [entry for entry in read_entries(job.probe) if entry.split == "test" and entry.band != "frequent"]
    network, tokenizer = load_with_head(job.encoder, "MaskedLM", device=job.device)
    if variant.vectors != "plain":
        sentences = {entry.keyword: job.rare_sentences.get(entry.keyword, []) for entry in entries}
        job.put_in(network, tokenizer, _vectors(models, variant, sentences), variant)
    row: dict[str, Score | None] = {}
    for cell in cells(ask_model(network.eval(), tokenizer, entries)):
        name = f"{cell.relation} {cell.band}"
        row |= {name: Score(cell.best), name + OVER_PHRASES: Score(cell.mean)}
    return [row]


SCORERS: dict[str, Callable[[RareWordJob, RareModels, RareWordVariant], list[Row]]] = {
    "contexts": score_contexts,
    "rarified": score_rarified,
    "probe": score_probe,
}


def run_rare_words(job: RareWordJob) -> Findings:
    """Make and score all variants of a study.

    Args:
        job: The study, the language model, the sentences, the folders and the size.

    Raises:
        ConfigError: If a configuration has mistakes.
        InputError: If an input of the study is missing, or the work folder holds something else.
    """
    job.check()
    models, columns = RareModels(job), job.study.columns
    with OneWarning():  # all variants are given the same sentences, many times
        rows = {variant.label: mean_row(_runs(job, models, variant), columns) for variant in job.study.variants}
    named = Path(models.encoder.name)  # a result is read elsewhere, where the path says nothing
    teacher = f"{named.name if named.is_dir() else named} {models.encoder.weights_fingerprint()}"
    return Findings(job.study, job.size, rows, teacher, job.overrides)


def _runs(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> list[Row]:
    """Return the scores of a variant, a row per seed, saved by an earlier run or made now."""
    path = job.work / "scores" / job.study.name / f"{variant.folder}.json"
    expected = _fingerprint(job, models, variant)
    runs = read_scores(path, expected)
    if runs is not None:
        job.report(f"{variant.label}: scored before")
    else:
        runs = SCORERS[job.study.judged_by](job, models, variant)
        job.report(f"{variant.label}: scored")
        path.parent.mkdir(parents=True, exist_ok=True)
        values = [{name: score and asdict(score) for name, score in run.items()} for run in runs]
        write_atomic(path, json.dumps({"stamp": expected, "runs": values}, indent=2) + "\n")
    return [{name: run.get(name) for name in job.study.columns} for run in runs]


def read_scores(path: Path, expected: str) -> list[Row] | None:
    """Read the scores that an earlier run saved; None if there are none, or their fingerprint differs."""
    try:
        saved = read_object(path)
        if saved["stamp"] != expected:
            return None
        return [{name: score and Score(**score) for name, score in run.items()} for run in saved["runs"]]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} does not hold scores ({error!s:.80}); delete it to make them again.") from None


def _fingerprint(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> str:
    """Return the fingerprint of everything that decides the scores of a variant."""
    given = [path for path in (job.rare, job.counts, job.probe) if path is not None]
    sums = [checksum(path / CONTEXTS_FILE if path.is_dir() else path) for path in given]
    row = {key: value for key, value in asdict(variant).items() if key not in ("label", "paper")}
    settings = [job.study.judged_by, job.study.seeds, job.study.texts, job.overrides_for(), job.overrides, job.size]
    return fingerprint([row, settings, sums, models.fingerprint], sort_keys=False)
