"""The registry: parts of everyword by name.

A saved model or a recipe names its parts ("pam-stacked.v1"), never an import path. This file is the table from
those names to the code; nothing is imported until it is asked for, so a look at the table costs nothing.
Changing the arithmetic behind a name means a new version of the name: `v1` stays loadable.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from everyword.errors import UnknownNameError, did_you_mean


class Registry:
    """Names of one kind of thing, each pointing to "module:attribute", imported on first use."""

    def __init__(self, kind: str, entries: dict[str, str]) -> None:
        self.kind = kind
        self._targets: dict[str, str] = {}
        for name, target in entries.items():
            self.add(name, target)

    def add(self, name: str, target: str) -> None:
        """Register `name`; a name can be taken only once."""
        if name in self._targets:
            raise ValueError(f"The {self.kind} {name!r} is registered already, as {self._targets[name]}.")
        if target.count(":") != 1:
            raise ValueError(f"The target of {name!r} must read 'module:attribute'. Got {target!r} instead.")
        self._targets[name] = target

    def get(self, name: str) -> Any:
        """Import what a name points to; suggest similar names if it is unknown."""
        if name not in self._targets:
            raise UnknownNameError(f"There is no {self.kind} {name!r}: {did_you_mean(name, self)}")
        module, attribute = self._targets[name].split(":")
        return getattr(importlib.import_module(module), attribute)

    def __contains__(self, name: object) -> bool:
        return name in self._targets

    def __iter__(self) -> Iterator[str]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)


corruptions = Registry(
    "corruption",
    {
        "swap": "everyword.text.corruption:swap",
        "drop": "everyword.text.corruption:drop",
        "insert": "everyword.text.corruption:insert",
        "keyboard": "everyword.text.corruption:keyboard",
        "ocr": "everyword.text.corruption:ocr",
    },
)

vector_formats = Registry(
    "vector format",
    {
        "word2vec": "everyword.vectors.formats.word2vec_text:FORMAT",
        "word2vec-binary": "everyword.vectors.formats.word2vec_binary:FORMAT",
        "glove": "everyword.vectors.formats.glove:FORMAT",
        "fasttext": "everyword.vectors.formats.fasttext:FORMAT",
        "npy": "everyword.vectors.formats.npy:FORMAT",
        "wink": "everyword.vectors.formats.wink:FORMAT",
        "compact": "everyword.vectors.formats.compact:FORMAT",
    },
)

space_steps = Registry(
    "post-processing step",
    {
        "centre.v1": "everyword.space.steps.centre:Centre",
        "unit-rows.v1": "everyword.space.steps.unit_rows:UnitRows",
        "whiten.v1": "everyword.space.steps.whiten:Whiten",
        "all-but-the-top.v1": "everyword.space.steps.all_but_the_top:AllButTheTop",
        "spectrum.v1": "everyword.space.steps.spectrum:Spectrum",
        "pca.v1": "everyword.space.steps.pca:Pca",
        "features.v1": "everyword.space.steps.features:Features",
        "components.v1": "everyword.space.steps.components:Components",
    },
)

table_storages = Registry(
    "way to store a table",
    {
        "float32.v1": "everyword.space.compression.storage:Float32",
        "float16.v1": "everyword.space.compression.storage:Float16",
        "int8.v1": "everyword.space.compression.storage:Int8",
        "int4.v1": "everyword.space.compression.storage:Int4",
        "pq.v1": "everyword.space.compression.storage:Codes",
        "prune.v1": "everyword.space.compression.storage:Pruned",
    },
)

mergers = Registry(
    "merger",
    {
        "concatenate.v1": "everyword.space.mergers.concatenate:Concatenate",
        "average.v1": "everyword.space.mergers.average:Average",
        "svd.v1": "everyword.space.mergers.svd:Svd",
        "geometric.v1": "everyword.space.mergers.geometric:Geometric",
    },
)

alignment_methods = Registry(
    "method of alignment",
    {
        "orthogonal.v1": "everyword.space.alignment.orthogonal:Orthogonal",
        "ridge.v1": "everyword.space.alignment.ridge:Ridge",
        "cca.v1": "everyword.space.alignment.whitened:Cca",
        "vecmap.v1": "everyword.space.alignment.whitened:VecMap",
    },
)

unit_vocabularies = Registry(
    "unit vocabulary",
    {
        "mixed.v1": "everyword.text.mixed:MixedUnits",
        "ngrams.v1": "everyword.text.ngrams:NgramUnits",
    },
)

unit_builders = Registry(
    "unit builder",
    {
        "mixed.v1": "everyword.text.vocabulary:build_units",
        "ngrams.v1": "everyword.text.ngrams:build_ngrams",
    },
)

forward_passes = Registry(
    "forward pass",
    {
        "pam-stacked.v1": "everyword.models.forward.pam:PamStackedPass",
        "pam-parallel.v1": "everyword.models.forward.pam:PamParallelPass",
        "pam-positional.v1": "everyword.models.forward.pam:PamPositionalPass",
        "self-attention.v1": "everyword.models.forward.pam:SelfAttentionPass",
        "cnn.v1": "everyword.models.forward.cnn:CnnPass",
        "char-bilstm.v1": "everyword.models.forward.char_bilstm:CharBiLstmPass",
        "transformer.v1": "everyword.models.forward.transformer:TransformerPass",
        "bos.v1": "everyword.models.forward.bag:BagOfSubstringsPass",
        "kvq.v1": "everyword.models.forward.kvq:KeyValueQueryPass",
        "dan.v1": "everyword.models.forward.bag:DeepAveragingPass",
    },
)

unknown_policies = Registry(
    "policy for unknown words",
    {
        "zero": "everyword.models.unknown:Zero",
        "mean": "everyword.models.unknown:Mean",
        "spelling": "everyword.models.unknown:NearestSpelling",
        "pieces": "everyword.models.unknown:MeanOfPieces",
    },
)

encoders = Registry(
    "encoder",
    {
        "pam-stacked.v1": "everyword.systems.spelling.encoders.pam_stacked:PamStacked",
        "pam-parallel.v1": "everyword.systems.spelling.encoders.pam_parallel:PamParallel",
        "pam-positional.v1": "everyword.systems.spelling.encoders.pam_parallel:PamPositional",
        "self-attention.v1": "everyword.systems.spelling.encoders.self_attention:SelfAttention",
        "cnn.v1": "everyword.systems.spelling.encoders.cnn:Cnn",
        "char-bilstm.v1": "everyword.systems.spelling.encoders.char_bilstm:CharBiLstm",
        "transformer.v1": "everyword.systems.spelling.encoders.transformer:Transformer",
        "bos.v1": "everyword.systems.spelling.encoders.bos:BagOfSubstrings",
        "kvq.v1": "everyword.systems.spelling.encoders.kvq:KeyValueQuery",
        "dan.v1": "everyword.systems.spelling.encoders.dan:DeepAveraging",
    },
)

losses = Registry(
    "loss",
    {
        "contrastive": "everyword.learning.losses:contrastive",
        "contrastive-one-sided": "everyword.learning.losses:contrastive_one_sided",
        "coco": "everyword.learning.losses:coco",
        "aam": "everyword.learning.losses:aam",
        "align-uniform": "everyword.learning.losses:align_uniform",
        "mse": "everyword.learning.losses:mse",
        "squared": "everyword.learning.losses:squared",
        "euclidean": "everyword.learning.losses:euclidean",
        "manhattan": "everyword.learning.losses:manhattan",
        "maximum": "everyword.learning.losses:maximum",
        "cosine": "everyword.learning.losses:cosine",
    },
)

classification_losses = Registry(
    "classification loss",
    {
        "cross-entropy": "everyword.learning.classification:CrossEntropy",
        "aam": "everyword.learning.metric_losses:AdditiveAngularMargin",
        "coco": "everyword.learning.metric_losses:CongenerousCosine",
        "triplet": "everyword.learning.metric_losses:SigmoidTriplet",
        "contrastive": "everyword.learning.metric_losses:Contrastive",
        "center": "everyword.learning.metric_losses:Center",
    },
)

word_objectives = Registry(
    "word objective",
    {
        "none": "everyword.learning.word_objectives:NoObjective",
        "tying": "everyword.learning.word_objectives:Tying",
        "mlm": "everyword.learning.word_objectives:MaskedWords",
    },
)

tasks = Registry(
    "task",
    {
        "similarity.v1": "everyword.evaluation.tasks.similarity:TASK",
        "typo-similarity.v1": "everyword.evaluation.robustness.typo_similarity:TASK",
        "clustering.v1": "everyword.evaluation.tasks.clustering:TASK",
        "analogy.v1": "everyword.evaluation.tasks.analogy:ANALOGY",
        "relation.v1": "everyword.evaluation.tasks.analogy:RELATION",
        "misspelling.v1": "everyword.evaluation.tasks.misspelling:TASK",
        "correction-confidence.v1": "everyword.evaluation.tasks.confidence:CORRECTIONS",
        "kinds.v1": "everyword.evaluation.tasks.kinds:TASK",
        "reading-confidence.v1": "everyword.evaluation.tasks.confidence:READINGS",
        "look-alikes.v1": "everyword.evaluation.tasks.look_alikes:TASK",
        "neighbour-spelling.v1": "everyword.evaluation.tasks.neighbour_spelling:TASK",
        "sisters.v1": "everyword.evaluation.tasks.sisters:TASK",
        "specificity.v1": "everyword.evaluation.tasks.specificity:TASK",
        "entailment-direction.v1": "everyword.evaluation.tasks.specificity:DIRECTION",
        "knn.v1": "everyword.evaluation.tasks.knn:TASK",
        "word-order.v1": "everyword.evaluation.tasks.word_order:TASK",
        "lexicon-induction.v1": "everyword.evaluation.tasks.lexicon_induction:TASK",
        "compounds.v1": "everyword.evaluation.tasks.compounds:TASK",
        "phrase-similarity.v1": "everyword.evaluation.tasks.phrases:TASK",
        "function-words.v1": "everyword.evaluation.tasks.function_words:TASK",
        "associations.v1": "everyword.evaluation.tasks.associations:TASK",
        "held-out.v1": "everyword.evaluation.tasks.held_out:TASK",
        "context-similarity.v1": "everyword.evaluation.tasks.rare_words:CONTEXT_SIMILARITY",
        "nonce.v1": "everyword.evaluation.tasks.rare_words:NONCE",
        "chimera.v1": "everyword.evaluation.tasks.rare_words:CHIMERA",
        "classification.v1": "everyword.evaluation.tasks.extrinsic.tasks:CLASSIFICATION",
        "tagging.v1": "everyword.evaluation.tasks.extrinsic.tasks:TAGGING",
        "pos.v1": "everyword.evaluation.tasks.extrinsic.tasks:PARTS_OF_SPEECH",
    },
)

probes = Registry(
    "probe",
    {
        "noun-kinds.v1": "everyword.evaluation.probes.word_properties:NOUN_KINDS",
        "word-frequency.v1": "everyword.evaluation.probes.word_properties:FREQUENCY",
        "parts-of-speech.v1": "everyword.evaluation.probes.parts_of_speech:PROBE",
        "tree-parent.v2": "everyword.evaluation.probes.tree_probes:PARENT",
        "tree-grandparent.v2": "everyword.evaluation.probes.tree_probes:GRANDPARENT",
        "tree-great-grandparent.v2": "everyword.evaluation.probes.tree_probes:GREAT_GRANDPARENT",
        "span-constituents.v2": "everyword.evaluation.probes.span_probes:CONSTITUENTS",
        "span-entities.v1": "everyword.evaluation.probes.span_probes:ENTITIES",
        "span-coreference.v1": "everyword.evaluation.probes.span_probes:COREFERENCE",
        "span-roles.v1": "everyword.evaluation.probes.span_probes:SEMANTIC_ROLES",
        "linguistic-profile.v1": "everyword.evaluation.probes.linguistic:PROBE",
        "word-codes.v1": "everyword.evaluation.probes.word_codes:PROBE",
        "word-identity.v2": "everyword.evaluation.probes.identity_probe:PROBE",
        "cloze.v1": "everyword.evaluation.probes.cloze.question:PROBE",
        "polarity.v1": "everyword.evaluation.probes.compositionality:POLARITY",
        "tree-reconstruction.v1": "everyword.evaluation.probes.compositionality:RECONSTRUCTION",
        "names.v1": "everyword.evaluation.robustness.name_probe:PROBE",
    },
)

ALL = (
    corruptions,
    vector_formats,
    space_steps,
    table_storages,
    mergers,
    alignment_methods,
    unit_vocabularies,
    unit_builders,
    forward_passes,
    unknown_policies,
    encoders,
    losses,
    classification_losses,
    word_objectives,
    tasks,
    probes,
)
