"""The page of texts: the bars, and the tables of everyword and its peers behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bars.rows import VERDICTS, Bar, Parts, at
from record import RESULTS, read, read_parts
from tables import table
from text_parts.encoders import EVERYWORD, TITLES
from text_parts.results import FOLDER

BEFORE = "everyword-1-sif"
RIVALS = ("model2vec-minilm", "model2vec-mpnet")
SETS = {
    "sts12": "STS12",
    "sts13": "STS13",
    "sts14": "STS14",
    "sts15": "STS15",
    "sts16": "STS16",
    "stsb": "STS-B",
    "sick": "SICK",
    "agnews": "AG News",
    "banking77": "BANKING77",
    "newsgroups20": "20 Newsgroups",
    "imdb": "IMDB",
    "sst2": "SST-2",
    "mean": "mean",
}
CORRECT, CORRECTOR, SPELLING = "correct", "everyword-en", "everyword-en, spelling alone"
UNKNOWN, REAL_WORDS = "unknown wrong words put right", "real-word errors put right"
CHANGED = "clean words changed"
WAYS = {"clean": "clean", "typos": "typos"}


def sections() -> dict[str, str]:
    """Return the generated parts of the page by the names of their markers."""
    corrected = {CORRECT: read(CORRECT)} if (RESULTS / f"{CORRECT}.json").exists() else {}
    return render({**read_parts(FOLDER), **corrected})


def render(parts: Parts) -> dict[str, str]:
    """Return the generated parts of the page from saved results."""
    parts = {
        **parts,
        "rivals": {"encoders": {name: lead(parts, name) for name in (EVERYWORD, BEFORE)}},
        "clean": {"correctors": {name: most_changed(row) for name, row in _correctors(parts).items()}},
    }
    return {
        "bars": table(("", "before", "now", "bar", ""), bar_rows(parts)),
        "sts": "\n\n".join(sts(parts)),
        "classifiers": "\n\n".join(classifiers(parts)),
        "speed": "\n\n".join(speed(parts)),
        "correct": "\n\n".join(correct(parts)),
    }


def bars() -> Iterator[Bar]:
    """Yield all bars, each read in the row of everyword."""
    times, count = {"form": "{:.2f}"}, {"form": "{:.0f}"}
    least = {**times, "lower": True}
    yield _bar("seven sets of sentence similarity, mean Spearman × 100", "sts", "clean/mean", 76)
    yield _bar("the same, typos in the second text of each pair", "sts", "typos/mean", 74)
    yield _bar("the same, typos in three of ten of all its words", "sts", "more typos/mean", None)
    yield _bar("classifiers: sets of five with more right than with both model2vec", "rivals", "clean", 5, **count)
    yield _bar("the same, test texts with typos", "rivals", "typos", 5, **count)
    yield _bar("short texts a second, × model2vec", "speed", "clean/by_yardstick", 2, **times)
    yield _bar("the same, texts with typos", "speed", "typos/by_yardstick", 1, **times)
    yield _bar("first vector, seconds from `import`", "first-vector", "clean/first_vector_s", 0.35, **least)
    yield _bar("the same, a text with typos", "first-vector", "typos/first_vector_s", 0.35, **least)
    ours, share = f"{CORRECT}/correctors/{CORRECTOR}", {"scale": 0.01}
    yield Bar("misspellings in sentences (BEA-4660) put right, %", f"{ours}/{UNKNOWN}", 76, **share)
    yield Bar("real-word errors (Wikipedia) put right, %", f"{ours}/{REAL_WORDS}", 25, **share)
    yield Bar("clean words changed, %", f"clean/correctors/{CORRECTOR}", 0.3, lower=True, form="{:.2f}", **share)
    yield Bar("size of the table of word sequences, MB", f"{CORRECT}/bytes", 12, lower=True, scale=1e6)
    yield _bar("a million texts with Ray: two workers × one", "ray", "speed_up", 1.7, **times)


def _bar(label: str, part: str, path: str, bar: float | None, **more: Any) -> Bar:
    return Bar(label, f"{part}/encoders/{EVERYWORD}/{path}", bar, **more)


def bar_rows(parts: Parts) -> Iterator[tuple[str, ...]]:
    """Yield each bar: what the first model did by hand, what is measured now, the bar, and whether it is reached."""
    for bar in bars():
        before = replace(bar, path=before_path(bar.path)).value(parts) if bar.path != before_path(bar.path) else None
        verdict = VERDICTS[bar.reached(parts)]
        shown = f"**{verdict}**" if verdict == "reached" else verdict
        yield (bar.label, bar.text(before), bar.text(bar.value(parts)), bar.bar_text(parts), shown)


def before_path(path: str) -> str:
    """Return where the number is that stands in the column "before"."""
    earlier = path.replace(f"/encoders/{EVERYWORD}/", f"/encoders/{BEFORE}/")
    return earlier.replace(f"/correctors/{CORRECTOR}", f"/correctors/{SPELLING}")


def lead(parts: Parts, name: str) -> dict[str, int]:
    """Return on how many sets classifiers that read an encoder's vectors are better than those of every rival."""
    rows = at(parts, "classifiers/encoders") or {}
    if not all(needed in rows for needed in (name, *RIVALS)):
        return {}
    return {
        way: sum(
            score > max(rows[rival][way][task] for rival in RIVALS)
            for task, score in rows[name][way].items()
            if task != "mean"
        )
        for way in WAYS
    }


