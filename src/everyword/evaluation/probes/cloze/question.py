"""The cloze test as a probe: does a model know what rare words are?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from everyword.errors import NoScoreError
from everyword.evaluation.probes.cloze.entries import BANDS, Entry, read_entries
from everyword.evaluation.probes.cloze.scoring import TOP, EntryRanks, ask_model, ask_table
from everyword.evaluation.probes.intervals import mean_interval
from everyword.evaluation.probes.probe import Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation, StaticVectors

QUICK_STEP = 8


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Score the mean reciprocal rank of the best answer, averaged over the phrases of a question."""
    entries = [one for one in read_entries(paths[0]) if one.split == "test"][:: QUICK_STEP if settings.quick else 1]
    if not entries:
        raise NoScoreError(f"{paths[0]} holds no questions of the part test.")
    ranked = _ask(asked, entries)
    progress(1, 1)
    scores = np.array([100 * np.mean([_reciprocal(rank) for rank in one.ranks] or [0.0]) for one in ranked])
    bands = np.array([one.entry.band for one in ranked])
    return ProbeScore(
        value=float(scores.mean()),
        metric="MRR",
        n=len(scores),
        interval=mean_interval(scores),
        parts={band: float(scores[bands == band].mean()) for band in BANDS if (bands == band).any()},
        items={"score": (scores / 100).tolist(), "word": [one.keyword for one in entries]},
    )


def _reciprocal(rank: int) -> float:
    return 1 / rank if rank <= TOP else 0.0


def _ask(asked: Representation, entries: Sequence[Entry]) -> list[EntryRanks]:
    """Put the questions to vectors, by their neighbours, or to the head of a transformer that predicts words."""
    if isinstance(asked, StaticVectors):
        return ask_table(asked.model, entries)
    source = getattr(asked, "source", None)
    if source is None or asked.layer != asked.layers:
        raise NoScoreError("A cloze test needs known words among which to search, or the last layer of a transformer.")
    from everyword.language_models.heads import load_with_head

    return ask_model(*load_with_head(source, "MaskedLM", device="cpu"), entries)


PROBE = Probe(
    name="cloze",
    version=1,
    summary="Does a model know what rare words are: their opposites, kinds and sisters?",
    needs=("cloze/cloze.tsv",),
    run=run,
    random_control=False,
)
