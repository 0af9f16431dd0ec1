"""Quality: similarity, misspellings, typos and held-out words, each a function of the contest."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from love_similarity import SETS

from everyword.arrays import FloatArray
from everyword.corpus.codespell_split import load_split
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.robustness import typo_similarity
from everyword.evaluation.tasks import misspelling, similarity
from everyword.evaluation.tasks.similarity import SimilaritySet
from everyword.models.model import Model
from everyword.studies.plots.reliability import Calibration, calibrate
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable
from peers.contest import Contest, as_unknown
from peers.names import FORM, MISSPELT, NEW, RAPIDFUZZ, SYMSPELL, TEACHER, USER
from peers.ranks import rank_in, recovery
from peers.spellers import Corrector, NearestSpelling


def similarity_part(contest: Contest) -> dict[str, Any]:
    """Score Spearman × 100 on six sets, every pair counted, with the number of parameters."""
    tasks = [SimilaritySet.load(contest.data / "similarity" / f"{name}.tsv") for name in SETS]
    contenders: dict[str, Any] = {}
    for name, model in contest.models().items():
        scores = {task.name: similarity.run(model, task, 0).values["spearman"] for task in tasks}
        contenders[name] = {"sets": scores, "mean": float(np.mean([score or 0.0 for score in scores.values()]))}
    if contest.teacher:
        table = evaluated_table(VectorTable.load(contest.teacher), "teacher")
        scores = {task.name: similarity.run(table, task, 0).values["spearman"] for task in tasks}
        contenders[TEACHER] = {"sets": scores, "mean": float(np.mean([score or 0.0 for score in scores.values()]))}
    contenders[FORM]["parameters"] = contest.model.record.get("parameters")
    for peer in contest.peers:
        contenders[peer.name] |= {"parameters": peer.parameters, "dim": peer.dim}
    return {
        "metric": "Spearman x 100",
        "pairs": {task.name: len(task.pairs) for task in tasks},
        "contenders": contenders,
    }


def misspelling_part(contest: Contest) -> dict[str, Any]:
    """Search for the right words of 2,000 misspellings among 50,000 words."""
    split = load_split(contest.data / "misspelling" / "codespell.tsv.gz", contest.candidates)
    data = misspelling.MisspellingSet.of_pairs(f"codespell-{len(split.evaluation)}", split.evaluation)
    contenders: dict[str, Any] = {}
    for name, model in contest.models().items():
        values = misspelling.run(model, data, 0).values
        contenders[name] = {key: values[key] for key in ("mrr", "hit@1", "hit@10")}
    wrong, rights = list(data.rights), list(data.rights.values())
    corrector = Corrector(contest.candidates)
    contenders[SYMSPELL] = recovery([rank_in(corrector.ranked(one), right) for one, right in data.rights.items()])
    contenders[RAPIDFUZZ] = recovery(NearestSpelling(contest.candidates).ranks(wrong, rights))
    return {
        "metric": "mean reciprocal rank and hits x 100; the wrong form itself does not count as an answer",
        "pairs": len(split.evaluation),
        "pairs_left_for_training": len(split.training),
        "candidates": len(contest.candidates),
        "wrong_forms_stored_by_the_model": sum(map(contest.model.known, wrong)),
        "contenders": contenders,
    }


def typos_part(contest: Contest) -> dict[str, Any]:
    """Score SimLex-999 with one typo in each first word, also as a share of the clean score."""
    data = SimilaritySet.load(contest.data / "similarity" / "simlex999.tsv")
    models = contest.models() | {SYMSPELL: contest.corrected()}
    contenders: dict[str, Any] = {}
    for name, model in models.items():
        scores = typo_similarity.run(model, data, 0)
        clean, spread = scores.values["clean"] or 0.0, scores.spread["typo"]
        contenders[name] = {
            "clean": clean,
            "typo": scores.values["typo"],
            "typo_spread": spread,
            "kept": scores.values["typo_kept"],
            "kept_spread": 100 * spread / clean if clean > 0 else None,
        }
    remark = f"{SYMSPELL} is everyword's stored vectors, an unknown word corrected by SymSpell first"
    return {
        "metric": "Spearman x 100; share kept in %; spread is the standard deviation over seeds",
        "pairs": len(data.pairs),
        "seeds": typo_similarity.SEEDS,
        "remark": remark,
        "contenders": contenders,
    }


def held_out_part(contest: Contest) -> dict[str, Any] | None:
    """Score the cosine to the teacher for words that the model is made to forget, or never saw."""
    if not (contest.teacher and contest.held_out):
        print("held-out is skipped; give --teacher and --held-out", file=sys.stderr)
        return None
    teacher = VectorTable.load(contest.teacher)
    asked = list(dict.fromkeys(contest.held_out.read_text(encoding="utf-8").split()))
    words = [word for word in asked if word in teacher]
    hidden = {contest.model.normalise(word) for word in words}
    others = [word for word in contest.model.known_words.words if word not in hidden and word in teacher]
    nearest = NearestSpelling(others)
    vectors = {
        FORM: contest.model.infer(words),
        USER: as_unknown(contest.model, words),
        RAPIDFUZZ: teacher.matrix[[teacher.index[nearest.best(contest.model.normalise(word))] for word in words]],
    }
    targets = unit_rows(teacher.select(words).matrix)
    cosines = {name: np.einsum("ij,ij->i", unit_rows(rows), targets) for name, rows in vectors.items()}
    return {
        "metric": "cosine to the teacher's vector, mean and standard deviation over words",
        "teacher": contest.teacher.name,
        "words": len(words),
        "words_without_a_teacher": len(asked) - len(words),
        "remark": f"{RAPIDFUZZ}: the teacher's vector of the nearest spelling among {len(others):,} other known words",
        "contenders": {
            name: {"cosine": float(values.mean()), "deviation": float(values.std())} for name, values in cosines.items()
        },
    }


def confidence_part(contest: Contest) -> dict[str, Any] | None:
    """Calibrate the confidence of unknown words against their cosine, separately for new words and misspellings."""
    if not (contest.teacher and contest.held_out) or contest.model.blender is None:
        return None
    split = load_split(contest.data / "misspelling" / "codespell.tsv.gz", contest.candidates)
    misspelt = [(wrong, right) for wrong, right in split.evaluation if not contest.model.known(wrong)]
    teacher = VectorTable.load(contest.teacher)
    new = [word for word in contest.held_out.read_text(encoding="utf-8").split() if word in teacher]
    kinds = {
        NEW: _calibrated(contest.model.without(new), new, teacher.select(new).matrix),
        MISSPELT: _calibrated(
            contest.model,
            [wrong for wrong, _ in misspelt],
            contest.model.encode([right for _, right in misspelt]),
        ),
    }
    return {
        "metric": "confidence against the cosine to the true vector, in ten intervals",
        "contenders": {
            name: {"error": kind.error, "bins": [vars(part) for part in kind.bins]} for name, kind in kinds.items()
        },
    }


def _calibrated(model: Model, words: list[str], targets: FloatArray) -> Calibration:
    blender = model.blender
    assert blender is not None
    blend = blender.blend([model.normalise(word) for word in words])
    return calibrate(blend.confidence, np.einsum("ij,ij->i", unit_rows(blend.vectors), unit_rows(targets)))
