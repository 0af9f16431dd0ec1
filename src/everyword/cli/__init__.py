"""The shell: one file per command, thin; `main` is the command `everyword` itself."""

from __future__ import annotations

from everyword.cli.group import main

__all__ = ["main"]
