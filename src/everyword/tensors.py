"""Arrays from safetensors files, which hold no code; whatever else is wrong with one is told in one way."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError, safe_open

from everyword.arrays import AnyArray


def read_tensors(path: Path) -> tuple[dict[str, AnyArray], dict[str, str]]:
    """The arrays by name, and the texts beside them; a ValueError if the file is damaged."""
    if not path.is_file():
        raise FileNotFoundError(path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118 (no mapping)
    except (SafetensorError, TypeError, AttributeError) as error:  # the last two for types that NumPy has not
        raise ValueError(" ".join(str(error).split())) from None
