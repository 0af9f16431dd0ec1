"""transformers: robust encoders and new tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.extras import require
from everyword.lazy import lazy_names

require("transformers", "A plug-in for language models")
require("torch", "A plug-in for language models")

if TYPE_CHECKING:
    from everyword.plugins.transformers.add_words import add_words
    from everyword.plugins.transformers.own_imputer import imputer_for
    from everyword.plugins.transformers.robust import make_plain, robustify
    from everyword.plugins.transformers.saving import from_pretrained

__all__ = ["add_words", "from_pretrained", "imputer_for", "make_plain", "robustify"]

_HOME = "everyword.plugins.transformers"
__getattr__ = lazy_names(
    __name__,
    {
        "add_words": f"{_HOME}.add_words",
        "from_pretrained": f"{_HOME}.saving",
        "imputer_for": f"{_HOME}.own_imputer",
        "make_plain": f"{_HOME}.robust",
        "robustify": f"{_HOME}.robust",
    },
)
