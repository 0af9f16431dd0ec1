"""Probes: questions about what is in vectors, each with its controls and an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from everyword import registry
from everyword.config import Natural
from everyword.errors import UnknownNameError, did_you_mean
from everyword.evaluation.probes.representation import Representation

EVERYTHING = "all"
RANDOM_VECTORS, MAJORITY, LENGTH, CONTROL_LABELS = "random vectors", "majority", "length", "control labels"
"""Names of controls."""

Progress = Callable[[int, int], None]
"""Takes the number of steps that are finished, and of all."""


@dataclass(frozen=True)
class ProbeSettings:
    """How a question is asked."""

    seed: Natural = 0
    quick: bool = False
    """Whether to use a part of the data, for a first look."""
    control_labels: bool = False
    """Whether to train on labels that are shuffled by word type too: what is learnt then is memorised."""


@dataclass(frozen=True)
class ProbeScore:
    """The answer to a question: 100 is perfect, unless the metric says otherwise."""

    value: float
    metric: str
    n: int
    """How many items were scored."""
    interval: tuple[float, float] | None = None
    """Between which values 95 % of the answers on other items would be."""
    controls: Mapping[str, float] = field(default_factory=dict)
    """What the same probe scores without these vectors, by the name of the control."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Values of groups of items, such as labels or kinds of features."""
    details: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """A larger table, row by row, for those who look closer."""
    items: Mapping[str, Sequence[float | str]] = field(default_factory=dict)
    """Columns with a cell for each item, "score" (0 to 1), and perhaps "word", "gold", "predicted" and "group" (the
    sentence), as two systems are compared by; kept only where asked for."""


Run = Callable[[Representation, Sequence[Path], ProbeSettings, Progress], ProbeScore]
"""Ask a representation; the paths are those of the files that the probe needs, in their order."""


@dataclass(frozen=True)
class Probe:
    """A question about vectors. Changed arithmetic is a new version."""

    name: str
    version: int
    summary: str
    """The question, in one line."""
    needs: tuple[str, ...]
    """Files inside the data folder."""
    run: Run
    random_control: bool = True
    """Whether random vectors of the same dimension are asked too."""
    slow: bool = False
    """Whether it takes more than two minutes, so that it is asked only by name."""

    @property
    def full_name(self) -> str:
        """The name under which it is registered."""
        return f"{self.name}.v{self.version}"


def known_probes() -> list[Probe]:
    """Return all registered probes."""
    return [registry.probes.get(name) for name in registry.probes]


def choose_probes(names: Sequence[str] = (EVERYTHING,)) -> list[Probe]:
    """Return the probes of these names, each once, in the order of the registry; "all" leaves out slow ones."""
    probes = known_probes()
    known = {EVERYTHING, *(name for probe in probes for name in (probe.name, probe.full_name))}
    for name in names:
        if name not in known:
            raise UnknownNameError(f"There is no probe {name!r}: {did_you_mean(name, known)}")
    wanted = set(names)
    return [
        probe for probe in probes if wanted & {probe.name, probe.full_name} or (EVERYTHING in wanted and not probe.slow)
    ]
