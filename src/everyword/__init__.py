"""everyword gives a good vector to every word.

>>> import everyword
>>> model = everyword.load()
>>> model.encode(["mispelling", "leukamia"]).shape
(2, 100)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from everyword.models.load import load
    from everyword.models.model import Model
    from everyword.vectors.table import VectorTable

__version__ = "0.1.0"

__all__ = ["Model", "VectorTable", "__version__", "load"]

_HOMES = {
    "load": "everyword.models.load",
    "Model": "everyword.models.model",
    "VectorTable": "everyword.vectors.table",
}


def __getattr__(name: str) -> Any:
    # Public names are found on first use, so `import everyword` costs next to nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'everyword' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
