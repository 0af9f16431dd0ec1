"""Train and measure one model of a study about attributes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from everyword.arrays import BoolArray
from everyword.corpus.lexicons.attributes import AttributeLexicon
from everyword.evaluation.average_precision import mean_average_precision
from everyword.language_models.attribute_vectors import LEXICON
from everyword.learning.loop import CHECKPOINT, weights_of
from everyword.studies.kinds.attributes import measures
from everyword.studies.kinds.attributes.study import DEV, TENTH, TEST, AttributeJob, AttributeVariant
from everyword.studies.kinds.attributes.texts import ClassifierSettings, LabelledRows, Reader, predict, train_classifier
from everyword.systems.tiny_bert.config import TinyBertRun
from everyword.systems.tiny_bert.masked_corpus import cut_sentences, sentences_of
from everyword.systems.tiny_bert.network import collect_attributes
from everyword.systems.tiny_bert.tokenizer import tokenizer_of
from everyword.systems.tiny_bert.train import Training


def measure(job: AttributeJob, variant: AttributeVariant, seed: int) -> dict[str, Any]:
    """Train a language model, and return all that is measured of it."""
    training, lexicon = _trained(job, variant, seed), job.lexicon(variant)
    counts = np.bincount(job.corpus.pieces, minlength=len(job.corpus.vocabulary))
    dev, test = (measures.read_text(training, job.folder / path) for path in (DEV, TEST))
    rare = counts[test.targets] < measures.RARE_BELOW
    vector = measures.trained_vectors(training, lexicon)
    similarity = {
        name: measures.correlation(job.pairs[name.split()[0]], chosen, vector)
        for name, chosen in job.pair_parts.items()
    }
    weights = weights_of(training.network)
    found = {
        "perplexity": test.perplexity(),
        "rare perplexity": test.perplexity(rare) if rare.any() else None,
        "dev perplexity": dev.perplexity(),
        "bands": measures.by_frequency(test, counts),
        "map": measures.next_attributes(training, job.folder / TEST) if variant.target == "predicted" else None,
        **similarity,
        "pairs": {name: int(chosen.sum()) for name, chosen in job.pair_parts.items()},
        "attributes": len(training.attributes.names) if training.attributes else 0,
        "parameters": sum(one.numel() for one in training.network.parameters()),
    }
    found |= _classified(job, training, lexicon, seed, share=1)
    training.network.load_state_dict(weights)
    found["sst2 tenth"] = _classified(job, training, lexicon, seed, share=TENTH)["sst2"]
    (training.run.folder / CHECKPOINT).unlink(missing_ok=True)
    return found


def _trained(job: AttributeJob, variant: AttributeVariant, seed: int) -> Training:
    run = TinyBertRun(
        job.config(variant, seed),
        job.file(variant, seed).with_suffix(""),
        device=job.device,
        resume=True,
        report=job.report,
    )
    run.folder.mkdir(parents=True, exist_ok=True)
    lexicon = job.lexicon(variant)
    if lexicon is not None:
        lexicon.write(run.folder / LEXICON)
    training = Training(run, job.corpus)
    if not training.loop.run():
        raise KeyboardInterrupt
    return training


def _classified(
    job: AttributeJob, training: Training, lexicon: AttributeLexicon | None, seed: int, share: int
) -> dict[str, Any]:
    """Train a classifier on one of `share` training texts, and return its accuracy and what synonyms do to it."""
    names = sorted(set(job.texts["train"].labels))
    texts = {part: [" ".join(tokens) for tokens in own.tokens] for part, own in job.texts.items()}
    labels = {part: np.array([names.index(one) for one in own.labels]) for part, own in job.texts.items()}
    swapped = [swap.text[0] for swaps in job.swaps for swap in swaps]
    reader = Reader(training, lexicon, [*chain(*texts.values()), *swapped])
    rows = {part: reader.read(own) for part, own in texts.items()}
    kept = np.random.default_rng(seed).permutation(len(rows["train"]))[: len(rows["train"]) // share]
    train = LabelledRows([rows["train"][row] for row in kept], labels["train"][kept])
    dev = LabelledRows(rows["dev"], labels["dev"])
    model = train_classifier(training, train, dev, ClassifierSettings(), seed=seed)
    right = predict(model, rows["test"]) == labels["test"]
    found: dict[str, Any] = {"sst2": 100 * float(right.mean())}
    if share == 1:
        still = predict(model, reader.read(swapped)) == np.repeat(labels["test"], [len(swaps) for swaps in job.swaps])
        words = set(job.corpus.vocabulary)
        known = [swap.by in words for swaps in job.swaps for swap in swaps]
        found |= {"right": _bits(right), "swaps right": _bits(still), "swaps known": _bits(known)}
    return found


def _bits(values: Sequence[bool] | BoolArray) -> str:
    return "".join("1" if value else "0" for value in values)


def compare_attributes(job: AttributeJob, variant: AttributeVariant) -> dict[str, Any]:
    """Return what attributes tell without any training: which ones words share, and how frequent they are."""
    lexicon, vocabulary = job.wordnet, job.corpus.vocabulary
    table = collect_attributes(vocabulary, lexicon, job.config(variant, 0))
    numbers = {name: number for number, name in enumerate(table.names)}

    def vector(word: str) -> Any:
        found = np.zeros(len(numbers), dtype=np.float32)
        found[[numbers[name] for name in lexicon.of(word) if name in numbers]] = 1.0
        return found if found.any() else None

    similarity = {
        name: measures.correlation(job.pairs[name.split()[0]], chosen, vector)
        for name, chosen in job.pair_parts.items()
    }
    pieces = np.asarray(job.corpus.pieces, dtype=np.int64)
    frequency = np.bincount(table.ids[pieces].ravel(), minlength=len(numbers) + 1)[1:]
    tested, _ = cut_sentences(tokenizer_of(vocabulary), sentences_of([job.folder / TEST]))
    some = table.ids[np.random.default_rng(0).choice(tested, measures.MAP_STATES)]
    right = measures.right_attributes(some, len(numbers))
    scores = np.broadcast_to(frequency.astype(np.float32), right.shape)
    return {"map": 100 * mean_average_precision(scores, right), **similarity}
