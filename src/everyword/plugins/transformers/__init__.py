"""transformers: encoders that are robust to typos, and words as new tokens."""

# ruff: noqa: E402  (what is missing is named before anything is imported)
from everyword.extras import require

require("transformers", "A plug-in for language models")
require("torch", "A plug-in for language models")

from everyword.plugins.transformers.choices import adapt_to, imputer_for
from everyword.plugins.transformers.new_words import add_words
from everyword.plugins.transformers.robust import make_plain, robustify
from everyword.plugins.transformers.saving import from_pretrained, robustify_folder

__all__ = [
    "adapt_to",
    "add_words",
    "from_pretrained",
    "imputer_for",
    "make_plain",
    "robustify",
    "robustify_folder",
]
