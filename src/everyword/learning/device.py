"""The device that training and language models run on, and a search for neighbours there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError

QUERIES_AT_ONCE = 2048


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


@contextmanager
def fast_products(device: torch.device) -> Iterator[None]:
    """Let a GPU multiply float32 matrices in TF32, with 10 bits of a number for 23; on a CPU nothing changes."""
    before = torch.get_float32_matmul_precision()
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


@torch.inference_mode()
def neighbours_on_device(
    queries: FloatArray, matrix: FloatArray, k: int, *, device: str
) -> tuple[IndexArray, FloatArray]:
    """Find the rows with the largest cosine to each query, as `exact_neighbours` does except for equal cosines.

    Args:
        queries: Vectors of length 1, one per row.
        matrix: Vectors of length 1 to search, one per row.
        k: Number of neighbours, at most the number of rows.
        device: The device of torch; a GPU compares 250,000 words with each other in seconds.

    Returns:
        Indices and cosines, each of shape (queries, k), best first.
    """
    rows = torch.from_numpy(matrix).to(device)
    parts = []
    for start in range(0, len(queries), QUERIES_AT_ONCE):
        part = torch.from_numpy(np.ascontiguousarray(queries[start : start + QUERIES_AT_ONCE])).to(device)
        cosines, indices = (part @ rows.T).topk(min(k, len(rows)), dim=1)
        parts.append((indices.cpu().numpy(), cosines.cpu().numpy()))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
