"""Schemas of requests and answers about texts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from everyword.models.explanation import Source
from everyword.web.schemas import ModelRequest, Neighbours, Share, Text

Texts = Annotated[
    list[Text], Field(min_length=1, examples=[["my docter diagnosed leukamia", "the physician found a blood cancer"]])
]


def _listed(given: object) -> object:
    return [given] if isinstance(given, str) else given


OneOrMore = Annotated[list[Text], Field(min_length=1), BeforeValidator(_listed, json_schema_input_type=str | list[str])]
"""A list of texts; one text is a list of one."""


class EmbedRequest(ModelRequest):
    """Texts to encode."""

    texts: Texts
    normalize: bool = Field(False, description="Scale every vector to length 1, so that products are cosines.")
    format: Literal["floats", "base64"] = Field(
        "floats", description="Rounded numbers, or float32 as base64 of little-endian bytes: exact, smaller and faster."
    )


class EmbedResponse(BaseModel):
    """One vector per text, in order; zeros for a text without words."""

    model: str
    dim: int
    vectors: list[list[float]] | list[str]


class SearchRequest(ModelRequest):
    """Queries, and the texts to search."""

    query: OneOrMore = Field(description="A text, or a list of them.", examples=["leukamia treatmnt"])
    texts: list[Text] | None = Field(
        None,
        min_length=1,
        description="The texts to search; by default the corpus that the service was started with.",
        examples=[["New drugs against blood cancer", "How to plant tomatoes", "The history of the railway"]],
    )
    among: str | None = Field(None, description="Instead of texts: the id of texts that were sent to /v1/texts.")
    k: Neighbours = 5


class FoundText(BaseModel):
    """A text that was found."""

    index: int = Field(description="Its place among the texts that were searched, from 0.")
    text: str
    cosine: float


class QueryResult(BaseModel):
    """The texts nearest to one query, best first; none for a query without words."""

    query: str
    found: list[FoundText]


class SearchResponse(BaseModel):
    """One result per query, in order."""

    model: str
    results: list[QueryResult]


class ReadRequest(ModelRequest):
    """Texts to read word by word."""

    texts: Texts


class Token(BaseModel):
    """A token of a text, and where its vector comes from."""

    text: str
    begin: int = Field(description="Where it begins in the text, in code points from 0.")
    end: int = Field(description="Where it ends.")
    source: Source
    confidence: float | None = Field(
        description="How likely the word that it was read as was meant; of others, the expected cosine to the truth."
    )
    read_as: str | None = Field(None, description="What it was read as, if that is not what is written.")
    by_context: bool = Field(False, description="Whether the words around it decided, against its spelling.")
    candidates: list[Share] = Field(description="Known words that its spelling stands for, the greatest share first.")
    form_share: float = Field(description="The share that comes from the token's own letters.")


class ReadText(BaseModel):
    """One text as it was read."""

    tokens: list[Token]
    corrected: str = Field(description="The text with its misspellings put right.")


class ReadResponse(BaseModel):
    """The tokens of texts, in order."""

    model: str
    texts: list[ReadText]
