"""Vectors of texts in the form of OpenAI's API, so that programs written for it work with another address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, BeforeValidator, Field
from pydantic_core import to_json

from everyword.arrays import FloatArray
from everyword.models.model import Model
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import unit_rows
from everyword.web.answers import vectors_as
from everyword.web.model_store import ModelEntry
from everyword.web.problems import OpenAIProblem, Problem, Refusal
from everyword.web.schemas import ModelRequest
from everyword.web.state import State, TheState
from everyword.web.text_answers import TextsToEncode
from everyword.web.text_api import check_texts
from everyword.web.text_schemas import OneOrMore

FORMATS = {"float": "floats", "base64": "base64"}
REFUSED: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": OpenAIProblem, "description": "The request cannot be answered; the body says why."},
    "5XX": {"model": OpenAIProblem, "description": "The request waited or took too long, or something went wrong."},
}
embeddings = APIRouter(prefix="/v1", tags=["OpenAI's form"], responses=REFUSED)


def _no_token_ids(given: object) -> object:
    """Refuse numbers where texts are expected."""
    items = given if isinstance(given, list) else ()
    if any(isinstance(item, int | list) and not isinstance(item, bool) for item in items):
        raise ValueError(
            "token ids mean nothing to this model, so send texts (with LangChain: check_embedding_ctx_length=False)"
        )
    return given


class EmbeddingsRequest(ModelRequest):
    """Texts to encode, as OpenAI's clients send them."""

    input: Annotated[OneOrMore, BeforeValidator(_no_token_ids, json_schema_input_type=str | list[str])] = Field(
        description="A text, or a list of texts.", examples=[["my docter diagnosed leukamia"]]
    )
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1, description="The model's own dimension; no other is served.")
    user: str | None = Field(None, description="Ignored.")


class Embedding(BaseModel):
    """The vector of one text, of length 1; zeros for a text without words."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class Usage(BaseModel):
    """How much was read."""

    prompt_tokens: int = Field(description="Words, numbers and symbols of all texts.")
    total_tokens: int


class EmbeddingsResponse(BaseModel):
    """One vector per text, in order."""

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: Usage


class ServedModel(BaseModel):
    """A model of the service."""

    id: str
    object: Literal["model"] = "model"
    created: int = Field(description="When the service was started, in seconds since 1970.")
    owned_by: str = "everyword"


class ModelList(BaseModel):
    """All models of the service."""

    object: Literal["list"] = "list"
    data: list[ServedModel]


@embeddings.post("/embeddings", response_model=EmbeddingsResponse)
async def embed(request: EmbeddingsRequest, state: TheState) -> Response:
    """Return a vector for every text, in the form of OpenAI's API."""
    check_texts(request.input, state.limits, field="input")
    entry = state.models.get(request.model)
    if request.dimensions not in (None, entry.model.dim):
        name, dim = entry.model.name, entry.model.dim
        error = f"Vectors of {name!r} have {dim} dimensions. Got {request.dimensions}; leave it out."
        raise Refusal(422, Problem(error=error, field="dimensions"))
    write = partial(_written, entry.model, request.input, FORMATS[request.encoding_format])
    return Response(await state.encode_texts(entry, TextsToEncode(request.input, write)), media_type="application/json")


def _written(model: Model, texts: Sequence[str], form: str, vectors: FloatArray) -> bytes:
    tokens = sum(len(tokens_of(text)) for text in texts)
    rows = vectors_as(form, unit_rows(vectors))
    return to_json(
        {
            "object": "list",
            "data": [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)],
            "model": model.name,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }
    )


@embeddings.get("/models")
async def models(state: TheState) -> ModelList:
    """List the models, in the form of OpenAI's API."""
    return ModelList(data=[_served(state, entry) for entry in state.models.by_name.values()])


@embeddings.get("/models/{model}")
async def model(model: str, state: TheState) -> ServedModel:
    """Describe one model, in the form of OpenAI's API."""
    return _served(state, state.models.get(model))


def _served(state: State, entry: ModelEntry) -> ServedModel:
    return ServedModel(id=entry.model.name, created=state.started)
