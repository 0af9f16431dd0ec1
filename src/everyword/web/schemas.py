"""Schemas of requests and answers; the OpenAPI description is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from everyword.models.explanation import Source

Neighbours = Annotated[int, Field(ge=1, le=100, description="How many neighbours.")]
ModelName = Annotated[str | None, Field(description="A served model; by default the first one.")]


def _whole(text: str) -> str:
    """Refuse half of a surrogate pair, which JSON can express and no answer could repeat."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character stands at {error.start}; a surrogate needs its partner") from None
    return text


Text = Annotated[str, AfterValidator(_whole)]
Words = Annotated[list[Text], Field(min_length=1, examples=[["mispelling", "leukamia"]])]
Kind = Literal["swap", "drop", "insert", "keyboard", "ocr"]
Method = Literal["pca", "umap"]


class StrictRequest(BaseModel):
    """A request; an unknown field is refused, because a mistyped one would otherwise be ignored."""

    model_config = ConfigDict(extra="forbid")


class ModelRequest(StrictRequest):
    """A request to one model."""

    model: ModelName = None


class EncodeRequest(ModelRequest):
    """Words to encode."""

    words: Words
    format: Literal["floats", "base64"] = Field(
        "floats", description="Rounded numbers, or float32 as base64 of little-endian bytes: exact, smaller and faster."
    )


class EncodeResponse(BaseModel):
    """One vector per word, in order."""

    model: str
    dim: int
    sources: list[Source]
    vectors: list[list[float]] | list[str]


class NearestRequest(ModelRequest):
    """Words to find the nearest known words of."""

    words: Words
    k: Neighbours = 10
    among: str | None = Field(None, description="A served model of the same space, whose words are searched instead.")
    foreign: bool = Field(False, description="Search the words of other languages too, if the model stores any.")
    fold: bool = Field(False, description="Count words of one stem once; the others are listed with the nearest one.")


class Neighbour(BaseModel):
    """A known word and its cosine to the word asked about."""

    word: str
    cosine: float


class FoldedNeighbour(Neighbour):
    """A neighbour, and others of the same stem."""

    same_stem: list[Neighbour] = Field([], description="Further neighbours of the same stem; empty without 'fold'.")


class WordNeighbours(BaseModel):
    """The neighbours of one word."""

    word: str
    source: Source
    neighbours: list[FoldedNeighbour]


class NearestResponse(BaseModel):
    """The neighbours of words, in order."""

    model: str
    words: list[WordNeighbours]


class SimilarityRequest(ModelRequest):
    """Pairs of words to compare."""

    pairs: list[tuple[Text, Text]] = Field(min_length=1, examples=[[["doctor", "docter"], ["doctor", "banana"]]])


class SimilarityResponse(BaseModel):
    """One cosine per pair, in order; 0 where a word has no vector."""

    model: str
    cosines: list[float]


class ExplainRequest(ModelRequest):
    """Words to explain the vectors of."""

    words: Words


class Share(BaseModel):
    """A known word and its share of the vector."""

    word: str
    share: float


class WordExplanation(BaseModel):
    """Where the vector of one word comes from."""

    word: str
    spelt: str = Field(description="The word as the model normalises it.")
    source: Source
    confidence: float | None = Field(description="The expected cosine to the true vector, if the model is calibrated.")
    candidates: list[Share]
    form_share: float = Field(description="The share of the vector that comes from the word's own spelling.")
    read_as: str | None = Field(None, description='What a token was read as, such as "third" for 3rd.')


class ExplainResponse(BaseModel):
    """Where the vectors of words come from, in order."""

    model: str
    words: list[WordExplanation]


class CorruptRequest(StrictRequest):
    """Texts to put typos into."""

    texts: list[Text] = Field(min_length=1, examples=[["a modern hospital"]])
    kinds: list[Kind] = Field(["swap", "drop", "insert", "keyboard"], min_length=1)
    share: float = Field(1.0, ge=0, le=1, description="The share of words to change, about.")
    seed: int = Field(0, ge=0, lt=1 << 63, description="The same seed gives the same typos.")


class CorruptResponse(BaseModel):
    """The texts with typos, in order."""

    texts: list[str]


