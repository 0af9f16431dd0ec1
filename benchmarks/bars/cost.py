"""Speed, latency, size, load time and memory, in fresh processes on one thread, with floret in the same process."""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from peers.clock import fresh_process, size_on_disk
from peers.corpus import words_of
from peers.trained import FLORET_SETTINGS, made_with

from bars.subject import Subject
from everyword import registry
from everyword.evaluation.robustness.noise import FAMILIES

BATCH, LATENCY_WORDS = 10_000, 2_100
SENTENCES = 50_000
"""Enough for floret's table: its speed depends on the dimension and the n-grams, and not on what was learnt."""
TYPO_OF = 50_000
"""Typos are of this many of the most frequent words, whatever the size of the model."""


def speed_part(subject: Subject) -> dict[str, Any]:
    """Measure unknown words a second and the time of one, with the compiled kernel and without, beside floret."""
    subject.cache.mkdir(parents=True, exist_ok=True)
    words = unknown_words(subject, BATCH * (subject.rounds + 1) + LATENCY_WORDS)
    path = subject.cache / "unknown-words.json"
    path.write_text(json.dumps(words))
    floret = floret_table(subject)
    worker = [sys.executable, str(Path(__file__).with_name("pace.py"))]
    asked = [*worker, str(subject.folder), str(floret), str(path), str(BATCH), str(LATENCY_WORDS)]
    ways = {}
    for name, switch in (("compiled", "0"), ("numpy", "1")):
        environment = {**os.environ, "EVERYWORD_PURE": switch}
        ways[name] = json.loads(subprocess.check_output(asked, env=environment))
        if name == "compiled" and not ways[name]["compiled"]:
            print("there is no compiled kernel: both ways are NumPy's", file=sys.stderr)
    return {
        "metric": f"words a second, best of {subject.rounds} rounds of {BATCH:,} new typos, and µs for one; one thread,"
        " time that the process computes, so that other work on the machine counts little",
        "floret": json.loads(made_with(floret).read_text()),
        **ways,
    }


def unknown_words(subject: Subject, count: int, seed: int = 0) -> list[str]:
    """Return typos of frequent words that are not stored, each once."""
    rng, typos = Random(seed), dict[str, None]()
    kinds = [registry.corruptions.get(name) for name in FAMILIES["typo"]]
    frequent = subject.frequent[:TYPO_OF]
    while len(typos) < count:
        typo = rng.choice(kinds)(rng.choice(frequent), rng)
        if not subject.model.known(typo):
            typos[typo] = None
    return list(typos)


def floret_table(subject: Subject) -> Path:
    """Return a floret model of the same dimension, trained once on a little text."""
    import floret

    path = subject.cache / f"floret-speed-{subject.model.dim}d.bin"
    if not made_with(path).exists():
        text = subject.cache / "floret-speed.txt"
        with lzma.open(subject.data / "corpus" / "wiki-00.txt.xz", "rt", encoding="utf-8") as sentences:
            text.write_text("\n".join(map(words_of, islice(sentences, SENTENCES))), encoding="utf-8")
        started = time.perf_counter()
        model = floret.train_unsupervised(str(text), dim=subject.model.dim, thread=2, verbose=0, **FLORET_SETTINGS)
        model.save_model(str(path))
        note = {**FLORET_SETTINGS, "dim": subject.model.dim, "sentences": SENTENCES}
        made_with(path).write_text(json.dumps({**note, "seconds": round(time.perf_counter() - started)}))
    return path


def footprint_part(subject: Subject) -> dict[str, Any]:
    """Measure the known words, the size on disk, and in fresh processes the seconds to load and the memory."""
    known, load = subject.model.known_words, "import everyword; model = everyword.load(path)"
    ways = {}
    for name, switch in (("compiled", "0"), ("numpy", "1")):
        os.environ["EVERYWORD_PURE"] = switch
        ways[name] = fresh_process(load, "model[word]", subject.folder, subject.rounds)
    del os.environ["EVERYWORD_PURE"]
    return {
        "metric": f"median of {subject.rounds} fresh processes; files may be in the page cache",
        "known_words": len(known),
        "sections": {name: len(rows) for name, rows in (getattr(known, "sections", None) or {}).items()},
        "bytes": size_on_disk(subject.folder),
        **ways,
    }
