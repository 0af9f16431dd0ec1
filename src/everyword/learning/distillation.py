"""Learning from a teacher's probabilities: a small classifier that imitates a large one.

Adhikari, Ram, Tang, Hamilton and Lin, "Exploring the Limits of Simple Learners in Knowledge Distillation for Document
Classification with DocBERT" (RepL4NLP 2020):

    loss = loss of the labels + weight · KL(student‖teacher)

Where a text may have several labels, each is there or not, and the divergences of all labels are summed. With a
temperature T, the scores of both sides are divided by T and the divergence is multiplied by T².
"""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

Direction = Literal["student||teacher", "teacher||student"]
LEAST = 1e-6
"""Probabilities below this are read as this: a divergence from 0 has no end."""


def divergence(
    scores: Tensor,
    teacher: Tensor,
    *,
    several: bool = False,
    direction: Direction = "student||teacher",
    temperature: float = 1.0,
) -> Tensor:
    """Return how far a student's predictions are from its teacher's, for each text.

    Args:
        scores: Of the student, (texts, labels).
        teacher: Probabilities, (texts, labels).
        several: Whether each label is there or not, instead of one of all labels.
        direction: KL(student‖teacher), or KL(teacher‖student).
        temperature: What the scores of both are divided by.
    """
    safe = teacher.clamp(LEAST, 1 - LEAST if several else 1.0)
    if several:
        logits = (safe.log() - torch.log1p(-safe)) / temperature
        own = torch.stack([F.logsigmoid(scores / temperature), F.logsigmoid(-scores / temperature)], dim=-1)
        other = torch.stack([F.logsigmoid(logits), F.logsigmoid(-logits)], dim=-1)
    else:
        own, other = F.log_softmax(scores / temperature, dim=-1), F.log_softmax(safe.log() / temperature, dim=-1)
    first, second = (own, other) if direction == "student||teacher" else (other, own)
    terms = first.exp() * (first - second)
    return temperature**2 * terms.flatten(1).sum(dim=1)
