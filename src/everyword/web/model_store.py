"""The models of a service by name, and the baselines that they are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from threading import Lock
from types import SimpleNamespace

from everyword.arrays import FloatArray
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.models.load import load
from everyword.models.model import Model
from everyword.models.unknown import stored_or
from everyword.space.fuzzy import FuzzySpace

Vectors = Callable[[Sequence[str]], FloatArray]
BASELINES = {"spelling": "spelling", "pieces": "pieces", "lookup": "zero"}
"""What the page calls a baseline, and the registered policy for unknown words behind it."""
BASELINE_WORDS = 100_000
"""The baselines know this many of the most frequent words: indexes of more would keep the first visitor waiting."""

_BUILDING = Lock()


class ModelEntry:
    """A model, and its baselines, which are built when first needed."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def baselines(self) -> dict[str, Vectors]:
        """Policies for unknown words that need no training, by name."""
        with _BUILDING:  # threads that ask at once need their indexes once
            return self._baselines

    @cached_property
    def _baselines(self) -> dict[str, Vectors]:
        known, normalise = self.model.known_words.first(BASELINE_WORDS), self.model.normalise
        return {name: stored_or(policy, known, normalise) for name, policy in BASELINES.items()}

    @property
    def feature_tuples(self) -> FuzzySpace:
        """The most frequent words as feature tuples, which operators join."""
        with _BUILDING:
            return self._feature_tuples

    @cached_property
    def _feature_tuples(self) -> FuzzySpace:
        model = self.model
        known = model.known_words.first(BASELINE_WORDS)
        return FuzzySpace(SimpleNamespace(known_words=known, encode=model.encode, normalise=model.normalise))

    def warm_up(self) -> None:
        """Build what the first request would have to wait for."""
        self.model.encode(["first", "xqzvwords"])
        self.model.nearest("first", 1)
        self.model.encode_texts("first xqzvwords")
        self.model.correct("first xqzvwords")


class ModelStore:
    """All models of a service; the first is the default.

    Args:
        models: Models with different names.

    Raises:
        InputError: If two models have the same name.
    """

    def __init__(self, models: Iterable[Model]) -> None:
        self.by_name: dict[str, ModelEntry] = {}
        for model in models:
            if model.name in self.by_name:
                raise InputError(f"Two of the models are called {model.name!r}; serve one of them, or rename it.")
            self.by_name[model.name] = ModelEntry(model)

    @classmethod
    def load(cls, names: Iterable[str]) -> ModelStore:
        """Load models.

        Args:
            names: Names, folders or hub ids.
        """
        return cls(map(load, names))

    def get(self, name: str | None) -> ModelEntry:
        """Return a model by name; None is the default one."""
        if name is None:
            return next(iter(self.by_name.values()))
        if name not in self.by_name:
            raise UnknownNameError(f"No model {name!r} is served here: {did_you_mean(name, self.by_name)}")
        return self.by_name[name]

    def warm_up(self) -> None:
        """Build what first requests would have to wait for, in all models."""
        for entry in self.by_name.values():
            entry.warm_up()
