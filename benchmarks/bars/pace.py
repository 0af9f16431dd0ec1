"""Time everyword and floret on the same unknown words, in a process of its own.

    python benchmarks/bars/pace.py MODEL FLORET WORDS BATCH SINGLE

WORDS is a JSON list: batches, the first of which warms up, then single words. Prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])

import floret
import numpy as np
from peers.clock import latency, paces

import everyword
from everyword import kernel


def main(folder: str, table: str, words: str, batch: int, single: int) -> dict[str, Any]:
    """Return words a second and microseconds for one word."""
    model, peer = everyword.load(folder), floret.load_model(table)
    listed: list[str] = json.loads(Path(words).read_text())
    several, ones = listed[:-single], listed[-single:]
    vector = peer.get_word_vector

    def peers_batch(some: Sequence[str]) -> Any:
        return np.array([vector(word.lower()) for word in some], dtype=np.float32)

    batches = [several[start : start + batch] for start in range(0, len(several), batch)]
    runners = {"everyword": (model.encode, batch), "form": (model.infer, batch), "floret": (peers_batch, batch)}
    found = paces(runners, batches, time.process_time)
    return {
        "compiled": kernel.compiled,
        "speed": found,
        "by_floret": found["everyword"]["words_per_second"] / found["floret"]["words_per_second"],
        "one_word": {
            name: latency(run, ones, clock=time.process_time_ns)
            for name, run in (("everyword", model.encode), ("floret", vector))
        },
    }


if __name__ == "__main__":
    folder, table, words, batch, single = sys.argv[1:]
    print(json.dumps(main(folder, table, words, int(batch), int(single))))
