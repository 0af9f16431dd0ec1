"""Static vectors from contextual models: the section and the pictures, from the results of two scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from record import RESULTS, load_table_study, read
from tables import table

from everyword.studies.plots.attention import draw_weights
from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

RESULT, NEW_WORDS = "skipgram", "skipgram-words"
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
TABLE, CURVE, SPEED, TAGGERS = "table-", "curve-", "speed-", "taggers-"
USUAL, DEFAULTS = "window 1", "the defaults"
CENTRED = "-centred"
SHOWN = "similarity/wordsim353"


def section() -> str:
    """Return the whole section; nothing if there is no saved result."""
    return render(read(RESULT)) if (RESULTS / f"{RESULT}.json").exists() else ""


def render(kept: dict[str, Any]) -> str:
    parts = kept["parts"]
    text = [
        "## Static vectors from a contextual model\n\n"
        f"{kept['sentences']:,} sentences with {kept['occurrences']:,} occurrences of {kept['words']:,} words; "
        f"encoder `{kept['encoder']}`. Spearman or accuracy × 100; a word without a vector counts as zero."
    ]
    scored = {name.removeprefix(TABLE): part for name, part in parts.items() if name.startswith(TABLE)}
    if scored:
        text += [_scores(scored), *_smaller(scored, kept), _neighbours(scored)]
    tagged = {name.removeprefix(TAGGERS): part for name, part in parts.items() if name.startswith(TAGGERS)}
    if tagged:
        text.append(_tagged(tagged))
    if (RESULTS / f"{NEW_WORDS}.json").exists():
        text.append(_new_words(read(NEW_WORDS)))
    text += [_speed(part) for name, part in sorted(parts.items()) if name.startswith(SPEED)]
    return "\n\n".join(text)


def _label(name: str) -> str:
    """Return the label of a table in the study, with what sets a variation of it apart."""
    labels = {Path(one.file).stem: one.label for one in load_table_study().variants}
    known = max((stem for stem in labels if f"{name}-".startswith(f"{stem}-")), key=len, default="")
    rest = name[len(known) :].strip("-").replace("-", " ")
    return ", ".join(part for part in (labels.get(known, ""), rest) if part)


def _scores(scored: dict[str, Any]) -> str:
    rows = [
        (_label(name), str(part["dim"]), *(f"{part['scores'][benchmark]:.1f}" for benchmark in COLUMNS))
        for name, part in scored.items()
        if set(COLUMNS) <= set(part["scores"])
    ]
    return table(("table", "dim", *COLUMNS.values()), rows)


def _smaller(scored: dict[str, Any], kept: dict[str, Any]) -> Iterator[str]:
    """Yield a remark on each table that was made from less than the whole corpus."""
    for name, part in scored.items():
        files = (part.get("made_by") or {}).get("corpus", kept.get("corpus", ()))
        if len(files) < len(kept.get("corpus", ())):
            yield f"The {_label(name)} is from {len(files)} of the {len(kept['corpus'])} files of the corpus."


def _tagged(tagged: dict[str, Any]) -> str:
    """Return the scores of taggers over the tables."""
    rows = [
        (_label(name), *(f"{part['scores'][data]['score']:.2f}" for data in ("ud-ewt", "conll2000")))
        for name, part in tagged.items()
    ]
    how = next(iter(tagged.values()))
    return (
        f"BiLSTM taggers over some of them, frozen, {how['epochs']} epochs at one rate, "
        f"{'one seed' if how['seeds'] == 1 else str(how['seeds']) + ' seeds'}: accuracy of parts of speech, F1 of "
        "chunks.\n\n" + table(("table", "UD-EWT", "CoNLL-2000"), rows)
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


def _neighbours(scored: dict[str, Any]) -> str:
    """Return the nearest words, a column per query; empty where a table lacks the word."""
    lists = {
        name: part["neighbours"]
        for name, part in scored.items()
        if part.get("neighbours") and not name.endswith(CENTRED)
    }
    words = list(dict.fromkeys(word for of_table in lists.values() for word in of_table))
    rows = [(_label(name), *(", ".join(of_table.get(word, ())) for word in words)) for name, of_table in lists.items()]
    return table(("nearest words of", *(f"*{word}*" for word in words)), rows)


def _speed(part: dict[str, Any]) -> str:
    rates = part["sentences_per_second"]
    return (
        f"On {part['device']}, {part['precision']}, {part['batch']} sentences per step: the encoder alone reads "
        f"{rates['encoder']:,.0f} sentences per second, training reads {rates['training']:,.0f}; a step takes "
        f"{part['training_by_encoder']:.2f} × the time of the encoder."
    )


def draw(folder: Path) -> None:
    """Draw the pictures for which there are results."""
    if not (RESULTS / f"{RESULT}.json").exists():
        return
    parts = read(RESULT)["parts"]
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
    """Return a panel for windows and one for all else."""
    windows = [name for name in curve if name.startswith("window")]
    others = [name for name in curve if name not in windows]
    if DEFAULTS not in curve and USUAL in curve and others:  # an older result, whose default is a window
        others = [USUAL, *others]
    chosen = {"window": windows, "otherwise": others}
    return [
        Panel(
            [
                Point(
                    "as usual" if name == USUAL and DEFAULTS not in curve else name,
                    round(point["sentences"] / 1000),
                    point[SHOWN],
                )
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
