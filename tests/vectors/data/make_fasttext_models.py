"""Trains the tiny fastText models of this folder and writes down what the official code says about them.

Run as `python make_fasttext_models.py FOLDER` with the package fasttext-wheel 0.9.2 installed. Training is not seeded:
the models and the golden file belong together and are made anew together.
"""

from __future__ import annotations

import json
import pathlib
import random
import sys

import fasttext

out = pathlib.Path(sys.argv[1])
lines = """the quick brown fox jumps over the lazy dog
das schöne Mädchen grüßt die kleine Katze über Straße
быстрая лиса прыгает через ленивую собаку
naïve café résumé façade über jalapeño
東京 は 日本 の 首都 です 東京 大阪
emoji 😀 are words too 😀 and a b c
the cat and the dog and the fox walk over the street""".splitlines()
rng = random.Random(7)


def shuffled(line: str) -> str:
    words = line.split()
    rng.shuffle(words)
    return " ".join(words)


def labelled(line: str) -> str:
    kind = "animal" if {"fox", "cat", "dog"} & set(line.split()) else "other"
    return f"__label__{kind} {line}"


text = out / "text.tmp"
text.write_text("\n".join(shuffled(rng.choice(lines)) for _ in range(400)) + "\n", encoding="utf-8")
sup = out / "labelled.tmp"
sup.write_text("\n".join(labelled(shuffled(rng.choice(lines))) for _ in range(300)) + "\n", encoding="utf-8")
common = dict(dim=6, thread=1, verbose=0, minCount=1, epoch=3)
models = {
    "skipgram": fasttext.train_unsupervised(str(text), model="skipgram", bucket=120, minn=1, maxn=4, **common),
    "cbow_no_subwords": fasttext.train_unsupervised(str(text), model="cbow", bucket=100, minn=0, maxn=0, **common),
    "supervised": fasttext.train_supervised(str(sup), bucket=50, minn=2, maxn=3, wordNgrams=2, **common),
}
unknown = ["foxes", "Mädchens", "собака", "東", "😀😀", "z", "", "über-Straße", "jumpsoverthelazydog", "\u0301"]
golden = {}
for name, model in models.items():
    model.save_model(str(out / f"{name}.bin"))
    golden[name] = {
        "known": {w: [float(x) for x in model.get_word_vector(w)] for w in model.get_words()},
        "unknown": {w: [float(x) for x in model.get_word_vector(w)] for w in unknown},
        "ngrams": {w: [int(i) for i in model.get_subwords(w)[1]] for w in ["fox", "über", "東京", "foxes", "z"]},
    }
(out / "fasttext_golden.json").write_text(json.dumps(golden, ensure_ascii=True, indent=0) + "\n")
big_enough = {**common, "dim": 4}
quantised = fasttext.train_supervised(str(sup), bucket=260, minn=2, maxn=3, **big_enough)
quantised.quantize(input=str(sup))
quantised.save_model(str(out / "quantised.ftz"))
text.unlink()
sup.unlink()
