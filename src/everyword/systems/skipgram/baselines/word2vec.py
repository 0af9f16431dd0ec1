"""Skip-gram, CBOW and fastText, as gensim trains them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from everyword.extras import require
from everyword.systems.skipgram.baselines.config import Method, Word2VecConfig
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.vectors.context_pair import ContextPair
from everyword.vectors.table import VectorTable


class Sentences:
    """The sentences of a prepared corpus as lists of words; can be read more than once."""

    def __init__(self, prepared: PreparedCorpus) -> None:
        self.prepared = prepared

    def __iter__(self) -> Iterator[list[str]]:
        words = np.array(self.prepared.vocabulary.words, dtype=object)
        for part in self.prepared.parts():
            stops = np.cumsum(part.words, dtype=np.int64).tolist()
            of_part = words[part.rows].tolist()
            start = 0
            for stop in stops:
                yield of_part[start:stop]
                start = stop


def word2vec_table(prepared: PreparedCorpus, method: Method, config: Word2VecConfig) -> VectorTable:
    """Train vectors for exactly the words of a prepared corpus, on its sentences."""
    return word2vec_pair(prepared, method, config).table


def word2vec_pair(prepared: PreparedCorpus, method: Method, config: Word2VecConfig) -> ContextPair:
    """Train word and context vectors for exactly the words of a prepared corpus, on its sentences."""
    models: Any = require("gensim.models", "Training word2vec and fastText")
    kind = models.FastText if method == "fasttext" else models.Word2Vec
    vocabulary, sentences = prepared.vocabulary, Sentences(prepared)
    model = kind(
        sg=int(method != "cbow"),
        vector_size=config.dim,
        window=config.window,
        negative=config.negatives,
        sample=config.subsample,
        alpha=config.learning_rate,
        min_count=1,
        seed=config.seed,
        workers=config.workers,
    )
    counts = dict(zip(vocabulary.words, vocabulary.counts.tolist(), strict=True))
    model.build_vocab_from_freq(counts, corpus_count=sum(prepared.sizes))
    total = int(vocabulary.counts.sum())
    model.train(sentences, total_examples=sum(prepared.sizes), total_words=total, epochs=config.epochs)
    rows = np.array([model.wv.key_to_index[word] for word in vocabulary.words])
    vectors, contexts = (np.asarray(matrix[rows], dtype=np.float32) for matrix in (model.wv.vectors, model.syn1neg))
    power = float(model.ns_exponent)
    return ContextPair(vocabulary.words, vectors, contexts, vocabulary.counts, None, "negative-sampling", power)
