"""Speed and size, each a function of the contest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from everyword.corpus.codespell_split import CANDIDATES
from peers.clock import fresh_process, latency, paces, size_on_disk
from peers.contest import Contest
from peers.names import FASTTEXT, FLORET, FORM, MODEL2VEC, RAPIDFUZZ, SYMSPELL, USER
from peers.spellers import Corrector, NearestSpelling

BATCH = 10_000
LATENCY_WORDS = 2_100
SMALLER_BATCHES = {SYMSPELL: 1_000, RAPIDFUZZ: 100}
"""Slow per word, and not faster in large batches."""
PROGRAMS = {
    USER: ("import everyword; model = everyword.load(path)", "model[word]"),
    FASTTEXT: ("import fasttext; model = fasttext.load_model(path)", "model.get_word_vector(word)"),
    FLORET: ("import floret; model = floret.load_model(path)", "model.get_word_vector(word)"),
    MODEL2VEC: (
        "from model2vec import StaticModel; model = StaticModel.from_pretrained(path)",
        "model.encode([word])",
    ),
    SYMSPELL: (
        "from symspellpy import SymSpell, Verbosity; model = SymSpell(2); model.load_dictionary(path, 0, 1)",
        "model.lookup(word, Verbosity.TOP)",
    ),
}
"""The code that imports, loads and first uses each contender in a process of its own."""


def speed_part(contest: Contest) -> dict[str, Any]:
    """Measure unknown words per second on one thread; each round has 10,000 new ones."""
    model = contest.model
    batches = [contest.unknown_words(BATCH, seed) for seed in range(contest.rounds + 1)]
    corrector, nearest = Corrector(contest.candidates), NearestSpelling(contest.candidates)
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
        "remark": f"batches of {BATCH:,} typos; symspell and rapidfuzz: smaller ones, among {CANDIDATES:,} words",
        "contenders": paces(sized, batches),
    }


def latency_part(contest: Contest) -> dict[str, Any]:
    """Measure the microseconds for one word, known and unknown."""
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
    """Measure the size on disk, the seconds to import and load, and the memory, in fresh processes."""
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
