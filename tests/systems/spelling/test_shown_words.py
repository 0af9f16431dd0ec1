"""Batches that are drawn where they are learnt from: the same words as those of other trainings, in the same steps."""

from __future__ import annotations

import numpy as np
import torch

from everyword.systems.spelling.examples import UNCHANGED, AugmentationConfig, Examples
from everyword.systems.spelling.shown_words import WIDTHS, ShownWords
from everyword.text.mixed import MixedUnitsConfig
from everyword.text.units import PAD
from everyword.text.vocabulary import VocabularyConfig, build_units

WORDS = ["a", "bee", "crane", "dragonflies", "ewe", "frog", "gnu"]
UNITS = build_units(WORDS, VocabularyConfig(size=1, shrink=()), MixedUnitsConfig(input="char"))


def test_the_same_words_as_other_trainings_show_step_by_step() -> None:
    none = np.full((len(WORDS), 1), -1, dtype=np.int32)
    examples = Examples(
        WORDS, UNITS, AugmentationConfig({UNCHANGED: 1.0}), synonyms=none, negatives=none, negatives_per_word=0, seed=5
    )
    shown = ShownWords(WORDS, UNITS, seed=5, device=torch.device("cpu"))
    for epoch in (0, 1):
        order = examples.anchors(epoch)
        for step, (rows, ids) in enumerate(shown.batches(3, epoch, 0)):
            expected, padded = examples.batch(epoch, step, order[3 * step : 3 * step + 3])
            assert sorted(rows.tolist()) == expected.tolist()
            assert ids.shape[1] % WIDTHS == 0 or ids.shape[1] == UNITS.batch(WORDS).sequences.lengths.max()
            for row, of_word in zip(rows.tolist(), ids.tolist(), strict=True):
                plain = padded[expected.tolist().index(row)]
                assert [one for one in of_word if one != PAD] == plain[plain != PAD].tolist()


def test_an_epoch_continues_from_any_step() -> None:
    shown = ShownWords(WORDS, UNITS, seed=0, device=torch.device("cpu"))
    whole, rest = list(shown.batches(2, 3, 0)), list(shown.batches(2, 3, 2))
    assert [rows.tolist() for rows, _ in whole[2:]] == [rows.tolist() for rows, _ in rest]
    assert [len(rows) for rows, _ in whole] == [2, 2, 2, 1]
