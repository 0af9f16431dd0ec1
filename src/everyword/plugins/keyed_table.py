"""A table of words in front of a model, with the attributes of gensim's `KeyedVectors`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from everyword.arrays import AnyArray, FloatArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import read_object
from everyword.models.load import load
from everyword.models.model import Model
from everyword.plugins.inputs import given_model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Table = TypeVar("Table", bound="KeyedTable")
TABLE = "keyed_vectors.json"
"""The file of a saved folder that lists the words of a table other than the model's, and their attributes."""
MOST_BYTES = 1 << 30
"""Of that file."""


class KeyedTable:
    """The words of a table, their vectors and attributes; words outside get the model's vectors."""

    def __init__(self, model: Model | str | Path | None = None, words: Iterable[str] | None = None) -> None:
        self.model = given_model(model)
        self._listed = None if words is None else self.model.vectors_for(words)
        source = self.model.known_words if self._listed is None else self._listed
        self.index_to_key: list[str] = list(source.words)
        self.key_to_index: dict[str, int] = {word: row for row, word in enumerate(self.index_to_key)}
        self.expandos: dict[str, AnyArray] = {}
        """Attributes of words, such as counts, by name: see `set_vecattr`."""

    @cached_property
    def vectors(self) -> FloatArray:
        """One row for each word of the table, as floats; made on first use, because a model stores them packed."""
        if self._listed is not None:
            return self._listed.matrix
        return self.model.known_words.matrix.floats(slice(None))

    @cached_property
    def norms(self) -> FloatArray:
        """The length of each row."""
        lengths: FloatArray = np.linalg.norm(self.vectors, axis=1)
        return lengths

    def fill_norms(self, force: bool = False) -> None:
        """Compute `norms` now instead of on first use; with `force`, once more."""
        if force:
            self.__dict__.pop("norms", None)
        _ = self.norms

    @property
    def vector_size(self) -> int:
        """The dimension of the vectors."""
        return self.model.dim

    def __len__(self) -> int:
        return len(self.index_to_key)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model.name!r}, vector_size={self.vector_size}, {len(self):,} keys)"

    if not TYPE_CHECKING:  # or every attribute would seem to exist

        def __getattr__(self, name: str) -> Any:
            hint = "its vectors come from a model and do not change; to_keyed_vectors makes a gensim table that can"
            raise AttributeError(f"{type(self).__name__} has no {name!r}: {hint}.", name=name, obj=self)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.row(key) is not None

    def has_index_for(self, key: str) -> bool:
        """Return whether the word is in the table."""
        return key in self

    def row(self, word: str) -> int | None:
        """Return the row of a word in the table, or None."""
        # A list given by the caller keeps its spelling; a model's own words are found under any that means them.
        row = self.key_to_index.get(word)
        return self.key_to_index.get(self.model.normalise(word)) if row is None else row

    def get_index(self, key: str, default: int | None = None) -> int:
        """Return the row of a word in the table, or the default; without one, an unknown word is a `KeyError`."""
        row = self.row(key)
        if row is None and default is None:
            raise KeyError(f"The word {key!r} is not in the table.")
        return default if row is None else row  # type: ignore[return-value]

    def __getitem__(self, key_or_keys: str | Iterable[str]) -> FloatArray:
        if isinstance(key_or_keys, int | np.integer):
            raise InputError(f"Keys are words, not numbers; write vectors[vectors.index_to_key[{key_or_keys}]].")
        return self.model.encode(key_or_keys)

    def get_vector(self, key: str, norm: bool = False) -> FloatArray:
        """Return the vector of any word; with `norm`, of length 1."""
        vector = self.model[key]
        return direction(vector) if norm else vector

    def set_vecattr(self, key: str, attr: str, val: Any) -> None:
        """Set an attribute of a word of the table, such as its count."""
        kind = np.array(val).dtype
        values = self.expandos.setdefault(attr, np.zeros(len(self), dtype=object if kind.kind == "U" else kind))
        values[self.get_index(key)] = val

    def get_vecattr(self, key: str, attr: str) -> Any:
        """Return an attribute of a word of the table; one that was never set is a `KeyError`."""
        return self.expandos[attr][self.get_index(key)]

    def save(self, fname: str | Path) -> None:
        """Save the model, the words of the table and their attributes to a folder, without pickle."""
        (Path(fname) / TABLE).unlink(missing_ok=True)
        self.model.save_pretrained(fname)
        words = None if self._listed is None else self.index_to_key
        attributes = {name: values.tolist() for name, values in self.expandos.items()}
        try:
            text = json.dumps({"words": words, "attributes": attributes}, ensure_ascii=False)
        except TypeError as error:
            raise InputError(f"Attributes of words must be numbers or texts to be saved: {error}.") from None
        write_atomic(Path(fname) / TABLE, text + "\n")

    @classmethod
    def load(cls: type[Table], fname: str | Path, mmap: str | None = None) -> Table:
        """Load what `save` wrote, or any saved model; `mmap` is accepted as in gensim and changes nothing."""
        model, path = load(fname), Path(fname) / TABLE
        if not path.is_file():
            return cls(model)
        try:
            kept = read_object(path, MOST_BYTES)
            table = cls(model, kept["words"])
            for name, values in kept["attributes"].items():
                texts = any(isinstance(value, str) for value in values)
                table.expandos[name] = np.array(values, dtype=object if texts else None).reshape(len(table))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path} is damaged ({error}); save the vectors again.") from None
        return table

    def save_word2vec_format(self, fname: str | Path, binary: bool = False) -> None:
        """Write the table as word2vec text or binary."""
        table = VectorTable.from_checked(self.index_to_key, self.vectors)
        table.save(fname, format="word2vec-binary" if binary else "word2vec")

    @cached_property
    def shares_of_length(self) -> FloatArray:
        """One over the length of each row; 0 for a zero vector."""
        shares: FloatArray = np.divide(1, self.norms, out=np.zeros_like(self.norms), where=self.norms > 0)
        return shares


def direction(vector: FloatArray) -> FloatArray:
    """Return the vector at length 1; zero stays zero."""
    unit: FloatArray = unit_rows(vector[None, :])[0]
    return unit
