"""Sentences for tests, made of the words that a tiny model knows."""

from __future__ import annotations

from random import Random

from everyword.language_models.input_embeddings import single_piece_words
from everyword.language_models.language_model import LanguageModel
from everyword.systems.bertram import BertramConfig
from everyword.systems.bertram.config import CombinedStage, ContextStage, FormStage, NgramsConfig


def made_contexts(model: LanguageModel, sentences: int = 6) -> dict[str, list[str]]:
    """A few sentences for every word that is one piece."""
    rng, words = Random(3), [word for word in single_piece_words(model) if word.isalpha()]
    return {
        word: [" ".join([*rng.choices(words, k=rng.randint(2, 9)), word, "sat."]) for _ in range(sentences)]
        for word in words
    }


def quick_config(**changes: object) -> BertramConfig:
    """Stages of a few steps, with rates at which something happens in them."""
    defaults = {
        "ngrams": NgramsConfig(fewest_words=2),
        "context": ContextStage(epochs=2, learning_rate=0.01),
        "form": FormStage(epochs=2),
        "combined": CombinedStage(epochs=2, learning_rate=0.01),
    }
    return BertramConfig(**{**defaults, **changes})  # type: ignore[arg-type]
