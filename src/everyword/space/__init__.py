"""Transforms of vector spaces: post-process a table, merge several or align two; fitted, saved, applied to later words.

Read in order: `rows` and `moments` (statistics of many rows), `steps/` in a `pipeline`, `mergers/` and `filling` in
`merging` with its `merge_record`, `notation` (steps as text), `record` (saved folders), `linear_map`, `change`,
`principal` (components of a table), `compression/` (fewer bytes), `projection`, `context_family` and `alpha` (vectors
from pairs of word and context vectors); the package `alignment`; `divergences`, `scorer`, `expression`,
`feature_tuple` and `fuzzy` (words as fuzzy sets of features); `combination` (several vectors of a word as a network has
learnt to combine them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.space.alignment.aligning import align
    from everyword.space.alignment.record import Alignment
    from everyword.space.alpha import AlphaRecord, AlphaVectors, LimitVectors, alpha_vectors
    from everyword.space.change import neighbour_overlap
    from everyword.space.feature_tuple import FeatureTuple
    from everyword.space.fuzzy import FuzzySpace
    from everyword.space.merge_record import MergeRecord
    from everyword.space.mergers.average import Average
    from everyword.space.mergers.concatenate import Concatenate
    from everyword.space.mergers.geometric import Geometric
    from everyword.space.mergers.svd import Svd
    from everyword.space.merging import merge
    from everyword.space.pipeline import Pipeline, postprocess
    from everyword.space.principal import PrincipalSpace
    from everyword.space.record import load_record
    from everyword.space.steps.all_but_the_top import AllButTheTop
    from everyword.space.steps.centre import Centre
    from everyword.space.steps.components import Components
    from everyword.space.steps.features import Features
    from everyword.space.steps.pca import Pca
    from everyword.space.steps.spectrum import Spectrum
    from everyword.space.steps.unit_rows import UnitRows
    from everyword.space.steps.whiten import Whiten

__all__ = [
    "Alignment",
    "AllButTheTop",
    "AlphaRecord",
    "AlphaVectors",
    "Average",
    "Centre",
    "Components",
    "Concatenate",
    "FeatureTuple",
    "Features",
    "FuzzySpace",
    "Geometric",
    "LimitVectors",
    "MergeRecord",
    "Pca",
    "Pipeline",
    "PrincipalSpace",
    "Spectrum",
    "Svd",
    "UnitRows",
    "Whiten",
    "align",
    "alpha_vectors",
    "load_record",
    "merge",
    "neighbour_overlap",
    "postprocess",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Alignment": "everyword.space.alignment.record",
        "AllButTheTop": "everyword.space.steps.all_but_the_top",
        "AlphaRecord": "everyword.space.alpha",
        "AlphaVectors": "everyword.space.alpha",
        "Average": "everyword.space.mergers.average",
        "Centre": "everyword.space.steps.centre",
        "Components": "everyword.space.steps.components",
        "Concatenate": "everyword.space.mergers.concatenate",
        "FeatureTuple": "everyword.space.feature_tuple",
        "Features": "everyword.space.steps.features",
        "FuzzySpace": "everyword.space.fuzzy",
        "Geometric": "everyword.space.mergers.geometric",
        "LimitVectors": "everyword.space.alpha",
        "MergeRecord": "everyword.space.merge_record",
        "Pca": "everyword.space.steps.pca",
        "Pipeline": "everyword.space.pipeline",
        "PrincipalSpace": "everyword.space.principal",
        "Spectrum": "everyword.space.steps.spectrum",
        "Svd": "everyword.space.mergers.svd",
        "UnitRows": "everyword.space.steps.unit_rows",
        "Whiten": "everyword.space.steps.whiten",
        "align": "everyword.space.alignment.aligning",
        "alpha_vectors": "everyword.space.alpha",
        "load_record": "everyword.space.record",
        "merge": "everyword.space.merging",
        "neighbour_overlap": "everyword.space.change",
        "postprocess": "everyword.space.pipeline",
    },
)
