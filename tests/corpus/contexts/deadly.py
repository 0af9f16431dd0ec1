"""A task that no worker survives, in a module that is imported quickly."""

from __future__ import annotations

import os
import signal


class Deadly:
    subject = "a deadly task"

    def run(self) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""
