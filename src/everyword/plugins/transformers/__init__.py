"""transformers: encoders that are robust to typos, and words as new tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.extras import require
from everyword.lazy import lazy_names

require("transformers", "A plug-in for language models")
require("torch", "A plug-in for language models")

if TYPE_CHECKING:
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

_HOME = "everyword.plugins.transformers"
__getattr__ = lazy_names(
    __name__,
    {
        "adapt_to": f"{_HOME}.choices",
        "add_words": f"{_HOME}.new_words",
        "from_pretrained": f"{_HOME}.saving",
        "imputer_for": f"{_HOME}.choices",
        "make_plain": f"{_HOME}.robust",
        "robustify": f"{_HOME}.robust",
        "robustify_folder": f"{_HOME}.saving",
    },
)
