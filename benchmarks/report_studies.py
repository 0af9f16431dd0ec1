"""The pages of published tables: what each table of the main papers was made again by, and every kept study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from record import RESULTS, read_study
from tables import table

from everyword.config import read_toml
from everyword.studies.claims import seeds_in_words
from everyword.studies.config import published_studies

PAPERS = Path(__file__).parent / "papers.toml"
KEPT = RESULTS / "studies"
VERDICTS = {
    "holds": ("holds", "hold"),
    "does not hold": ("does not hold", "do not hold"),
    "too close to tell": ("too close to tell", "too close to tell"),
    "not tested": ("not tested", "not tested"),
}
"""How one and several of each are told."""
PAGES = {
    "spelling": ("models", "encoders"),
    "bertram": ("rare-words",),
    "skipgram": ("tables",),
    "spaces": ("spaces", "features", "pairs", "lexicons", "languages", "transfer", "resources"),
    "probes": ("profiles", "trees", "spans", "compositionality", "texts", "attention", "codes"),
    "training": ("adversarial", "distillation", "metric", "inference", "taggers", "attributes", "pruning", "names"),
}
"""The pages in docs/studies, and the kinds of studies on each, by their folders."""
SIZES = {
    "words.limit": "words",
    "training.epochs": "epochs",
    "epochs": "epochs",
    "steps": "steps",
    "networks.items": "items",
    "sentences": "sentences",
    "sentences.limit": "sentences",
    "words": "words",
}
"""Settings that tell how large a study is, and what they count."""


def sections() -> dict[str, str]:
    """Return the generated parts of the first page by the names of their markers."""
    return {"overview": overview(), "papers": papers(), "studies": every_study()}


def pages() -> dict[str, dict[str, str]]:
    """Return the generated parts of each page of details."""
    return {page: {"studies": "\n\n".join(map(_study, names_on(page)))} for page in PAGES}


def names_on(page: str) -> list[str]:
    """Return the names of the kept studies on a page."""
    return [name for name in kept_names() if page_of(name) == page]


def page_of(name: str) -> str:
    """Return the page of a kept study."""
    folder = published_studies()[kept(name)["study"]].parent.name
    [page] = [page for page, folders in PAGES.items() if folder in folders]
    return page


def link_to(name: str) -> str:
    """Return a link from the first page to a kept study."""
    return f"[{name}](studies/{page_of(name)}.md#{name})"


def every_study() -> str:
    """Return a table of all kept studies, page by page."""
    rows = [
        (link_to(name), kept(name)["title"], _facts(kept(name)), _verdicts(kept(name)["claims"]))
        for page in PAGES
        for name in names_on(page)
    ]
    body = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"| | what it compares | size | claims |\n|---|---|---|---|\n{body}"


def kept_names() -> list[str]:
    """Return the names of all kept studies."""
    return sorted(path.stem for path in KEPT.glob("*.json"))


@cache
def kept(name: str) -> dict[str, Any]:
    """Return a kept study."""
    return read_study(name)


def overview() -> str:
    """Return how many claims have which verdict."""
    claims = [claim for name in kept_names() for claim in kept(name)["claims"]]
    text = f"{len(kept_names())} kept results with {len(claims)} claims: {_verdicts(claims)}."
    earlier = [name for name in kept_names() if kept(name)["changed_since"]]
    if earlier:
        old = [claim for name in earlier for claim in kept(name)["claims"]]
        names = ", ".join(map(link_to, earlier))
        text += (
            f" {len(old)} of them ({_verdicts(old)}) are in results that are not by the study as it is now: {names}."
        )
    return text


def papers() -> str:
    """Return for each main paper a table of all its tables and figures."""
    return "\n\n".join(map(_paper, read_papers()))


def read_papers() -> list[dict[str, Any]]:
    """Read the list of tables and figures."""
    listed: list[dict[str, Any]] = read_toml(PAPERS)["papers"]
    return listed


def _paper(paper: Mapping[str, Any]) -> str:
    rows = [(part["part"], part["about"], _made_again(part)) for part in paper["parts"]]
    beside = [_study_line(name) for name in paper.get("beside", ())]
    remark = f"\n\nBeside its tables: {'; '.join(beside)}." if beside else ""
    head = "| | what it shows | made again |\n|---|---|---|\n"
    body = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"### {paper['source']}\n\n{paper['short']}\n\n{head}{body}{remark}"


def _made_again(part: Mapping[str, Any]) -> str:
    """Return what makes a table or figure again, or why nothing does."""
    note = f" ({part['note']})" if "note" in part else ""
    if "reason" in part:
        return f"no: {part['reason']}{note}"
    if "picture" in part:
        return f"as [a picture](pictures/{part['picture']}), drawn as [here]({part['page']}){note}"
    return "; ".join(_study_line(name, part) for name in part["studies"]) + note


def _study_line(name: str, part: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return a study with the size, the seeds and the verdicts of each of its kept results."""
    found = [one for one in (name, f"{name}-full") if one in kept_names()]
    return "; ".join(_kept_line(one, part) for one in found) or f"`{name}`: published, not run yet"


