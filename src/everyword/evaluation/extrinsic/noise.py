"""Noise by name: "typo-70" is one typo in each of 70 % of the words of a test text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import InputError, did_you_mean
from everyword.evaluation.extrinsic.ladder import changed_share, ladder
from everyword.evaluation.extrinsic.splits import D
from everyword.evaluation.extrinsic.texts import Texts, read_texts
from everyword.evaluation.intrinsic.typo_similarity import FAMILIES

PUBLISHED = "published"
"""Noisy copies that lie beside a test set of texts; SST-2 has some, typo_10.tsv to typo_90.tsv, from LOVE's authors."""
KINDS = (*FAMILIES, PUBLISHED)


@dataclass(frozen=True)
class Noise:
    """A kind of noise and the share of words that it is asked for."""

    kind: str
    percent: int

    def file(self, folder: Path) -> Path | None:
        """The noisy copy in the folder of a data set; None for noise that is made."""
        return folder / f"typo_{self.percent}.tsv" if self.kind == PUBLISHED else None


def read_noise(text: str) -> Noise:
    """The noise of a name.

    >>> read_noise("typo-70")
    Noise(kind='typo', percent=70)
    """
    found = re.fullmatch(r"([a-z]+)-(\d{1,3})", text)
    if found is None or not 1 <= int(found[2]) <= 100:
        raise InputError(f"Noise must read kind-percent, as in typo-70, from 1 to 100. Got {text!r} instead.")
    if found[1] not in KINDS:
        raise InputError(f"There is no noise {found[1]!r}: {did_you_mean(found[1], KINDS)}")
    return Noise(found[1], int(found[2]))


def noisy_copy(test: D, noise: Noise, folder: Path) -> D:
    """The test set with noise in it, made here or read from the set's folder; the same one every time."""
    path = noise.file(folder)
    if path is None:
        return ladder(test, FAMILIES[noise.kind], [noise.percent / 100])[0].data
    if not isinstance(test, Texts):
        raise InputError(f"{folder} holds tagged sentences; published noise is read for texts only.")
    copy: D = read_texts(path)  # type: ignore[assignment]  # D is Texts here
    changed_share(test, copy)
    return copy
