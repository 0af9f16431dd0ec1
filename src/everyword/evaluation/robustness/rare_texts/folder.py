"""A rarified set as a folder: its texts, the classifier that they belong to, and how both were made."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from everyword.atomic import write_atomic
from everyword.config import to_dict
from everyword.evaluation.probes.cloze.counts import read_counts
from everyword.evaluation.robustness.rare_texts.items import CLASSIFIER, RECORD, TEXTS, write_rare_texts
from everyword.evaluation.robustness.rare_texts.making import RareTextSet, RarifyConfig, all_texts, make_rare_texts
from everyword.evaluation.robustness.rare_texts.substitutes import (
    Substitutes,
    make_misspellings,
    read_misspellings,
    read_synonyms,
)
from everyword.evaluation.tasks.extrinsic.sets import text_splits
from everyword.evaluation.tasks.extrinsic.texts import Texts
from everyword.systems.classifiers.fine_tuning import new_classifier


@dataclass(frozen=True)
class Sources:
    """Where rare words come from."""

    counts: Path
    """Words and how often they stand in the corpus that says what is rare."""
    synonyms: Path | None = None
    misspellings: Path | None = None
    """Without a list, typos are made."""

    def substitutes(self, config: RarifyConfig, texts: Texts) -> Substitutes:
        """The rare words that may stand in texts."""
        counted, below = read_counts(self.counts), config.rare_below
        words = [token.lower() for tokens in texts.tokens for token in tokens]
        return Substitutes(
            {} if self.synonyms is None else read_synonyms(self.synonyms, counted, below, ambiguous=config.ambiguous),
            make_misspellings(words, counted, below, config.seed)
            if self.misspellings is None
            else read_misspellings(self.misspellings, counted, below),
            config.misspelt_share,
        )


def make_set(
    model: str,
    data: Path,
    sources: Sources,
    config: RarifyConfig,
    folder: Path,
    *,
    device: str = "auto",
    tell: Callable[[str], None],
) -> RareTextSet:
    """Fine-tune a classifier on a data set, rarify texts for it, and write both; the record comes last."""
    from everyword.language_models.heads import save_for_transformers

    splits = text_splits(data)
    texts = all_texts(splits)
    substitutes = sources.substitutes(config, texts)
    network, tokenizer = new_classifier(model, len(set(texts.labels)), device=device, seed=config.seed)
    made = make_rare_texts(network, tokenizer, texts, splits.dev, substitutes=substitutes, config=config, tell=tell)
    save_for_transformers(network, tokenizer, folder / CLASSIFIER)
    write_rare_texts(folder / TEXTS, made.texts)
    record = {"config": to_dict(config), "data": data.name, "model": Path(model).name, **made.numbers()}
    write_atomic(folder / RECORD, json.dumps(record, indent=2) + "\n")
    return made
