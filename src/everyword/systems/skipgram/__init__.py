"""Static vectors from a corpus: a skip-gram with centre words read by an encoder, and its baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.systems.skipgram.config import SentencesConfig, SkipgramConfig
    from everyword.systems.skipgram.new_words import add_words
    from everyword.systems.skipgram.prepared import PreparedCorpus, prepare
    from everyword.systems.skipgram.train import SkipgramRun, SkipgramTraining, train_skipgram

__all__ = [
    "PreparedCorpus",
    "SentencesConfig",
    "SkipgramConfig",
    "SkipgramRun",
    "SkipgramTraining",
    "add_words",
    "prepare",
    "train_skipgram",
]

__getattr__ = lazy_names(
    __name__,
    {
        "PreparedCorpus": "everyword.systems.skipgram.prepared",
        "SentencesConfig": "everyword.systems.skipgram.config",
        "SkipgramConfig": "everyword.systems.skipgram.config",
        "SkipgramRun": "everyword.systems.skipgram.train",
        "SkipgramTraining": "everyword.systems.skipgram.train",
        "add_words": "everyword.systems.skipgram.new_words",
        "prepare": "everyword.systems.skipgram.prepared",
        "train_skipgram": "everyword.systems.skipgram.train",
    },
)


def __dir__() -> list[str]:
    return __all__
