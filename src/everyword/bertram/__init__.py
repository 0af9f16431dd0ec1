"""Vectors of rare words from their spelling and the sentences they stand in, for language models and for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.bertram.a_la_carte import ALaCarte
    from everyword.bertram.configuration import BertramConfig, StaticConfig
    from everyword.bertram.loop import Place
    from everyword.bertram.model import Bertram
    from everyword.bertram.static import AttentiveMimicking, FormContextModel
    from everyword.bertram.train import TrainingRun, train_bertram

__all__ = [
    "ALaCarte",
    "AttentiveMimicking",
    "Bertram",
    "BertramConfig",
    "FormContextModel",
    "Place",
    "StaticConfig",
    "TrainingRun",
    "train_bertram",
]

__getattr__ = lazy_names(
    __name__,
    {
        "ALaCarte": "everyword.bertram.a_la_carte",
        "AttentiveMimicking": "everyword.bertram.static",
        "Bertram": "everyword.bertram.model",
        "BertramConfig": "everyword.bertram.configuration",
        "FormContextModel": "everyword.bertram.static",
        "Place": "everyword.bertram.loop",
        "StaticConfig": "everyword.bertram.configuration",
        "TrainingRun": "everyword.bertram.train",
        "train_bertram": "everyword.bertram.train",
    },
)


def __dir__() -> list[str]:
    return __all__
