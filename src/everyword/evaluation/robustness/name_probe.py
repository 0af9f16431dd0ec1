"""A question about names: do predictions stay the same when a person of the text has another, rare name?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.evaluation.probes.intervals import mean_interval
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.probe import Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.robustness.attack import Text, attack
from everyword.evaluation.robustness.attacked_sets import ATTACKED_SETS, read_attacked_set
from everyword.evaluation.robustness.name_attack import with_names
from everyword.evaluation.robustness.names import FILES, LAST, NameReplacer, Names, lower_case_words
from everyword.sentences.tokens import tokens_of

STRENGTH = 0.1
ITEMS, BUDGET = 100, 20
QUICK_SHARE = 4
FREQUENT, RARE = 2000, 20_000
"""How many last names are frequent, and from which rank on they are rare."""
SET = ATTACKED_SETS["sst2"]


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Train a linear classifier of sentiment, and put other names into its test texts."""
    folder = paths[0].parents[2]
    data, names = read_attacked_set(SET.name, folder), Names.load("people", folder)
    share = QUICK_SHARE if settings.quick else 1
    order = np.random.default_rng(settings.seed).permutation(len(data.train))[: len(data.train) // share]
    train = [data.train[row] for row in order]
    fitted = LogisticRegression.fit(
        asked.texts([tokens_of(item.text[0]) for item in train]), np.array([item.label for item in train]), STRENGTH
    )
    progress(1, 3)

    def predict(texts: Sequence[Text]) -> FloatArray:
        return fitted.probabilities(asked.texts([tokens_of(text[0]) for text in texts]))

    ambiguous = lower_case_words(data.texts)
    items = with_names(data.test, NameReplacer(names, names, ambiguous), ITEMS // share, settings.seed)
    reports = []
    for place, some in enumerate((slice(FREQUENT), slice(RARE, None))):
        pool = replace(names, lists={**names.lists, LAST: names.lists[LAST][some]})
        replacer = NameReplacer(names, pool, ambiguous)
        reports.append(attack(predict, items, replacer, budget=BUDGET // share, seed=settings.seed))
        progress(place + 2, 3)
    frequent, rare = reports
    first = predict([item.text for item in items]).argmax(axis=1)
    unchanged = 100 * (rare.predictions == first[:, None]).all(axis=1).astype(np.float64)
    parts = {"frequent names": frequent.unchanged, "stable": rare.stable}
    parts |= {name: getattr(rare, name) for name in ("original", "worst", "best")}
    return ProbeScore(
        value=float(unchanged.mean()),
        metric="unchanged",
        n=rare.n,
        interval=mean_interval(unchanged),
        parts=parts,
        items={"score": (unchanged / 100).tolist(), "word": [item.text[0] for item in items]},
    )


PROBE = Probe(
    name="names",
    version=1,
    summary="Do predictions stay the same when a person has another, rare name?",
    needs=(SET.train, SET.test, str(SET.dev), FILES["people"][0]),
    run=run,
)
