"""Run a study about attributes of words: small causal language models with and without them, measured in many ways.

Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from everyword import config as configs
from everyword.arrays import BoolArray
from everyword.config import NonNegative
from everyword.corpus.labelled.sets import Texts, read_texts
from everyword.corpus.lexicons.attributes import AttributeLexicon, plain, read_wordnet_rows
from everyword.evaluation.context_models import STOP_WORDS
from everyword.evaluation.robustness.synonyms import SYNONYM_FILE, Swap, SynonymReplacer
from everyword.evaluation.tasks.similarity import SimilaritySet
from everyword.files import fingerprint
from everyword.studies.config import Study, Variant
from everyword.studies.job import Job
from everyword.studies.kinds.attributes import measures
from everyword.systems.tiny_bert.config import TinyBertConfig
from everyword.systems.tiny_bert.masked_corpus import MaskedCorpus, prepare_corpus
from everyword.systems.tiny_bert.network import collect_attributes

TRAIN, DEV, TEST = (f"corpus/wikitext2/{part}.txt.gz" for part in ("train", "valid", "test"))
SENSES = "lexical/wordnet_attributes.tsv.gz"
SIMLEX, RAREWORD = "similarity/simlex999.tsv", "similarity/rareword.tsv"
TEXTS = "classification/sst2"
MEASURES = (
    *("perplexity", "rare perplexity", "sst2", "sst2 tenth", "swap error", "map", "simlex"),
    *("rareword known", "rareword lexicon"),
)
MIN_WORDS = 5
"""An attribute of fewer words of the vocabulary does not count: about 2,000 are left, as many as HowNet has."""
TENTH = 10


@dataclass(frozen=True, kw_only=True)
class AttributeVariant(Variant):
    """A row: which attributes words have, and what is done with them."""

    lexicon: Literal["none", "wordnet", "trigrams", "shuffled"]
    embed: bool = True
    predict: bool = True
    target: Literal["predicted", "read"] = "predicted"
    weight: NonNegative = 1.0
    trained: bool = True
    """Whether a model is trained; else attributes are compared as they are."""


@dataclass(frozen=True, kw_only=True)
class AttributeStudy(Study):
    """A table about attributes; `seeds` counts language models. Columns are "attributes/MEASURE"."""

    kind: Literal["attributes"] = "attributes"
    variants: tuple[AttributeVariant, ...]
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the language models, by size."""

    @property
    def policy(self) -> str:
        """What models are judged by."""
        return "attributes"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {f"attributes/{measure}" for measure in MEASURES}
        yield from (f"{name!r} is not attributes/MEASURE" for name in self.benchmarks if name not in known)


@dataclass(frozen=True, kw_only=True)
class AttributeJob(Job):
    """A study about attributes to run."""

    study: AttributeStudy
    only: tuple[int, ...] = ()
    """Seeds to train; others are used if they are in the work folder. None for all."""

    def config(self, variant: AttributeVariant, seed: int) -> TinyBertConfig:
        """Return the settings of a language model."""
        overrides = [*(self.study.full if self.size == "full" else self.study.small), *self.overrides]
        uses = {name: getattr(variant, name) for name in ("embed", "predict", "target", "weight")}
        own: dict[str, Any] = {"causal": True, "units": "words", "seed": seed}
        if variant.lexicon != "none":
            own["attributes"] = uses | {"min_words": MIN_WORDS, "inflected": False}
        return configs.build(TinyBertConfig, configs.override({}, overrides) | own, "the study")

    def file(self, variant: AttributeVariant, seed: int) -> Path:
        """Return where the scores of a language model are saved."""
        mark = fingerprint([configs.to_dict(self.config(variant, seed)), variant.lexicon])[:12]
        return self.work / f"{variant.folder}-{seed}-{mark}.json"

    @cached_property
    def corpus(self) -> MaskedCorpus:
        """The training text as numbers of words."""
        config = self.config(self.study.variants[0], 0)
        return prepare_corpus(
            [self.folder / TRAIN],
            self.work / "corpus",
            vocabulary=config.vocabulary,
            vocabulary_sentences=config.vocabulary_sentences,
            length=config.length,
            units=config.units,
            report=self.report,
        )

    @cached_property
    def texts(self) -> dict[str, Texts]:
        """Labelled texts by part."""
        return {part: read_texts(self.folder / TEXTS / f"{part}.tsv") for part in ("train", "dev", "test")}

    @cached_property
    def pairs(self) -> dict[str, SimilaritySet]:
        """Pairs of words with human scores."""
        return {
            "simlex": SimilaritySet.load(self.folder / SIMLEX),
            "rareword": SimilaritySet.load(self.folder / RAREWORD),
        }

    @cached_property
    def swaps(self) -> list[list[Swap]]:
        """The test texts with synonyms, by text."""
        replacer = SynonymReplacer.load(self.folder / SYNONYM_FILE)
        return [replacer.swaps((" ".join(tokens),)) for tokens in self.texts["test"].tokens]

    @cached_property
    def wordnet(self) -> AttributeLexicon:
        """Attributes of all words that occur anywhere here, with their regular forms."""
        spoken = (word for part in self.texts.values() for tokens in part.tokens for word in tokens)
        asked = (word for data in self.pairs.values() for pair in data.pairs for word in pair)
        put_in = (swap.by for swaps in self.swaps for swap in swaps)
        lexicon = read_wordnet_rows(self.folder / SENSES, without=STOP_WORDS)
        return lexicon.expanded(chain(self.corpus.vocabulary, spoken, asked, put_in))

    def lexicon(self, variant: AttributeVariant) -> AttributeLexicon | None:
        """Return the attributes of a row."""
        if variant.lexicon == "wordnet":
            return self.wordnet
        if variant.lexicon == "trigrams":
            return self.wordnet.spelt()
        return self.wordnet.shuffled(0) if variant.lexicon == "shuffled" else None

    @cached_property
    def pair_parts(self) -> dict[str, BoolArray]:
        """Which pairs belong to each measure of similarity; the same for all rows."""
        variant = next(one for one in self.study.variants if one.lexicon == "wordnet")
        table = collect_attributes(self.corpus.vocabulary, self.wordnet, self.config(variant, 0))
        names, words = set(table.names), set(self.corpus.vocabulary)

        def known(word: str) -> bool:
            return plain(word) in words

        def listed(word: str) -> bool:
            return not names.isdisjoint(self.wordnet.of(word))

        simlex, _ = measures.known_pairs(self.pairs["simlex"], known, listed)
        both, lexicon = measures.known_pairs(self.pairs["rareword"], known, listed)
        return {"simlex": simlex, "rareword known": both, "rareword lexicon": lexicon}
