"""The findings of a study: our scores beside the paper's and the verdicts on its claims, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from everyword import __version__
from everyword.atomic import write_atomic
from everyword.evaluation.results import NUMBERS
from everyword.studies.claims import Judgement, Rows, Score, judge, seeds_in_words
from everyword.studies.commit import code_commit
from everyword.studies.config import NetworksConfig, Size, Study, Variant
from everyword.studies.inputs import Inputs

DIGITS = 4
"""Of kept scores, behind the point."""


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
    sizes: Mapping[str, int] | None = None
    """What was counted, such as words, sentences and steps."""
    inputs: Inputs | None = None
    """What the study was given, by name and checksum."""
    date: str = field(default_factory=lambda: date.today().isoformat())
    commit: str | None = field(default_factory=code_commit)
    """The commit of the code; none outside a git checkout."""

    @cached_property
    def scores(self) -> Rows:
        """The rows, each score as it is kept, with the runs that it really stands on.

        Those of a score are None where nothing is drawn or trained. Judged are rounded scores, so that whoever judges
        the kept ones again finds the same.
        """
        return {
            variant.label: {
                column: score and self._as_kept(score, variant, column)
                for column, score in self.rows[variant.label].items()
            }
            for variant in self.study.variants
        }

    def _as_kept(self, score: Score, variant: Variant, column: str) -> Score:
        seeds = None if self.study.runs(variant, column) is None else score.seeds
        spread = None if score.spread is None else round(score.spread, DIGITS)
        return replace(score, value=round(score.value, DIGITS), spread=spread, seeds=seeds)

    @property
    def seeds(self) -> int | None:
        """How many times rows were really made, at most; None if nothing is drawn or trained."""
        scores = [score for row in self.scores.values() for score in row.values() if score is not None]
        return max((score.seeds for score in scores if score.seeds is not None), default=None)

    @property
    def judgements(self) -> list[Judgement]:
        """Every claim with its verdict."""
        return [judge(claim, self.scores, self.study.margin) for claim in self.study.claims]

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
            "settings": list(study.settings_of(self.size)),
            "overrides": list(self.overrides),
            "teacher": self.teacher,
            **({"inputs": self.inputs} if self.inputs else {}),
            **({"sizes": dict(self.sizes)} if self.sizes else {}),
            "seeds": self.seeds,
            "margin": study.margin,
            "digits": study.digits,
            **({"networks": asdict(self.networks)} if self.networks else {}),
            **({"changed": {name: _rounded(share) for name, share in self.changed.items()}} if self.changed else {}),
            "variants": [self._row_to_dict(variant) for variant in study.variants],
            "claims": [judgement_to_dict(one) for one in self.judgements],
            **({"details": self.details} if self.details else {}),
            "cautions": list(study.cautions),
            "date": self.date,
            "commit": self.commit,
            "everyword": __version__,
        }

    def _row_to_dict(self, variant: Variant) -> dict[str, Any]:
        row = self.scores[variant.label]
        found = {name: score for name, score in row.items() if score is not None}
        return {
            "label": variant.label,
            "ours": {name: _rounded(score.value) if score else None for name, score in row.items()},
            "spread": {name: _rounded(score.spread) for name, score in found.items() if score.spread},
            "seeds": together({name: score.seeds for name, score in found.items()}),
            "runs": {name: [*map(_rounded, score.runs)] for name, score in found.items() if score.runs},
            "n": {name: score.n for name, score in found.items() if score.n is not None},
            "paper": dict(variant.paper),
            "models": list((self.models or {}).get(variant.label, ())),
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return to_text_of_json(self.to_dict())

    def save(self, folder: Path) -> Path:
        """Save the JSON to a folder, under the name of the study, and return the file."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.json"
        write_atomic(path, self.to_json() + "\n")
        return path

    def to_text(self) -> str:
        """Return the table, the claims and the cautions as text."""
        study = self.study
        size = f"{self.size} size, {seeds_in_words(self.seeds)}"
        parts = [f"{study.title}\n{study.source}\n{size}; ours (paper), in percent", table(study, self.rows)]
        if self.changed:
            shares = [f"{_column(name)} {share:.0%}" for name, share in self.changed.items()]
            parts.append(f"words changed by noise: {', '.join(shares)}")
        if study.claims:
            parts.append("\n".join(["claims", *(_claim_line(one, study.digits) for one in self.judgements)]))
        cautions = [*self._missing_seeds(), *study.cautions]
        if cautions:
            parts.append("\n".join(["cautions", *(f"  {line}" for line in cautions)]))
        return "\n\n".join(parts)

    def _missing_seeds(self) -> list[str]:
        """Return a sentence about rows that were made fewer times than the study asks for."""
        found = [
            variant.label
            for variant in self.study.variants
            for column, score in self.scores[variant.label].items()
            if score is not None and score.seeds is not None
            if score.seeds < (self.study.runs(variant, column) or 0)
        ]
        labels = ", ".join(dict.fromkeys(found))
        return [f"{self.study.seeds} seeds were asked for; made fewer times: {labels}."] if found else []


def together(seeds: Mapping[str, int | None]) -> dict[str, int | None] | int | None:
    """Return the seeds of scores by column, or as one number if all are equal.

    >>> together({"a": 3, "b": 3}), together({"a": 3, "b": None})
    (3, {'a': 3, 'b': None})
    """
    return next(iter(seeds.values())) if len(set(seeds.values())) == 1 else dict(seeds)


def judgement_to_dict(judgement: Judgement) -> dict[str, Any]:
    """Return a claim and its verdict as plain values."""
    return {
        **asdict(judgement.claim),
        "than": list(judgement.claim.than),
        "verdict": judgement.verdict,
        "margin": _rounded(judgement.margin),
        "seeds": judgement.seeds,
        "reason": judgement.reason,
        "score": _rounded(judgement.better),
        "rivals": {label: _rounded(value) for label, value in judgement.than.items()},
    }


def to_text_of_json(values: Mapping[str, Any]) -> str:
    """Return plain values as JSON, with each list of numbers on one line."""
    text = json.dumps(values, indent=2, ensure_ascii=False)
    return NUMBERS.sub(lambda found: " ".join(found[0].split()), text)


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
    return f"  {judgement.verdict + ':':<18} {claim.text} [{numbers}{margin}; {judgement.reason}]"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
