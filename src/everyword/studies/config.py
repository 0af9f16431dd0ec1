"""Studies as data: a published table, what the paper claims about it, and how its rows are made again.

Every study has a name, a title, a source, columns, variants (the rows) with the paper's numbers, claims and cautions.
Its `kind` says what the variants are: models that are trained on word vectors, sources of vectors for the rare words
of a language model, tables of vectors that commands of everyword make, measures of texts, poolings of spans, profiles
of sentences, labels above words in trees, vectors from pairs of word and context vectors, sources of vectors in other
languages, alignments of tables, ways to bring languages together, changes of a space, measures of feature tuples,
sizes of resources, terms of adversarial training, ways to prune an encoder, losses of
classifiers, or ways to learn inference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from everyword import config
from everyword.config import AtLeast, Count, NonNegative, Positive
from everyword.errors import ConfigError, UnknownNameError, did_you_mean
from everyword.evaluation.benchmark import known_tasks
from everyword.evaluation.tasks.extrinsic.inputs import Input
from everyword.registry import Registry
from everyword.studies.benchmarks import base_of, is_network, known_benchmarks, known_policies, name_problems
from everyword.studies.claims import MEAN
from everyword.systems.spelling.recipe import shipped_recipes

Size = Literal["small", "full"]


@dataclass(frozen=True)
class Variant:
    """One row of a published table."""

    label: str
    paper: dict[str, float] = field(default_factory=dict)
    """The paper's numbers by column, in percent."""

    @property
    def folder(self) -> str:
        """The label as the name of a folder."""
        return re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")

    def problems(self) -> Iterator[str]:
        if not self.folder:
            yield f"the label must hold a letter or a digit. Got {self.label!r} instead"


@dataclass(frozen=True)
class Claim:
    """One variant is better than others in a column."""

    text: str
    better: str
    than: tuple[str, ...]
    on: str
    within: NonNegative = 0.0
    """How many points the first may be behind and still count as good."""

    def problems(self) -> Iterator[str]:
        if not self.than:
            yield "than must name at least one variant"
        if self.better in self.than:
            yield f"{self.better!r} cannot be better than itself"


@dataclass(frozen=True, kw_only=True)
class Study:
    """A published table: its rows, its columns and what the paper claims about it."""

    SEEDS_ARE: ClassVar[str] = ""
    """What `seeds` counts, where it is not whole runs."""
    kind: str
    name: str
    title: str
    source: str
    """Paper and table."""
    columns: tuple[str, ...]
    variants: tuple[Variant, ...]
    claims: tuple[Claim, ...] = ()
    cautions: tuple[str, ...] = ()
    """What a reader of the table must know."""
    seeds: Count = 1
    """How many times each row is made. A verdict needs three, where anything is drawn or trained."""
    margin: NonNegative = 0.5
    """A difference up to this is too close to tell."""

    @property
    def policy(self) -> str:
        """What a word without a vector gets."""
        return "zero"

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made; None where nothing is drawn or trained, so that all runs are equal."""
        return self.seeds

    @property
    def is_drawn(self) -> bool:
        """Whether there is chance in any of its scores, so that several seeds make a difference."""
        return any(self.runs(variant, column) is not None for variant in self.variants for column in self.benchmarks)

    def settings_of(self, size: Size) -> tuple[str, ...]:
        """Return what the study sets at a size, as KEY=VALUE."""
        given = getattr(self, size, ())
        if is_dataclass(given):
            return tuple(f"{key}={value}" for key, value in config.to_dict(given).items())
        return tuple(given)

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The columns without their mean."""
        return tuple(name for name in self.columns if name != MEAN)

    @property
    def digits(self) -> int:
        """How many decimals its differences need."""
        return 1 if self.margin >= 0.5 else 2

    def problems(self) -> Iterator[str]:
        if not re.fullmatch(r"[\w.-]+", self.name):
            yield f"the name must consist of letters, digits and hyphens. Got {self.name!r} instead"
        if not self.columns or not self.variants:
            yield "there must be at least one column and one variant"
        labels, folders = ([getattr(row, key) for row in self.variants] for key in ("label", "folder"))
        yield from (f"two variants share the folder {one!r}" for one in sorted(set(folders)) if folders.count(one) > 1)
        used = [*(name for variant in self.variants for name in variant.paper), *(claim.on for claim in self.claims)]
        yield from (f"{name!r} is not one of its columns" for name in dict.fromkeys(used) if name not in self.columns)
        for claim in self.claims:
            for label in (claim.better, *claim.than):
                if label not in labels:
                    yield f"the claim {claim.text!r} names the variant {label!r}: {did_you_mean(label, labels)}"


