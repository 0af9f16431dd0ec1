"""Small data sets of every kind, made of the tiny world's words: the shapes of the real ones, none of their lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from tiny import ENDINGS, ONSETS, RIMES, tiny_table

from everyword.evaluation.catalogue import DATA_SETS
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table
from everyword.models.blend import gate as first_gate
from everyword.models.blend.alignment import INPUTS, LETTER_PAIRS, LETTER_TABLES
from everyword.models.blend.gate import Gate
from everyword.models.blend.reading_gate import BEST_FEATURES, READING_SIGNS, TRIGRAMS, ReadingGate
from everyword.vectors.table import VectorTable

SQUARE = {
    "king": [1.0, 1.0, 0.0, 0.0],
    "queen": [1.0, 0.0, 1.0, 0.0],
    "man": [0.0, 1.0, 0.0, 0.3],
    "woman": [0.0, 0.0, 1.0, 0.3],
    "apple": [0.0, 0.1, 0.1, -1.0],
    "the": [-1.0, 0.0, 0.0, -0.5],
}


def toy_model(vectors: Mapping[str, Sequence[float]], **options: int) -> EvaluatedModel:
    table = VectorTable(list(vectors), np.array(list(vectors.values()), dtype=np.float32))
    return evaluated_table(table, "toy", **options)


def similarity_text() -> str:
    rng = Random(1)
    words = tiny_table().words
    lines = [f"{rng.choice(words)}\t{rng.choice(words)}\t{rng.uniform(0, 10):.2f}" for _ in range(30)]
    return "word1\tword2\tscore\n" + "\n".join(lines) + "\n"


def clustering_text() -> str:
    return "word\tcategory\n" + "".join(f"{on}{rime}\t{on}\n" for on in ONSETS[:4] for rime in RIMES)


def analogy_text() -> str:
    stems = [on + rime for on in ONSETS[:3] for rime in RIMES]
    rows = [
        f"{ending}\t{one}\t{one}{ending}\t{two}\t{two}{ending}\n"
        for ending in ENDINGS[1:3]
        for one, two in pairwise(stems)
    ]
    return "section\ta\tb\tc\td\n" + "".join(rows)


def misspelling_text() -> str:
    return "wrong\tright\n" + "".join(f"{word[0]}{word}\t{word}\n" for word in tiny_table().words[:40])


def kinds_text() -> str:
    words = tiny_table().words[:30]
    return "kind\ttoken\taccept\n" + "".join(
        f"{'long' if place % 2 else 'short'}\t{word}s\t{word},{word[::-1]}\n" for place, word in enumerate(words)
    )


def look_alikes_text() -> str:
    words, rng = tiny_table().words, Random(6)
    rows = [(rng.choice(words), rng.choice(words), rng.choice(words)) for _ in range(20)]
    head = "word\trelated\tlookalike\tfrequency\tlikeness\n"
    return head + "".join("\t".join(row) + "\tfrequent\tprefix4\n" for row in rows)


def bands_text() -> str:
    return "band\tword\trelatives\n" + "".join(f"1-20\t{word}\t{word}s\n" for word in tiny_table().words[:20])


def hypernyms_text() -> str:
    rows = [f"{word}\tn\t1\tnoun.{word[0]}\t{word[:2]}\n" for word in tiny_table().words[:60]]
    return "word\tpos\tsense_rank\tsupersense\thypernym1\n" + "".join(rows)


def classification_text(split: int = 0) -> str:
    words, rng = tiny_table().words, Random(split)
    rows = [f"{place % 2}\t{' '.join(rng.choices(words, k=4))}\n" for place in range(20)]
    return "label\ttext\n" + "".join(rows)


def tagging_text(split: int = 0) -> str:
    words, rng = tiny_table().words, Random(split)
    sentences = [
        [(word, "B-X" if word.endswith("ing") else "O") for word in rng.choices(words, k=4)] for _ in range(12)
    ]
    sentences.append([("baning", "B-X"), ("dan", "O")])  # both tags in every split
    return "\n".join("".join(f"{word}\t{tag}\n" for word, tag in sentence) for sentence in sentences)


def rare_pairs_text(split: int = 0) -> str:
    """The pairs, then the sentences of their second words."""
    if split == 0:
        return similarity_text()
    rares = dict.fromkeys(line.split("\t")[1] for line in similarity_text().splitlines()[1:])
    return "".join(json.dumps({"word": word, "sentences": sentences_with(word)}) + "\n" for word in rares)


def sentences_with(word: str) -> list[str]:
    """Three sentences of the words that share a beginning with a word, and a mark for a word unknown to the source."""
    rng, alike = Random(word), [other for other in tiny_table().words if other[:2] == word[:2] and other != word]
    return [" ".join(["unk", *rng.choices(alike, k=4), word, rng.choice(alike)]) for _ in range(3)]


def nonce_text() -> str:
    words = tiny_table().words[:20]
    rows = [("test", word, sentences_with(word)[0].replace(word, "___")) for word in words]
    return "split\tword\tdefinition\n" + "".join("\t".join(row) + "\n" for row in [*rows, ("train", "x", "___ y")])


def chimera_text() -> str:
    words, rng = tiny_table().words, Random(4)
    lines = []
    for number in range(9):
        sentences = [" ".join([*rng.choices(words, k=4), "___"]) for _ in range(2 + 2 * (number % 3))]
        probes = rng.sample(words, k=6)
        lines.append(
            {
                "id": number,
                "length": len(sentences),
                "split": "test" if number < 6 else "train",
                "sentences": sentences,
                "probes": probes,
                "scores": [rng.uniform(1, 5) for _ in probes],
            }
        )
    return "".join(json.dumps(line) + "\n" for line in lines)


def specificity_text() -> str:
    words, rng = tiny_table().words, Random(8)
    rows = [(place % 5 + 1.0, " ".join(rng.choices(words, k=2 + place % 5))) for place in range(30)]
    return "score\tbinary\ttext\n" + "".join(f"{score}\t1\t{text}\n" for score, text in rows)


def entailment_text() -> str:
    words, rng, labels = tiny_table().words, Random(9), ("entailment", "neutral", "contradiction")
    rows = [(labels[place % 3], *(" ".join(rng.choices(words, k=3)) for _ in range(2))) for place in range(30)]
    return "label\tpremise\thypothesis\n" + "".join("\t".join(row) + "\n" for row in rows)


def labelled_texts_text(split: int) -> str:
    words, rng = tiny_table().words, Random(20 + split)
    rows = [("none" if place % 3 else "some", " ".join(rng.choices(words, k=4))) for place in range(20)]
    return "label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows)


def inference_text() -> str:
    words, rng, labels = tiny_table().words, Random(11), ("entailment", "non-entailment")
    rows = [(labels[place % 2], *(" ".join(rng.choices(words, k=3)) for _ in range(2))) for place in range(24)]
    return "label\tpremise\thypothesis\tcategory\n" + "".join("\t".join((*row, "same")) + "\n" for row in rows)


def compounds_text() -> str:
    words, rng = tiny_table().words, Random(10)
    rows = [(rng.choice(words), rng.choice(words), rng.uniform(0, 5), place % 2) for place in range(30)]
    return "modifier\thead\tscore\tset\n" + "".join(f"{a}\t{b}\t{score:.2f}\tset{part}\n" for a, b, score, part in rows)


def phrases_text() -> str:
    words, rng = tiny_table().words, Random(11)
    rows = [(*rng.choices(words, k=3), rng.uniform(0, 1)) for _ in range(30)]
    return "term1\tterm2\tscore\n" + "".join(f"{a} {b}\t{c}\t{score:.2f}\n" for a, b, c, score in rows)


def function_words_text() -> str:
    return "word\tclass\n" + "".join(f"{word}\tpronoun\n" for word in tiny_table().words[:20])


def associations_text() -> str:
    rng = Random(12)
    parts = ("target1", "target2", "attribute1", "attribute2")
    rows = [f"people\t{part}\tgroup\t{word}\n" for part in parts for word in rng.sample(tiny_table().words, 5)]
    return "test\tpart\tgroup\tword\n" + "".join(rows)


def translation_text() -> str:
    words = tiny_table().words
    return "source\ttarget\n" + "".join(
        f"{one}\t{other}\n" for one, other in zip(words[:20], words[20:40], strict=True)
    )


TEXTS = {
    "translation": translation_text,
    "compounds": compounds_text,
    "phrases": phrases_text,
    "function-words": function_words_text,
    "associations": associations_text,
    "specificity": specificity_text,
    "entailment": entailment_text,
    "labelled-texts": labelled_texts_text,
    "inference": inference_text,
    "context-similarity": rare_pairs_text,
    "nonce": nonce_text,
    "chimera": chimera_text,
    "similarity": similarity_text,
    "clustering": clustering_text,
    "analogy": analogy_text,
    "relation": analogy_text,
    "misspelling": misspelling_text,
    "kinds": kinds_text,
    "look-alikes": look_alikes_text,
    "neighbour-spelling": bands_text,
    "hypernyms": hypernyms_text,
    "classification": classification_text,
    "tagging": tagging_text,
    "pos": tagging_text,
}


def make_data(folder: Path) -> Path:
    """A data folder in which every set of the catalogue has made-up content."""
    for data in DATA_SETS:
        for split, part in enumerate(data.parts or ("",)):
            path = folder / data.path / part
            path.parent.mkdir(parents=True, exist_ok=True)
            content = (TEXTS[data.kind](split) if data.parts else TEXTS[data.kind]()).encode("utf-8")
            path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    (folder / "kinds" / "candidates.txt").write_text("\n".join(tiny_table().words))
    return folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def random_gate(seed: int = 0) -> Gate:
    """A gate of the first version that never learnt anything, but blends."""
    rng, hidden, form_hidden = np.random.default_rng(seed), 32, 16
    shapes = {
        **{name: (first_gate.LETTER_PAIRS, hidden) for name in first_gate.LETTER_TABLES},
        "features": (len(first_gate.FEATURES), hidden),
        "bias": (hidden,),
        "score": (hidden,),
        "form.features": (first_gate.BEST_FEATURES, form_hidden),
        "form.bias": (form_hidden,),
        "form.score": (form_hidden,),
        "form.score_bias": (1,),
        "confidence.signs": (len(first_gate.SIGNS), 8),
        "confidence.bias": (8,),
        "confidence.score": (8,),
        "confidence.score_bias": (1,),
    }
    return Gate({name: rng.normal(scale=0.2, size=shape).astype(np.float32) for name, shape in shapes.items()})


def random_reading_gate(seed: int = 0) -> ReadingGate:
    """A gate of the second version that never learnt anything, but blends."""
    rng, hidden, form_hidden = np.random.default_rng(seed), 32, 16
    shapes = {
        **{name: (LETTER_PAIRS, hidden) for name in LETTER_TABLES},
        "features": (INPUTS, hidden),
        "bias": (hidden,),
        "score": (hidden, 2),
        "form.features": (BEST_FEATURES, form_hidden),
        "form.bias": (form_hidden,),
        "form.score": (form_hidden, 2),
        "form.score_bias": (2,),
        "trigrams": (TRIGRAMS,),
        "confidence.signs": (len(READING_SIGNS), 8),
        "confidence.bias": (8,),
        "confidence.score": (8,),
        "confidence.score_bias": (1,),
    }
    return ReadingGate({name: rng.normal(scale=0.2, size=shape).astype(np.float32) for name, shape in shapes.items()})
