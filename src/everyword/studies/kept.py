"""Kept findings: what a study found before, read from its JSON and judged again without a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from everyword.studies.claims import Rows, Score, judge
from everyword.studies.config import Claim, Study
from everyword.studies.findings import judgement_to_dict, together

CLAIM = ("text", "better", "than", "on", "within")


def judged_again(kept: Mapping[str, Any], study: Study) -> dict[str, Any]:
    """Return kept findings with the verdicts that their scores allow.

    Files from before scores told how many seeds they stand on get that from the study.

    Args:
        kept: The findings as plain values.
        study: The published study that they belong to.
    """
    found = with_seeds(kept, study)
    rows, claims = rows_of(found), [claim_of(one) for one in kept["claims"]]
    return {**found, "claims": [judgement_to_dict(judge(one, rows, found["margin"])) for one in claims]}


def with_seeds(kept: Mapping[str, Any], study: Study) -> dict[str, Any]:
    """Return kept findings whose rows tell the seeds of each score, and which tell the settings of their size."""
    if all("seeds" in row for row in kept["variants"]):
        return dict(kept)
    study = replace(study, seeds=kept["seeds"])
    variants = {variant.label: variant for variant in study.variants}
    rows, counts = [], []
    for row in kept["variants"]:
        names = [name for name, value in row["ours"].items() if value is not None]
        variant = variants.get(row["label"])
        seeds = {name: study.runs(variant, name) if variant else study.seeds for name in names}
        counts += [count for count in seeds.values() if count is not None]
        before = {key: row[key] for key in ("label", "ours", "spread")}
        rows.append({**before, "seeds": together(seeds), **{key: row[key] for key in row if key not in before}})
    ahead = {key: kept[key] for key in ("study", "title", "source", "size", "policy")}
    settings = {"settings": kept.get("settings", list(study.settings_of(kept["size"])))}
    made = {"seeds": max(counts, default=None), "variants": rows}
    return ahead | settings | {key: made.get(key, value) for key, value in kept.items() if key not in ahead}


def rows_of(kept: Mapping[str, Any]) -> Rows:
    """Return the scores of kept findings; a spread of zero is not written down."""
    return {row["label"]: {name: _score(row, name) for name in row["ours"]} for row in kept["variants"]}


def _score(row: Mapping[str, Any], name: str) -> Score | None:
    value = row["ours"][name]
    if value is None:
        return None
    seeds = row["seeds"][name] if isinstance(row["seeds"], dict) else row["seeds"]
    return Score(value, row["spread"].get(name), seeds=seeds, n=row.get("n", {}).get(name))


def claim_of(kept: Mapping[str, Any]) -> Claim:
    """Return a claim of kept findings."""
    given = {key: kept[key] for key in CLAIM if key in kept}
    return Claim(**{**given, "than": tuple(given["than"])})


def changes_since(kept: Mapping[str, Any], study: Study) -> list[str]:
    """Return which parts of a study have changed since its findings were kept."""
    before = {
        "rows": [row["label"] for row in kept["variants"]],
        "columns": list(kept["variants"][0]["ours"]),
        "claims": [_asked(claim_of(one)) for one in kept["claims"]],
        "settings": kept["settings"],
        "seeds": kept["seeds"],
        "margin": kept["margin"],
    }
    now = {
        "rows": [variant.label for variant in study.variants],
        "columns": list(study.columns),
        "claims": [_asked(one) for one in study.claims],
        "settings": list(study.settings_of(kept["size"])),
        "seeds": max([kept["seeds"] or 0, study.seeds if study.is_drawn else 0]) or None,
        "margin": study.margin,
    }
    return [name for name, value in before.items() if value != now[name]]


def _asked(claim: Claim) -> tuple[Any, ...]:
    return claim.better, claim.than, claim.on, claim.within
