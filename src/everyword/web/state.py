"""What the routes of one process share: models, limits, threads and metrics."""

from __future__ import annotations

from functools import partial
from time import time
from typing import Annotated

from fastapi import Depends, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from everyword.web.answers import encode_together
from everyword.web.corpus import Corpus
from everyword.web.model_store import ModelEntry, ModelStore
from everyword.web.schemas import EncodeRequest
from everyword.web.settings import Settings
from everyword.web.text_answers import TextsToEncode, encode_texts_together
from everyword.web.uploads import Uploads
from everyword.web.work import Batches, Work

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the histogram's buckets."""
LETTERS_OF_A_WORD = 6
"""With the space behind it, about."""


class Metrics:
    """Request metrics for Prometheus; a registry of its own, so that several services fit in one process."""

    def __init__(self, work: Work) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "everyword_requests", "Requests answered.", ["path", "method", "status"], registry=registry
        )
        self.words = Counter("everyword_words", "Words encoded by /v1/encode.", ["model"], registry=registry)
        self.texts = Counter(
            "everyword_texts", "Texts encoded by /v1/embed and /v1/embeddings.", ["model"], registry=registry
        )
        self.seconds = Histogram(
            "everyword_request_seconds", "Time to answer a request.", ["path"], buckets=SECONDS, registry=registry
        )
        unfinished = Gauge(
            "everyword_unfinished_requests", "Requests accepted and not yet answered.", registry=registry
        )
        unfinished.set_function(lambda: work.unfinished)
        ProcessCollector(registry=registry)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class State:
    """One process of a service."""

    def __init__(self, models: ModelStore, settings: Settings, corpus: Corpus | None) -> None:
        self.models, self.settings, self.limits, self.corpus = models, settings, settings.limits, corpus
        self.uploads = Uploads()
        self.started = int(time())
        """Seconds since 1970."""
        self.work = Work(settings.limits)
        self.metrics = Metrics(self.work)
        self._encoders = {
            name: Batches(self.work, partial(encode_together, entry.model)) for name, entry in models.by_name.items()
        }
        self._text_encoders = {
            name: Batches(self.work, partial(encode_texts_together, entry.model))
            for name, entry in models.by_name.items()
        }

    async def encode(self, entry: ModelEntry, request: EncodeRequest) -> bytes:
        """Answer a request for vectors as JSON, together with others that wait."""
        answer = await self._encoders[entry.model.name](request, len(request.words))
        self.metrics.words.labels(entry.model.name).inc(len(request.words))
        return answer

    async def encode_texts(self, entry: ModelEntry, texts: TextsToEncode) -> bytes:
        """Answer a request for vectors of texts as JSON, together with others that wait."""
        letters = sum(map(len, texts.texts))
        answer = await self._text_encoders[entry.model.name](texts, letters // LETTERS_OF_A_WORD)
        self.metrics.texts.labels(entry.model.name).inc(len(texts.texts))
        return answer


def _state(request: Request) -> State:
    state: State = request.app.state.service
    return state


TheState = Annotated[State, Depends(_state)]
"""A parameter of a route: the state of the process that it runs in."""
