"""`python -m everyword` is the command `everyword`."""

from __future__ import annotations

from everyword.cli import main

if __name__ == "__main__":
    main(prog_name="everyword")
