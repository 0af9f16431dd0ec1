"""Hostile networks: files of a few bytes that speak of sizes beyond all memory."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from safetensors.numpy import save

from .maker import Maker, content

ENDLESS = 10**9
TAGGER = {"config": {}, "labels": ["a", "b"], "scheme": "plain", "alphabet": "ab", "sources": [], "notes": {}}
CLASSIFIER = {
    **{"labels": ["a", "b"], "several": False, "unit": False, "sources": [], "vectors": [], "words": ["ban"]},
    "config": {"network": "tfidf"},
}
TAGGER["notes"] = {"vectors": ["none"]}


def network(name: str, format: str, record: dict[str, Any], **weights: Any) -> Maker:
    """A folder with a network, its weights named with two underscores for a full stop."""
    arrays = {key.replace("__", "."): np.asarray(value, dtype=np.float32) for key, value in weights.items()}
    raw = save(arrays or {"none": np.zeros(1, dtype=np.float32)}, {"format": format, "record": json.dumps(record)})
    return lambda folder: content(raw, name)(folder).parent


def tagger(**changes: Any) -> Maker:
    return network("tagger.safetensors", "tagger.v1", TAGGER | changes)


def classifier(config: dict[str, Any], **changes: Any) -> Maker:
    weights = {"output__weight": np.zeros((2, 2)), "output__bias": np.zeros(2), "idf": np.ones(2)}
    return network("classifier.safetensors", "classifier.v1", CLASSIFIER | {"config": config} | changes, **weights)


def code(**config: int) -> Maker:
    metadata = {"format": "code.v1", "config": json.dumps(config)}
    return content(save({"prior_logits": np.zeros((1, 24), dtype=np.float32)}, metadata), "x.safetensors")


def text_network(**config: Any) -> Maker:
    metadata = {"format": "text-network.v1", "record": json.dumps({"config": config})}
    return content(save({"words": np.frombuffer(b"cat\n", dtype=np.uint8)}, metadata), "x.safetensors")


TRAINED: dict[str, tuple[str, Maker]] = {
    "tagger: states beyond all memory": ("tagger", tagger(config={"states": ENDLESS})),
    "tagger: layers without end": ("tagger", tagger(config={"layers": ENDLESS})),
    "tagger: labels that are a number": ("tagger", tagger(labels=5)),
    "tagger: sources that are texts": ("tagger", tagger(sources=["x"])),
    "tagger: vectors that are a number": ("tagger", tagger(notes={"vectors": 5})),
    "tagger: not a number": ("tagger", network("tagger.safetensors", "tagger.v1", TAGGER, x=[float("nan")])),
    "classifier: windows beyond all memory": ("classifier", classifier({"network": "cnn", "widths": [ENDLESS]})),
    "classifier: more words than weights": ("classifier", classifier({"network": "tfidf"}, words=["a", "b", "c"])),
    "classifier: states beyond all memory": ("classifier", classifier({"network": "lstm", "states": ENDLESS})),
    "code: units beyond all memory": ("code", code(hidden=ENDLESS)),
    "code: strings beyond all memory": ("code", code(concepts=ENDLESS, values=ENDLESS)),
    "text network: states beyond all memory": ("text network", text_network(method="lstm", hidden=ENDLESS)),
    "text network: a map of another model": ("text network", text_network(method="mapped")),
}
