"""Losses that make the vectors of one class close and those of different classes distant.

Coria, Ghannay, Rosset and Bredin, "A Metric Learning Approach to Misogyny Categorization" (RepL4NLP 2020). x is what a
network makes of a text, w_k the weights of class k, c_k its centre, y the class of x, D = 1 - cos; all are means:

    cross-entropy  CE(s, y)                                      s: the scores of the network's output layer
    coco           CE(a cos(x, w_k), y)                          congenerous cosine
    aam            CE(a cos(angle(x, w_k) + m [k = y]), y)       additive angular margin
    center         CE(s, y) + lambda / 2 (1 - cos(x, c_y))²
    contrastive    D² of two texts of a class, max(m - D, 0)² of two others
    triplet        sigmoid(a (cos(x, x-) - cos(x, x+)))          x+ is of the class of x, x- is not

Pairs and triplets are all those of a batch; a batch without any has the loss 0. Only directions count for all but
cross-entropy and the first part of center.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.learning.classification import ClassificationLoss
from everyword.learning.losses import with_margin

SHARPNESS = 10.0
"""The scale of cosines with class means, where a loss has no scale for classes."""


class CongenerousCosine(ClassificationLoss):
    """Cross-entropy of scaled cosines between features and the weights of classes.

    Args:
        width: The number of features.
        labels: The number of classes.
        scale: What cosines are multiplied by.
        centres: The weights of the classes to start with, (labels, width), such as vectors of words.
        freeze: Whether these weights stay as they are.
    """

    unit = True
    settles = True

    def __init__(
        self, width: int, labels: int, *, scale: float = 10.0, centres: Tensor | None = None, freeze: bool = False
    ) -> None:
        super().__init__(width, labels)
        if centres is not None and centres.shape != (labels, width):
            raise InputError(f"The centres must have the shape {(labels, width)}. Got {tuple(centres.shape)}.")
        self.scale = _above_zero("scale", scale)
        start = torch.randn(labels, width) if centres is None else centres.detach().clone()
        self.weights = nn.Parameter(start, requires_grad=not freeze)

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(self.scale * self._cosines(features), targets)

    @torch.no_grad()
    def settle(self, output: nn.Linear, features: Tensor, targets: Tensor) -> None:
        _set_classes(output, self.scale * F.normalize(self.weights, dim=1))

    def _cosines(self, features: Tensor) -> Tensor:
        return cosines(features, self.weights)


class AdditiveAngularMargin(CongenerousCosine):
    """The same with a margin, in radians, between a feature vector and the weights of its class, while training.

    Args:
        width: The number of features.
        labels: The number of classes.
        margin: What is added to the angle; 0 is `CongenerousCosine`.
        scale: What cosines are multiplied by.
        centres: The weights of the classes to start with, (labels, width).
        freeze: Whether these weights stay as they are.
    """

    def __init__(
        self,
        width: int,
        labels: int,
        *,
        margin: float = 0.05,
        scale: float = 10.0,
        centres: Tensor | None = None,
        freeze: bool = False,
    ) -> None:
        super().__init__(width, labels, scale=scale, centres=centres, freeze=freeze)
        self.margin = _not_below_zero("margin", margin)

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(self.scale * with_margin(self._cosines(features), targets, self.margin), targets)


class Center(ClassificationLoss):
    """Cross-entropy, and the distance of features to a learnt centre of their class.

    Args:
        width: The number of features.
        labels: The number of classes.
        weight: How much the distance counts; 0 is cross-entropy.
    """

    def __init__(self, width: int, labels: int, *, weight: float = 1.0) -> None:
        super().__init__(width, labels)
        self.weight = _not_below_zero("weight", weight)
        self.centres = nn.Parameter(torch.randn(labels, width))

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        near = F.cosine_similarity(features, self.centres[targets], dim=1)
        return F.cross_entropy(scores, targets) + self.weight / 2 * (1 - near).square().mean()


class _WithoutClasses(ClassificationLoss):
    """A loss that compares texts with each other; a class is then the mean of its texts."""

    unit = True
    settles = True

    @torch.no_grad()
    def settle(self, output: nn.Linear, features: Tensor, targets: Tensor) -> None:
        sums = features.new_zeros(output.weight.shape).index_add_(0, targets, F.normalize(features, dim=1))
        _set_classes(output, SHARPNESS * F.normalize(sums, dim=1))


class Contrastive(_WithoutClasses):
    """Pairs of texts: those of a class come together, others keep a distance.

    Args:
        width: The number of features.
        labels: The number of classes.
        margin: The distance, 1 - cosine, beyond which two texts of different classes are far enough apart.
        squared: Whether distances are squared, as in the paper, or not, as in the authors' code.
    """

    def __init__(self, width: int, labels: int, *, margin: float = 0.25, squared: bool = True) -> None:
        super().__init__(width, labels)
        self.margin, self.squared = _above_zero("margin", margin), squared

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        first, second = torch.triu_indices(len(features), len(features), 1, device=features.device)
        if not len(first):
            return features.sum() * 0.0
        distances = (1 - cosines(features, features))[first, second]
        same = targets[first] == targets[second]
        off = torch.where(same, distances, (self.margin - distances).clamp(min=0.0))
        return (off.square() if self.squared else off).mean()


class SigmoidTriplet(_WithoutClasses):
    """Triplets of a text, one of its class and one of another: the first two are to be closer.

    Args:
        width: The number of features.
        labels: The number of classes.
        scale: What the difference of the two cosines is multiplied by.
    """

    def __init__(self, width: int, labels: int, *, scale: float = 10.0) -> None:
        super().__init__(width, labels)
        self.scale = _above_zero("scale", scale)

    def forward(self, features: Tensor, scores: Tensor, targets: Tensor) -> Tensor:
        near = cosines(features, features)
        same = targets[:, None] == targets
        itself = torch.eye(len(targets), dtype=torch.bool, device=targets.device)
        anchors, partners = (same & ~itself).nonzero(as_tuple=True)
        others = ~same[anchors]  # (pairs of a class, texts): which texts are of another class
        if not bool(others.any()):
            return features.sum() * 0.0
        closer = near[anchors] - near[anchors, partners][:, None]
        return torch.sigmoid(self.scale * closer[others]).mean()


def cosines(rows: Tensor, others: Tensor) -> Tensor:
    """Return the cosine of each row with each of the others, (rows, others)."""
    return F.normalize(rows, dim=1) @ F.normalize(others, dim=1).T


def _set_classes(output: nn.Linear, weights: Tensor) -> None:
    output.weight.copy_(weights)
    output.bias.zero_()


def _above_zero(name: str, value: float) -> float:
    if not value > 0:
        raise InputError(f"The {name} must be above 0. Got {value} instead.")
    return value


def _not_below_zero(name: str, value: float) -> float:
    if not value >= 0:
        raise InputError(f"The {name} must be 0 or more. Got {value} instead.")
    return value
