"""The manifest of `everyword embed`, by which an interrupted run goes on."""

from pathlib import Path

from everyword.corpus.embedding.plan import MANIFEST, Plan
from fuzz.targets.common import read_folder


def _parts(folder: Path) -> None:
    plan = Plan.load(folder)
    assert sum(part.rows for part in plan.parts) == plan.rows


def read(data: bytes) -> None:
    """Read a manifest and its parts."""
    read_folder({MANIFEST: data}, _parts)
