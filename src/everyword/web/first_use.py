"""UMAP compiles itself when it is first used, for up to half a minute; that happens beside the service."""

from __future__ import annotations

from threading import Event, Lock, Thread

import numpy as np

from everyword.space.projection import project
from everyword.web.problems import Problem, Refused

AGAIN_IN = 3
"""Seconds after which somebody who waits for it may ask again."""


class FirstUse:
    """Sends the first ones who want UMAP away until it is compiled; their asking sets it going."""

    def __init__(self) -> None:
        self._begun, self._ready = Lock(), Event()

    def check(self) -> None:
        """Refuse while it is not ready."""
        if self._ready.is_set():
            return
        if self._begun.acquire(blocking=False):
            Thread(target=self._compile, name="everyword-umap", daemon=True).start()
        told = "UMAP is being compiled for its first use; ask again in some seconds."
        raise Refused(503, Problem(error=told), retry_after=AGAIN_IN)

    def _compile(self) -> None:
        try:
            project(np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32), "umap")
        finally:  # whatever was wrong, whoever asks next is told
            self._ready.set()
