"""The probe without a language model: is a target among the nearest known words of the keyword's vector?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.errors import NoScoreError
from everyword.evaluation.context_vectors import ContextModel, Sentences
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.probes.cloze.entries import Entry
from everyword.evaluation.probes.cloze.scores import EntryRanks
from everyword.evaluation.tasks.misspelling import ranks


def ask_table(model: EvaluatedModel, entries: Sequence[Entry], sentences: Sentences | None = None) -> list[EntryRanks]:
    """The rank of the best target among all candidates, the keyword left out; there are no phrases to choose from.

    A way that reads sentences gets those of each keyword, if there are any.
    """
    rows = [[row for word in one.targets if (row := model.candidate(word)) is not None] for one in entries]
    fair = [place for place, found in enumerate(rows) if found]
    if not fair:
        raise NoScoreError(
            f"No target of the probe is among the {len(model.candidates):,} candidates of {model.name}; "
            "is it of another language?"
        )
    words = [entries[place].keyword for place in fair]
    unique = list(dict.fromkeys(words))
    given = {word: (sentences or {}).get(word, []) for word in unique}
    vectors = model.units_in(given) if isinstance(model, ContextModel) else model.units(unique)
    result_path = {word: place for place, word in enumerate(unique)}
    queries = vectors[[result_path[word] for word in words]]
    own = [model.candidate(word) for word in words]
    barred = np.array([-1 if row is None else row for row in own])
    found = ranks(queries, model.candidate_units, [rows[place] for place in fair], barred)
    found[~queries.any(axis=1)] = len(model.candidates)
    rank_of = dict(zip(fair, found.tolist(), strict=True))
    return [EntryRanks(one, (rank_of[place],) if place in rank_of else ()) for place, one in enumerate(entries)]
