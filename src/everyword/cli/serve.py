"""everyword serve: vectors over HTTP, and a page to play with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from everyword.cli.common import options
from everyword.cli.common.output import say
from everyword.extras import require

LOOPBACK = "127.0.0.1"


def _limit(name: str, default: int, help: str) -> Callable[[Any], Any]:
    """Return an option for a number from 1 up."""
    return click.option(name, type=options.COUNT, default=default, show_default=True, metavar="N", help=help)


@click.command()
@options.text(
    "--model",
    "NAME_OR_FOLDER",
    "A model to serve (repeatable); the first is the default one.  [default: the embedded models]",
    to="models",
    multiple=True,
    callback=options.refuse_vector_file,
)
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for a free one.",
)
@_limit("--workers", 1, "Number of processes; each loads the models.")
@options.text(
    "--token", "TEXT", "Token that clients must send; better set as EVERYWORD_TOKEN.", envvar="EVERYWORD_TOKEN"
)
@options.text(
    "--cors", "ORIGIN", "Allow cross-origin requests from this origin (repeatable).", to="origins", multiple=True
)
@options.text("--table", "FILE", "Vector file to compare the models with (repeatable).", to="tables", multiple=True)
@options.text("--corpus", "FILE", "Texts for /v1/search to look through, as `everyword search` reads them.")
@options.text("--column", "NAME", "Column or field of the texts of --corpus.  [default: text]")
@_limit("--max-words", 1024, "Maximum words per request.")
@_limit("--max-texts", 2048, "Maximum texts per request.")
@_limit("--max-waiting", 64, "Maximum requests in progress.")
@_limit("--max-bytes", 1 << 20, "Maximum size of a request's body.")
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=10.0, show_default=True, help="Seconds until a request fails."
)
def serve(
    *,
    models: tuple[str, ...],
    host: str,
    port: int,
    workers: int,
    token: str | None,
    origins: tuple[str, ...],
    tables: tuple[str, ...],
    corpus: str | None,
    column: str | None,
    max_words: int,
    max_texts: int,
    max_waiting: int,
    max_bytes: int,
    timeout: float,
) -> None:
    """Serve vectors and a playground over HTTP.

    The playground is at the printed address, the description of the API at /docs, metrics for Prometheus at /metrics.
    By default the server listens on localhost only. Ctrl-C or SIGTERM stops it after accepted requests are answered.

    \b
    Examples:
      everyword serve
      everyword serve --model my-model --model everyword-en --port 9000
      everyword serve --corpus articles.jsonl --column title
      everyword serve --table glove.txt --table fasttext.vec
      EVERYWORD_TOKEN=secret everyword serve --host 0.0.0.0 --workers 2
    """
    for package in ("fastapi", "uvicorn", "prometheus_client"):
        require(package, "The service")
    from everyword.web import server
    from everyword.web.settings import Limits, Settings

    limits = Limits(body_bytes=max_bytes, words=max_words, texts=max_texts, waiting=max_waiting, seconds=timeout)
    settings = Settings(models or _embedded(), limits, token, origins, corpus, column, tables)
    if token is None and not server.is_loopback(host):
        say(f"everyword: anyone who can reach {host} can use this service; set EVERYWORD_TOKEN to require a token.")
    server.serve(settings, host, port, workers, ready=_remark_ready)


def _embedded() -> tuple[str, ...]:
    """List the models inside the package, the default one first."""
    from everyword.models.load import DEFAULT, embedded_models

    return tuple(sorted(embedded_models(), key=lambda name: name != DEFAULT))


def _remark_ready(address: str) -> None:
    say(f"everyword: serving at {address} (Ctrl-C to stop)")
