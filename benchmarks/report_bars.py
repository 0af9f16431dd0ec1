"""The page of the default model: its bars, and the peers and kinds behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bars.rows import VERDICTS, at, bars
from record import RESULTS, read_parts
from tables import table

VERSIONS = {
    "everyword-en 1": "everyword-en-1",
    "everyword-en-small": "everyword-en-small",
    "everyword-en 2": "everyword-en-2",
}
SPELLERS = {
    "Wikipedia's misspellings": "wikipedia",
    "Birkbeck, wrong forms that are not words": "birkbeck/unlisted",
    "Birkbeck, all": "birkbeck/all",
    "codespell, test split": "codespell",
}
SHOWN = {"mrr": "MRR", "hit@1": "first", "hit@5": "in five", "hit@10": "in ten"}


def section() -> str:
    """Return the bars, the kinds and the spellers of all versions that were measured; nothing if none was."""
    kept = {name: read_parts(RESULTS / folder) for name, folder in VERSIONS.items()}
    return render({name: parts for name, parts in kept.items() if parts})


def render(kept: dict[str, dict[str, Any]]) -> str:
    """Return the section of saved parts, by version; the last version is judged."""
    if not kept:
        return ""
    last = list(kept.values())[-1]
    head = (
        "From `benchmarks/everyword_en.py`; peers were measured in the same run. Scores are in percent unless stated."
    )
    rows = [
        (bar.label, *(bar.text(bar.value(parts)) for parts in kept.values()), bar.bar_text(last), _verdict(bar, last))
        for bar in bars()
    ]
    blocks = [head, table(("", *(f"`{name}`" for name in kept), "bar", ""), rows)]
    blocks += ["### Kinds of tokens", table(("hit among ten, %", "tokens", *kept), kinds(kept))]
    blocks += ["### Misspellings, beside spell checkers", *spellers(last)]
    if "sizes" in last:
        blocks += ["### How many words to store", *sizes(last["sizes"]["sizes"])]
    return "\n\n".join([*blocks, *remarks(last)])


def _verdict(bar: Any, parts: dict[str, Any]) -> str:
    verdict = VERDICTS[bar.reached(parts)]
    return f"**{verdict}**" if verdict == "reached" else verdict


def kinds(kept: dict[str, dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the hits of each kind."""
    sections = [at(parts, "kinds/sections") or {} for parts in kept.values()]
    for kind in dict.fromkeys(kind for part in sections for kind in part):
        scores = [f"{part[kind]['hit@10']:.0f}" if kind in part else "–" for part in sections]
        yield (kind, str(max(part.get(kind, {}).get("n", 0) for part in sections)), *scores)


def spellers(parts: dict[str, Any]) -> Iterator[str]:
    """Yield a table of all contenders for each set."""
    for title, path in SPELLERS.items():
        if (part := at(parts, path)) is None:
            continue
        rows = [(name, *(f"{scores[key]:.1f}" for key in SHOWN)) for name, scores in part["contenders"].items()]
        yield f"{title}: {part['pairs']:,} pairs, the right word among {part['candidates']:,}."
        yield table(("", *SHOWN.values()), rows)


def sizes(found: dict[str, dict[str, float]]) -> Iterator[str]:
    """Yield scores by the number of stored words."""
    yield (
        "The more words are stored, the more tokens are known, and the more typos are words. Up to 256,000 they are "
        "English words; the whole model has phrases and foreign words besides."
    )
    rows = [(f"{int(size):,}", *(f"{score:.1f}" for score in scores.values())) for size, scores in found.items()]
    yield table(("stored words", *next(iter(found.values()))), rows)


def remarks(parts: dict[str, Any]) -> Iterator[str]:
    """Yield what one has to know to read the numbers."""
    if "speed" in parts:
        part = parts["speed"]
        floret = part["floret"]
        compiled = "" if part["compiled"]["compiled"] else " There was no compiled kernel: both rows are NumPy's."
        yield (
            f"Speed: {part['metric']}; {part['machine']['processor']}. floret has {floret['dim']} dimensions too, "
            f"n-grams of {floret['minn']} to {floret['maxn']} letters and {floret['hashCount']} hashes.{compiled}"
        )
    if "birkbeck" in parts:
        yield (
            "Birkbeck: pairs of the development half whose right word has a second byte of its SHA-256 that five "
            "divides; the others may train a gate. Each pair counts, also where a wrong form has several right words."
        )
    if "typos" in parts:
        yield "The oracle knows which word every typo stands for, unless the typo is itself a stored word."
    if "confidence" in parts:
        areas = {name: parts["confidence"][name]["auc"] for name in ("kinds", "birkbeck")}
        yield (
            f"Confidence: the area under the ROC curve is {areas['kinds']:.1f} for strange tokens (right: an accepted "
            f"word is among the ten nearest) and {areas['birkbeck']:.1f} for Birkbeck's misspellings (right: the word "
            "is first)."
        )
