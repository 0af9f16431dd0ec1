"""The section that compares the default model with its peers, from the saved result of `everyword_en.py`.

The bar of a row is the best peer of the same run; for size and memory, the best of those that give vectors. Ours is
bold where it reaches the bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers.names import FASTTEXT, FLORET, FORM, MODEL2VEC, PEERS, SYMSPELL, USER, VECTORS
from record import RESULTS, read
from tables import TITLES, table

from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point
from everyword.studies.plots.reliability import Bin, Calibration

RESULT, HELD_OUT = "everyword-en", "everyword-en-held-out"
"""All parts, and those that need the table that the model learnt from, measured before 1,296 vectors were corrected."""
SHORT = {USER: "everyword", SYMSPELL: "symspell, then a table"}
Scores = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One measure: how it is read from a contender's scores, how it is shown, and whether lower is better."""

    label: str
    part: str
    value: Callable[[Scores], float | None]
    text: Callable[[Scores], str]
    ours: str = USER
    lower_is_better: bool = False
    peers: tuple[str, ...] = PEERS
    """The peers that set the bar: a list of words is smaller than vectors, which is not a merit."""


Measure = tuple[Callable[[Scores], float | None], Callable[[Scores], str]]
"""A contender's value, None if it is missing, and the text that shows it."""


def number(*path: str, form: str = "{:.1f}", scale: float = 1.0) -> Measure:
    """Return the measure at a path in the scores."""

    def value(scores: Scores) -> float | None:
        found: Any = scores
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        return None if found is None else found / scale

    def text(scores: Scores) -> str:
        found = value(scores)
        return "–" if found is None else form.format(found)

    return value, text


def kept_share(scores: Scores) -> str:
    return "–" if scores.get("kept") is None else f"{scores['kept']:.1f} ± {scores['kept_spread']:.1f}"


def microseconds(which: str) -> Measure:
    def text(scores: Scores) -> str:
        times = scores.get(which)
        return f"{times['p50_us']:.0f} / {times['p95_us']:.0f}" if times else "–"

    return number(which, "p50_us")[0], text


def rows() -> Iterator[Row]:
    """Yield the rows of the table, from top to bottom."""
    yield Row("six similarity sets, mean Spearman × 100", "similarity", *number("mean"))
    yield Row("the same, form only", "similarity", *number("mean"), ours=FORM)
    size = number("parameters", form="{:.1f}", scale=1e6)
    yield Row("parameters behind the form, millions", "similarity", *size, ours=FORM, lower_is_better=True)
    for key, name in (("mrr", "MRR × 100"), ("hit@1", "right word first, %"), ("hit@10", "among the first ten, %")):
        yield Row(f"misspellings: {name}", "misspelling", *number(key))
    yield Row("misspellings, form only: MRR × 100", "misspelling", *number("mrr"), ours=FORM)
    yield Row("SimLex with a typo: % of the clean score", "typos", number("kept")[0], kept_share)
    yield Row("SimLex with a typo: Spearman × 100", "typos", *number("typo"))
    yield Row("held-out words: cosine to the teacher", "held-out", *number("cosine", form="{:.3f}"))
    speed = number("words_per_second", form="{:,.0f}")
    yield Row("unknown words per second, full path", "speed", *speed)
    yield Row("unknown words per second, form only", "speed", *speed, ours=FORM)
    yield Row("one known word, µs, p50 / p95", "latency", *microseconds("known"), lower_is_better=True)
    yield Row("one unknown word, full path, µs", "latency", *microseconds("unknown"), lower_is_better=True)
    yield Row("one unknown word, form only, µs", "latency", *microseconds("unknown"), ours=FORM, lower_is_better=True)
    yield Row("size on disk, MB", "footprint", *number("bytes", scale=1e6), lower_is_better=True, peers=VECTORS)
    for key, name, form in (
        ("import_and_load_s", "import and load, s", "{:.2f}"),
        ("memory_mb_after_load", "memory after load, MB", "{:,.0f}"),
        ("memory_mb_after_unknown", "memory after the first unknown word, MB", "{:,.0f}"),
    ):
        yield Row(name, "footprint", *number(key, form=form), lower_is_better=True, peers=VECTORS)


def cells(row: Row, contenders: dict[str, Scores]) -> tuple[str, ...]:
    """Return label, bar, our value, then that of every peer; a dash where a peer has none."""
    ours = contenders.get(row.ours, {})
    theirs = [contenders.get(peer, {}) for peer in PEERS]
    found = [scores for peer in row.peers if row.value(scores := contenders.get(peer, {})) is not None]
    best = (min if row.lower_is_better else max)(found, key=row.value, default=None)
    own = row.text(ours)
    if best is not None and reaches(row.value(ours), row.value(best), row.lower_is_better):
        own = f"**{own}**"
    return (row.label, "–" if best is None else row.text(best), own, *map(row.text, theirs))


def reaches(ours: float | None, bar: float | None, lower_is_better: bool) -> bool:
    """Return whether a value is at least as good as the bar."""
    if ours is None or bar is None:
        return False
    return ours <= bar if lower_is_better else ours >= bar


def section() -> str:
    """Return the whole section with its heading; nothing if there is no saved result."""
    return render(kept()) if (RESULTS / f"{RESULT}.json").exists() else ""


