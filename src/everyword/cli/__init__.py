"""The shell: one file per command, thin; `main` is the command `everyword` itself."""

from __future__ import annotations

from everyword.cli.commands import main

__all__ = ["main"]
