"""everyword gives a good vector to every word, and to every text made of them.

>>> import everyword
>>> model = everyword.load()
>>> model.encode(["mispelling", "leukamia"]).shape
(2, 256)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.api import train, train_language
    from everyword.corpus.embedding.embed import embed_files
    from everyword.errors import (
        ConfigError,
        DamagedModelError,
        EverywordError,
        InputError,
        MissingExtraError,
        NoScoreError,
        UnknownNameError,
    )
    from everyword.evaluation.run import evaluate_model as evaluate
    from everyword.models.adapt.adapting import adapt
    from everyword.models.adapt.attaching import attach
    from everyword.models.explanation import Explanation, Source
    from everyword.models.load import load
    from everyword.models.model import Model
    from everyword.vectors.table import VectorTable

__version__ = "0.2.0"

_HOMES = {
    "adapt": "everyword.models.adapt.adapting",
    "evaluate": "everyword.evaluation.run:evaluate_model",
    "train": "everyword.api",
    "train_language": "everyword.api",
    "embed_files": "everyword.corpus.embedding.embed",
    "attach": "everyword.models.adapt.attaching",
    "load": "everyword.models.load",
    "Model": "everyword.models.model",
    "VectorTable": "everyword.vectors.table",
    "Explanation": "everyword.models.explanation",
    "Source": "everyword.models.explanation",
    "EverywordError": "everyword.errors",
    "InputError": "everyword.errors",
    "ConfigError": "everyword.errors",
    "NoScoreError": "everyword.errors",
    "UnknownNameError": "everyword.errors",
    "MissingExtraError": "everyword.errors",
    "DamagedModelError": "everyword.errors",
}

__all__ = [
    "ConfigError",
    "DamagedModelError",
    "EverywordError",
    "Explanation",
    "InputError",
    "MissingExtraError",
    "Model",
    "NoScoreError",
    "Source",
    "UnknownNameError",
    "VectorTable",
    "__version__",
    "adapt",
    "attach",
    "embed_files",
    "evaluate",
    "load",
    "train",
    "train_language",
]

__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
