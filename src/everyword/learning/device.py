"""The device that training and language models run on."""

from __future__ import annotations

import torch

from everyword.errors import InputError


def pick_device(name: str) -> torch.device:
    """Return the device of a name; "auto" is a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"The device {name!r} cannot be used ({reason}); try cpu.") from None
    return device
