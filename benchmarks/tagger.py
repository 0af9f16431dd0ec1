"""How fast the tagger of names learns and tags, and how large it is.

    python benchmarks/tagger.py --data DATA
    python benchmarks/tagger.py --data DATA --device cuda --batch 64

Trains on CoNLL-2003 with the settings of the study `entity-experts` that read learnt words beside the vectors. Vectors
of the words of train are made before; tagging makes those of new words. On a processor, seconds are those that one
thread has worked, so that other programs count little.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import torch
from record import keep_part

from everyword import config as configs
from everyword.corpus.labelled.sets import TaggedSentences, cut_to, read_tagged
from everyword.learning.sources import open_source
from everyword.studies.config import load_study
from everyword.studies.kinds.taggers import KeptSource, TaggerStudy
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.train import train_tagger

NAME = "tagger"
ROW = "everyword-en frozen, learnt words beside"


def settings(batch: int | None) -> TaggerConfig:
    """Return the settings of the row with more states, for one epoch."""
    study = load_study("entity-experts")
    assert isinstance(study, TaggerStudy)
    [row] = [variant for variant in study.variants if variant.label == ROW]
    size = ["states=256", "lookup=50", "epochs=1", *([f"batch={batch}"] if batch else [])]
    given = [*study.full, *row.overrides, *size]
    return configs.build(TaggerConfig, configs.override({}, given), "the study")


class Clock:
    """Seconds since it was made: of the thread on a processor, of the wall on a GPU."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.began = self._now()

    def _now(self) -> float:
        if self.device == "cpu":
            return process_time()
        torch.cuda.synchronize()
        return perf_counter()

    def __call__(self) -> float:
        """Return the seconds."""
        return self._now() - self.began


def measure(train: TaggedSentences, dev: TaggedSentences, config: TaggerConfig, device: str) -> dict[str, Any]:
    """Return sentences per second of training and of tagging, and the size of the saved file in bytes."""
    source, few = KeptSource(open_source("everyword-en")), cut_to(dev, 8)
    source.encode(sorted({token for tokens in (*train.tokens, *few.tokens) for token in tokens}))
    if device != "cpu":
        train_tagger(few, few, [source], config, device=device)  # what a GPU needs once
    clock = Clock(device)
    trained = train_tagger(train, few, [source], config, device=device)
    assert trained is not None
    tagger, seconds = trained.tagger, clock()
    clock = Clock(device)
    tagger.tag(dev.tokens)
    first = clock()
    clock = Clock(device)
    tagger.tag(dev.tokens)
    again = clock()
    clock = Clock(device)
    tagger.tag_with_confidence(dev.tokens)
    confident = clock()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tagger.safetensors"
        tagger.save(path)
        size = path.stat().st_size
    return {
        "training": len(train) / seconds,
        "tagging": len(dev) / first,
        "tagging words known before": len(dev) / again,
        "tagging with confidence": len(dev) / confident,
        "megabytes": size / 1e6,
        "sentences": {"train": len(train), "dev": len(dev)},
        "batch": config.batch,
    }


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--train", type=int, help="sentences to learn from; all by default")
    parser.add_argument("--note", default="", help="what is to be known of the machine")
    given = parser.parse_args()
    torch.set_num_threads(1)
    train, dev = (read_tagged(given.data / f"tagging/conll2003/{part}.conll.gz") for part in ("train", "dev"))
    config = settings(given.batch)
    found = measure(cut_to(train, given.train), dev, config, given.device)
    part = "processor" if given.device == "cpu" else torch.cuda.get_device_name()
    keep_part(NAME, part, {**found, "note": given.note}, {"row": ROW})


if __name__ == "__main__":
    main()
