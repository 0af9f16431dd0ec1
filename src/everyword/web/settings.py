"""Settings of a service: plain data, so that they can be handed to other processes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from everyword.config import Count, Positive, problems_of
from everyword.errors import ConfigError


@dataclass(frozen=True)
class Limits:
    """The limits of one request, and of all of them together."""

    body_bytes: Count = 1 << 20
    """The size of a request's body, counted as it arrives."""
    words: Count = 1024
    """Words per request; each costs microseconds."""
    searches: Count = 16
    """Words per request that are looked for among all known words, each of which costs tens of milliseconds; also
    queries that are looked for among texts, and texts that are explained word by word."""
    word_length: Count = 200
    """Characters per word."""
    texts: Count = 2048
    """Texts per request."""
    text_length: Count = 50_000
    """Characters per text, about twenty pages."""
    waiting: Count = 64
    """Requests that were accepted and are not answered yet; a further one is refused."""
    seconds: Positive = 10.0
    """Until a request is answered, or its body has arrived."""


@dataclass(frozen=True)
class Settings:
    """All that the processes of a service need to know."""

    models: tuple[str, ...]
    """Names, folders or hub ids; the first one answers requests that name no model."""
    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    """What a request must send as "Authorization: Bearer TOKEN"; None asks for nothing."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may use the service."""
    corpus: str | None = None
    """A file of texts to search."""
    column: str | None = None
    """The column of that file that has the texts."""
    tables: tuple[str, ...] = ()
    """Vector files to compare the models with."""

    def __post_init__(self) -> None:
        found = problems_of(Limits, asdict(self.limits))
        if self.column is not None and self.corpus is None:
            found.append("column needs a corpus that it is a column of")
        if not self.models:
            found.append("models must name at least one model")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable() and self.token.strip()):
            found.append("token must be of printable ASCII characters, as it travels in a header")
        if found:
            raise ConfigError("The service cannot be set up like this: " + "; ".join(found) + ".")

    def to_json(self) -> str:
        """Return the settings as text, for other processes."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """Return the settings that `to_json` wrote."""
        record = json.loads(text)
        record |= {name: tuple(record[name]) for name in ("models", "origins", "tables")}
        return cls(**record | {"limits": Limits(**record["limits"])})
