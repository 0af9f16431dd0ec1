"""spaCy: a vector for every token, chosen by `[nlp.vectors]` in a pipeline's configuration (the extra `spacy`).

spaCy finds the registered name by an entry point and imports this file when a configuration asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from everyword.arrays import AnyArray
from everyword.errors import EverywordError, InputError
from everyword.extras import require
from everyword.models import layout
from everyword.models.model import Model
from everyword.models.read import read_model
from everyword.plugins.inputs import given_model

REGISTERED = "everyword.EverywordVectors.v1"
FOLDER = "everyword"
"""Where a saved pipeline keeps its model, inside the folder of the vocabulary."""
FILES = (layout.TENSORS, layout.UNITS, layout.WORDS, layout.CARD, layout.CONFIG)

spacy: Any = require("spacy", "EverywordVectors")
thinc: Any = require("thinc.api", "EverywordVectors")


class EverywordVectors(spacy.vectors.BaseVectors):  # type: ignore[misc]
    """The vectors of a spaCy vocabulary, stored or made from spelling by a model.

    A key is a word or its hash in the string store. Every word has a vector but those of which nothing is known.
    """

    def __init__(
        self, *, strings: Any = None, model: Model | str | Path | None = None, name: str | None = None
    ) -> None:
        self.strings = spacy.strings.StringStore() if strings is None else strings
        self.name = name
        self.mode = "everyword"
        self.attr = spacy.attrs.ORTH
        self._given = model
        self._ops = thinc.get_current_ops()

    @cached_property
    def model(self) -> Model:
        """The model, loaded on first use: a saved pipeline brings its own, and needs none of the name it began with."""
        return given_model(self._given)

    @property
    def shape(self) -> tuple[int, int]:
        """Words that are stored, and the length of a vector; (0, 0) if there is no model.

        spaCy asks for it before it hands over the model that a pipeline was saved with, wherever the named one may be
        by then. Every other use of a model that is not there says so.
        """
        try:
            return len(self.model.known_words), self.model.dim
        except EverywordError:
            return 0, 0

    @property
    def vectors_length(self) -> int:
        """Length of a vector."""
        return self.model.dim

    @property
    def size(self) -> int:
        """How many numbers there are; never 0, which would tell spaCy that no word has a vector."""
        return max(1, len(self)) * self.vectors_length

    @property
    def n_keys(self) -> int:
        """-1, spaCy's sign for a table without a fixed list of keys."""
        return -1

    @property
    def is_full(self) -> bool:
        """Always: nothing can be added."""
        return True

    @property
    def data(self) -> AnyArray:
        """No rows: spaCy asks only on which device they would be."""
        rows: AnyArray = self._ops.alloc2f(0, self.vectors_length)
        return rows

    def __len__(self) -> int:
        return self.shape[0]

    def __contains__(self, key: int | str) -> bool:
        if not isinstance(key, str) and key not in self.strings:
            return False
        spelt = self.model.normalise(self._word(key))
        return self.model.known(spelt) or self.model.imputer.units.usable(spelt)

    def __getitem__(self, key: int | str) -> AnyArray:
        vector: AnyArray = self._ops.asarray(self.model[self._word(key)])
        return vector

    def get_batch(self, keys: Sequence[int | str]) -> AnyArray:
        """One row for each key."""
        words = [self._word(key) for key in keys]
        row_of = {word: row for row, word in enumerate(dict.fromkeys(words))}
        vectors = self.model.encode(row_of)  # each word once: texts repeat themselves
        rows: AnyArray = self._ops.asarray(vectors[[row_of[word] for word in words]])
        return rows

    def _word(self, key: int | str) -> str:
        word: str = key if isinstance(key, str) else self.strings[int(key)]
        return word

    def add(self, key: int | str, *, vector: AnyArray | None = None, row: int | None = None) -> int:
        """Refused: a model's vectors do not change."""
        raise InputError("A vector cannot be added to everyword's: they come from a model, which does not change.")

    def to_ops(self, ops: Any) -> None:
        """From now on, hand vectors over on this device."""
        self._ops = ops

    def to_disk(self, path: str | Path, **kwargs: Any) -> None:
        """Save the model beside the vocabulary."""
        self.model.save_pretrained(Path(path) / FOLDER)

    def from_disk(self, path: str | Path, **kwargs: Any) -> EverywordVectors:
        """Take the model that was saved beside the vocabulary; without one, keep the model that was named."""
        home = Path(path) / FOLDER
        if home.is_dir():  # a pipeline saved with other vectors may be loaded with these
            self.model = read_model(home)
        return self

    def to_bytes(self, **kwargs: Any) -> bytes:
        """The files of the saved model."""
        with TemporaryDirectory() as folder:
            self.to_disk(folder)
            content = {name: (Path(folder) / FOLDER / name).read_bytes for name in FILES}
            packed: bytes = spacy.util.to_bytes(content, exclude=[])
        return packed

    def from_bytes(self, data: bytes, **kwargs: Any) -> EverywordVectors:
        """Take the model whose files these are."""
        with TemporaryDirectory() as folder:
            home = Path(folder) / FOLDER
            home.mkdir()
            spacy.util.from_bytes(data, {name: (home / name).write_bytes for name in FILES}, exclude=[])
            return self.from_disk(folder)


def create_everyword_vectors(model: str | None = None) -> Callable[[Any], EverywordVectors]:
    """What `[nlp.vectors]` calls: `model` is a name or a folder, as for `everyword.load`."""

    def vectors_of(vocab: Any) -> EverywordVectors:
        return EverywordVectors(strings=vocab.strings, model=model)

    return vectors_of


def _source(token: Any) -> str | None:
    """known, retrieved, inferred or none; None where the vectors are not everyword's."""
    vectors = token.vocab.vectors
    return vectors.model.source(token.text).value if isinstance(vectors, EverywordVectors) else None


spacy.util.registry.vectors.register(REGISTERED, func=create_everyword_vectors)
spacy.tokens.Token.set_extension("everyword_source", getter=_source, force=True)
