"""The model card, rendered from the configuration of a saved model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

FRONT_MATTER = """---
library_name: everyword
tags: [word-embeddings, out-of-vocabulary, typo-robustness]
license: {license}
---
"""


def render_card(config: Mapping[str, Any]) -> str:
    """Return the card as Markdown with the hub's front matter, and the scores and notes of the training record."""
    training = config["training"]
    parts = [
        FRONT_MATTER.format(license=training.get("license", "other")) + f"# {config['name']}",
        training.get("summary", "A model that gives a vector to every word, made with everyword."),
        _use(config),
        _facts(config),
    ]
    if "scores" in training:
        parts.append(_scores(training["scores"]))
    if "notes" in training:
        parts.append(training["notes"])
    if "recipe" in training:
        parts.append("## Configuration\n\n```json\n" + json.dumps(training["recipe"], indent=2) + "\n```")
    return "\n\n".join(parts) + "\n"


def _use(config: Mapping[str, Any]) -> str:
    return (
        "```python\nimport everyword\n\n"
        f'model = everyword.load("{config["name"]}")  # or the folder of this file\n'
        'model.encode(["mispelling", "leukamia"])  # ' + f"(2, {config['dim']})\n```"
    )


def _context(part: Mapping[str, Any]) -> str | None:
    counted = f", counted in {part['texts']}" if "texts" in part else ""
    return f"{part['n-grams']:,} pairs and triples of words{counted}" if "n-grams" in part else None


def _text_weights(part: Mapping[str, Any]) -> str | None:
    return f"learnt from {part['encoder']} on {part['texts']:,} texts" if {"encoder", "texts"} <= part.keys() else None


def _facts(config: Mapping[str, Any]) -> str:
    training, encoder = config["training"], config["encoder"]
    rows = {
        "dimension": config["dim"],
        "known words": f"{config['known']['words']:,}, stored as {config['known']['precision']}",
        "encoder": f"{encoder['name']}, {training['parameters']:,} parameters"
        if "parameters" in training
        else encoder["name"],
        "norm of inferred vectors": f"{encoder['norm']:.4g}" if encoder["norm"] else "as the encoder gives it",
        "vectors of unknown words": f"those of {config['map']['from']}, mapped" if "map" in config else None,
        "teacher": training.get("teacher", {}).get("description"),
        "teacher checksum (SHA-256)": training.get("teacher", {}).get("sha256"),
        "added words": training.get("attached"),
        "vectors corrected afterwards": training.get("corrected"),
        "training words": f"{training['words']:,}" if "words" in training else None,
        "corruptions seen in training": ", ".join(training.get("corruptions", [])) or None,
        "weights of words in texts": _text_weights(config.get("texts", {})),
        "reading by context": _context(config.get("context", {})),
        "synonyms": training.get("synonyms"),
        "misspellings to train the gate": training.get("misspellings"),
        "words excluded from training, for scores": f"{training['evaluated_words']:,}"
        if training.get("evaluated_words")
        else None,
        "command": f"`{training['command']}`" if "command" in training else None,
        "made with": ", ".join(f"{name} {version}" for name, version in training.get("versions", {}).items()) or None,
    }
    lines = [f"| {name} | {value} |" for name, value in rows.items() if value is not None]
    return "\n".join(["| | |", "|---|---|", *lines])


def _scores(scores: Mapping[str, Any]) -> str:
    lines = ["## Scores", "", "| what | score | n |", "|---|--:|--:|"]
    lines += [f"| {row['what']} | {row['score']} | {row['n']:,} |" for row in scores["rows"]]
    return "\n".join([*lines, "", scores["note"]])
