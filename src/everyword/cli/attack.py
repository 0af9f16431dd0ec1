"""everyword attack: predictions under other names of the same kind, synonyms and misspellings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file
from everyword.cli.common.output import json_text, say

if TYPE_CHECKING:
    from everyword.evaluation.robustness.attack import AttackReport

SETS = ("sst2", "agnews", "mrpc")
REPLACED = ("people", "companies", "countries", "cities", "synonyms", "misspellings")
"""Named here so that help need not import them."""
SYNONYMS, TYPOS = REPLACED[-2:]


@click.command()
@click.argument("model", required=False, metavar="[MODEL_OR_VECTORS]")
@options.choice(
    "--texts", SETS, "Sentiment of films (sst2), topics of news (agnews) or paraphrases (mrpc).", default=SETS[0]
)
@options.choice("--replace", REPLACED, "What is replaced.  [default: people; companies for mrpc]", to="kind")
@options.data
@options.policy
@options.count("--budget", "How many replacements are tried in each text.", default=50)
@options.count("--items", "How many texts are attacked at most.", default=200)
@options.count("--words", "For misspellings: how many words of a text are misspelt.", default=1)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random numbers.")
@options.file("--output", "JSON file for all scores.")
@options.overwrite
@options.json_object
def attack(
    model: str | None,
    *,
    texts: str,
    kind: str | None,
    data: Path | None,
    policy: str | None,
    budget: int,
    items: int,
    words: int,
    seed: int,
    output: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Attack predictions by replaced words.

    A linear classifier over the mean of word vectors is trained. Then a name of each test text is replaced by others of
    its kind, wherever it stands, a word by a synonym, or a word is misspelt, and the worst and the best of all tries
    are scored. Names are drawn from those that the vectors know well, store as rare, or do not know; "repaired" are
    predictions in which one canonical name takes part.

    \b
    Examples:
      everyword attack --data DATA
      everyword attack glove.vec --texts agnews --replace companies --policy zero --data DATA
      everyword attack --replace misspellings --words 3 --data DATA --output attack.json
      everyword attack --replace synonyms --data DATA
    """
    from everyword.errors import InputError
    from everyword.evaluation.catalogue import data_folder
    from everyword.evaluation.evaluated_model import open_evaluated
    from everyword.evaluation.robustness import attack as attacks
    from everyword.evaluation.robustness.attacked_sets import read_attacked_set
    from everyword.evaluation.robustness.name_attack import NameAttackConfig, NamePools, attack_names, bands_of
    from everyword.evaluation.robustness.names import Names
    from everyword.evaluation.robustness.synonyms import SYNONYM_FILE, SynonymReplacer
    from everyword.evaluation.robustness.typos import TypoReplacer
    from everyword.evaluation.robustness.vector_classifier import VectorClassifier

    if output is not None:
        check_file(output, overwrite)
    folder = data_folder(data)
    if folder is None:
        raise InputError("Texts and names are read from a data folder; name it by --data.")
    read = read_attacked_set(texts, folder)
    kind = kind or read.files.kind
    names = None if kind in (SYNONYMS, TYPOS) else Names.load(kind, folder)  # type: ignore[arg-type]
    replacer: attacks.Replacer = TypoReplacer(words=words)
    if kind == SYNONYMS:
        replacer = SynonymReplacer.load(folder / SYNONYM_FILE, both=len(read.test[0].text) > 1)
    opened = open_evaluated(model, policy)
    say(f"training a classifier on {len(read.train):,} texts of {texts}")
    classifier = VectorClassifier(opened).fit(read.train, read.dev)
    reports: dict[str, AttackReport] = {}
    if names is None:
        metric = read.files.metric
        reports[kind] = attacks.attack(classifier, read.test[:items], replacer, budget=budget, metric=metric, seed=seed)
    else:
        pools = NamePools.of(names, read, bands_of(opened))
        config = NameAttackConfig(budget=budget, items=items, seed=seed)
        for band, found in attack_names(classifier, read, pools, config).items():
            reports[f"{band} names"], reports[f"{band} names, repaired"] = found.plain, found.repaired
    record = {"model": opened.name, "policy": opened.policy, "texts": texts, "replaced": kind, "seed": seed}
    scores = record | {"reports": {name: report.to_dict() for name, report in reports.items()}}
    if output is not None:
        from everyword.atomic import write_atomic

        write_atomic(output, json_text(scores) + "\n")
    heading = f"{opened.name}, policy {opened.policy}: {kind} of {texts}, {budget} tries per text"
    click.echo(json_text(scores) if as_json else _as_text(heading, reports))


def _as_text(heading: str, reports: dict[str, AttackReport]) -> str:
    """Lay out reports, a line each."""
    columns: Sequence[str] = ("n", "original", "worst", "best", "random_mean", "stable", "unchanged")
    width = max(map(len, reports))
    lines = [heading, " " * width + "".join(f" {name.removesuffix('_mean'):>10}" for name in columns)]
    for name, report in reports.items():
        cells = (getattr(report, column) for column in columns)
        lines.append(
            f"{name:<{width}}"
            + "".join(f" {cell:>10,}" if isinstance(cell, int) else f" {cell:10.1f}" for cell in cells)
        )
    return "\n".join(lines)
