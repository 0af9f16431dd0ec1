"""Run a study about rare words: tasks with sentences, rarified texts or a cloze probe judge their vectors.

Every row is made anew with each seed. The scores of a row and a seed are saved to the work folder at once, so the same
job goes on where it stopped, and several seeds can run side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

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
    Part,
    RareText,
    read_rare_texts,
    score_before_and_after,
)
from everyword.evaluation.robustness.rare_texts.making import Sources, load_classifier, make_set
from everyword.evaluation.run import run_benchmark
from everyword.files import checksum, fingerprint, read_object
from everyword.language_models.heads import load_with_head
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.mentions import MentionFinder
from everyword.models.model import Model
from everyword.studies.benchmarks import base_of, find_benchmarks, score_in
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.findings import Findings
from everyword.studies.kinds.rare_words.models import RareModels, RareWordJob, load_training
from everyword.studies.kinds.rare_words.study import RareWordVariant
from everyword.systems.bertram.masking import OneWarning
from everyword.vectors.table import VectorTable

SYNONYMS = Path("lexical") / "wordnet_synonyms.tsv.gz"
OVER_PHRASES = " (mean of phrases)"
EXAMPLES = 12
"""Words with their rare substitutes that a result shows of a set."""


@dataclass(frozen=True)
class Cell:
    """The scores of a variant with one seed."""

    scores: Row
    details: Mapping[str, Any] = field(default_factory=dict)
    """What is told of the sets of texts."""

    def row(self, columns: Iterable[str]) -> Row:
        """Return the scores of all columns, None where there is none."""
        return {name: self.scores.get(name) for name in columns}


def score_contexts(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> Cell:
    """Score tasks that give words in sentences."""
    model = ContextModel(models.inputs, variant.label, models.infer(variant))
    benchmarks = find_benchmarks(dict.fromkeys(map(base_of, job.study.columns)), job.data, job.report)
    results = {
        base: run_benchmark(model, one, models.seed) for base, one in benchmarks.items() if isinstance(one, Benchmark)
    }
    found = {name: results[base_of(name)] for name in job.study.columns if base_of(name) in results}
    scores = {name: score_in(result, name) for name, result in found.items()}
    return Cell({name: score and replace(score, n=found[name].n) for name, score in scores.items()})


def score_rarified(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> Cell:
    """Score classifiers on their rarified sets by accuracy."""
    scores: dict[str, Score | None] = {}
    details: dict[str, Any] = {}
    for texts in job.study.texts:
        folder = _rarified_set(job, texts, models.seed)
        rare = read_rare_texts(folder / TEXTS)
        for part in _parts(job, models, variant, folder, rare):
            scores[f"{set_name(texts)} {part.name}"] = Score(part.accuracy, n=part.n)
        details[set_name(texts)] = _described(folder, rare)
    return Cell(scores, details)


def _described(folder: Path, texts: Sequence[RareText]) -> dict[str, Any]:
    """Return the numbers of a set's making, and some words with the rare words in their place."""
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    pairs = dict.fromkeys(f"{one.word} → {one.by}" for text in texts for one in text.replaced)
    made = {key: record[key] for key in ("trained_on", "candidates", "dev_accuracy", "rarified", "replaced_words")}
    return {**made, "examples": list(pairs)[:EXAMPLES]}


def _parts(
    job: RareWordJob, models: RareModels, variant: RareWordVariant, folder: Path, texts: Sequence[RareText]
) -> Iterable[Part]:
    classifier = load_classifier(folder / CLASSIFIER, job.device)
    sentences = _sentences(job, variant, texts)
    if variant.vectors != "plain":
        job.put_in(classifier.network, classifier.tokenizer, _vectors(models, variant, sentences), variant)
    return score_before_and_after(classifier.predict, texts)


def _rarified_set(job: RareWordJob, texts: str, seed: int) -> Path:
    """Return the folder of a rarified set, which is made if it is not there."""
    assert job.counts is not None  # checked before the study begins
    folder, settings = job.work / "sets" / f"{set_name(texts)}-{seed}", job.rarify_settings(seed)
    home = data_folder(job.data)
    if home is None:
        raise InputError("Rarified sets need --data, the folder with texts and synonyms.")
    if (folder / RECORD).exists():
        if json.loads((folder / RECORD).read_text(encoding="utf-8"))["config"] != to_dict(settings):
            raise InputError(f"{folder} was made with another configuration; choose another --work, or delete it.")
    else:
        sources = Sources(job.counts, home / SYNONYMS)
        made = make_set(
            job.encoder,
            home / texts.rpartition("=")[2],
            sources,
            settings,
            folder,
            device=job.device,
            report=job.report,
        )
        job.report(f"{folder.name}: {len(made.texts):,} rarified texts")
    return folder