class CompareRequest(StrictRequest):
    """Words to ask several models about."""

    words: Words
    models: list[str] | None = Field(None, min_length=1, description="Names of models; by default all that are served.")
    k: Neighbours = 5


class WordReport(BaseModel):
    """One model's answer about one word."""

    word: str
    source: Source
    confidence: float | None
    neighbours: list[Neighbour]


class ModelReport(BaseModel):
    """One model's answer about all words."""

    model: str
    words: list[WordReport]
    cosines: list[list[float]] = Field(description="Cosines of each word with each other.")


class CompareResponse(BaseModel):
    """The answers of all models, side by side."""

    models: list[ModelReport]


class MapRequest(ModelRequest):
    """Words to lay out on a plane, alone or among their neighbours."""

    words: Words
    k: int = Field(
        20, ge=0, le=100, description="How many neighbours of each word; without any, a map takes more words."
    )
    method: Method = Field("pca", description="The projection; 'umap' needs the extra of that name on the server.")


class Point(BaseModel):
    """A word on the plane."""

    word: str
    x: float
    y: float
    asked: bool
    source: Source


class Join(BaseModel):
    """A misspelling and the word that it stands for, as indexes of points."""

    typo: int
    word: int


class MapResponse(BaseModel):
    """Points, those of the request first, with axis labels and a caption."""

    model: str
    points: list[Point]
    joins: list[Join]
    axes: list[str]
    caption: str


class TyposRequest(ModelRequest):
    """A word and misspellings of it."""

    word: Text = Field(examples=["hospital"])
    variants: list[Text] = Field(min_length=1, examples=[["hospitl", "hopsitl"]])


class TypoCosines(BaseModel):
    """Cosines of a misspelling's vector to that of the word; null where either has no vector."""

    word: str
    source: Source
    everyword: float | None
    spelling: float | None = Field(description="The known word nearest in spelling.")
    pieces: float | None = Field(description="The mean of the known words it is made of.")
    lookup: float | None = Field(description="A plain look-up, which has no vector for an unknown word.")


class TyposResponse(BaseModel):
    """One row per variant, in order."""

    model: str
    word: str
    variants: list[TypoCosines]


class UnitsRequest(ModelRequest):
    """A word to find the influence of letters and units of."""

    word: Text = Field(examples=["untweetable"])


class Unit(BaseModel):
    """A letter, piece or n-gram."""

    text: str
    influence: float = Field(description="How far the vector turns without it: 1 - cosine.")


class WeightMatrix(BaseModel):
    """Weights between units: how much each (row) takes from each other one (column); rows sum to one."""

    name: str
    rows: list[list[float]]


class UnitsResponse(BaseModel):
    """The influence of letters and units and, where the encoder has them, weights between units."""

    model: str
    encoder: str
    spelt: str
    letters: list[Unit]
    units: list[Unit]
    weights: list[WeightMatrix]


class CurvePoint(BaseModel):
    """One score."""

    strength: float
    score: float


class Curve(BaseModel):
    """The scores of one policy for unknown words."""

    policy: str
    points: list[CurvePoint]


class Curves(BaseModel):
    """How typos lower the score of word similarity: a result of the project's benchmarks, not of this server."""

    model: str
    title: str
    noise: str
    score: str
    pairs: int
    curves: list[Curve]


class ModelInfo(BaseModel):
    """One model of the service."""

    name: str
    dim: int
    known_words: int
    foreign_words: int = Field(description="How many of them are of other languages.")
    encoder: str
    summary: str | None
    license: str | None


class LimitsInfo(BaseModel):
    """The limits of one request, and of all together."""

    body_bytes: int
    words: int
    searches: int
    word_length: int
    texts: int
    text_length: int
    waiting: int
    seconds: float


class CorpusInfo(BaseModel):
    """The corpus that a service was started with."""

    name: str
    texts: int
    model: str = Field(description="The model that its texts were encoded by.")


class InfoResponse(BaseModel):
    """The version, models and limits of the service."""

    version: str
    models: list[ModelInfo]
    limits: LimitsInfo
    corpus: CorpusInfo | None = Field(None, description="The texts that /v1/search looks through if it is given none.")
    projections: list[Method]


class HealthResponse(BaseModel):
    """A sign of life."""

    status: Literal["ok"] = "ok"
