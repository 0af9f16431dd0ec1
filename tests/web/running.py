"""Real servers for tests: in a thread of this process, or as `everyword serve` in another one."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import httpx2
import uvicorn
from fastapi import FastAPI

PATIENCE = 30


@contextmanager
def in_a_thread(app: FastAPI) -> Iterator[str]:
    """The address of an app that is served while the context lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            wait_for(address)
            yield address
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@contextmanager
def as_a_command(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`everyword serve` on a free port, and its address."""
    command = [sys.executable, "-m", "everyword", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            assert said.startswith("everyword: serving at http://127.0.0.1:"), said + process.stderr.read()
            address = said.split()[3]
            wait_for(address)
            yield process, address
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def wait_for(address: str) -> None:
    """Until the service answers."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        try:
            if httpx2.get(f"{address}/health", timeout=PATIENCE).status_code == 200:
                return
        except httpx2.TransportError:
            sleep(0.05)
    raise AssertionError(f"{address} does not answer")
