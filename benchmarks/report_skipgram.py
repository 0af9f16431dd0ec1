"""Static vectors from contextual models: the section and the pictures, from a study and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import numpy as np
from record import RESULTS, read
from tables import table

from everyword.studies.claims import seeds_in_words
from everyword.studies.plots.attention import draw_weights
from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

STUDY, TAGS = "studies/dynamic-static", "studies/dynamic-static-tags"
RESULT, CACHED, CURVES, NEW_WORDS = "skipgram", "skipgram-cached", "skipgram-curves", "skipgram-words"
COLUMNS = {
    "similarity/wordsim353": "WordSim",
    "similarity/wordsim353_sim": "WS-sim",
    "similarity/wordsim353_rel": "WS-rel",
    "similarity/simlex999": "SimLex",
    "similarity/rareword": "RareWord",
    "similarity/men3000": "MEN",
    "analogy/msr": "MSR",
    "analogy/google": "Google",
    "relation/semeval2012": "SemEval",
}
TAGGED = {"pos/ud-ewt": "UD-EWT", "tagging/conll2000": "CoNLL-2000"}
CURVE, SPEED = "curve-", "speed-"
SHOWN = "similarity/wordsim353"
KNOWN = {"similarity/wordsim353#spearman_known": "WordSim-353", "similarity/men3000#spearman_known": "MEN"}
PUBLISHED, OURS = "contextual skip-gram, as published", "contextual skip-gram"
JOINED, AVERAGE = "contextual skip-gram with the average of outputs", "average of outputs, 300 dimensions"
STATIC = ("skip-gram", "CBOW", "GloVe", "fastText")
CHOOSING = {"similarity/mturk771": "MTurk-771", "similarity/simverb3500": "SimVerb-3500"}


def section() -> str:
    """Return the whole section; nothing if there is no saved result."""
    kept = {name: read(name) for name in (STUDY, RESULT, TAGS) if (RESULTS / f"{name}.json").exists()}
    return render(kept[STUDY], kept.get(RESULT), kept.get(TAGS)) if STUDY in kept else ""


def render(study: dict[str, Any], kept: dict[str, Any] | None = None, tags: dict[str, Any] | None = None) -> str:
    """Return the section from the study of tables, from what a script measured beside it, and from that of taggers."""
    runs = study["seeds"]
    text = [
        "## Static vectors from a contextual model\n\n"
        f"{study['teacher']}; all from the same sentences, by `everyword reproduce {study['study']}` "
        f"({study['size']} size). Spearman or accuracy × 100, mean ± standard deviation of {runs} "
        f"{'seed' if runs == 1 else 'seeds'}; a word without a vector counts as zero.",
        _scores(study["variants"]),
        *_neighbours((study.get("details") or {}).get("nearest words", {})),
    ]
    parts = kept["parts"] if kept else {}
    if tags is not None:
        text.append(_tagged(tags))
    if (RESULTS / f"{NEW_WORDS}.json").exists():
        text.append(_new_words(read(NEW_WORDS)))
    text += [_speed(part) for name, part in sorted(parts.items()) if name.startswith(SPEED)]
    if (step := _kept(CACHED, "speed-cuda")) is not None:
        text.append(_speed(step))
    if (cached := _kept(CACHED, "cached-cuda")) is not None:
        text.append(_cached_speed(cached))
    return "\n\n".join(text)


def _scores(variants: list[dict[str, Any]]) -> str:
    rows = [
        (one["label"], *(_score(one["ours"][name], one["spread"].get(name)) for name in COLUMNS))
        for one in variants
        if any(score is not None for score in one["ours"].values())
    ]
    return table(("table", *COLUMNS.values()), rows)


def _score(value: float | None, spread: float | None, digits: int = 1) -> str:
    if value is None:
        return "–"
    return f"{value:.{digits}f}" + ("" if spread is None else f" ± {spread:.{digits}f}")


def _neighbours(lists: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    """Yield the nearest words, a column per query; empty where a table lacks the word."""
    words = list(dict.fromkeys(word for of_table in lists.values() for word in of_table))
    rows = [(label, *(", ".join(found.get(word, ())[:6]) for word in words)) for label, found in lists.items()]
    if rows:
        yield table(("nearest words of", *(f"*{word}*" for word in words)), rows)


def _tagged(study: dict[str, Any]) -> str:
    """Return the scores of taggers over the tables."""
    rows = [
        (one["label"], *(_score(one["ours"][name], one["spread"].get(name), 2) for name in TAGGED))
        for one in study["variants"]
        if any(score is not None for score in one["ours"].values())
    ]
    return (
        f"BiLSTM taggers over some of them, by `everyword reproduce {study['study']}`: accuracy of parts of speech, F1 "
        "of chunks.\n\n" + table(("table", *TAGGED.values()), rows)
    )


def _new_words(kept: dict[str, Any]) -> str:
    """Compare rows from sentences with rows from training."""
    trained, *few = kept["scores"].values()
    counts = [name for name in kept["scores"] if name != "trained"]
    found = ", ".join(f"{score:.1f} from {count}" for count, score in zip(counts, few, strict=True))
    return (
        f"New words (`everyword train skipgram-words`): {kept['words']} words were removed from a table of "
        f"{kept['table']['words']:,}, trained in one pass over {kept['table']['sentences']:,} sentences, and restored "
        f"from some of their sentences. Their similarities to {kept['frequent']:,} frequent words, compared with those "
        f"of `{kept['judge']}`, Spearman × 100: {trained:.1f} as trained, {found} sentences."
    )


def _speed(part: dict[str, Any]) -> str:
    rates = part["sentences_per_second"]
    return (
        f"On {part['device']}, {part['precision']}, {part['batch']} sentences per step: the encoder alone reads "
        f"{rates['encoder']:,.0f} sentences per second, training reads {rates['training']:,.0f}; a step takes "
        f"{part['training_by_encoder']:.2f} × the time of the encoder."
    )


def _kept(name: str, part: str) -> dict[str, Any] | None:
    """Return a part of a result with the number of sentences that it was measured on; None if there is none."""
    kept = read(name, RESULTS) if (RESULTS / f"{name}.json").exists() else {"parts": {}}
    return kept["parts"][part] | {"sentences": kept["sentences"]} if part in kept["parts"] else None


def _cached_speed(part: dict[str, Any]) -> str:
    return (
        f"With `cache_states=true` the encoder reads the corpus once: on {part['device']}, {part['sentences']:,} "
        f"sentences in large batches, {part['sentences_per_second']['encoder']:,.0f} per second. An epoch on its "
        f"outputs then takes {part['epoch_by_encoder']:.2f} × that time, and a training of {part['epochs']} epochs "
        f"{part['training_by_encoder']:.2f} × the time in which the encoder alone would read the corpus as often."
    )


def development() -> str:
    """Return the scores that chose the defaults; nothing if there is no saved result."""
    parts = read(CURVES, RESULTS)["parts"] if (RESULTS / f"{CURVES}.json").exists() else {}
    if "development" not in parts:
        return "No scores on the development sets are saved yet."
    rows = [
        (label, *(_score(fmean(runs[name]), pstdev(runs[name]) if len(runs[name]) > 1 else None) for name in CHOOSING))
        for label, runs in parts["development"]["scores"].items()
    ]
    return table(("table", *CHOOSING.values()), rows)


def bars() -> str:
    """Return the bars that were set for this method, and what was measured."""
    if not (RESULTS / f"{STUDY}.json").exists():
        return "Nothing is measured yet."
    study = read(STUDY, RESULTS)
    parts = read(RESULT, RESULTS)["parts"] if (RESULTS / f"{RESULT}.json").exists() else {}
    rows = [(bar.label, bar.asked, bar.measured, bar.told) for bar in _bars(study, parts)]
    head = (
        f"By `everyword reproduce {study['study']}` in its {study['size']} size ({study['teacher']}), "
        f"{seeds_in_words(study['seeds'])}."
    )
    return f"{head}\n\n{table(('', 'bar', 'measured', ''), rows)}"


@dataclass(frozen=True)
class _Bar:
    label: str
    asked: str
    measured: str
    reached: bool | None
    """None if the spread of the seeds leaves it open."""

    @property
    def told(self) -> str:
        return "too close to tell" if self.reached is None else "**reached**" if self.reached else "missed"


def _bars(study: dict[str, Any], parts: dict[str, Any]) -> Iterator[_Bar]:
    """Yield all bars for which something is measured."""
    rows = {one["label"]: one for one in study["variants"]}
    for column, name in KNOWN.items():
        if (value := rows.get(PUBLISHED, {"ours": {}})["ours"].get(column)) is not None:
            yield _Bar(f"as published, {name}, pairs of known words", "≥ 70", f"{value:.1f}", value >= 70)
    similarity = [name for name in COLUMNS if name.startswith("similarity/")]
    won = _leads(rows, OURS, STATIC, [*similarity, "analogy/google"], study["margin"])
    yield from _counted(
        "our defaults: ahead of skip-gram, CBOW, GloVe and fastText, of six similarity sets and Google", 7, won
    )
    for label, name in ((OURS, "our defaults"), (JOINED, "our defaults joined with the average of outputs")):
        won = _leads(rows, label, [AVERAGE], list(COLUMNS), study["margin"])
        yield from _counted(f"{name}: ahead of the average of outputs in 300 dimensions, of nine sets", 5, won)
    if "speed-cuda" in parts:
        step = parts["speed-cuda"]["training_by_encoder"]
        yield _Bar("a step on a GPU, by the time of the encoder alone", "≤ 1.3", f"{step:.2f}", step <= 1.3)
    if (default := _kept(CACHED, "speed-cuda")) is not None:
        step = default["training_by_encoder"]
        name = f"the same with {default['batch']} sentences a step, the default"
        yield _Bar(name, "≤ 1.3", f"{step:.2f}", step <= 1.3)


def _counted(label: str, bar: int, leads: list[tuple[float, float]] | None) -> Iterator[_Bar]:
    """Yield a bar about a number of sets; those whose lead is within the margin may be counted, but decide nothing."""
    if leads is None:
        return
    ahead, clearly = sum(lead > 0 for lead, _ in leads), sum(lead > margin for lead, margin in leads)
    told = f"{ahead}" + (f", {clearly} of them by more than the margin" if clearly < ahead else "")
    yield _Bar(label, f"≥ {bar}", told, True if clearly >= bar else None if ahead >= bar else False)


def _leads(
    rows: dict[str, Any], label: str, others: Sequence[str], columns: Sequence[str], margin: float
) -> list[tuple[float, float]] | None:
    """Return for each column the lead of a row over the best of others, and the margin; None if a score is missing."""
    found = []
    for column in columns:
        scores = {name: rows.get(name, {"ours": {}})["ours"].get(column) for name in (label, *others)}
        if None in scores.values():
            return None
        best = max(others, key=lambda name: scores[name])
        spreads = [rows[name]["spread"].get(column) or 0.0 for name in (label, best)]
        found.append((scores[label] - scores[best], max(margin, sum(spreads))))
    return found


def draw(folder: Path) -> None:
    """Draw the pictures for which there are results."""
    if not (RESULTS / f"{CURVES}.json").exists():
        return
    parts = read(CURVES, RESULTS)["parts"]
    if curve := {name.removeprefix(CURVE): part for name, part in parts.items() if name.startswith(CURVE)}:
        draw_curves(panels(curve), Frame(folder / "skipgram-curves.svg"), title="Scores while a table learns")
    if seen := parts.get("sentence"):
        draw_weights(
            {"attention": np.array(seen["weights"], dtype=np.float32)},
            (seen["centres"], seen["words"]),
            Frame(folder / "skipgram-attention.svg"),
            "What the words of a sentence attend to",
            f"“{seen['sentence']}” Each row is a centre word; its weights in its window sum to 1.",
        )


def panels(curve: dict[str, Any]) -> list[Panel]:
    """Return a panel for windows, with attention as published, and one for all else."""
    windows = [name for name in curve if name.startswith("window")]
    chosen = {"windows": windows, "weights and outputs": [name for name in curve if name not in windows]}
    return [
        Panel(
            [
                Point(name, round(point["sentences"] / 1000), point[SHOWN])
                for name in names
                for point in curve[name]["points"]
            ],
            x_label="sentences read, thousands",
            y_label="WordSim-353, Spearman × 100",
            title=kind,
        )
        for kind, names in chosen.items()
        if names
    ]
