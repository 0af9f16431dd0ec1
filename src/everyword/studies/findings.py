"""The findings of a study: our scores beside the paper's and the verdicts on its claims, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from everyword import __version__
from everyword.atomic import write_atomic
from everyword.studies.claims import Judgement, Rows, Score, judge
from everyword.studies.commit import code_commit
from everyword.studies.config import NetworksConfig, Size, Study, Variant


@dataclass(frozen=True)
class Findings:
    """A study with its scores."""

    study: Study
    size: Size
    rows: Rows
    teacher: str
    """What the vectors were learnt from, with its checksum."""
    overrides: tuple[str, ...] = ()
    models: Mapping[str, Sequence[str]] | None = None
    """The fingerprints of the models behind each row."""
    networks: NetworksConfig | None = None
    """How networks were trained on the vectors, if they were."""
    details: Mapping[str, Any] | None = None
    """What a study finds beside its table, as plain values."""
    date: str = field(default_factory=lambda: date.today().isoformat())
    commit: str | None = field(default_factory=code_commit)
    """The commit of the code; none outside a git checkout."""

    @property
    def judgements(self) -> list[Judgement]:
        """Every claim with its verdict."""
        return [judge(claim, self.rows, self.study.margin) for claim in self.study.claims]

    @property
    def changed(self) -> dict[str, float]:
        """The share of words that noise really changed, by column."""
        scores = ((name, score) for row in self.rows.values() for name, score in row.items())
        return {name: score.changed for name, score in scores if score and score.changed is not None}

    @property
    def name(self) -> str:
        """The name of the study, with its size unless that is the small one."""
        return self.study.name + ("-full" if self.size == "full" else "")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
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
            "variants": [self._row_to_dict(variant) for variant in study.variants],
            "claims": [
                {**asdict(one.claim), "verdict": one.verdict, "margin": _rounded(one.margin)}
                | {"score": _rounded(one.better), "rivals": {k: _rounded(v) for k, v in one.than.items()}}
                for one in self.judgements
            ],
            **({"details": self.details} if self.details else {}),
            "cautions": list(study.cautions),
            "date": self.date,
            "commit": self.commit,
            "everyword": __version__,
        }

    def _row_to_dict(self, variant: Variant) -> dict[str, Any]:
        row = self.rows[variant.label]
        return {
            "label": variant.label,
            "ours": {name: _rounded(score.value) if score else None for name, score in row.items()},
            "spread": {name: _rounded(score.spread) for name, score in row.items() if score and score.spread},
            "paper": dict(variant.paper),
            "models": list((self.models or {}).get(variant.label, ())),
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def save(self, folder: Path) -> Path:
        """Save the JSON to a folder, under the name of the study, and return the file."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.json"
        write_atomic(path, self.to_json() + "\n")
        return path

    def to_text(self) -> str:
        """Return the table, the claims and the cautions as text."""
        study = self.study
        size = f"{self.size} size, " + (f"{study.seeds} seeds" if study.seeds > 1 else "one seed")
        parts = [f"{study.title}\n{study.source}\n{size}; ours (paper), in percent", table(study, self.rows)]
        if self.changed:
            shares = [f"{_column(name)} {share:.0%}" for name, share in self.changed.items()]
            parts.append(f"words changed by noise: {', '.join(shares)}")
        if study.claims:
            parts.append("\n".join(["claims", *(_claim_line(one, study.digits) for one in self.judgements)]))
        if study.cautions:
            parts.append("\n".join(["cautions", *(f"  {line}" for line in study.cautions)]))
        return "\n\n".join(parts)


def table(study: Study, rows: Rows) -> str:
    """Return our scores beside the paper's as aligned Markdown, with the variants as columns if they are fewer."""
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
    """Return our score, and the paper's in brackets.

    >>> cell(Score(42.13, 0.4), 42.2), cell(None, 17.7), cell(Score(1.0), None, digits=2)
    ('42.1 ± 0.4 (42.2)', '– (17.7)', '1.00')
    """
    text = _number(ours.value if ours else None, digits)
    text += f" ± {_number(ours.spread, digits)}" if ours and ours.spread is not None else ""
    return text + (f" ({_number(paper, digits)})" if paper is not None else "")


def _claim_line(judgement: Judgement, digits: int) -> str:
    claim = judgement.claim
    others = ", ".join(f"{label} {_number(value, digits)}" for label, value in judgement.than.items())
    numbers = f"{claim.on}: {claim.better} {_number(judgement.better, digits)}; {others}"
    margin = f"; margin {_number(judgement.margin, digits)}" if judgement.margin is not None else ""
    return f"  {judgement.verdict + ':':<18} {claim.text} [{numbers}{margin}]"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
