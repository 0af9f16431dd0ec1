"""A command in two processes, as torchrun would start them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import everyword


def run_in_two_processes(*arguments: object) -> None:
    """Run a command of everyword in two processes, of which only the first writes to the terminal."""
    outputs = start_two_processes("-m", "everyword", *map(str, arguments))
    assert outputs[1] == ("", ""), outputs


def start_two_processes(*arguments: str) -> list[tuple[str, str]]:
    """Do what torchrun does, without the process that watches the others; return what each wrote."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, *arguments]
    shared = {
        "PYTHONPATH": os.pathsep.join([str(Path(everyword.__file__).parents[1]), str(Path(__file__).parent)]),
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    started = [
        subprocess.Popen(
            command,
            env={**os.environ, **shared, "RANK": str(rank), "LOCAL_RANK": str(rank)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    outputs = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], outputs
    return outputs
