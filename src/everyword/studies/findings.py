"""What a study found: our scores beside the paper's, and what became of its claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, pstdev
from typing import Any, Literal, TypeAlias

from everyword import __version__
from everyword.studies.config import (
    MEAN,
    ClaimConfig,
    NetworksConfig,
    PublishedRow,
    Size,
    StudyConfig,
)
from everyword.studies.rare_config import RareStudyConfig

Verdict = Literal["holds", "does not hold", "too close to tell", "not tested"]


@dataclass(frozen=True)
class Score:
    """A score in percent and, where there is chance in it, its standard deviation over seeds."""

    value: float
    spread: float | None = None
    changed: float | None = None
    """The share of words that noise really changed."""


Study: TypeAlias = StudyConfig | RareStudyConfig
Row = Mapping[str, Score | None]
"""The scores of a variant by piece; None where there is none."""
Rows = Mapping[str, Row]
"""All variants by label."""


@dataclass(frozen=True)
class Judged:
    """A claim, the verdict, and the numbers behind it."""

    claim: ClaimConfig
    verdict: Verdict
    better: float | None
    than: dict[str, float | None]
    margin: float | None
    """What a difference had to exceed, for the nearest rival."""


def row_of(runs: Sequence[Row], columns: Sequence[str]) -> dict[str, Score | None]:
    """The scores of a variant from those of its seeds, with the mean over its pieces."""
    pieces = [name for name in columns if name != MEAN]
    row = {name: _over_seeds([run[name] for run in runs]) for name in pieces}
    if MEAN in columns:
        row[MEAN] = _over_seeds([_mean([run[name] for name in pieces]) for run in runs])
    return row


def _mean(scores: Sequence[Score | None]) -> Score | None:
    values = [score.value for score in scores if score is not None]
    return Score(fmean(values)) if len(values) == len(scores) else None


def _over_seeds(scores: Sequence[Score | None]) -> Score | None:
    present = [score for score in scores if score is not None]
    if not present or len(present) < len(scores):
        return None
    if len(present) == 1:
        return present[0]
    values = [score.value for score in present]
    return Score(fmean(values), pstdev(values), present[0].changed)


def judge(claim: ClaimConfig, rows: Rows, margin: float) -> Judged:
    """Whether a claim holds: against every rival, by more than the margin and the spread of the two scores."""
    better = rows[claim.better].get(claim.on)
    rivals = {label: rows[label].get(claim.on) for label in claim.than}
    numbers = {label: score.value if score else None for label, score in rivals.items()}
    present = [score for score in rivals.values() if score is not None]
    if better is None or len(present) < len(rivals):
        return Judged(claim, "not tested", better.value if better else None, numbers, None)
    # The rival that leaves the claim the least room; each has a margin of its own.
    margins = [max(margin, (better.spread or 0.0) + (rival.spread or 0.0)) for rival in present]
    reached = better.value + claim.within
    room, needed = min(
        ((reached - rival.value) / (own or 1.0), own) for rival, own in zip(present, margins, strict=True)
    )
    return Judged(claim, _verdict(room * (needed or 1.0), needed), better.value, numbers, needed)


def _verdict(gap: float, margin: float) -> Verdict:
    """The verdict for a difference.

    >>> _verdict(0.6, 0.5), _verdict(-0.6, 0.5), _verdict(0.4, 0.5)
    ('holds', 'does not hold', 'too close to tell')
    """
    if gap > margin:
        return "holds"
    return "does not hold" if gap < -margin else "too close to tell"


@dataclass(frozen=True)
class Findings:
    """A study with its scores."""

    study: Study
    size: Size
    rows: Rows
    teacher: str
    overrides: tuple[str, ...] = ()
    models: Mapping[str, Sequence[str]] | None = None
    """The checksums of the models behind each row."""
    networks: NetworksConfig | None = None
    """How networks were trained on the vectors, if they were."""

    @property
    def claims(self) -> list[Judged]:
        """Every claim with its verdict."""
        return [judge(claim, self.rows, self.study.margin) for claim in self.study.claims]

    @property
    def changed(self) -> dict[str, float]:
        """The share of words that noise really changed, by piece."""
        scores = ((name, score) for row in self.rows.values() for name, score in row.items())
        return {name: score.changed for name, score in scores if score and score.changed is not None}

    @property
    def name(self) -> str:
        """The name of the study, with its size unless that is the small one."""
        return self.study.name + ("-full" if self.size == "full" else "")

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        study = self.study
        return {
            "study": study.name,
            "title": study.title,
            "source": study.source,
            "size": self.size,
            "policy": study.policy,
            "overrides": list(self.overrides),
            "teacher": self.teacher,
            "seeds": study.seeds,
            "margin": study.margin,
            "digits": study.digits,
            **({"networks": asdict(self.networks)} if self.networks else {}),
            **({"changed": {name: _rounded(share) for name, share in self.changed.items()}} if self.changed else {}),
            "variants": [self._row_as_dict(variant) for variant in study.variants],
            "claims": [
                {**asdict(judged.claim), "verdict": judged.verdict, "margin": _rounded(judged.margin)}
                | {"score": _rounded(judged.better), "rivals": {k: _rounded(v) for k, v in judged.than.items()}}
                for judged in self.claims
            ],
            "cautions": list(study.cautions),
            "everyword": __version__,
        }

    def _row_as_dict(self, variant: PublishedRow) -> dict[str, Any]:
        row = self.rows[variant.label]
        return {
            "label": variant.label,
            "ours": {name: _rounded(score.value) if score else None for name, score in row.items()},
            "spread": {name: _rounded(score.spread) for name, score in row.items() if score and score.spread},
            "paper": dict(variant.paper),
            "models": list((self.models or {}).get(variant.label, ())),
        }

    def as_text(self) -> str:
        """The table, the claims and the cautions, for people."""
        study = self.study
        size = f"{self.size} size, " + (f"{study.seeds} seeds" if study.seeds > 1 else "one seed")
        parts = [f"{study.title}\n{study.source}\n{size}; ours (paper), in percent", table(study, self.rows)]
        if self.changed:
            shares = [f"{_column(name)} {share:.0%}" for name, share in self.changed.items()]
            parts.append(f"words that noise really changed: {', '.join(shares)}")
        if study.claims:
            parts.append("\n".join(["claims", *(_claim_line(judged, study.digits) for judged in self.claims)]))
        if study.cautions:
            parts.append("\n".join(["cautions", *(f"  {line}" for line in study.cautions)]))
        return "\n\n".join(parts)


def table(study: Study, rows: Rows) -> str:
    """Our scores beside the paper's, aligned and in Markdown; variants side by side if there are fewer of them."""
    heading = ["variant", *map(_column, study.columns)]
    body = [
        [
            variant.label,
            *(cell(rows[variant.label].get(name), variant.paper.get(name), study.digits) for name in study.columns),
        ]
        for variant in study.variants
    ]
    if len(study.columns) > len(study.variants):
        heading, *body = ([*line] for line in zip(heading, *body, strict=True))
    widths = [max(map(len, column)) for column in zip(heading, *body, strict=True)]
    rule = [width * "-" for width in widths[:1]] + [(width - 1) * "-" + ":" for width in widths[1:]]
    return "\n".join("| " + " | ".join(_justified(line, widths)) + " |" for line in (heading, rule, *body))


def _column(name: str) -> str:
    return name.partition("/")[2] or name


def _justified(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))]


def cell(ours: Score | None, paper: float | None, digits: int = 1) -> str:
    """Our score, and the paper's in brackets.

    >>> cell(Score(42.13, 0.4), 42.2), cell(None, 17.7), cell(Score(1.0), None, digits=2)
    ('42.1 ± 0.4 (42.2)', '– (17.7)', '1.00')
    """
    text = _number(ours.value if ours else None, digits)
    text += f" ± {_number(ours.spread, digits)}" if ours and ours.spread is not None else ""
    return text + (f" ({_number(paper, digits)})" if paper is not None else "")


def _claim_line(judged: Judged, digits: int) -> str:
    claim = judged.claim
    rivals = ", ".join(f"{label} {_number(value, digits)}" for label, value in judged.than.items())
    numbers = f"{claim.on}: {claim.better} {_number(judged.better, digits)}; {rivals}"
    margin = f"; margin {_number(judged.margin, digits)}" if judged.margin is not None else ""
    return f"  {judged.verdict + ':':<18} {claim.text} [{numbers}{margin}]"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
