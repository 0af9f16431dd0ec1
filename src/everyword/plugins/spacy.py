"""spaCy: a vector for every token, chosen by `[nlp.vectors]` in a pipeline's configuration (the extra `spacy`).

spaCy finds the registered name by an entry point and imports this file when a configuration asks for it. Tokens then
have `token._.everyword_source` (such as known or retrieved) and `token._.everyword_confidence` (the cosine to
the true vector to be expected), and a doc has `doc._.everyword_vector`, the vector of its text; all are None where the
vectors are not everyword's. The component "everyword_doc_vectors" makes the vector of its text a doc's `vector`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from everyword.arrays import AnyArray
from everyword.errors import EverywordError, InputError
from everyword.extras import require
from everyword.models.explanation import Explanation, Source
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.models.saved.read import read_model
from everyword.plugins.inputs import given_model

REGISTERED = "everyword.EverywordVectors.v1"
DOC_VECTORS = "everyword_doc_vectors"
BATCH = 256
FOLDER = "everyword"
"""Where a saved pipeline keeps its model, inside the folder of the vocabulary."""
OF_MODEL = (layout.TENSORS, layout.UNITS, layout.WORDS, layout.CARD, layout.CONFIG, *layout.PARTS.values())
FILES = (*OF_MODEL, *(f"{layout.BASE}/{name}" for name in OF_MODEL))
"""All files that a saved model may have; an adapted one has another model inside."""

spacy: Any = require("spacy", "EverywordVectors")
thinc: Any = require("thinc.api", "EverywordVectors")


class EverywordVectors(spacy.vectors.BaseVectors):  # type: ignore[misc]
    """The vectors of a spaCy vocabulary, stored by a model or made from spelling.

    A key is a word or its hash in the string store. Every word has a vector, except those nothing is known about.

    Args:
        strings: The string store of a vocabulary.
        model: A Model, a name, a folder, or None for the default model.
        name: A name for the vectors.
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
        """How many words are stored, and the dimension; (0, 0) if the model is not found.

        spaCy asks for it before it loads the model that a pipeline was saved with, when the named one may be gone.
        Every other use of a missing model is an error.
        """
        try:
            return len(self.model.known_words), self.model.dim
        except EverywordError:
            return 0, 0

    @property
    def vectors_length(self) -> int:
        """The dimension of the vectors."""
        return self.model.dim

    @property
    def size(self) -> int:
        """How many numbers there are; never 0, which means to spaCy that no word has a vector."""
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
        """A matrix without rows: spaCy only asks which device it is on."""
        rows: AnyArray = self._ops.alloc2f(0, self.vectors_length)
        return rows

    def __len__(self) -> int:
        return self.shape[0]

    def __contains__(self, key: int | str) -> bool:
        if not isinstance(key, str) and key not in self.strings:
            return False
        word = self._word(key)
        if self.model.known(word) or self.model.form_encoder.units.usable(self.model.normalise(word)):
            return True
        return self.model.reads_tokens and self.model.source(word) is not Source.NONE

    def __getitem__(self, key: int | str) -> AnyArray:
        vector: AnyArray = self._ops.asarray(self.model[self._word(key)])
        return vector

    def get_batch(self, keys: Sequence[int | str]) -> AnyArray:
        """Return the vectors of keys.

        Args:
            keys: Words or their hashes.

        Returns:
            A matrix (keys, dim) on the current device.
        """
        words = [self._word(key) for key in keys]
        row_of = {word: row for row, word in enumerate(dict.fromkeys(words))}
        vectors = self.model.encode(row_of)  # each word once: texts repeat themselves
        rows: AnyArray = self._ops.asarray(vectors[[row_of[word] for word in words]])
        return rows

    def of_texts(self, texts: Sequence[str]) -> AnyArray:
        """Return the vectors of whole texts.

        Args:
            texts: Texts.

        Returns:
            A matrix (texts, dim) on the current device.
        """
        rows: AnyArray = self._ops.asarray(self.model.encode_texts(texts))
        return rows

    def most_similar(
        self, queries: AnyArray, *, batch_size: int = 1024, n: int = 1, sort: bool = True
    ) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Find the stored words nearest to vectors by cosine.

        Args:
            queries: A matrix (queries, dim).
            batch_size: Accepted as in spaCy; memory is bounded anyway.
            n: How many words per query.
            sort: Accepted as in spaCy; the nearest always comes first.

        Returns:
            The hashes of the words, their rows and their cosines, each (queries, n).
        """
        if not 0 < n <= len(self):
            raise InputError(f"n must be from 1 to the {len(self):,} stored words. Got {n} instead.")
        known = self.model.known_words
        # A zero vector is near nothing; it gets the first words, at a cosine of 0, as in spaCy.
        nothing = [(word, 0.0) for word in known.words[:n]]
        asked = self._ops.to_numpy(queries).astype(np.float32)
        found = [near or nothing for near in known.nearest(asked, n, foreign=True)]
        keys = [[self.strings.add(word) for word, _ in near] for near in found]
        rows = [[known.index[word] for word, _ in near] for near in found]
        cosines = [[cosine for _, cosine in near] for near in found]
        make, shape = self._ops.asarray, (len(found), n)
        return (
            make(np.array(keys, dtype=np.uint64).reshape(shape)),
            make(np.array(rows, dtype=np.int32).reshape(shape)),
            make(np.array(cosines, dtype=np.float32).reshape(shape)),
        )

    def _word(self, key: int | str) -> str:
        word: str = key if isinstance(key, str) else self.strings[int(key)]
        return word

    def add(self, key: int | str, *, vector: AnyArray | None = None, row: int | None = None) -> int:
        """Refuse: a model's vectors do not change."""
        raise InputError("A vector cannot be added to everyword's: they come from a model, which does not change.")

    def to_ops(self, ops: Any) -> None:
        """Return vectors on this device from now on."""
        self._ops = ops

    def to_disk(self, path: str | Path, **kwargs: Any) -> None:
        """Save the model beside the vocabulary."""
        self.model.save_pretrained(Path(path) / FOLDER)

    def from_disk(self, path: str | Path, **kwargs: Any) -> EverywordVectors:
        """Load the model that was saved beside the vocabulary; without one, keep the model that was named."""
        home = Path(path) / FOLDER
        if home.is_dir():  # a pipeline saved with other vectors may be loaded with these
            self.model = read_model(home)
        return self

    def to_bytes(self, **kwargs: Any) -> bytes:
        """Return the files of the saved model as bytes."""
        with TemporaryDirectory() as folder:
            self.to_disk(folder)
            home = Path(folder) / FOLDER
            content = {name: (home / name).read_bytes for name in FILES if (home / name).is_file()}
            packed: bytes = spacy.util.to_bytes(content, exclude=[])
        return packed

    def from_bytes(self, data: bytes, **kwargs: Any) -> EverywordVectors:
        """Load the model from bytes of its files."""
        with TemporaryDirectory() as folder:
            home = Path(folder) / FOLDER
            (home / layout.BASE).mkdir(parents=True)
            spacy.util.from_bytes(data, {name: (home / name).write_bytes for name in FILES}, exclude=[])
            return self.from_disk(folder)


