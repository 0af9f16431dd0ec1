"""sentence-transformers: encoders that are robust to typos, and everyword's own vectors as an encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.extras import require
from everyword.lazy import lazy_names

require("sentence_transformers", "A plug-in for sentence encoders")

if TYPE_CHECKING:
    from everyword.plugins.sentence_transformers.robust_transformer import RobustTransformer, robustify
    from everyword.plugins.sentence_transformers.word_vectors import WordVectors

__all__ = ["RobustTransformer", "WordVectors", "robustify"]

_HOME = "everyword.plugins.sentence_transformers"
__getattr__ = lazy_names(
    __name__,
    {
        "RobustTransformer": f"{_HOME}.robust_transformer",
        "WordVectors": f"{_HOME}.word_vectors",
        "robustify": f"{_HOME}.robust_transformer",
    },
)
