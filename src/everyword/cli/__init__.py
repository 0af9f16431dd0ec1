"""The shell: one file per command, thin; `main` is the command `everyword` itself.

`commands.py` lists the commands, `common/` has what they share: groups, options, checks, streams, errors, output.
"""

from __future__ import annotations

from everyword.cli.commands import main

__all__ = ["main"]