def set_name(texts: str) -> str:
    """Return the name of a set in columns: that of its file, unless the study names it.

    >>> set_name("classification/mr.tsv.gz"), set_name("agnews=classification/agnews/train8k.tsv.gz")
    ('mr', 'agnews')
    """
    named, _, path = texts.rpartition("=")
    return named or Path(path).name.partition(".")[0]


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


def score_probe(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> Cell:
    """Score the probe by mean reciprocal rank, per relation and band, with the best phrase and over all phrases."""
    assert job.probe is not None  # checked before the study begins
    entries = [entry for entry in read_entries(job.probe) if entry.split == "test" and entry.band != "frequent"]
    # Half precision would make many pieces equally likely.
    network, tokenizer = load_with_head(job.encoder, "MaskedLM", device=job.device, dtype=torch.float32)
    if variant.vectors != "plain":
        sentences = {entry.keyword: job.rare_sentences.get(entry.keyword, []) for entry in entries}
        job.put_in(network, tokenizer, _vectors(models, variant, sentences), variant)
    row: dict[str, Score | None] = {}
    for cell in cells(ask_model(network.eval(), tokenizer, entries)):
        name = f"{cell.relation} {cell.band}"
        row |= {name: Score(cell.best, n=cell.n), name + OVER_PHRASES: Score(cell.mean, n=cell.n)}
    return Cell(row)


SCORERS: dict[str, Callable[[RareWordJob, RareModels, RareWordVariant], Cell]] = {
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
    seeds = job.seeds
    study = replace(job.study, seeds=len(seeds))
    encoder = LanguageModel.load(job.encoder, device=job.device)
    training = load_training(job, encoder, seeds)
    found: dict[str, list[Cell]] = {variant.label: [] for variant in study.variants}
    with OneWarning():  # all variants are given the same sentences, many times
        for seed in seeds:
            models = RareModels(job, encoder, training[seed], seed)
            for variant in study.variants:
                if job.makes(variant.label):
                    found[variant.label].append(_cell(job, models, variant))
    empty = Cell({})
    rows = {
        label: mean_row([cell.row(study.columns) for cell in cells_of or [empty]], study.columns)
        for label, cells_of in found.items()
    }
    named = Path(encoder.name)  # a result is read elsewhere, where the path says nothing
    teacher = f"{named.name if named.is_dir() else named} {encoder.weights_fingerprint()}"
    details = {"sets": [cell.details for cell in next(filter(None, found.values()))]} if study.texts else None
    sizes = training[seeds[0]].numbers
    return Findings(study, job.size, rows, teacher, job.overrides, details=details, sizes=sizes)


def _cell(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> Cell:
    """Return the scores of a variant with one seed, saved by an earlier run or made now."""
    path = job.work / "scores" / job.study.name / f"{variant.folder}-{models.seed}.json"
    expected, named = _fingerprint(job, models, variant), f"{variant.label}, seed {models.seed}"
    cell = read_cell(path, expected)
    if cell is not None:
        job.report(f"{named}: scored before")
    else:
        cell = SCORERS[job.study.judged_by](job, models, variant)
        job.report(f"{named}: scored")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps({"stamp": expected, **asdict(cell)}, indent=2) + "\n")
    return cell


def read_cell(path: Path, expected: str) -> Cell | None:
    """Read the scores that an earlier run saved; None if there are none, or their fingerprint differs."""
    try:
        saved = read_object(path)
        if saved["stamp"] != expected:
            return None
        scores = {name: score and Score(**score) for name, score in saved["scores"].items()}
        return Cell(scores, saved["details"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} does not hold scores ({error!s:.80}); delete it to make them again.") from None


def _fingerprint(job: RareWordJob, models: RareModels, variant: RareWordVariant) -> str:
    """Return the fingerprint of everything that decides the scores of a variant."""
    given = [path for path in (job.rare, job.counts, job.probe) if path is not None]
    sums = [checksum(path / CONTEXTS_FILE if path.is_dir() else path) for path in given]
    row = {key: value for key, value in asdict(variant).items() if key not in ("label", "paper")}
    settings = [job.study.judged_by, job.study.texts, job.overrides_for(), job.overrides, job.size]
    return fingerprint([row, settings, sums, models.fingerprint], sort_keys=False)
