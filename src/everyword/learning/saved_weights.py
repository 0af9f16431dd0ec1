"""Put saved weights into a network; one of another size is refused before there is memory for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import torch
from torch import nn

from everyword.arrays import AnyArray

Network = TypeVar("Network", bound=nn.Module)


def check_sizes(make: Callable[[], nn.Module], weights: Mapping[str, AnyArray]) -> None:
    """Raise ValueError unless a network has these weights; it is made without memory, because a file may name any size.

    Args:
        make: Makes the network, with fresh weights on the default device of torch.
        weights: Those of the file, by name.
    """
    with torch.device("meta"):
        expected = {name: tuple(value.shape) for name, value in make().state_dict().items()}
    found = {name: array.shape for name, array in weights.items()}
    if wrong := sorted({name for name in {**expected, **found} if expected.get(name) != found.get(name)}):
        raise ValueError(f"its weights {', '.join(wrong[:3])} do not fit its configuration")


def loaded(make: Callable[[], Network], weights: Mapping[str, AnyArray]) -> Network:
    """Return a network with these weights; raise ValueError if they are not of its size."""
    check_sizes(make, weights)
    network = make()
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    return network
