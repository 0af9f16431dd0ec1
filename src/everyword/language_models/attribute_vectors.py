"""Vectors of words from a language model trained with attributes, also of words that only its lexicon knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, read_tensors
from everyword.atomic import write_atomic
from everyword.corpus.lexicons.attributes import AttributeLexicon
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.language_models.input_embeddings import single_pieces
from everyword.language_models.language_model import LanguageModel, find_model
from everyword.vectors.table import VectorTable

LEXICON, VECTORS = "attributes.tsv", "attributes.safetensors"
FORMAT = "word-attributes.v1"


@dataclass(frozen=True)
class SavedAttributes:
    """The vectors of attributes, and the lexicon that says which words have them; files beside a language model."""

    names: list[str]
    vectors: FloatArray
    lexicon: AttributeLexicon
    inflected: bool

    def save(self, folder: Path) -> None:
        """Save both to the folder of the language model."""
        from safetensors.numpy import save

        described = {"format": FORMAT, "names": json.dumps(self.names), "inflected": json.dumps(self.inflected)}
        self.lexicon.write(folder / LEXICON)
        write_atomic(folder / VECTORS, save({"vectors": np.ascontiguousarray(self.vectors)}, described))

    @classmethod
    def load(cls, source: str | Path) -> SavedAttributes:
        """Load what was saved to the folder of a language model.

        Raises:
            InputError: If there is nothing, or the file is damaged.
        """
        path = Path(find_model(source)) / VECTORS
        try:
            arrays, described = read_tensors(path)
            names, inflected = parse_json(described["names"]), parse_json(described["inflected"])
            vectors = arrays["vectors"]
            if described["format"] != FORMAT or vectors.ndim != 2 or len(names) != len(vectors):
                raise ValueError("names and vectors do not go together")
        except FileNotFoundError:
            raise InputError(
                f"{source} has no vectors of attributes; train it with everyword train tiny-bert --attributes LEXICON."
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} is damaged ({error}); get the model again.") from None
        return cls(names, vectors, AttributeLexicon.read(path.parent / LEXICON), bool(inflected))

    def vectors_of(self, words: Sequence[str]) -> list[FloatArray | None]:
        """Return the mean of the vectors of each word's attributes, or None for a word without attributes."""
        numbers = {name: number for number, name in enumerate(self.names)}
        found: list[FloatArray | None] = []
        for word in words:
            own = [numbers[name] for name in self.lexicon.of(word, inflected=self.inflected) if name in numbers]
            found.append(self.vectors[own].mean(axis=0) if own else None)
        return found


def attribute_vector_table(model: LanguageModel, words: Sequence[str]) -> VectorTable:
    """Extract the input vectors of words, and for words that only the lexicon knows the means of their attributes.

    Args:
        model: A language model that was trained with attributes, loaded from its folder.
        words: The words.

    Returns:
        A table of the words. Those that neither the model nor its lexicon knows are left out, with a warning that
        counts them.

    Raises:
        InputError: If the model was trained without attributes, or no word has a vector.
    """
    listed, saved, matrix = unique_words(words), SavedAttributes.load(model.name), model.input_matrix()
    unknown = model.tokenizer.unk_token_id
    rows: dict[str, FloatArray] = {}
    pieces = single_pieces(model, listed)
    for word, piece, mean in zip(listed, pieces, saved.vectors_of(listed), strict=True):
        if piece is not None and piece != unknown:
            rows[word] = matrix[piece]
        elif mean is not None:
            rows[word] = mean
    warn_left_out(
        [word for word in listed if word not in rows],
        len(listed),
        f"neither the vocabulary nor the lexicon of {model.name} has them",
        "add them to the lexicon before the training",
    )
    return VectorTable(list(rows), np.stack(list(rows.values())))