def _kept_line(name: str, part: Mapping[str, Any]) -> str:
    result = kept(name)
    missing = _missing(result, part)
    lacks = f"; without {', '.join(missing)}" if missing else ""
    earlier = "; not by the study as it is now" if result["changed_since"] else ""
    return f"{link_to(name)}: {_facts(result)}; {_verdicts(result['claims'])}{lacks}{earlier}"


def _missing(result: Mapping[str, Any], part: Mapping[str, Any]) -> list[str]:
    """Return what a kept result lacks of a table or figure."""
    scored = {
        row["label"]: [name for name, value in row["ours"].items() if value is not None] for row in result["variants"]
    }
    columns = {name for names in scored.values() for name in names}
    missing = [_short(one) for one in part.get("columns", ()) if not any(name.startswith(one) for name in columns)]
    missing += [f"“{one}”" for one in part.get("rows", ()) if not scored.get(one)]
    return missing + [one for one in part.get("details", ()) if one not in (result.get("details") or {})]


def _facts(result: Mapping[str, Any]) -> str:
    return ", ".join([f"{result['size']} size", *_counts(result), seeds_in_words(result["seeds"])])


def _settings(result: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of a study at its size, with those that were given over them."""
    return dict(text.partition("=")[::2] for text in (*result["settings"], *result["overrides"]))


def _counts(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the numbers of a study that tell its size, such as 20,000 words."""
    counts = {SIZES[key]: int(value) for key, value in _settings(result).items() if key in SIZES and value.isdigit()}
    items = (result.get("networks") or {}).get("items")
    counts |= ({"items": items} if items else {}) | result.get("sizes", {})
    if "words learnt from" in counts:
        counts["words"] = counts.pop("words learnt from")
    yield from (f"{count:,} {what}" for what, count in counts.items())


def _verdicts(claims: Iterable[Mapping[str, Any]]) -> str:
    found = Counter(claim["verdict"] for claim in claims)
    told = (f"{found[verdict]} {words[found[verdict] > 1]}" for verdict, words in VERDICTS.items() if found[verdict])
    return ", ".join(told) or "no claims"


def _study(name: str) -> str:
    result = kept(name)
    command = " ".join(["everyword reproduce", result["study"], *result["overrides"]])
    command += " --full" if result["size"] == "full" else ""
    changed = ", ".join(result["changed_since"])
    parts = [
        f"## {name}",
        f"**{result['title']}.** {result['source']}. `{command}`",
        *([f"**This result is not by the study as it is now: other {changed}.**"] if changed else []),
        study_table(result),
        *_nearest(result),
        f"**Claims:** {_verdicts(result['claims'])}.",
        _claims(result),
        f"**What this stands on:** {_stands_on(result)}",
        *_cautions(result),
    ]
    return "\n\n".join(parts)


def _stands_on(result: Mapping[str, Any]) -> str:
    """Return what a kept study was made from: size, teacher, seeds, day and code."""
    settings = " ".join("=".join(pair) for pair in _settings(result).items())
    items = ", ".join(_items(result))
    parts = [
        f"{result['size']} size" + (f" (`{settings}`)" if settings else ""),
        f"made from {_origin(result)}",
        _seeds(result),
        *([f"items: {items}"] if items else []),
        result["date"],
        f"commit {result['commit']}" if result["commit"] else "commit not recorded",
    ]
    return "; ".join(parts) + "."


def _items(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many items each column scores, columns with the same number together."""
    found: dict[str, set[int]] = {}
    for row in result["variants"]:
        for column, count in row.get("n", {}).items():
            found.setdefault(column.partition("@")[0], set()).add(count)  # noise changes words, not how many items
    told = {name: " to ".join(f"{count:,}" for count in sorted({min(all_), max(all_)})) for name, all_ in found.items()}
    for count in dict.fromkeys(told.values()):
        yield f"{count} ({', '.join(_short(name) for name in told if told[name] == count)})"


def _seeds(result: Mapping[str, Any]) -> str:
    if not result["seeds"]:
        return "nothing is drawn, so there are no seeds"
    return f"seeds: {result['seeds']}" + (f", {result['seeds_are']}" if result["seeds_are"] else "")


def _origin(result: Mapping[str, Any]) -> str:
    """Return what vectors were learnt or read from, with the beginning of each checksum."""
    text = re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1", result["teacher"])
    given = {name: mark for inputs in result.get("inputs", {}).values() for name, mark in inputs.items()}
    told = [name + (f" {mark[:12]}" if mark else "") for name, mark in given.items() if (mark or name)[:12] not in text]
    return text + (f" ({', '.join(told)})" if told else "")


def _nearest(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the nearest words of some words, where a study lists them."""
    found = (result.get("details") or {}).get("nearest words")
    if found:
        words = list(dict.fromkeys(word for lists in found.values() for word in lists))
        rows = [(label, *(", ".join(lists.get(word, ())) for word in words)) for label, lists in found.items()]
        yield "Nearest words:\n\n" + table(("", *words), rows)


def _cautions(result: Mapping[str, Any]) -> Iterator[str]:
    if result["cautions"]:
        yield "**Cautions:**\n\n" + "\n".join(f"- {caution}" for caution in result["cautions"])


def study_table(result: Mapping[str, Any]) -> str:
    """Return our scores of a study beside the paper's."""
    variants, digits = result["variants"], result.get("digits", 1)
    columns = list(variants[0]["ours"])
    lines: list[tuple[str, ...]] = [("", *map(_short, columns))]
    lines += [(variant["label"], *(_beside(variant, name, digits) for name in columns)) for variant in variants]
    if len(columns) > len(variants):  # a long table reads better than a wide one
        lines = list(zip(*lines, strict=True))
    return table(lines[0], lines[1:])


def tables_without_gaps(result: Mapping[str, Any]) -> str:
    """Return a table for each group of rows that have scores in the same columns."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for variant in result["variants"]:
        filled_in = tuple(name for name, score in variant["ours"].items() if score is not None)
        groups.setdefault(filled_in, []).append(variant)
    tables = []
    for names, variants in groups.items():
        rows = [{**variant, "ours": {name: variant["ours"][name] for name in names}} for variant in variants]
        tables.append(study_table({**result, "variants": rows}))
    return "\n\n".join(tables)


def _short(column: str) -> str:
    return column.partition("/")[2] or column


def _beside(variant: Mapping[str, Any], column: str, digits: int) -> str:
    ours, spread, paper = (variant[part].get(column) for part in ("ours", "spread", "paper"))
    text = _score(ours, digits) + (f" ± {_score(spread, digits)}" if spread else "")
    return text + ("" if paper is None else f" ({_score(paper, digits)})")


def _claims(result: Mapping[str, Any]) -> str:
    """Return the claims of a study as a table: verdict, claim, and what it was judged by."""
    digits, usual = result.get("digits", 1), seeds_in_words(result["seeds"])
    rows = []
    for claim in result["claims"]:
        others = ", ".join(f"{label} {_score(score, digits)}" for label, score in claim["rivals"].items())
        parts = [f"{claim['better']} {_score(claim['score'], digits)}", others]
        parts += [] if claim["margin"] is None else [f"margin {_score(claim['margin'], digits)}"]
        parts += [] if claim["reason"] == usual else [claim["reason"]]
        rows.append(f"| **{claim['verdict']}** | {claim['text']} | {'; '.join(parts)} |")
    return "\n".join(["| verdict | claim | judged by |", "|---|---|---|", *rows])


def _score(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
