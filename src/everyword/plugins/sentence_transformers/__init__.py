"""sentence-transformers: encoders that are robust to typos, and everyword's own vectors as an encoder."""

# ruff: noqa: E402  (what is missing is named before anything is imported)
from everyword.extras import require

require("sentence_transformers", "A plug-in for sentence encoders")

from everyword.plugins.sentence_transformers.robust_transformer import RobustTransformer, robustify
from everyword.plugins.sentence_transformers.word_vectors import WordVectors

__all__ = ["RobustTransformer", "WordVectors", "robustify"]
