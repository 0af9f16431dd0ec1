"""everyword gives a good vector to every word.

>>> import everyword
>>> model = everyword.load()
>>> model.encode(["mispelling", "leukamia"]).shape
(2, 256)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.models.adapting import adapt
    from everyword.models.attaching import attach
    from everyword.models.load import load
    from everyword.models.model import Model
    from everyword.vectors.table import VectorTable

__version__ = "0.1.0"

__all__ = ["Model", "VectorTable", "__version__", "adapt", "attach", "load"]

__getattr__ = lazy_names(
    __name__,
    {
        "adapt": "everyword.models.adapting",
        "attach": "everyword.models.attaching",
        "load": "everyword.models.load",
        "Model": "everyword.models.model",
        "VectorTable": "everyword.vectors.table",
    },
)


def __dir__() -> list[str]:
    return __all__
