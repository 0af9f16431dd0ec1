"""Schemas of requests and answers that mostly the playground needs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from everyword.web.schemas import ModelRequest, Neighbours, StrictRequest, Text
from everyword.web.text_schemas import Texts


class AlgebraRequest(ModelRequest):
    """Words to add and to take away, or words joined by operators."""

    positive: list[Text] = Field([], description="Words whose directions are added.", examples=[["king", "woman"]])
    negative: list[Text] = Field([], description="Words whose directions are taken away.", examples=[["man"]])
    expression: Text | None = Field(
        None, description="Instead: words joined by & (and), | (or), - (without) and ~ (not), with brackets."
    )
    k: Neighbours = 10


class AlgebraNeighbour(BaseModel):
    """A known word, and how close it is by the measure of the answer."""

    word: str
    value: float


class AlgebraResponse(BaseModel):
    """The known words closest to a sum or an expression, best first."""

    model: str
    measure: Literal["cosine", "cross-entropy"] = Field(
        description="Large cosines and small cross-entropies are close."
    )
    neighbours: list[AlgebraNeighbour]


class CorrectRequest(StrictRequest):
    """Texts to put right."""

    texts: Texts
    models: list[str] | None = Field(None, min_length=1, description="Names of models; by default all that are served.")


class Correction(BaseModel):
    """The texts as one corrector puts them right."""

    by: str
    kind: Literal["model", "corrector"] = Field(description="A served model, or a corrector that knows spelling only.")
    texts: list[str] | None = Field(description="The texts, in order; null if the corrector is not installed.")
    note: str | None = Field(None, description="How to install a corrector that is missing.")


class CorrectResponse(BaseModel):
    """The texts as each corrector puts them right."""

    corrections: list[Correction]


class UploadRequest(ModelRequest):
    """Texts to keep in memory and search."""

    name: Text = Field("texts", description="What to call them.", max_length=200)
    texts: Texts


class UploadResponse(BaseModel):
    """Texts that are kept until newer ones need their place, or the service stops."""

    id: str = Field(description="What /v1/search takes as 'among'.")
    name: str
    texts: int
    model: str


class TablesRequest(StrictRequest):
    """A word or a text, and another one to compare it with."""

    text: Text = Field(examples=["docter"])
    other: Text | None = Field(None, description="Another word or text.", examples=["doctor"])
    k: Neighbours = 5


class TableReport(BaseModel):
    """What a table alone makes of a word or a text, by methods that need no model."""

    name: str = Field(description="A vector file, or the model whose stored words these are.")
    dim: int
    words: int = Field(description="How many of the most frequent words take part.")
    is_stored: bool = Field(description="Whether the table has the text as a word.")
    neighbours: list[str] = Field(description="The nearest words of a vector file; none for an unknown word.")
    cosines: dict[str, float | None] | None = Field(
        description="Cosine to the other text by plain look-up, the nearest spelling and the mean of pieces; null "
        "where one of the two has no vector. The vector of a text is the mean of its words' directions."
    )


class TablesResponse(BaseModel):
    """The stored words of the default model, and the vector files that are served."""

    tables: list[TableReport]


class ProbeScore(BaseModel):
    """The score of one model, with the bounds of its 95% interval."""

    model: str
    layer: int | None
    value: float
    low: float
    high: float


class Probe(BaseModel):
    """One question, and the scores of models; without a model that knows anything, `control` can be reached."""

    probe: str
    question: str
    metric: str
    control: float | None
    scores: list[ProbeScore]


class Probes(BaseModel):
    """What vectors know, by probes: results of the project's benchmarks, not of this server."""

    probes: list[Probe]
