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
    """Return the device of a name; "auto" is a GPU if there is one.

    On a GPU cuDNN's attention is turned off: it makes a plan for every new shape, which takes longer than a step,
    and batches of texts have another shape nearly every time. This holds for the whole process.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
        if device.type == "cuda":
            torch.backends.cuda.enable_cudnn_sdp(False)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"The device {name!r} cannot be used ({reason}); try cpu.") from None
    return device


def multiplies_bfloat16(device: torch.device) -> bool:
    """Return whether a device multiplies matrices in bfloat16, which is several times as fast as in float32.

    All GPUs that we use do, and CPUs with AVX512-BF16 or AMX; others would turn the numbers into float32 first.
    """
    if device.type != "cpu":
        return device.type == "cuda"
    features: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(features.get("avx512_bf16") or features.get("amx_bf16"))


def half_precision(device: torch.device) -> torch.autocast:
    """Return a context in which networks multiply in bfloat16 where that is fast; fine-tuning does not notice."""
    return torch.autocast(device.type, torch.bfloat16, enabled=multiplies_bfloat16(device))


@contextmanager
def fast_products(device: torch.device) -> Iterator[None]:
    """Let float32 matrices be multiplied in fewer bits: in TF32 on a GPU, in bfloat16 on a CPU with AMX.

    Other CPUs keep all bits, but use oneDNN, which can be twice as fast as what they use else.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if device.type == "cuda" else "medium")
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