@dataclass(frozen=True)
class ModelVariant(Variant):
    """A row about a model that is trained on word vectors."""

    recipe: str | None = None
    """A recipe other than the study's."""
    overrides: tuple[str, ...] = ()
    """Overrides that define this variant."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of this variant that depend on the size."""
    teacher: bool = False
    """Score the teacher's own table; nothing is trained."""
    model: str = ""
    """Score a saved model of this name or folder; nothing is trained."""
    policy: str | None = None
    """A policy other than the study's; for the teacher zero (the default), spelling, mean or pieces."""
    input: Input = "frozen"
    """What a tagger reads of a word. Its characters are read by the variant's encoder, or by a fresh one."""
    continues: str | None = None
    """An earlier variant whose training this one carries on: the two differ in the number of epochs only."""

    @property
    def is_trained(self) -> bool:
        """Whether a model is trained for it."""
        return not (self.teacher or self.model)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if not self.is_trained and (self.recipe or self.overrides or self.small or self.full):
            yield f"{self.label!r} is not trained, so it takes neither recipe nor overrides"
        if self.teacher and self.model:
            yield f"{self.label!r} cannot be both the teacher and the model {self.model!r}"
        if self.policy is not None and self.policy not in (policies := known_policies(self.teacher)):
            yield f"{self.label!r} has the policy {self.policy!r}: {did_you_mean(self.policy, policies)}"
        if self.recipe is not None:
            yield from unknown_names("recipe", [self.recipe], shipped_recipes())


@dataclass(frozen=True)
class NetworksConfig:
    """How networks are trained on the vectors; what is not given is as the task has it."""

    items: Annotated[int, AtLeast(2)] | None = None
    """How many items train and dev are cut to; test is always whole."""
    epochs: dict[str, Count] = field(default_factory=dict)
    """By task, as in { tagging = 10 }."""
    batch: dict[str, Count] = field(default_factory=dict)
    """How many items are learnt from at once, by task."""
    rates: tuple[Positive, ...] = ()
    """Learning rates, of which dev chooses one."""

    def problems(self) -> Iterator[str]:
        networks = sorted({task.name for task in known_tasks() if task.slow})
        for name, given in (("epochs", self.epochs), ("batch", self.batch)):
            for task in given:
                if task not in networks:
                    yield f"{name} is given for {task!r}: {did_you_mean(task, networks)}"


@dataclass(frozen=True)
class NetworkSizes:
    """The networks of a study at its two sizes."""

    small: NetworksConfig = field(default_factory=NetworksConfig)
    full: NetworksConfig = field(default_factory=NetworksConfig)


