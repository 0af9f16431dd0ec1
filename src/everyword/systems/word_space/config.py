"""The configuration of a space: its sources by name, their weights, and how they are combined and tuned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from everyword.config import Count, Fraction, Natural, NonNegative, Positive
from everyword.corpus.vocabulary.build import VocabularySize

TEMPLATES, OCCURRENCES, TEXTS, DEFINITIONS = "templates", "occurrences", "texts", "definitions"
ENCODED = (TEMPLATES, OCCURRENCES, TEXTS, DEFINITIONS)
"""The sources that a sentence encoder makes: the word in templates, its outputs where it occurs in a corpus, the texts
around it, its definitions."""


LEXICON_SOURCES = (
    "frequencies", "wordnet", "gcide", "scowl", "hunspell", "names", "verbs", "slang", "paraphrases", "foreign",
    "paradigms", "misspellings",
)  # fmt: skip
"""What a lexicon is made from, beside the corpus; see `everyword.corpus.vocabulary.sources`."""


@dataclass(frozen=True)
class TuningConfig:
    """How the vectors are moved after all sources are combined; each weight may be 0."""

    steps: Natural = 40
    learning_rate: Positive = 0.01
    stay: Positive = 2.0
    """Weight of staying where the sources put a word."""
    synonyms: NonNegative = 0.5
    synonym_gain: NonNegative = 0.25
    """How much a pair's cosine may grow."""
    synonym_limit: Fraction = 0.7
    """The cosine up to which synonyms are pulled together."""
    antonyms: NonNegative = 1.0
    antonym_limit: Fraction = 0.1
    """The cosine down to which antonyms are pushed apart."""
    look_alikes: NonNegative = 1.0
    """Weight of pushing words of similar spelling apart until their cosine is that of the sources without spelling."""
    neighbours: Count = 30
    """Among how many nearest words of each word look-alikes are searched for."""


@dataclass(frozen=True)
class WordSpaceConfig:
    """The sources, by the names under which their paths are given when the recipe is run."""

    lexicon: str | None = None
    """A folder with words, phrases, foreign words, definitions and relations; without it, one is made from the sources
    of `LEXICON_SOURCES`."""
    size: VocabularySize = field(default_factory=VocabularySize)
    """How many entries the lexicon gets if it is made."""
    encoder: str | None = None
    corpus: str | None = None
    """A text file with a sentence per line, plain or compressed, or a folder of such files."""
    templates: tuple[str, ...] = ("{}",)
    occurrences: Count = 2_000
    """How many occurrences of a word in the corpus are averaged."""
    tables: dict[str, float] = field(default_factory=dict)
    """Tables of vectors, each with its weight."""
    weights: dict[str, float] = field(
        default_factory=lambda: {TEMPLATES: 0.6, OCCURRENCES: 0.8, TEXTS: 0.3, DEFINITIONS: 0.8}
    )
    """Weights of the encoder's sources."""
    free_of_spelling: dict[str, float] = field(default_factory=lambda: {TEXTS: 0.7, DEFINITIONS: 1.0})
    """Weights of the sources that know little of spelling; every table is one of them, with weight 1."""
    shortened: Fraction = 0.9
    """The length of a vector that is predicted from the templates because a source does not know the word."""
    trust: Positive = 15.0
    """After how many occurrences their mean counts as much as what the templates predict."""
    source_dim: Count = 256
    wide_dim: Count = 512
    dim: Count = 256
    flatten: NonNegative = 0.3
    """How far the spread of the directions is evened out: 0 not at all, 1 completely."""
    meaning_share: Fraction = 0.8
    """The share of what slang and abbreviations stand for in their vectors."""
    related_among: Count = 80_000
    """Among how many of the most frequent words synonyms and antonyms shape the space: those of rarer words are mostly
    names of species and persons."""
    shrinkage: Positive = 3.0
    """How mildly the directions in which synonyms differ are shortened."""
    code_sizes: tuple[Count, ...] = (128, 64)
    """Bytes per vector that the space is turned for: the pieces that product quantisation cuts it into then have like
    shares of its variance. Cosines stay the same."""
    fit_on: Count = 40_000
    """How many of the most frequent words all directions are fitted to."""
    tuning: TuningConfig = field(default_factory=TuningConfig)
    workers: Natural = 0
    """Processes that cut the corpus into pieces."""

    def problems(self) -> Iterator[str]:
        """Yield a message for each source that is missing or unknown."""
        if self.encoder is None:
            yield "a space needs an encoder"
        if self.corpus is None and self.lexicon is None:
            yield "a space needs a lexicon, or a corpus to make one from"
        if wrong := sorted({*self.weights, *self.free_of_spelling} - set(ENCODED)):
            yield f"there are no encoded sources {', '.join(wrong)}; choose from {', '.join(ENCODED)}"
        if self.corpus is None and (self.weights.get(OCCURRENCES) or self.weights.get(TEXTS)):
            yield "occurrences and texts need a corpus; name one, or give them the weight 0"
        if self.weights.get(TEMPLATES, 0) <= 0:
            yield "templates need a weight above 0: what other sources do not know is predicted from them"

    @property
    def sources(self) -> list[str]:
        """The names of all sources, each once."""
        lexicon = LEXICON_SOURCES if self.lexicon is None else (self.lexicon,)
        named = [*lexicon, self.encoder, self.corpus, *self.tables]
        return list(dict.fromkeys(name for name in named if name is not None))
