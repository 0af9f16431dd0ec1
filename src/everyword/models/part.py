"""A part of a saved model in a file of its own, which is opened when it is first needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.arrays import AnyArray, read_tensors
from everyword.atomic import complete_file
from everyword.errors import DamagedModelError


@dataclass(frozen=True)
class SavedPart:
    """A safetensors file beside a model, and what the model's configuration says of it."""

    path: Path
    described: dict[str, Any]
    """Its `name` (the version), `checksum`, and what else the part needs to know."""

    def tensors(self) -> dict[str, AnyArray]:
        """Read the file; raise DamagedModelError if it is missing or altered."""
        try:
            return read_tensors(self._found(), mapped=True)[0]
        except ValueError as error:
            raise DamagedModelError(f"{self.path} cannot be read: {error}.") from None

    def content(self) -> bytes:
        """Return the file as it is; raise DamagedModelError if it is missing or altered."""
        return self._found().read_bytes()

    def _found(self) -> Path:
        checksum = self.described.get("checksum")
        found = complete_file(self.path, checksum) if isinstance(checksum, str) else None
        if found is None:
            raise DamagedModelError(f"{self.path} is missing or damaged. Download or save the model again.")
        return found

    def check_name(self, *expected: str) -> None:
        """Raise DamagedModelError unless the part is of a version that this everyword reads."""
        if (name := self.described.get("name")) not in expected:
            raise DamagedModelError(
                f"{self.path} is of version {name!r:.40}, and this version of everyword reads "
                f"{' and '.join(map(repr, expected))}: run  pip install -U everyword"
            )
