"""What a service serves, and how much of it at once; plain data, so that it can be handed to other processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from everyword.errors import ConfigError


@dataclass(frozen=True)
class Limits:
    """What one request, and all of them together, may ask for."""

    body_bytes: int = 1 << 20
    """The size of a request's body, counted as it arrives."""
    words: int = 1024
    """Words of a request; each costs microseconds."""
    searches: int = 16
    """Words of a request that are looked for among all known words; each costs tens of milliseconds."""
    word_length: int = 200
    """Characters of a word."""
    waiting: int = 64
    """Requests that were accepted and are not answered yet; a further one is sent away."""
    seconds: float = 10.0
    """Until a request is answered, or its body has arrived."""

    def problems(self) -> Iterator[str]:
        """Values that cannot be."""
        for name, value in asdict(self).items():
            if not value > 0:
                yield f"{name} must be greater than 0. Got {value} instead"


@dataclass(frozen=True)
class Settings:
    """All that the processes of a service need to know."""

    models: tuple[str, ...]
    """Names, folders or hub ids; the first one answers where a request names none."""
    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    """What a request must bring along as "Authorization: Bearer TOKEN"; None asks for nothing."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may use the service."""

    def __post_init__(self) -> None:
        found = [*self.limits.problems()]
        if not self.models:
            found.append("models must name at least one model")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable() and self.token.strip()):
            found.append("token must be of printable ASCII characters, as it travels in a header")
        if found:
            raise ConfigError("The service cannot be set up like this: " + "; ".join(found) + ".")

    def to_json(self) -> str:
        """As text, for other processes."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """What `to_json` made."""
        record = json.loads(text)
        limits = Limits(**record["limits"])
        return cls(tuple(record["models"]), limits, record["token"], tuple(record["origins"]))
