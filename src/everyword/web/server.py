"""Run the service with uvicorn: a socket, one or more processes, and a stop that finishes accepted requests."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from everyword.errors import InputError
from everyword.models.load import find_model, load
from everyword.web.app import SETTINGS, from_environment, load_app
from everyword.web.corpus import Corpus
from everyword.web.settings import Settings
from everyword.web.tables import Table

IDLE_SECONDS = 30
"""After this time without a request a connection is closed."""
MOST_CONNECTIONS = 2048
BACKLOG = 1024
FACTORY = f"{from_environment.__module__}:{from_environment.__name__}"


def is_loopback(host: str) -> bool:
    """Return whether only programs of the same machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(settings: Settings, host: str, port: int, workers: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal comes.

    Args:
        settings: Models, limits, token and origins.
        host: The address to listen at.
        port: The port; 0 takes a free one.
        workers: How many processes, each with the models in memory.
        ready: Called with the address as soon as it can be used.

    Raises:
        InputError: If the service cannot listen there.
    """
    if workers == 1:
        _one_process(settings, host, port, ready)
    else:
        _processes(settings, host, port, workers, ready)


def _one_process(settings: Settings, host: str, port: int, ready: Callable[[str], None]) -> None:
    app = load_app(settings)
    with _listen(host, port) as listening:
        ready(_address(listening, host))
        # Ctrl-C is raised once more after everything was finished.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(uvicorn.Config(app, **_options(settings))).run(sockets=[listening])


def _processes(settings: Settings, host: str, port: int, workers: int, ready: Callable[[str], None]) -> None:
    for name in settings.models:  # before other processes fail, one after the other, to find it
        find_model(name)
    for path in settings.tables:
        Table.load(path)
    if settings.corpus is not None:  # and before each of them makes the same index
        Corpus.load(settings.corpus, settings.column, load(settings.models[0]))
    os.environ[SETTINGS] = settings.to_json()
    with _listen(host, port) as listening:  # only to see that it can be had, and to choose a free port
        address, port = _address(listening, host), listening.getsockname()[1]
    ready(address)
    uvicorn.run(FACTORY, factory=True, host=host, port=port, workers=workers, **_options(settings))


def _options(settings: Settings) -> dict[str, Any]:
    return {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "timeout_keep_alive": IDLE_SECONDS,
        "limit_concurrency": MOST_CONNECTIONS,
        "backlog": BACKLOG,
        # Whatever was accepted is answered or given up by then.
        "timeout_graceful_shutdown": int(2 * settings.limits.seconds) + 1,
    }


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or error
        message = f"The service cannot listen at {host} port {port}: {reason}; choose another --host or --port."
        raise InputError(message) from None


def _address(listening: socket.socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"
