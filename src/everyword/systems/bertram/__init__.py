"""Vectors of rare words from their spelling and from sentences, for language models and for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.learning.loop import RunContext
    from everyword.systems.bertram.config import BertramConfig, StaticConfig
    from everyword.systems.bertram.model import Bertram
    from everyword.systems.bertram.static import ALaCarte, AttentiveMimicking, FormContextModel
    from everyword.systems.bertram.train import TrainingRun, train_bertram

__all__ = [
    "ALaCarte",
    "AttentiveMimicking",
    "Bertram",
    "BertramConfig",
    "FormContextModel",
    "RunContext",
    "StaticConfig",
    "TrainingRun",
    "train_bertram",
]

__getattr__ = lazy_names(
    __name__,
    {
        "ALaCarte": "everyword.systems.bertram.static",
        "AttentiveMimicking": "everyword.systems.bertram.static",
        "Bertram": "everyword.systems.bertram.model",
        "BertramConfig": "everyword.systems.bertram.config",
        "FormContextModel": "everyword.systems.bertram.static",
        "RunContext": "everyword.learning.loop",
        "StaticConfig": "everyword.systems.bertram.config",
        "TrainingRun": "everyword.systems.bertram.train",
        "train_bertram": "everyword.systems.bertram.train",
    },
)


def __dir__() -> list[str]:
    return __all__
