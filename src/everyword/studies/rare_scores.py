"""How good vectors of rare words are: in tasks with sentences, in rarified texts, in a cloze probe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from everyword.config import to_dict
from everyword.errors import InputError
from everyword.evaluation.benchmark import MissingData
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
from everyword.language_models.heads import load_with_head
from everyword.language_models.mentions import MentionFinder
from everyword.models.model import Model
from everyword.studies.benchmarks import base_of, piece_at_hand
from everyword.studies.findings import Score
from everyword.studies.rare_config import RareVariant
from everyword.studies.rare_job import RareReproduction
from everyword.studies.rare_models import RareModels
from everyword.studies.study import score_in
from everyword.vectors.table import VectorTable

SYNONYMS = Path("lexical") / "wordnet_synonyms.tsv.gz"
MEAN = " (mean of phrases)"
Found = dict[str, Score | None]


def score_contexts(job: RareReproduction, models: RareModels, variant: RareVariant) -> list[Found]:
    """The tasks that give words in sentences, by the names of pieces."""
    way = ContextModel(models.way, variant.label, models.infer(variant))
    results = {}
    for base in dict.fromkeys(map(base_of, job.study.columns)):
        piece = piece_at_hand(base, job.data)
        if isinstance(piece, MissingData):
            job.tell(f"{base}: passed over. {piece.reason}")
        else:
            results[base] = run_benchmark(way, piece)
    return [{name: score_in(results[base_of(name)], name) for name in job.study.columns if base_of(name) in results}]


def score_rarified(job: RareReproduction, models: RareModels, variant: RareVariant) -> list[Found]:
    """The accuracy of classifiers on their rarified sets, a row for each seed."""
    return [
        {
            f"{_name(texts)} {part}": Score(accuracy)
            for texts in job.study.texts
            for part, accuracy in _accuracies(job, models, variant, _made_set(job, texts, seed))
        }
        for seed in range(job.study.seeds)
    ]


def _accuracies(
    job: RareReproduction, models: RareModels, variant: RareVariant, folder: Path
) -> Iterable[tuple[str, float]]:
    texts = read_rare_texts(folder / TEXTS)
    classifier = load_classifier(folder / CLASSIFIER, job.device)
    sentences = _sentences(job, variant, texts)
    if variant.vectors != "plain":
        job.put_in(classifier.network, classifier.tokenizer, _vectors(models, variant, sentences), variant)
    parts = score_before_and_after(classifier.predict, texts)
    return ((part.name, part.accuracy) for part in parts)


def _made_set(job: RareReproduction, texts: str, seed: int) -> Path:
    """The folder of a rarified set, made if it is not there."""
    assert job.counts is not None  # checked before the study begins
    folder, settings = job.work / "sets" / f"{_name(texts)}-{seed}", job.rarify_config(seed)
    home = data_folder(job.data)
    if home is None:
        raise InputError("Rarified sets need --data, the folder with texts and synonyms.")
    if (folder / RECORD).exists():
        if json.loads((folder / RECORD).read_text(encoding="utf-8"))["config"] != to_dict(settings):
            raise InputError(f"{folder} was made with another configuration; choose another --work, or delete it.")
    else:
        made = make_set(
            job.encoder,
            home / texts,
            Sources(job.counts, home / SYNONYMS),
            settings,
            folder,
            device=job.device,
            tell=job.tell,
        )
        job.tell(f"{folder.name}: {len(made.texts):,} rarified texts")
    return folder


def _name(texts: str) -> str:
    return Path(texts).name.partition(".")[0]


def _sentences(job: RareReproduction, variant: RareVariant, texts: Sequence[RareText]) -> dict[str, list[str]]:
    """What is known of the rare words of texts, perhaps also from these themselves."""
    words = sorted({one.by for text in texts for one in text.replaced})
    found = {word: list(job.rare_sentences.get(word, ())) for word in words}
    if variant.sentences == "in-domain":
        mentions = MentionFinder(words)
        word_of = dict(zip(mentions.row_of_word, words, strict=True))
        for text in texts:
            for row in dict.fromkeys(mention.row for mention in mentions.find(text.text)):
                found[word_of[row]].append(text.text)
    return found


def _vectors(models: RareModels, variant: RareVariant, sentences: dict[str, list[str]]) -> Model | VectorTable:
    """What is put in: a model of everyword, or a table; a word of which nothing can be said keeps its pieces."""
    if variant.vectors == "everyword":
        return models.everyword
    vectors = models.infer(variant)(sentences)
    words, told = list(sentences), np.flatnonzero(vectors.any(axis=1))
    return VectorTable([words[place] for place in told], vectors[told])


def score_probe(job: RareReproduction, models: RareModels, variant: RareVariant) -> list[Found]:
    """Mean reciprocal ranks in the probe, by relation and band, with the best phrase and over all phrases."""
    assert job.probe is not None  # checked before the study begins
    entries = [entry for entry in read_entries(job.probe) if entry.split == "test" and entry.band != "frequent"]
    network, tokenizer = load_with_head(job.encoder, "MaskedLM", device=job.device)
    if variant.vectors != "plain":
        sentences = {entry.keyword: job.rare_sentences.get(entry.keyword, []) for entry in entries}
        job.put_in(network, tokenizer, _vectors(models, variant, sentences), variant)
    found: Found = {}
    for cell in cells(ask_model(network.eval(), tokenizer, entries)):
        name = f"{cell.relation} {cell.band}"
        found |= {name: Score(cell.best), name + MEAN: Score(cell.mean)}
    return [found]


SCORERS: dict[str, Callable[[RareReproduction, RareModels, RareVariant], list[Found]]] = {
    "contexts": score_contexts,
    "rarified": score_rarified,
    "probe": score_probe,
}
