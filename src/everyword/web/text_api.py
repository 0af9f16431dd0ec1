"""The part of the JSON API that takes texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fastapi import APIRouter, Response

from everyword.web import text_answers, text_schemas
from everyword.web.api import REFUSALS, check_count
from everyword.web.problems import Problem, Refusal
from everyword.web.settings import Limits
from everyword.web.state import TheState
from everyword.web.text_answers import TextsToEncode

texts = APIRouter(tags=["texts"], responses=REFUSALS)


@texts.post("/embed", response_model=text_schemas.EmbedResponse)
async def embed(request: text_schemas.EmbedRequest, state: TheState) -> Response:
    """Return a vector for every text."""
    check_texts(request.texts, state.limits)
    entry = state.models.get(request.model)
    write = partial(text_answers.embedded, entry.model, request)
    return Response(await state.encode_texts(entry, TextsToEncode(request.texts, write)), media_type="application/json")


@texts.post("/search")
async def search(request: text_schemas.SearchRequest, state: TheState) -> text_schemas.SearchResponse:
    """Find the texts nearest to queries."""
    check_texts(request.query, state.limits, state.limits.searches, "query")
    if request.texts is not None and request.among is not None:
        raise Refusal(422, Problem(error="Give either 'texts' or 'among', not both.", field="among"))
    if request.texts is not None:
        check_texts(request.texts, state.limits)
        model = state.models.get(request.model).model
        return await state.work.run(text_answers.search_texts, model, request.query, request.texts, request.k)
    corpus = state.corpus if request.among is None else state.uploads.get(request.among)
    if corpus is None:
        error = "This service was started without a corpus; send the texts to search as 'texts'."
        raise Refusal(422, Problem(error=error, field="texts"))
    if request.model is not None and state.models.get(request.model).model is not corpus.model:
        error = f"The corpus is searched by the model {corpus.model.name!r}; name that one, or none."
        raise Refusal(422, Problem(error=error, field="model"))
    return await state.work.run(text_answers.search, corpus.model, request.query, corpus.index, request.k)


@texts.post("/read")
async def read(request: text_schemas.ReadRequest, state: TheState) -> text_schemas.ReadResponse:
    """Show the tokens of texts, and where the vector of each comes from."""
    check_texts(request.texts, state.limits, state.limits.searches)
    return await state.work.run(text_answers.read, state.models.get(request.model).model, request.texts)


def check_texts(texts: Sequence[str], limits: Limits, most: int | None = None, field: str = "texts") -> None:
    """Refuse too many texts, a text that is too long and, if only `most` texts may be sent, too much of them together.

    `most` is for texts whose single words are looked for: milliseconds each.
    """
    check_count(texts, limits.texts if most is None else most, field)
    for index, text in enumerate(texts):
        if len(text) > limits.text_length:
            which = "This one" if len(texts) == 1 else f"Item {index} of {field!r}"
            error = f"A text may have {limits.text_length:,} characters. {which} has {len(text):,}; send it in parts."
            raise Refusal(422, Problem(error=error, field=field, index=index))
    together = sum(map(len, texts))
    if most is not None and together > limits.text_length:
        error = (
            f"The texts of {field!r} may have {limits.text_length:,} characters together. They have {together:,}; "
            "send fewer at a time."
        )
        raise Refusal(422, Problem(error=error, field=field))
