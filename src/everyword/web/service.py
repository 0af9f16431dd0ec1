"""What the routes share: models, limits, threads and counts."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Request

from everyword.web.answers import encoded
from everyword.web.batches import Batches
from everyword.web.metrics import Metrics
from everyword.web.schemas import AskEncode
from everyword.web.served import Served, ServedModels
from everyword.web.settings import Settings
from everyword.web.work import Work


class Service:
    """One process of a service."""

    def __init__(self, models: ServedModels, settings: Settings) -> None:
        self.models, self.settings, self.limits = models, settings, settings.limits
        self.work = Work(settings.limits)
        self.metrics = Metrics()
        self._encoders: dict[str, Batches[AskEncode, bytes]] = {
            name: Batches(self.work, partial(encoded, served.model)) for name, served in models.by_name.items()
        }

    async def encode(self, served: Served, request: AskEncode) -> bytes:
        """The answer to a request for vectors, as JSON."""
        answer = await self._encoders[served.model.name](request)
        self.metrics.words[served.model.name] += len(request.words)
        return answer


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


TheService = Annotated[Service, Depends(_service)]
"""A parameter of a route: the service that it belongs to."""