IN_SHORT = (
    "six similarity sets, mean Spearman × 100",
    "the same, form only",
    "misspellings: MRR × 100",
    "SimLex with a typo: Spearman × 100",
    "unknown words per second, form only",
    "unknown words per second, full path",
    "one unknown word, full path, µs",
    "one unknown word, form only, µs",
    "size on disk, MB",
    "import and load, s",
    "memory after load, MB",
)


def summary() -> str:
    """Return the rows for the README."""
    result = kept()
    parts, name = result["parts"], result["model"]["name"]
    shown = [cells(row, parts[row.part]["contenders"]) for row in rows() if row.label in IN_SHORT and row.part in parts]
    return table(("", f"`{name}`", *PEERS), [(label, *rest) for label, _bar, *rest in shown])


def render(result: dict[str, Any]) -> str:
    """Return the section of a result; parts that are missing have no rows."""
    parts, name = result["parts"], result["model"]["name"]
    shown = [cells(row, parts[row.part]["contenders"]) for row in rows() if row.part in parts]
    head = (
        f"## `{name}` beside its peers\n\n"
        "From `benchmarks/everyword_peers.py`. The bar is the best peer; for size, load "
        f"and memory the best one that gives vectors. `{name}` is bold where it reaches the bar."
    )
    blocks = [head, table(("", "bar", f"`{name}`", *PEERS), shown)]
    if "similarity" in parts:
        blocks.append(table(("", *TITLES.values(), "mean"), similarity(parts["similarity"]["contenders"])))
    return "\n\n".join([*blocks, *remarks(parts)])


def calibrations() -> dict[str, Calibration]:
    """Return confidence against truth for each kind of unknown words."""
    kinds = kept()["parts"]["confidence"]["contenders"]
    return {name: Calibration(tuple(Bin(**part) for part in kind["bins"])) for name, kind in kinds.items()}


def draw_ladder(path: Path) -> None:
    """Draw what one typo after another does to a word, for everyword and its peers."""
    part = kept()["parts"]["ladder"]
    axes = {
        "found": ("the word is found, %", "words"),
        "similarity": ("agreement with human similarity, Spearman × 100", "pairs"),
    }
    panels = [
        Panel(
            [
                Point(SHORT.get(name, name), typos, score, n=part[asked])
                for name, scores in part["contenders"].items()
                if name != FORM
                for typos, score in enumerate(scores[key])
            ],
            "typos in the word",
            axis,
        )
        for key, (axis, asked) in axes.items()
    ]
    draw_curves(panels, Frame(path, size=(10, 3.8)), title="What a typo does to a word")


def similarity(contenders: dict[str, Scores]) -> Iterator[tuple[str, ...]]:
    for name, scores in contenders.items():
        yield (name, *(f"{scores['sets'][key]:.1f}" for key in TITLES), f"**{scores['mean']:.1f}**")


def kept() -> dict[str, Any]:
    """Return the saved result with all its parts."""
    result = read(RESULT)
    return {**result, "parts": {**read(HELD_OUT)["parts"], **result["parts"]}}


def remarks(parts: dict[str, Any]) -> Iterator[str]:
    """Yield what one has to know to read the numbers."""
    if "misspelling" in parts:
        part = parts["misspelling"]
        yield (
            f"Misspellings: {part['pairs']:,} pairs of codespell, the right word among {part['candidates']:,} words. "
            "None of these right words has a misspelling among the pairs for training "
            "(`everyword.corpus.codespell_split`)."
        )
    if "typos" in parts:
        part = parts["typos"]
        yield f"Typos: one in each first word, mean ± standard deviation of {part['seeds']} seeds; {part['remark']}."
    if "held-out" in parts:
        part = parts["held-out"]
        yield (
            f"Held-out words: {part['words']:,}; {part['remark']}. They and the confidence were measured on "
            f"{part['date']}, before 1,296 vectors were corrected."
        )
    if "confidence" in parts:
        kinds = parts["confidence"]["contenders"]
        errors = ", ".join(f"{name} {kind['error']:.3f}" for name, kind in kinds.items())
        yield f"Confidence: expected calibration error {errors}."
        yield "![Confidence against the cosine to the true vector](pictures/reliability.svg)"
    if "speed" in parts:
        part = parts["speed"]
        yield f"Speed: {part['metric']}, {part['machine']['processor']}; {parts['speed']['remark']}."
    if "footprint" in parts:
        yield f"Size, load and memory: {parts['footprint']['metric']}; {parts['footprint']['remark']}."
    trained = next((part["peers"] for part in parts.values() if FASTTEXT in part.get("peers", {})), None)
    if trained:
        yield training_of(trained)


def training_of(peers: dict[str, dict[str, Any]]) -> str:
    """Return how the peers were trained."""
    one = peers[FASTTEXT]
    words, dim = one["corpus_words"] / 1e6, one["dim"]
    text = f"fastText and floret: {one['model']}, {dim} dimensions, {one['epoch']} × {words:.0f} M words of Wikipedia"
    spent = ", ".join(f"{name} {peers[name]['seconds']:,} s" for name in (FASTTEXT, FLORET) if name in peers)
    text += f" ({spent} on {one['threads']} threads)"
    if MODEL2VEC in peers:
        text += f"; model2vec: distilled from {peers[MODEL2VEC]['teacher']}"
    return text + "."
