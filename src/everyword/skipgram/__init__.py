"""Static vectors from a corpus: by a skip-gram whose centre words an encoder reads, and by the methods before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.skipgram.adding import add_words
    from everyword.skipgram.configuration import SentencesConfig, SkipgramConfig
    from everyword.skipgram.prepared import Prepared, prepare
    from everyword.skipgram.train import train_skipgram
    from everyword.skipgram.training import SkipgramRun, Training

__all__ = [
    "Prepared",
    "SentencesConfig",
    "SkipgramConfig",
    "SkipgramRun",
    "Training",
    "add_words",
    "prepare",
    "train_skipgram",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Prepared": "everyword.skipgram.prepared",
        "SentencesConfig": "everyword.skipgram.configuration",
        "SkipgramConfig": "everyword.skipgram.configuration",
        "SkipgramRun": "everyword.skipgram.training",
        "Training": "everyword.skipgram.training",
        "add_words": "everyword.skipgram.adding",
        "prepare": "everyword.skipgram.prepared",
        "train_skipgram": "everyword.skipgram.train",
    },
)


def __dir__() -> list[str]:
    return __all__
