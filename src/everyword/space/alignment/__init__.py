"""Alignment: maps of two vector spaces into one, from translations or without any.

Read in order: `pairs` (dictionaries and seeds), the methods (`base`, `orthogonal`, `ridge`, `whitened`), `record` (what
is saved and applied to later words), `retrieval` (nearest neighbours and CSLS), `induction`, `self_learning` and
`unsupervised` (larger dictionaries, or none to begin with), `powers` (of the spectra), `aligning` (all in one call).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.space.alignment.aligning import align
    from everyword.space.alignment.orthogonal import Orthogonal
    from everyword.space.alignment.pairs import read_dictionary
    from everyword.space.alignment.record import Alignment
    from everyword.space.alignment.ridge import Ridge
    from everyword.space.alignment.self_learning import SelfLearning
    from everyword.space.alignment.whitened import Cca, VecMap
    from everyword.space.record import load_alignment

__all__ = [
    "Alignment",
    "Cca",
    "Orthogonal",
    "Ridge",
    "SelfLearning",
    "VecMap",
    "align",
    "load_alignment",
    "read_dictionary",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Alignment": "everyword.space.alignment.record",
        "Cca": "everyword.space.alignment.whitened",
        "Orthogonal": "everyword.space.alignment.orthogonal",
        "Ridge": "everyword.space.alignment.ridge",
        "SelfLearning": "everyword.space.alignment.self_learning",
        "VecMap": "everyword.space.alignment.whitened",
        "align": "everyword.space.alignment.aligning",
        "load_alignment": "everyword.space.record",
        "read_dictionary": "everyword.space.alignment.pairs",
    },
)
