"""Write the saved results into the docs, the README and the cards of the shipped models.

    python benchmarks/report.py           # rewrite what is generated
    python benchmarks/report.py --check   # exit 1 if anything would change

No number is typed by hand: this script writes the text between the markers `begin generated` and `end generated`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import report_alignment
import report_alpha
import report_attacks
import report_auxiliary
import report_bars
import report_bertram
import report_classifiers
import report_encoders
import report_install
import report_languages
import report_peers
import report_probes
import report_reconstruction
import report_serve
import report_skipgram
import report_spaces
import report_studies
import report_tagger
import report_texts
import report_trees
from cards import cards
from record import INFERRED, RESULTS, read, read_study
from report_studies import study_table, tables_without_gaps
from tables import TITLES
from tables import table as _table

from everyword.evaluation.evaluated_model import POLICIES
from everyword.evaluation.results import Result, read_all
from everyword.evaluation.scoreboard import board
from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point, read_panels
from everyword.studies.plots.reliability import draw_reliability

ROOT = Path(__file__).parent.parent


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail if something is out of date.")
def main(check: bool) -> None:
    """Bring all generated text up to date."""
    stale = [path for path, text in generated_files().items() if path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(("out of date: " if check else "rewritten: ") + str(path.relative_to(ROOT)))
        if not check:
            path.write_text(generated_files()[path], encoding="utf-8", newline="\n")
    if not check:  # a picture's bytes depend on the version of matplotlib, so they are not compared
        draw_noise(ROOT / "docs" / "pictures" / "noise.svg")
        draw_curves(read_panels([RESULTS / "robustness"]), Frame(ROOT / "docs" / "pictures" / "curves.svg"))
        report_bertram.draw_contexts(ROOT / "docs" / "pictures")
        report_bertram.draw_by_frequency(ROOT / "docs" / "pictures")
        report_skipgram.draw(ROOT / "docs" / "pictures")
        report_spaces.draw(ROOT / "docs" / "pictures")
        report_reconstruction.draw(ROOT / "docs" / "pictures")
        report_attacks.draw(ROOT / "docs" / "pictures" / "attacks.svg")
        report_probes.draw(ROOT / "docs" / "pictures" / "profile.svg")
        report_probes.draw_by_layer(ROOT / "docs" / "pictures" / "layers.svg")
        report_alpha.draw(ROOT / "docs" / "pictures" / "alpha.svg")
        report_peers.draw_ladder(ROOT / "docs" / "pictures" / "typos.svg")
        draw_reliability(report_peers.calibrations(), Frame(ROOT / "docs" / "pictures" / "reliability.svg"))
    sys.exit(1 if check and stale else 0)


def generated_files() -> dict[Path, str]:
    """Return every file with generated text, as it should be."""
    text_sections = report_texts.sections()
    corrected = text_sections.pop("correct")
    files = {
        ROOT / "README.md": {"summary": report_peers.summary()},
        ROOT / "docs" / "benchmarks.md": sections(),
        ROOT / "docs" / "studies.md": report_studies.sections(),
        **{ROOT / "docs" / "studies" / f"{page}.md": parts for page, parts in report_studies.pages().items()},
        ROOT / "docs" / "how-to" / "spaces.md": {"spaces": spaces()},
        ROOT / "docs" / "how-to" / "own-vectors.md": {"adapt": adapt()},
        ROOT / "docs" / "how-to" / "new-tokens.md": report_encoders.added(),
        ROOT / "docs" / "how-to" / "contexts.md": {"contexts": report_encoders.contexts()},
        ROOT / "docs" / "how-to" / "robust-encoders.md": report_encoders.robust(),
        ROOT / "docs" / "models" / "everyword-en.md": {
            "summary": report_peers.summary(),
            "bars": report_bars.section(),
        },
        ROOT / "docs" / "models" / "love.md": {"similarity": similarity()},
        ROOT / "docs" / "models" / "bertram.md": {"bertram": report_bertram.section()},
        ROOT / "docs" / "models" / "reconstruction.md": report_reconstruction.sections(),
        ROOT / "docs" / "models" / "skipgram.md": {
            "development": report_skipgram.development(),
            "bars": report_skipgram.bars(),
        },
        ROOT / "docs" / "how-to" / "serve.md": {"serve": report_serve.section(), "page": report_serve.page()},
        ROOT / "docs" / "how-to" / "install.md": {"install": report_install.section()},
        ROOT / "docs" / "how-to" / "classify.md": {"typos": report_classifiers.typos()},
        ROOT / "docs" / "languages.md": report_languages.sections(),
        ROOT / "docs" / "texts.md": text_sections,
        ROOT / "docs" / "how-to" / "correct.md": {"correct": corrected},
        ROOT / "docs" / "models" / "word-attributes.md": {
            "word-attributes": study_table(read_study("word-attributes"))
        },
        ROOT / "docs" / "models" / "word-operators.md": {"word-operators": study_table(read_study("word-operators"))},
        ROOT / "docs" / "models" / "metric-losses.md": {"metric-losses": study_table(read_study("metric-losses"))},
        ROOT / "docs" / "models" / "inference-with-roles.md": {
            "inference-with-roles": study_table(read_study("inference-with-roles"))
        },
        ROOT / "docs" / "alpha-vectors.md": {
            "memory": report_alpha.memory(),
            "alpha": study_table(read_study("alpha")),
            "chosen": report_alpha.chosen(),
            "pairs": report_alpha.pairs(),
        },
        ROOT / "docs" / "models" / "distillation.md": report_classifiers.distillation(study_table),
        ROOT / "docs" / "models" / "language-adversary.md": {
            "language-adversary": study_table(read_study("language-adversary-full"))
        },
        ROOT / "docs" / "alignment.md": {
            "lexicons": study_table(read_study("lexicon-induction")),
            "lexicons-full": tables_without_gaps(read_study("lexicon-induction-full")),
            "alignment-speed": report_alignment.speed(),
        },
        ROOT / "docs" / "models" / "attention-over-embeddings.md": report_auxiliary.sections(),
        ROOT / "docs" / "probes.md": report_probes.sections(),
        ROOT / "docs" / "linguistic-profile.md": {"linguistic-profile": study_table(read_study("linguistic-profile"))},
        ROOT / "docs" / "compositionality.md": {"compositionality": study_table(read_study("compositionality"))},
        ROOT / "docs" / "attacks.md": report_attacks.sections(),
        ROOT / "docs" / "spans.md": {"spans": study_table(read_study("span-poolings"))},
        ROOT / "docs" / "attention-as-explanation.md": {
            "attention": study_table(read_study("attention-words")),
            "objectives": study_table(read_study("attention-objectives")),
        },
        ROOT / "docs" / "adversarial-training.md": {
            "adversarial": study_table(read_study("adversarial-training")),
        },
        ROOT / "docs" / "pruned-encoders.md": {"pruned": tables_without_gaps(read_study("pruned-encoders"))},
        ROOT / "docs" / "codes.md": {"codes": study_table(read_study("emergent-codes"))},
        ROOT / "docs" / "spans.md": {
            "spans": study_table(read_study("span-poolings")),
            "roles": study_table(report_trees.with_scores(read_study("span-roles"))),
        },
        ROOT / "docs" / "trees.md": {
            "trees": study_table(report_trees.with_scores(read_study("ancestor-constituents"))),
            "word-alone": report_trees.against_the_word(),
            "extremes": report_trees.extremes(),
        },
        ROOT / "docs" / "how-to" / "compare-results.md": {"compare": report_trees.comparison()},
        ROOT / "docs" / "feature-tuples.md": {"feature-tuples": study_table(read_study("feature-tuples"))},
        ROOT / "docs" / "by-resource.md": {
            "frequency": study_table(read_study("scores-by-frequency")),
            "languages": tables_without_gaps(read_study("scores-by-resource")),
        },
        ROOT / "docs" / "principal-components.md": {
            "principal-components": study_table(read_study("principal-components"))
        },
        ROOT / "docs" / "how-to" / "tag.md": {"tagger": report_tagger.speed()},
        ROOT / "docs" / "models" / "entity-experts.md": {
            "domains": study_table(report_tagger.columns_of("entity-experts-full", ("f1",))),
            "words": study_table(
                report_tagger.columns_of("entity-experts-full", ("known", "unknown", "seen", "unseen"), ("tech",))
            ),
        },
        ROOT / "docs" / "models" / "structured-tags.md": {"tags": study_table(read_study("structured-tags-full"))},
        ROOT / "docs" / "shrink.md": {
            "table-pruning": study_table(read_study("table-pruning")),
            "pruned-models": pruned_models(),
        },
    }
    web = ROOT / "src" / "everyword" / "web"
    page = {web / "curves.json": curves_of_the_page(), web / "probes.json": report_probes.of_the_page()}
    return {path: filled(path, parts) for path, parts in files.items()} | cards() | page


def sections() -> dict[str, str]:
    return {
        "peers": report_peers.section(),
        "skipgram": report_skipgram.section(),
        "similarity": similarity(),
        "ways": models(),
        "family": family(),
        "noise": noise(),
        "speed": speed(),
        "training": training(),
        "scale": initial_scale(),
    }


def pruned_models() -> str:
    """Return what is left of models of spelling by the share of zeros."""
    found = read("pruned-models")["models"]
    header = ["zeros", *(f"{name} {what}" for name in found for what in ("MB", "cosine", "RareWord"))]
    rows = [
        (
            f"{parts[0]['sparsity']:.0%}",
            *(
                text
                for part in parts
                for text in (f"{part['bytes'] / 1e6:.1f}", f"{part['cosine']:.2f}", f"{part['rareword']:.1f}")
            ),
        )
        for parts in zip(*found.values(), strict=True)
    ]
    return _table(header, rows)


def similarity() -> str:
    result = read("love-en-similarity")
    rows = [_similarity_row(model, scores) for model, scores in result["ways"].items()]
    reference = result["reference"]
    rows.append(
        (
            "public reference, 60 epochs",
            *(f"{reference['sets'][name]:.1f}" for name in TITLES),
            f"{reference['mean']:.1f}",
        )
    )
    counts = {score["name"]: score["pairs"] for score in result["ways"][INFERRED]["sets"]}
    trained = {score["name"]: score["pairs_known"] for score in result["ways"][INFERRED]["sets"]}
    rows.append(("*pairs*", *(f"{counts[name]:,}" for name in TITLES), ""))
    rows.append(("*pairs with both words trained on*", *(f"{trained[name]:,}" for name in TITLES), ""))
    new = result["rareword_pairs_with_an_untrained_word"]
    remark = (
        f"On the {new['pairs']:,} RareWord pairs with at least one word that was never trained on: "
        f"**{new['spearman']:.1f}** (reference {new['reference']:.1f})."
    )
    return _table(("vectors", *TITLES.values(), "mean"), rows) + "\n\n" + remark


def _similarity_row(model: str, scores: dict[str, Any]) -> tuple[str, ...]:
    by_name = {score["name"]: score["spearman"] for score in scores["sets"]}
    return (model, *(f"{by_name[name]:.1f}" for name in TITLES), f"**{scores['mean']:.1f}**")


def models() -> str:
    """Return the saved results of `everyword evaluate`, a table per model."""
    kept = read_all([RESULTS / "evaluate"])
    names = sorted({result.model for result in kept})
    return "\n\n".join(f"### `{name}`\n\n{_policies([one for one in kept if one.model == name])}" for name in names)


def _policies(kept: Sequence[Result]) -> str:
    """Return a table with tasks as rows and policies as columns."""
    policies = [policy for policy in POLICIES if any(result.policy == policy for result in kept)]
    scores = {(result.benchmark, result.policy): f"{result.value:.1f}" for result in kept if result.value is not None}
    sizes = {result.benchmark: f"{result.n:,}" for result in kept}
    order = [column.replace(".v1", "") for column in board(kept).columns]
    rows = [
        (benchmark, sizes[benchmark], *(scores.get((benchmark, policy), "–") for policy in policies))
        for benchmark in order
        if benchmark in sizes
    ]
    return _table(("task", "n", *(f"`{policy}`" for policy in policies)), rows)


def family() -> str:
    result = read("family")
    rows = [
        (
            name,
            f"{member['parameters'] / 1e6:.2f} M",
            *(f"{member['sets'][task]:.1f}" for task in TITLES),
            f"**{member['mean']:.1f}**",
            f"{member['rareword_new']:.1f}",
            f"{member['misspelling_mrr']:.1f}",
            f"{member['held_out_cosine']:.3f}" if member["held_out_cosine"] else "–",
        )
        for name, member in result["members"].items()
    ]
    head = ("", "parameters", *TITLES.values(), "mean", "RareWord, new", "typo MRR", "held-out cosine")
    return f"{result['words']:,} words, {result['epochs']} epochs, one seed:\n\n" + _table(head, rows)


def noise() -> str:
    result = read("noise-sst2")
    policies = result["policies"]
    clean = next(iter(policies.values()))["clean"]
    rows = [("clean", "0 %", *(_accuracy(curve["clean"]) for curve in policies.values()))]
    for kind in ("typos", "ocr"):
        for index, step in enumerate(next(iter(policies.values()))[kind]):
            scores = (_accuracy(curve[kind][index]) for curve in policies.values())
            rows.append((f"{kind} {step['strength']:.0%}", f"{step['changed']:.0%}", *scores))
    remark = f"Accuracy, mean ± standard deviation of {clean['seeds']} seeds, {clean['n']:,} texts."
    return _table(("test text", "tokens changed", *(f"`{policy}`" for policy in policies)), rows) + "\n\n" + remark


def draw_noise(path: Path) -> None:
    """Draw the accuracy on SST-2 against the share of tokens that the published typo files really change."""
    result = read("noise-sst2")
    points = [
        Point(policy, round(100 * step["changed"]), step["accuracy"], step["spread"], step["n"])
        for policy, curve in result["policies"].items()
        for step in (curve["clean"], *curve["typos"])
    ]
    panel = Panel(points, "tokens with a typo, %", "accuracy on SST-2, %")
    title = "Under typos the nearest spelling wins; inferred vectors beat zeros"
    draw_curves([panel], Frame(path, title=title, size=(8, 4.5)))


def _accuracy(point: dict[str, Any]) -> str:
    return f"{point['accuracy']:.1f} ± {point['spread']:.1f}"


def curves_of_the_page() -> str:
    """Return the curves of similarity under typos for the page of `everyword serve`."""
    kept = sorted(read_all([RESULTS / "playground"]), key=lambda result: result.strength)
    record = {
        "model": kept[0].model,
        "title": "Similarity on RareWord under typos",
        "noise": "words with a typo, %",
        "score": "Spearman × 100",
        "pairs": kept[0].n,
        "curves": [_curve(policy, kept) for policy in ("encode", "spelling", "pieces", "zero")],
    }
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def _curve(policy: str, kept: Sequence[Result]) -> dict[str, Any]:
    points = [{"strength": one.strength, "score": one.value} for one in kept if one.policy == policy]
    return {"policy": policy, "points": points}


def spaces() -> str:
    """Return similarity scores of post-processed and merged tables, and how many of ten neighbours stay the same."""
    rows = [
        (
            row["label"],
            str(row["dim"]),
            *(f"{score:.1f}" for score in row["sets"].values()),
            f"**{row['mean']:.1f}**",
            f"{row['mean_covered']:.1f}",
            f"{row['chosen_on']:.1f}",
            f"{10 * row['neighbours']:.1f}" if "neighbours" in row else "–",
        )
        for row in read("spaces")["rows"]
    ]
    titles = (TITLES.get(name, "WS-353") for name in read("spaces")["rows"][0]["sets"])
    return _table(("", "dim", *titles, "mean", "without RareWord", "CRW dev", "same neighbours"), rows)


def adapt() -> str:
    """Return the scores of an adapted model."""
    result = read("adapt")
    text = (
        f"The first {result['words']:,} words of GloVe 6B ({result['dim']} dimensions), "
        f"{result['shared_words']:,} of which `{result['base']}` knows, in {result['seconds']:.0f} seconds on one core:"
    )
    rows = [(row["what"], row["score"], f"{row['n']:,}") for row in result["scores"]["rows"]]
    return text + "\n\n" + _table(("", "", "n"), rows)


def speed() -> str:
    inference, load = read("inference-speed"), read("load-time")
    rows = [
        (name, f"{one['words_per_second']:,}", f"{one['median_words_per_second']:,}")
        for name, one in inference["contenders"].items()
    ]
    cold = (
        f"From a cold interpreter ({load['metric']}): import and load {load['import_and_load_s']:.2f} s, "
        f"first vector after {load['first_vector_s']:.2f} s; peak memory {load['peak_memory_mb_after_encode']:.0f} MB, "
        f"after a search for neighbours {load['peak_memory_mb_after_nearest']:.0f} MB."
    )
    head = f"{inference['words']:,} misspelt words, one thread, {inference['machine']['processor']}:"
    return "\n\n".join([head, _table(("", "words/s, best round", "median round"), rows), cold])


def training() -> str:
    result = read("training-speed")
    seconds = result["seconds_per_epoch"]
    return (
        f"{result['anchors']:,} anchors with {result['hard_negatives_per_anchor']} hard negatives each, one thread: "
        f"**{min(seconds):.0f} to {max(seconds):.0f} s per epoch** "
        f"(public reference: {result['reference_seconds_per_epoch']} s). "
        "Preparation (reading the teacher, word pieces, synonyms, hard negatives), two cores: "
        f"{result['preparation_seconds']:.0f} s, once."
    )


def initial_scale() -> str:
    curves = read("initial-scale")["curves"]
    epochs = [str(entry["epoch"]) for entry in next(iter(curves.values()))]
    rows = [(scale, *(f"{entry['held_out_cosine']:.3f}" for entry in curve)) for scale, curve in curves.items()]
    return _table(("initial spread", *(f"epoch {epoch}" for epoch in epochs)), rows)


def filled(path: Path, parts: dict[str, str]) -> str:
    """Return the text of a page with new content between its markers."""
    text = path.read_text(encoding="utf-8")
    for name, content in parts.items():
        begin, end = f"<!-- begin generated: {name} -->", f"<!-- end generated: {name} -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        if not pattern.search(text):
            raise SystemExit(f"{path.name} has no markers for {name!r}")
        text = pattern.sub(lambda _, new=f"{begin}\n{content}\n{end}": new, text)
    return text


if __name__ == "__main__":
    main()