@dataclass(frozen=True, kw_only=True)
class ModelStudy(Study):
    """A table about models that are trained on word vectors.

    Its columns are tasks on data sets, such as similarity/rareword, tagging/bc2gm@typo-70 (under noise) and
    analogy/msr#3cosmul, perhaps with their mean. A seed is that of a model and of the networks on its vectors.
    """

    kind: Literal["models"] = "models"
    recipe: str
    variants: tuple[ModelVariant, ...]
    small: tuple[str, ...] = ()
    """Overrides for a size that two cores finish in well under an hour."""
    full: tuple[str, ...] = ()
    """Overrides for the paper's size."""
    networks: NetworkSizes = field(default_factory=NetworkSizes)
    policy: Literal["infer", "encode"] = "infer"
    neighbours: tuple[str, ...] = ()
    """Words whose nearest stored words are listed beside the table, by the first seed of every variant."""

    @staticmethod
    def arrange(values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read an older file, which has columns as `pieces` and the mean as `mean = true`."""
        if "pieces" not in values:
            return values
        others, columns = dict(values), values["pieces"]
        del others["pieces"]
        if others.pop("mean", False) and isinstance(columns, list):
            columns = [*columns, MEAN]
        return {**others, "columns": columns}

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: given vectors are scored once, unless networks learn from them."""
        names = self.benchmarks if column == MEAN else (column,)
        is_given = isinstance(variant, ModelVariant) and not variant.is_trained
        return None if is_given and not any(map(is_network, names)) else self.seeds

    def first_of(self, variant: ModelVariant) -> ModelVariant:
        """Return the variant with which the training of a variant begins: itself, unless it continues another."""
        before = [one for one in self.variants if one.label == variant.continues]
        return self.first_of(before[0]) if before else variant

    @property
    def trains_networks(self) -> bool:
        """Whether networks are trained on the vectors."""
        return not known_benchmarks(slow=True).isdisjoint(map(base_of, self.benchmarks))

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from unknown_names("recipe", [self.recipe], shipped_recipes())
        yield from unknown_names("benchmark", map(base_of, self.benchmarks), known_benchmarks())
        if not self.trains_networks:
            if any(variant.input != "frozen" for variant in self.variants):
                yield "input is for studies that train taggers"
            if self.networks != NetworkSizes():
                yield "networks are set, but none of its benchmarks trains one"
        for name in self.benchmarks:
            yield from name_problems(name)
        for position, variant in enumerate(self.variants):
            if variant.continues and variant.continues not in [one.label for one in self.variants[:position]]:
                yield f"{variant.label!r} continues {variant.continues!r}, which is not a variant before it"


KINDS = Registry(
    "kind of study",
    {
        "models": "everyword.studies.config:ModelStudy",
        "rare-words": "everyword.studies.kinds.rare_words.study:RareWordStudy",
        "tables": "everyword.studies.kinds.tables.study:TableStudy",
        "texts": "everyword.studies.kinds.texts:TextStudy",
        "spans": "everyword.studies.kinds.spans:SpanStudy",
        "trees": "everyword.studies.kinds.trees.study:TreeStudy",
        "profiles": "everyword.studies.kinds.profiles:ProfileStudy",
        "pairs": "everyword.studies.kinds.pairs.study:PairStudy",
        "languages": "everyword.studies.kinds.languages.study:LanguageStudy",
        "lexicons": "everyword.studies.kinds.lexicons:LexiconStudy",
        "transfer": "everyword.studies.kinds.transfer:TransferStudy",
        "spaces": "everyword.studies.kinds.spaces.study:SpaceStudy",
        "features": "everyword.studies.kinds.features:FeatureStudy",
        "resources": "everyword.studies.kinds.resources:ResourceStudy",
        "codes": "everyword.studies.kinds.codes:CodeStudy",
        "attention": "everyword.studies.kinds.attention.study:AttentionStudy",
        "attributes": "everyword.studies.kinds.attributes.study:AttributeStudy",
        "compositionality": "everyword.studies.kinds.compositionality.study:CompositionStudy",
        "names": "everyword.studies.kinds.names:NameStudy",
        "adversarial": "everyword.studies.kinds.adversarial.study:AdversarialStudy",
        "pruning": "everyword.studies.kinds.pruning:PrunedStudy",
        "metric": "everyword.studies.kinds.metric.study:MetricStudy",
        "inference": "everyword.studies.kinds.inference:InferenceStudy",
        "taggers": "everyword.studies.kinds.taggers:TaggerStudy",
        "distillation": "everyword.studies.kinds.distillation.study:DistillationStudy",
        "encoders": "everyword.studies.kinds.encoders.study:EncoderStudy",
    },
)


def unknown_names(what: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """Yield a problem for each name that is not known."""
    known = list(known)
    for name in dict.fromkeys(names):
        if name not in known:
            yield f"there is no {what} {name!r}: {did_you_mean(name, known)}"


def published_studies(kind: str | None = None) -> dict[str, Path]:
    """Return the files of the studies inside the package by name: all of them, or those of one kind."""
    folder = Path(str(files("everyword") / "studies" / "published"))
    kinds = KINDS if kind is None else (kind,)
    return {path.stem: path for one in kinds for path in sorted((folder / one).glob("*.toml"))}


def kind_of(path: Path) -> str:
    """Return the kind of the study in a file, such as "models", "rare-words" or "tables"."""
    values = config.read_toml(path)
    # Files from before studies had a kind are about models, unless they say how rare words are judged.
    kind = str(values.get("kind", "rare-words" if "judged_by" in values else "models"))
    if kind not in KINDS:
        raise ConfigError(f"There is no kind of study {kind!r}: {did_you_mean(kind, KINDS)}")
    return kind


def study_class(kind: str) -> type[Study]:
    """Return the class of a kind of study."""
    found: type[Study] = KINDS.get(kind)
    return found


def load_study(name: str) -> Study:
    """Load a study.

    Args:
        name: The name of a published study, or the path of a .toml file.

    Raises:
        UnknownNameError: If there is no such study.
        ConfigError: If the file has mistakes; all of them are named.
    """
    published = published_studies()
    if name not in published and Path(name).suffix != ".toml":
        raise UnknownNameError(
            f"There is no study {name!r}: {did_you_mean(name, published)} The name of a file must end in .toml."
        )
    path = published.get(name, Path(name))
    try:
        return config.build(study_class(kind_of(path)), config.read_toml(path), "the study")
    except ConfigError as error:
        raise ConfigError(f"The study {name} cannot be used. {error}") from None
