"""Public names that are imported on first use, so that importing a package costs next to nothing (PEP 562)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the module-level `__getattr__` of a package whose public names live in other modules.

    Args:
        package: The name of the package.
        homes: The module of each public name; "module:other" if the name is another one there.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, other = homes[name].partition(":")
        return getattr(importlib.import_module(module), other or name)

    return find
