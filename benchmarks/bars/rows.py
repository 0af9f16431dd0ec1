"""The bars: what each is, where it is read in the saved parts, and whether it is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Parts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Bar:
    """A number that the model should reach."""

    label: str
    path: str
    """Part and keys, with slashes between them."""
    bar: float | None = None
    """None if it is only shown."""
    lower: bool = False
    """Whether lower is better."""
    form: str = "{:.1f}"
    scale: float = 1.0
    rivals: str | None = None
    """The path of contenders of which the best must be surpassed as well; those that begin with "everyword" are not."""

    def value(self, parts: Parts) -> float | None:
        """Return the measured number, None if its part is missing."""
        found = at(parts, self.path)
        return None if found is None else float(found) / self.scale

    def to_reach(self, parts: Parts) -> float | None:
        """Return the bar, or the best rival if that is higher."""
        others = at(parts, self.rivals) if self.rivals else None
        key = self.path.rpartition("/")[2]
        best = [scores[key] for name, scores in (others or {}).items() if not name.startswith("everyword")]
        return max([*best, self.bar]) if self.bar is not None else None

    def reached(self, parts: Parts) -> bool | None:
        """Whether the bar is reached; None if there is none, or nothing was measured."""
        value, bar = self.value(parts), self.to_reach(parts)
        if value is None or bar is None:
            return None
        shown, least = (float(self.form.format(number).replace(",", "")) for number in (value, bar))
        return shown <= least if self.lower else shown >= least

    def text(self, value: float | None) -> str:
        """Return a number as it is shown."""
        return "–" if value is None else self.form.format(value)

    def bar_text(self, parts: Parts) -> str:
        """Return the bar as it is shown."""
        bar = self.to_reach(parts)
        return "–" if bar is None else f"{'≤' if self.lower else '≥'} {self.text(bar)}"


def at(parts: Parts, path: str) -> Any:
    """Return what is found at a path, None if there is nothing."""
    found: Any = parts
    for key in path.split("/"):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def bars() -> Iterator[Bar]:
    """Yield all bars, from top to bottom."""
    yield Bar("six similarity sets, mean Spearman × 100", "similarity/encode/mean", 72)
    yield Bar("the same, form only", "similarity/form/mean", 67)
    yield Bar("31 kinds of tokens: hit among ten, %", "kinds/hit@10", 88)
    yield Bar("lowest of the kinds, %", "kinds/lowest_kind", 65)
    yield Bar("look-alikes: triples, %", "look-alikes/triples/all_beaten", 97.5)
    yield Bar("look-alikes: all of up to thirty beaten, %", "look-alikes/thirty/all_beaten", 82)
    for band, alike in (("500-5k", 32), ("5k-20k", 25), ("20k-50k", 22)):
        label = f"ten nearest, rank {band}: same three letters, %"
        yield Bar(label, f"neighbour-spelling/sections/{band}/alike", alike, lower=True)
    for band, mere in (("500-5k", 1.5), ("5k-20k", 1.5), ("20k-50k", 3)):
        label = f"ten nearest, rank {band}: same letters, no relatives, %"
        yield Bar(label, f"neighbour-spelling/sections/{band}/mere", mere, lower=True)
    yield Bar("Google analogies, %", "analogies/google/3cosadd", 72)
    yield Bar("MSR analogies, %", "analogies/msr/3cosadd", 78)
    yield Bar("clusters (AP), purity, %", "clusters/ap/purity")
    yield Bar("clusters (BLESS), purity, %", "clusters/bless/purity")
    yield Bar("WordNet's sisters nearer than other nouns, %", "clusters/sisters/nearer")
    for key, label, bar in (
        ("mrr", "MRR × 100", 95),
        ("hit@1", "right word first, %", 93.5),
        ("hit@10", "among ten, %", 98),
    ):
        yield Bar(f"codespell, test split: {label}", f"codespell/contenders/everyword/{key}", bar)
    wikipedia = "wikipedia/contenders"
    yield Bar("Wikipedia's misspellings: MRR × 100", f"{wikipedia}/everyword/mrr", 92, rivals=wikipedia)
    yield Bar("Birkbeck, words not trained on: MRR × 100", "birkbeck/unlisted/contenders/everyword/mrr", 68)
    yield Bar("SimLex with a typo: % of the clean score", "typos/kept/typo", 82)
    yield Bar("the same: % of what an oracle keeps", "typos/kept_of_oracle", 95)
    yield Bar("confidence, right against wrong: AUC, %", "confidence/both/auc")
    yield Bar("held-out words: cosine to the teacher", "held-out/scores/encode/cosine", 0.76, form="{:.3f}")
    yield Bar("unknown words a second, compiled", "speed/compiled/speed/everyword/words_per_second", form="{:,.0f}")
    yield Bar("the same, × floret", "speed/compiled/by_floret", 1.0, form="{:.2f}")
    yield Bar("unknown words a second, NumPy", "speed/numpy/speed/everyword/words_per_second", form="{:,.0f}")
    yield Bar("the same, × floret", "speed/numpy/by_floret", 0.35, form="{:.2f}")
    one_word = "one_word/everyword/p50_us"
    yield Bar("one unknown word, p50, µs, compiled", f"speed/compiled/{one_word}", 60, lower=True, form="{:.0f}")
    yield Bar("one unknown word, p50, µs, NumPy", f"speed/numpy/{one_word}", 350, lower=True, form="{:.0f}")
    yield Bar("known words and phrases", "footprint/known_words", 500_000, form="{:,.0f}")
    yield Bar("size on disk, MB", "footprint/bytes", 50, lower=True, scale=1e6)
    load, memory = "footprint/compiled/best_import_and_load_s", "footprint/compiled/memory_mb_after_unknown"
    yield Bar("import and load, s", load, 0.35, lower=True, form="{:.2f}")
    yield Bar("memory after the first unknown word, MB", memory, 200, lower=True, form="{:.0f}")


VERDICTS: Mapping[bool | None, str] = {True: "reached", False: "missed", None: "–"}


def lines(parts: Parts, before: Parts) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield label, the number before, the measured one, the bar, and whether it is reached."""
    for bar in bars():
        measured = bar.value(parts)
        yield (
            bar.label,
            bar.text(bar.value(before)),
            bar.text(measured),
            bar.bar_text(parts),
            VERDICTS[bar.reached(parts)],
        )
