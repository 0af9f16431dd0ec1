"""Ask representations one question after the other and save each answer at once, so that a killed run can continue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from everyword.errors import EverywordError, InputError
from everyword.evaluation.probes import probe_results
from everyword.evaluation.probes.probe import RANDOM_VECTORS, Probe, ProbeSettings, Progress
from everyword.evaluation.probes.probe_results import ProbeResult
from everyword.evaluation.probes.representation import RANDOM, RandomVectors, Representation
from everyword.files import checksum_of_all

DEFAULT = ProbeSettings()


@dataclass(frozen=True)
class Answer:
    """A question with its result, or the reason why it has none."""

    probe: str
    result: ProbeResult | None = None
    reason: str = ""
    kept_before: bool = False
    """Whether the result was made by an earlier run."""


@dataclass(frozen=True)
class Probing:
    """Where data and results are, and how questions are asked."""

    data: Path
    settings: ProbeSettings = DEFAULT
    results: Path | None = None
    """A folder for the results; None to save nothing."""
    overwrite: bool = False
    items: bool = False
    """Whether results of single items are saved too."""
    progress: Callable[[str], Progress] = lambda question: lambda done, of: None
    """Returns what shows the progress of a question."""

    def ask(self, asked: Representation, probes: Sequence[Probe]) -> Iterator[Answer]:
        """Ask each question, unless its result is already saved.

        Args:
            asked: What gives the vectors, at one layer.
            probes: What `choose_probes` returned.

        Yields:
            Each question with its result, or with the reason why it has none.
        """
        for probe in probes:
            paths = [self.data / file for file in probe.needs]
            missing = [str(path) for path in paths if not path.is_file()]
            if missing:
                others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
                yield Answer(probe.name, reason=f"There is no file {missing[0]}{others}.")
                continue
            try:
                yield self._answer(asked, probe, paths)
            except EverywordError as error:
                yield Answer(probe.name, reason=str(error))

    def _answer(self, asked: Representation, probe: Probe, paths: Sequence[Path]) -> Answer:
        sha256 = checksum_of_all(paths)
        path = probe_results.result_path(self.results, asked, probe, self.settings) if self.results else None
        if path is not None and not self.overwrite and path.is_file():
            saved = _saved(path)
            if saved is not None and saved.answers(asked, probe, self.settings, sha256, self.items):
                return Answer(probe.name, saved, kept_before=True)
        random: dict[str, float] = {}
        if probe.random_control and not isinstance(asked, RandomVectors):
            control = self._answer(RandomVectors(asked.dim), probe, paths).result
            random = {RANDOM_VECTORS: control.value} if control else {}
        start = perf_counter()
        label = f"{probe.name}, {RANDOM} vectors" if isinstance(asked, RandomVectors) else probe.name
        score = probe.run(asked, paths, self.settings, self.progress(label))
        seconds = perf_counter() - start
        score = replace(score, controls={**score.controls, **random})
        made = probe_results.make(asked, probe, self.settings, score, sha256=sha256, seconds=seconds, items=self.items)
        if path is not None:
            probe_results.write(path, made)
        return Answer(probe.name, made)


def _saved(path: Path) -> ProbeResult | None:
    try:
        return probe_results.read(path)
    except InputError:
        return None  # damaged or of another schema: made again