def sts(parts: Parts) -> Iterator[str]:
    """Yield the scores of all encoders on the seven sets, clean and with typos."""
    if (part := parts.get("sts")) is None:
        return
    shares = {way: f"typos in {share:.0%} of the words" for way, share in part["words_misspelt"].items()}
    means = [(TITLES[name], *(f"{row[way]['mean']:.1f}" for way in ("clean", *shares))) for name, row in _ordered(part)]
    yield table(("mean Spearman × 100", "clean", *shares.values()), means)
    columns = ["mean", *part["pairs"]]
    for way, title in (("clean", "Set by set, clean"), ("typos", f"Set by set, {shares['typos']} of the second text")):
        rows = [(TITLES[name], *_numbers(row[way], columns)) for name, row in _ordered(part)]
        yield f"{title}:"
        yield table(("Spearman × 100", *(SETS[name] for name in columns)), rows)
    pairs, left = (sum(part[key].values()) for key in ("pairs", "left_out"))
    yield (
        f"{pairs:,} pairs; {left:,} pairs of STS12 to STS16 that are in the development part of STS-B, on which models "
        "are chosen, are left out for all."
    )


def classifiers(parts: Parts) -> Iterator[str]:
    """Yield accuracies of all encoders, clean and with typos."""
    if (part := parts.get("classifiers")) is None:
        return
    columns = ["mean", *part["texts"]]
    for way, title in (("clean", "Clean"), ("typos", "Test texts with typos")):
        rows = [(TITLES[name], *_numbers(row[way], columns)) for name, row in _ordered(part)]
        yield f"{title}:"
        yield table(("accuracy, %", *(SETS[name] for name in columns)), rows)


def speed(parts: Parts) -> Iterator[str]:
    """Yield texts a second and the seconds until the first vector."""
    if (part := parts.get("speed")) is None:
        return
    first = at(parts, "first-vector/encoders") or {}
    rows = [
        (
            TITLES[name],
            *(f"{row[way]['texts_per_second']:,}" for way in WAYS),
            *(f"{row[way]['by_yardstick']:.2f}" for way in WAYS),
            *(f"{first[name][way]['first_vector_s']:.2f}" if name in first else "–" for way in WAYS),
            f"{first[name]['typos']['memory_mb']:.0f}" if name in first else "–",
        )
        for name, row in _ordered(part)
    ]
    head = (
        "",
        "texts/s, clean",
        "with typos",
        "× model2vec, clean",
        "with typos",
        "first vector, s, clean",
        "with typos",
    )
    head = (*head, "memory, MB")
    yield table(head, rows)
    yield f"{part['metric']}; {part['texts']}; {part['machine']['processor']}."


def correct(parts: Parts) -> Iterator[str]:
    """Yield what correctors put right, and what they change that was right."""
    if (part := parts.get(CORRECT)) is None:
        return
    errors = part["errors"]
    rows = [
        (
            name,
            *(f"{100 * row[key]:.1f}" for key in (UNKNOWN, "all wrong words put right", REAL_WORDS)),
            *(f"{100 * share:.2f}" for share in row[CHANGED].values()),
        )
        for name, row in part["correctors"].items()
    ]
    clean = [f"changed in {where}, %" for where in next(iter(part["correctors"].values()))[CHANGED]]
    yield table(("", "unknown words put right, %", "all, %", "real-word errors put right, %", *clean), rows)
    yield (
        f"{errors['wrong words of learners']:,} wrong words in sentences of learners, of which "
        f"{errors['unknown ones']:,} are unknown to the model, and {errors['real-word errors']:,} real-word errors."
    )
    speed = part["speed"]
    yield (
        f"{CORRECTOR} corrects {speed['sentences a second']:,.0f} sentences a second, and one sentence alone in "
        f"{speed['milliseconds for one sentence']:.1f} ms, on one core of an {part['machine']['processor']}."
    )


def most_changed(row: Mapping[str, Any]) -> float:
    """Return the share of clean words that a corrector changes, in the text where it is largest."""
    return float(max(row[CHANGED].values()))


def _correctors(parts: Parts) -> dict[str, Any]:
    return at(parts, f"{CORRECT}/correctors") or {}


def _ordered(part: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the rows of a part in the order in which encoders are listed."""
    return [(name, part["encoders"][name]) for name in TITLES if name in part["encoders"]]


def _numbers(scores: Mapping[str, float], columns: Sequence[str]) -> list[str]:
    return [f"{scores[name]:.1f}" if name in scores else "–" for name in columns]
