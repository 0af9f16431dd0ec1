"""The models of a service by name, and the tables that they are compared with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from threading import Lock
from types import SimpleNamespace

from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.models.load import load
from everyword.models.model import Model
from everyword.space.fuzzy import FuzzySpace
from everyword.web.tables import MOST_WORDS, Table

_BUILDING = Lock()


class ModelEntry:
    """A model, and what is made of its stored words when it is first needed."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.table = Table(model.name, lambda: model.known_words.first(MOST_WORDS), model.normalise)

    @property
    def feature_tuples(self) -> FuzzySpace:
        """The most frequent words as feature tuples, which operators join."""
        with _BUILDING:  # threads that ask at once need them once
            return self._feature_tuples

    @cached_property
    def _feature_tuples(self) -> FuzzySpace:
        model = self.model
        known = model.known_words.first(MOST_WORDS)
        return FuzzySpace(SimpleNamespace(known_words=known, encode=model.encode, normalise=model.normalise))

    def warm_up(self) -> None:
        """Build what the first request would have to wait for."""
        self.model.encode(["first", "xqzvwords"])
        self.model.nearest("first", 1)
        self.model.encode_texts("first xqzvwords")
        self.model.correct("first xqzvwords")


class ModelStore:
    """All models of a service, of which the first is the default, and the tables to compare them with.

    Args:
        models: Models with different names.
        tables: Tables with different names.

    Raises:
        InputError: If two models, or two tables, have the same name.
    """

    def __init__(self, models: Iterable[Model], tables: Iterable[Table] = ()) -> None:
        self.by_name: dict[str, ModelEntry] = {}
        self.tables: dict[str, Table] = {}
        for table in tables:
            if table.name in self.tables:
                raise InputError(f"Two of the tables are called {table.name!r}; serve one of them, or rename it.")
            self.tables[table.name] = table
        for model in models:
            if model.name in self.by_name:
                raise InputError(f"Two of the models are called {model.name!r}; serve one of them, or rename it.")
            self.by_name[model.name] = ModelEntry(model)

    @classmethod
    def load(cls, names: Iterable[str], tables: Iterable[str] = ()) -> ModelStore:
        """Load models and tables.

        Args:
            names: Names, folders or hub ids of models.
            tables: Vector files.
        """
        return cls(map(load, names), map(Table.load, tables))

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
