"""Requests about texts → answers: plain functions of a model and a request, run on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic_core import to_json

from everyword.arrays import FloatArray
from everyword.models.explanation import Explanation
from everyword.models.model import Model
from everyword.sentences.context.read import ReadToken
from everyword.sentences.index import TextIndex
from everyword.vectors.neighbours import unit_rows
from everyword.web import text_schemas
from everyword.web.answers import vectors_as
from everyword.web.corpus import texts_at
from everyword.web.schemas import Share


@dataclass(frozen=True)
class TextsToEncode:
    """The texts of one request, and how to write their vectors."""

    texts: Sequence[str]
    write: Callable[[FloatArray], bytes]


def encode_texts_together(model: Model, requests: Sequence[TextsToEncode]) -> list[bytes]:
    """Answer several requests for vectors; all their texts are encoded together."""
    vectors = model.encode_texts([text for request in requests for text in request.texts], progress=False)
    answers, first = [], 0
    for request in requests:
        answers.append(request.write(vectors[first : first + len(request.texts)]))
        first += len(request.texts)
    return answers


def embedded(model: Model, request: text_schemas.EmbedRequest, vectors: FloatArray) -> bytes:
    """Write the vectors of a request as JSON."""
    made = unit_rows(vectors) if request.normalize else vectors
    return to_json({"model": model.name, "dim": model.dim, "vectors": vectors_as(request.format, made)})


def search(model: Model, queries: Sequence[str], index: TextIndex, k: int) -> text_schemas.SearchResponse:
    """Find the texts nearest to each query; a query without words is near none."""
    found = index.search(model.encode_texts(queries), k)
    texts = texts_at(index, {row for pairs in found for row, _ in pairs})
    results = [
        text_schemas.QueryResult(
            query=query,
            found=[text_schemas.FoundText(index=row, text=texts[row], cosine=cosine) for row, cosine in pairs],
        )
        for query, pairs in zip(queries, found, strict=True)
    ]
    return text_schemas.SearchResponse(model=model.name, results=results)


def search_texts(model: Model, queries: Sequence[str], texts: Sequence[str], k: int) -> text_schemas.SearchResponse:
    """Find those of some texts that are nearest to each query."""
    return search(model, queries, TextIndex.build(model, texts, progress=False), k)


def read(model: Model, texts: Sequence[str]) -> text_schemas.ReadResponse:
    """Read texts token by token."""
    found = [
        text_schemas.ReadText(tokens=_tokens(model, text), corrected=corrected)
        for text, corrected in zip(texts, model.correct(texts), strict=True)
    ]
    return text_schemas.ReadResponse(model=model.name, texts=found)


def _tokens(model: Model, text: str) -> list[text_schemas.Token]:
    tokens = model.read(text)
    by_spelling = model.explain([token.text for token in tokens])
    return [token_of(token, spelt) for token, spelt in zip(tokens, by_spelling, strict=True)]


def token_of(token: ReadToken, spelt: Explanation) -> text_schemas.Token:
    """Return a token as it was read, and what its spelling alone says of it."""
    by_spelling = [spelt.read_as, *(share.word for share in spelt.candidates[:1])]
    return text_schemas.Token(
        text=token.text,
        begin=token.begin,
        end=token.end,
        source=token.source,
        confidence=token.confidence,
        read_as=token.read_as,
        by_context=token.read_as is not None and token.read_as not in by_spelling,
        candidates=[Share(word=share.word, share=share.share) for share in spelt.candidates],
        form_share=spelt.form_share,
    )
