"""everyword serve: vectors over HTTP, and a page to play with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from everyword.extras import require

Command = TypeVar("Command", bound=Callable[..., Any])
LOOPBACK = "127.0.0.1"


def _limit(name: str, default: int, told: str) -> Callable[[Command], Command]:
    """An option for a number from 1 up."""
    return click.option(name, type=click.IntRange(min=1), default=default, show_default=True, metavar="N", help=told)


@click.command()
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME_OR_FOLDER",
    help="A model to serve; repeat it for several, the first is the default.  [default: the embedded ones]",
)
@click.option("--host", default=LOOPBACK, show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@_limit("--workers", 1, "Processes; each has the models in memory.")
@click.option(
    "--token", envvar="EVERYWORD_TOKEN", metavar="TEXT", help="What clients must send; better as EVERYWORD_TOKEN."
)
@click.option("--cors", "origins", multiple=True, metavar="ORIGIN", help="A site whose pages may ask; repeat it.")
@_limit("--max-words", 1024, "Words of a request.")
@_limit("--max-waiting", 64, "Requests answered at the same time.")
@_limit("--max-bytes", 1 << 20, "Size of a request's body.")
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="Seconds until a request ends."
)
def serve(
    *,
    models: tuple[str, ...],
    host: str,
    port: int,
    workers: int,
    token: str | None,
    origins: tuple[str, ...],
    max_words: int,
    max_waiting: int,
    max_bytes: int,
    timeout: float,
) -> None:
    """Serve vectors and a playground over HTTP.

    The playground is at the address that is printed, a description of the API at /docs, counts for Prometheus at
    /metrics. By default only programs of this machine can ask. Ctrl-C or SIGTERM ends the service when all that it
    accepted is answered.

    \b
    Examples:
      everyword serve
      everyword serve --model my-model --model everyword-en --port 9000
      EVERYWORD_TOKEN=secret everyword serve --host 0.0.0.0 --workers 2
    """
    for package in ("fastapi", "uvicorn", "prometheus_client"):
        require(package, "The service")
    from everyword.web import server
    from everyword.web.settings import Limits, Settings

    limits = Limits(body_bytes=max_bytes, words=max_words, waiting=max_waiting, seconds=timeout)
    settings = Settings(models or _embedded(), limits, token, origins)
    if token is None and not server.is_loopback(host):
        click.echo(
            f"everyword: anybody who reaches {host} can use this service; set EVERYWORD_TOKEN to ask for a token.",
            err=True,
        )
    server.serve(settings, host, port, workers, ready=_say)


def _embedded() -> tuple[str, ...]:
    """All models inside the package, the default one first."""
    from everyword.models.load import DEFAULT, embedded_models

    return tuple(sorted(embedded_models(), key=lambda name: name != DEFAULT))


def _say(address: str) -> None:
    click.echo(f"everyword: serving at {address} (Ctrl-C ends it)", err=True)
