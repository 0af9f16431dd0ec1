"""What requests and answers look like; the OpenAPI page is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from everyword.models.explanation import Source

Neighbours = Annotated[int, Field(ge=1, le=100, description="How many neighbours.")]
ModelName = Annotated[str | None, Field(description="One of the served models; the first one if none is named.")]
Words = Annotated[list[str], Field(min_length=1, examples=[["mispelling", "leukamia"]])]
Kind = Literal["swap", "drop", "insert", "keyboard", "ocr"]
Method = Literal["pca", "umap"]


class Asked(BaseModel):
    """A request; a field that does not exist is refused, or a mistyped one would be ignored."""

    model_config = ConfigDict(extra="forbid")


class AskedModel(Asked):
    """A request to one model."""

    model: ModelName = None


class AskEncode(AskedModel):
    """Vectors of words."""

    words: Words
    format: Literal["floats", "base64"] = Field(
        "floats", description="Rounded numbers, or float32 in little-endian bytes as base64: exact, smaller, faster."
    )


class Encoded(BaseModel):
    """One vector a word, in order."""

    model: str
    dim: int
    sources: list[Source]
    vectors: list[list[float]] | list[str]


class AskNearest(AskedModel):
    """Known words nearest to words."""

    words: Words
    k: Neighbours = 10


class Neighbour(BaseModel):
    """A known word and its cosine to the word asked about."""

    word: str
    cosine: float


class Nearest(BaseModel):
    """The neighbours of one word."""

    word: str
    source: Source
    neighbours: list[Neighbour]


class AllNearest(BaseModel):
    """The neighbours of words, in order."""

    model: str
    words: list[Nearest]


class AskSimilarity(AskedModel):
    """Cosines of pairs of words."""

    pairs: list[tuple[str, str]] = Field(min_length=1, examples=[[["doctor", "docter"], ["doctor", "banana"]]])


class Similarities(BaseModel):
    """One cosine a pair, in order; 0 where a word has no vector."""

    model: str
    cosines: list[float]


class AskExplain(AskedModel):
    """Where vectors come from."""

    words: Words


class Share(BaseModel):
    """A known word and how much of the vector it is."""

    word: str
    share: float


class Explained(BaseModel):
    """Where the vector of one word comes from."""

    word: str
    spelt: str = Field(description="The word as the model normalises it.")
    source: Source
    confidence: float | None = Field(description="The cosine to the true vector to be expected, if calibrated.")
    candidates: list[Share]
    form_share: float = Field(description="How much of the vector comes from the word's own spelling.")


class AllExplained(BaseModel):
    """Where the vectors of words come from, in order."""

    model: str
    words: list[Explained]


class AskCorrupt(Asked):
    """Typos on purpose."""

    texts: list[str] = Field(min_length=1, examples=[["a modern hospital"]])
    kinds: list[Kind] = Field(["swap", "drop", "insert", "keyboard"], min_length=1)
    share: float = Field(1.0, ge=0, le=1, description="About this share of the words is changed.")
    seed: int = Field(0, ge=0, lt=1 << 63, description="The same seed gives the same typos.")


class Corrupted(BaseModel):
    """The texts with typos, in order."""

    texts: list[str]


class AskCompare(Asked):
    """The same words to several models."""

    words: Words
    models: list[str] | None = Field(None, min_length=1, description="All that are served if none is named.")
    k: Neighbours = 5


class WordOfModel(BaseModel):
    """What one model says of one word."""

    word: str
    source: Source
    confidence: float | None
    neighbours: list[Neighbour]


class OneModel(BaseModel):
    """What one model says of all words."""

    model: str
    words: list[WordOfModel]
    cosines: list[list[float]] = Field(description="Of each word with each other.")


class Compared(BaseModel):
    """What each model says, side by side."""

    models: list[OneModel]


class AskMap(AskedModel):
    """Words among their neighbours, on a plane."""

    words: Words
    k: Neighbours = 20
    method: Method = Field("pca", description="'umap' where the server has the extra of that name.")


class Point(BaseModel):
    """A word on the plane."""

    word: str
    x: float
    y: float
    asked: bool


class Map(BaseModel):
    """Points, those asked for first, and what is to be said about them."""

    model: str
    points: list[Point]
    axes: list[str]
    caption: str


class AskTypos(AskedModel):
    """How much of a word's vector is left in misspellings of it."""

    word: str = Field(examples=["hospital"])
    variants: list[str] = Field(min_length=1, examples=[["hospitl", "hopsitl"]])


class Kept(BaseModel):
    """Cosines of a misspelling's vector to that of the word, under each way to treat words that are not stored."""

    word: str
    source: Source
    everyword: float
    spelling: float = Field(description="The known word nearest in spelling.")
    pieces: float = Field(description="The mean of the known words that it is made of.")
    lookup: float = Field(description="A plain look-up: no vector, so 0.")


class AllKept(BaseModel):
    """One line a variant, in order."""

    model: str
    word: str
    variants: list[Kept]


class AskUnits(AskedModel):
    """What the part of a vector that comes from spelling hangs on."""

    word: str = Field(examples=["untweetable"])


class Unit(BaseModel):
    """A letter, piece or n-gram."""

    text: str
    influence: float = Field(description="How far the vector turns without it: 1 - cosine.")


class Square(BaseModel):
    """How much each unit (row) takes from each other one (column); rows sum to one."""

    name: str
    rows: list[list[float]]


class WordUnits(BaseModel):
    """Letters, units and, where the encoder has them, weights between units."""

    model: str
    encoder: str
    spelt: str
    letters: list[Unit]
    units: list[Unit]
    weights: list[Square]


class CurvePoint(BaseModel):
    """One score."""

    strength: float
    score: float


class Curve(BaseModel):
    """Scores of one policy for unknown words."""

    policy: str
    points: list[CurvePoint]


class Curves(BaseModel):
    """What typos leave of similarity: a kept result of the project's benchmarks, not of this server."""

    model: str
    title: str
    noise: str
    score: str
    pairs: int
    curves: list[Curve]


class ServedModel(BaseModel):
    """One model of the service."""

    name: str
    dim: int
    known_words: int
    encoder: str
    summary: str | None
    license: str | None


class Allowed(BaseModel):
    """What one request, and all of them together, may ask for."""

    body_bytes: int
    words: int
    searches: int
    word_length: int
    waiting: int
    seconds: float


class Info(BaseModel):
    """What this service is."""

    version: str
    models: list[ServedModel]
    limits: Allowed
    projections: list[Method]


class Health(BaseModel):
    """Whether the service answers."""

    status: Literal["ok"] = "ok"
