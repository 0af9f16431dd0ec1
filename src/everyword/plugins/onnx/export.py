"""Model → ONNX file, checked against the model before it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from everyword import __version__
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.form_encoder import FormEncoder
from everyword.models.model import Model
from everyword.plugins.onnx.encoders import ENCODERS, Drawing
from everyword.plugins.onnx.graph import PURPOSE, Graph, PaddedWords
from everyword.plugins.onnx.word_ids import KEY, WordIds

SUFFIX = ".onnx"
TOLERANCE = 1e-4
CHECKED_WORDS = 300
STRANGE_WORDS = ("", "a", "mispelling", "Naïve", "covid-19", "日本", "x" * 80, "co-operate", "don't", "1984")
UNITS_PER_CHARACTER = 8
"""More than a word has in any vocabulary: characters and pieces together, or n-grams of up to seven lengths."""
LEAST_LENGTH = np.float32(1e-12)
"""What a zero vector is divided by."""


class ExportReport(NamedTuple):
    """The result of an export."""

    bytes: int
    checked_words: int
    difference: float
    """The largest difference between the file's vectors and the model's."""


def export(model: Model, path: str | Path) -> ExportReport:
    """Write the form encoder of a model to an ONNX file, which then does what `Model.infer` does.

    The file takes `ids` (words, units), which `WordIds` makes, and gives `vectors` (words, dim). Known words and the
    gate that blends them are not part of it. Needs the extra `onnx`.

    Args:
        model: The model.
        path: The file to write; its name must end in .onnx.

    Returns:
        The size of the file, and how it was checked against the model.

    Raises:
        InputError: If the encoder cannot be exported, the file cannot be written there, or its vectors differ from
            the model's.
    """
    path = Path(path)
    check_exportable(model, path)
    content = _content(model)
    words = _words_to_check(model)
    difference = float(np.abs(_run(content, WordIds.of(model), words) - model.infer(words)).max())
    if not difference <= TOLERANCE:
        raise InputError(
            f"The exported {model.name} differs from the model by {difference:.1e}, more than the {TOLERANCE:g} "
            "allowed; nothing was written."
        )
    write_atomic(path, content)
    return ExportReport(len(content), len(words), difference)


def check_exportable(model: Model, path: Path) -> None:
    """Refuse an encoder without a graph, and a path where no file can be written."""
    if path.suffix != SUFFIX:
        raise InputError(f"The name of an exported model must end in {SUFFIX}. Got {path.name} instead.")
    if path.is_dir() or not path.parent.is_dir():
        seen = f"{path} is a folder" if path.is_dir() else f"There is no folder {path.parent}"
        raise InputError(f"{seen}; give the path of the file to write, in a folder that exists.")
    if model.form_encoder.encoder not in ENCODERS:
        raise InputError(
            f"{model.name} has the encoder {model.form_encoder.encoder}, which cannot be exported; those that can are "
            f"{', '.join(ENCODERS)}."
        )


def _content(model: Model) -> bytes:
    graph = Graph()
    words = PaddedWords(graph)
    form_encoder = model.base.form_encoder if isinstance(model, AdaptedModel) else model.form_encoder
    longest = UNITS_PER_CHARACTER * model.normalise.max_length
    drawing = Drawing(graph, words, form_encoder.forward.tables, form_encoder.config, longest)
    vectors = _of_length(graph, ENCODERS[form_encoder.encoder](drawing), form_encoder.norm)
    if isinstance(model, AdaptedModel):
        there = model.to_own_space
        mapped = graph.chain(_of_length(graph, vectors, 1.0), ("MatMul", there.matrix), ("Add", there.offset))
        vectors = _of_length(graph, mapped, there.length)
    known = words.squeezed(graph.apply("ReduceMax", words.inside, axes=[2], keepdims=1))
    metadata = {KEY: json.dumps(_metadata(model, form_encoder, longest), ensure_ascii=False)}
    return graph.model(graph.apply("Mul", vectors, known), model.dim, metadata)


def _of_length(graph: Graph, vectors: str, length: float | None) -> str:
    if length is None:
        return vectors
    lengths = graph.apply("Max", graph.apply("ReduceL2", vectors, axes=[1], keepdims=1), LEAST_LENGTH)
    return graph.apply("Mul", graph.apply("Div", vectors, lengths), np.float32(length))


def _metadata(model: Model, form_encoder: FormEncoder, longest: int) -> dict[str, Any]:
    return {
        "everyword": __version__,
        "model": model.name,
        "license": model.record.get("license"),
        "dim": model.dim,
        "encoder": {"name": form_encoder.encoder, "config": dict(form_encoder.config)},
        "most_units": longest,
        **WordIds.of(model).described(),
    }


def _words_to_check(model: Model) -> list[str]:
    """Return known words from the first to the last, and some that no list has."""
    known = model.known_words.words
    indices = np.unique(np.linspace(0, max(0, len(known) - 1), CHECKED_WORDS).astype(np.int64))
    return [*(known[index] for index in indices.tolist() if known), *STRANGE_WORDS]


def _run(content: bytes, word_ids: WordIds, words: list[str]) -> FloatArray:
    runtime: Any = require("onnxruntime", PURPOSE)
    session = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    vectors: FloatArray = session.run(["vectors"], {"ids": word_ids(words)})[0]
    return vectors