def create_everyword_vectors(model: str | None = None) -> Callable[[Any], EverywordVectors]:
    """Make the function that `[nlp.vectors]` asks for.

    Args:
        model: A name or a folder, as for `everyword.load`.

    Returns:
        A function from a vocabulary to its vectors.
    """

    def vectors_of(vocab: Any) -> EverywordVectors:
        return EverywordVectors(strings=vocab.strings, model=model)

    return vectors_of


class DocVectors:
    """A component that gives each doc the vector of its text, as `Model.encode_texts` makes it.

    Without it, spaCy takes the mean of all tokens. The vectors of tokens and spans stay as they are. spaCy does not
    send a doc's vector from one process to another, nor save it: there, use `doc._.everyword_vector`.

    Args:
        nlp: A pipeline whose vectors are everyword's.

    Raises:
        InputError: If its vectors are others.
    """

    def __init__(self, nlp: Any) -> None:
        self._vectors = nlp.vocab.vectors
        if not isinstance(self._vectors, EverywordVectors):
            raise InputError(
                f"{DOC_VECTORS!r} needs a pipeline with everyword's vectors: choose {REGISTERED!r} in [nlp.vectors]."
            )

    def __call__(self, doc: Any) -> Any:
        """Set the vector of one doc."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Any], *, batch_size: int = BATCH) -> Iterator[Any]:
        """Set the vectors of docs.

        Args:
            stream: Docs.
            batch_size: How many texts are encoded together.

        Yields:
            The same docs.
        """
        iterator = iter(stream)
        while docs := list(islice(iterator, batch_size)):
            vectors = self._vectors.of_texts([doc.text for doc in docs])
            for doc, vector in zip(docs, vectors, strict=True):
                doc.vector, doc.vector_norm = vector, None
            yield from docs


@spacy.Language.factory(DOC_VECTORS)  # type: ignore[untyped-decorator]
def create_doc_vectors(nlp: Any, name: str) -> DocVectors:
    """Make the component for `nlp.add_pipe`."""
    return DocVectors(nlp)


def _doc_vector(doc: Any) -> AnyArray | None:
    vectors = doc.vocab.vectors
    return vectors.of_texts([doc.text])[0] if isinstance(vectors, EverywordVectors) else None


def _source(token: Any) -> str | None:
    return None if (explained := _explained(token)) is None else explained.source.value


def _confidence(token: Any) -> float | None:
    return None if (explained := _explained(token)) is None else explained.confidence


def _explained(token: Any) -> Explanation | None:
    vectors = token.vocab.vectors
    return vectors.model.explain(token.text) if isinstance(vectors, EverywordVectors) else None


spacy.util.registry.vectors.register(REGISTERED, func=create_everyword_vectors)
spacy.tokens.Doc.set_extension("everyword_vector", getter=_doc_vector, force=True)
spacy.tokens.Token.set_extension("everyword_source", getter=_source, force=True)
spacy.tokens.Token.set_extension("everyword_confidence", getter=_confidence, force=True)
