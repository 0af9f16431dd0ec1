"""The default model beside its peers: quality, speed, size and memory, in one run.

    python benchmarks/everyword_en.py --data DATA --cache CACHE --minilm MINILM --teacher TABLE --held-out WORDS

Needs `pip install -e ".[benchmarks]"`. fastText and floret are trained on the corpus in DATA, model2vec is distilled
from MiniLM; all three are kept in CACHE. Each part is written as soon as it is done, and `--only speed` runs one again.
Without --minilm model2vec is left out, without --teacher and --held-out the part `held-out`.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from love_similarity import SETS
from peers.clock import fresh_process, latency, paces, size_on_disk
from peers.ranks import corrected_vectors, place_in, recovery
from peers.spellers import Corrector, NearestSpelling
from peers.trained import Peer, Workshop
from record import RESULTS, keep_part

from everyword import registry
from everyword.arrays import FloatArray
from everyword.evaluation import misspelling, similarity, typo_similarity
from everyword.evaluation.codespell_split import CANDIDATES, load_split
from everyword.evaluation.similarity import SimilaritySet
from everyword.evaluation.typo_similarity import FAMILIES
from everyword.evaluation.way import Way, model_identity, way_of_model
from everyword.models.load import find_model
from everyword.models.model import Model
from everyword.models.read import read_model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

USER, FORM = "everyword, as a user gets it", "everyword, form only"
SYMSPELL, RAPIDFUZZ = "symspell", "rapidfuzz"
BATCH = 10_000
LATENCY_WORDS = 2_100
SMALLER_BATCHES = {SYMSPELL: 1_000, RAPIDFUZZ: 100}
"""Slow per word, and no faster in large batches."""
PROGRAMS = {
    USER: ("import everyword; model = everyword.load(path)", "model[word]"),
    "fastText": ("import fasttext; model = fasttext.load_model(path)", "model.get_word_vector(word)"),
    "floret": ("import floret; model = floret.load_model(path)", "model.get_word_vector(word)"),
    "model2vec": (
        "from model2vec import StaticModel; model = StaticModel.from_pretrained(path)",
        "model.encode([word])",
    ),
    SYMSPELL: (
        "from symspellpy import SymSpell, Verbosity; model = SymSpell(2); model.load_dictionary(path, 0, 1)",
        "model.lookup(word, Verbosity.TOP)",
    ),
}
"""How each is imported and loaded, and asked for its first word, in a process of its own."""


def as_unknown(model: Model, words: Sequence[str]) -> FloatArray:
    """Vectors as if the model had never stored these words. The one place that knows how to ask for them."""
    return model.infer(words)


@dataclass(frozen=True)
class Contest:
    """The model, its peers and the data they meet on."""

    model: Model
    folder: Path
    workshop: Workshop
    teacher: Path | None
    held_out: Path | None
    rounds: int

    @property
    def data(self) -> Path:
        return self.workshop.data

    @cached_property
    def peers(self) -> list[Peer]:
        return self.workshop.peers()

    @cached_property
    def candidates(self) -> list[str]:
        """The most frequent words of the model."""
        return list(self.model.known_words.words[:CANDIDATES])

    def ways(self) -> dict[str, Way]:
        """Every way to get a vector for any word, with the same candidates."""
        return {
            USER: way_of_model(self.model, "encode", candidates=CANDIDATES),
            FORM: way_of_model(self.model, "infer", candidates=CANDIDATES),
            **{peer.name: peer.way(self.candidates) for peer in self.peers},
        }

    def unknown_words(self, count: int, seed: int) -> list[str]:
        """Typos of known words that are neither known themselves nor twice in the list."""
        rng, typos = Random(seed), dict[str, None]()
        kinds = [registry.corruptions.get(name) for name in FAMILIES["typo"]]
        while len(typos) < count:
            typo = rng.choice(kinds)(rng.choice(self.model.known_words.words), rng)
            if not self.model.known(typo):
                typos[typo] = None
        return list(typos)


def similarity_part(contest: Contest) -> dict[str, Any]:
    """Spearman × 100 on six sets, every pair counted, and the number of parameters behind it."""
    tasks = [SimilaritySet.load(contest.data / "similarity" / f"{name}.tsv") for name in SETS]
    contenders: dict[str, Any] = {}
    for name, way in contest.ways().items():
        scores = {task.name: similarity.run(way, task, 0).values["spearman"] for task in tasks}
        contenders[name] = {"sets": scores, "mean": float(np.mean([score or 0.0 for score in scores.values()]))}
    contenders[FORM]["parameters"] = contest.model.record.get("parameters")
    for peer in contest.peers:
        contenders[peer.name] |= {"parameters": peer.parameters, "dim": peer.dim}
    return {
        "metric": "Spearman x 100",
        "pairs": {task.name: len(task.pairs) for task in tasks},
        "contenders": contenders,
    }


def misspelling_part(contest: Contest) -> dict[str, Any]:
    """The right words of 2,000 misspellings among 50,000 words."""
    split = load_split(contest.data / "misspelling" / "codespell.tsv.gz", contest.candidates)
    data = split.evaluation_set()
    contenders: dict[str, Any] = {}
    for name, way in contest.ways().items():
        values = misspelling.run(way, data, 0).values
        contenders[name] = {key: values[key] for key in ("mrr", "hit@1", "hit@10")}
    wrong, rights = list(data.rights), list(data.rights.values())
    corrector = Corrector(contest.candidates)
    contenders[SYMSPELL] = recovery([place_in(corrector.ranked(one), right) for one, right in data.rights.items()])
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
    """SimLex-999 with one typo in each first word: the share of the clean score that is kept."""
    data = SimilaritySet.load(contest.data / "similarity" / "simlex999.tsv")
    known = contest.model.known_words
    look_up = corrected_vectors(known.row_of, known.matrix.floats(), Corrector(known.words).best)
    ways = contest.ways() | {SYMSPELL: Way("symspell", "spelling", look_up, known.words, contest.model.normalise)}
    contenders: dict[str, Any] = {}
    for name, way in ways.items():
        scores = typo_similarity.run(way, data, 0)
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
    """Cosine to the teacher for words that the model is made to forget, or never saw."""
    if not (contest.teacher and contest.held_out):
        print("held-out is left out: give --teacher and --held-out", file=sys.stderr)
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


def speed_part(contest: Contest) -> dict[str, Any]:
    """Unknown words a second on one thread; each round has 10,000 new ones."""
    model, known = contest.model, contest.model.known_words.words
    batches = [contest.unknown_words(BATCH, seed) for seed in range(contest.rounds + 1)]
    corrector, nearest = Corrector(known), NearestSpelling(contest.candidates)
    runners: dict[str, Callable[[Sequence[str]], Any]] = {
        FORM: model.infer,
        USER: model.encode,
        **{peer.name: peer.batch for peer in contest.peers},
        SYMSPELL: lambda words: [corrector.best(word) for word in words],
        RAPIDFUZZ: lambda words: [nearest.best(word) for word in words],
    }
    sized = {name: (run, SMALLER_BATCHES.get(name, BATCH)) for name, run in runners.items()}
    return {
        "metric": f"words a second, best and median of {contest.rounds} rounds after a warm-up, one thread",
        "remark": f"batches of {BATCH:,} typos, for symspell and rapidfuzz fewer",
        "contenders": paces(sized, batches),
    }


def latency_part(contest: Contest) -> dict[str, Any]:
    """Microseconds for one word, known and unknown."""
    model = contest.model
    unknown = contest.unknown_words(LATENCY_WORDS, seed=100)
    known = Random(0).sample(contest.candidates, min(LATENCY_WORDS, len(contest.candidates)))
    ours = {
        USER: {"known": latency(model.encode, known), "unknown": latency(model.encode, unknown)},
        FORM: {"unknown": latency(lambda word: model.infer([word]), unknown)},
    }
    theirs = {}
    for peer in contest.peers:
        theirs[peer.name] = {"unknown": latency(peer.one, unknown)}
        if peer.knows:
            theirs[peer.name]["known"] = latency(peer.one, list(filter(peer.knows, known)))
    return {"metric": "microseconds for one word, median and 95th percentile", "contenders": ours | theirs}


def footprint_part(contest: Contest) -> dict[str, Any]:
    """Bytes on disk, seconds to import and load, memory: each in fresh processes."""
    dictionary = Corrector(contest.candidates).write(contest.workshop.cache / "symspell.txt")
    shipped = {USER: contest.folder, SYMSPELL: dictionary} | {peer.name: peer.shipped for peer in contest.peers}
    loaded = shipped | {peer.name: peer.path for peer in contest.peers}
    return {
        "metric": f"median of {contest.rounds} fresh processes; files may be in the page cache",
        "remark": "floret: size of its table, as spaCy reads it; time and memory of its own package",
        "contenders": {
            name: {"bytes": size_on_disk(shipped[name]), **fresh_process(*PROGRAMS[name], loaded[name], contest.rounds)}
            for name in PROGRAMS
            if name in loaded
        },
    }


PARTS: dict[str, Callable[[Contest], dict[str, Any] | None]] = {
    "similarity": similarity_part,
    "misspelling": misspelling_part,
    "typos": typos_part,
    "held-out": held_out_part,
    "speed": speed_part,
    "latency": latency_part,
    "footprint": footprint_part,
}

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--model", "name", default=None, help="A name or a folder; the embedded default if not given.")
@click.option("--data", envvar="EVERYWORD_DATA", type=FOLDER, required=True)
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="Outside the repository: gigabytes.")
@click.option("--minilm", type=FOLDER, default=None, help="all-MiniLM-L6-v2, to distil model2vec from.")
@click.option("--teacher", type=FILE, default=None, help="The table that the model was trained to give.")
@click.option("--held-out", type=FILE, default=None, help="Words of the teacher, one a line.")
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Run these parts, keep the others.")
@click.option("--corpus-files", default=5, show_default=True, help="Files of the corpus for fastText and floret.")
@click.option("--dim", default=100, show_default=True, help="Dimension of fastText and floret.")
@click.option("--rounds", default=9, show_default=True, help="Rounds of everything timed.")
@click.option("--keep-as", default="everyword-en", show_default=True, help="Name of the kept result.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="Folder of the kept result.")
def main(
    *,
    name: str | None,
    data: Path,
    cache: Path,
    minilm: Path | None,
    teacher: Path | None,
    held_out: Path | None,
    only: tuple[str, ...],
    corpus_files: int,
    dim: int,
    rounds: int,
    keep_as: str,
    results: Path,
) -> None:
    """Measure everyword and its peers, part by part."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = find_model(name)
    model = read_model(folder)
    workshop = Workshop(data, cache, corpus_files, dim, minilm)
    contest = Contest(model, folder, workshop, teacher, held_out, rounds)
    subject = {"name": model.name, "dim": model.dim, "known_words": len(model.known_words)}
    head = {"model": {**subject, "identity": model_identity(folder)}}
    for part in only or PARTS:
        started = time.perf_counter()
        result = PARTS[part](contest)
        if result is None:
            continue
        made = {peer.name: peer.made for peer in contest.peers} if part != "held-out" else {}
        seconds = round(time.perf_counter() - started, 1)
        keep_part(keep_as, part, {"seconds": seconds, "peers": made, **result}, head, results)
        for contender, scores in result["contenders"].items():
            print(f"{part:12} {contender:30} {scores}")


if __name__ == "__main__":
    main()
