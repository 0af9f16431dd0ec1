"""Sentences with their syntax, made by a small grammar: words of a kind are joined in the same ways."""

from __future__ import annotations

from random import Random

ANIMALS, FOODS = ("cats", "dogs", "birds"), ("bread", "fish", "seeds")
VERBS, PLACES = ("eat", "like", "see"), ("gardens", "streets", "houses")
RELATIONS = ((2, "amod"), (3, "nsubj"), (0, "ROOT"), (3, "obj"), (6, "case"), (3, "obl"), (3, "punct"))
"""Of every sentence: the number of the head of each token, and how it hangs on that."""


def made_sentence(rng: Random) -> list[str]:
    """An example: young cats eat fish in gardens ."""
    chosen = [rng.choice(("young", "old")), *(rng.choice(kind) for kind in (ANIMALS, VERBS, FOODS))]
    return [*chosen, "in", rng.choice(PLACES), "."]


def as_conllu(words: list[str]) -> str:
    """The sentence in ten columns."""
    lines = [
        "\t".join([str(number), word, *"____", str(head), relation, "_", "_"])
        for number, (word, (head, relation)) in enumerate(zip(words, RELATIONS, strict=True), start=1)
    ]
    return "\n".join(["# made by us", *lines, "", ""])


def made_corpus(sentences: int) -> list[list[str]]:
    """Always the same sentences."""
    rng = Random(7)
    return [made_sentence(rng) for _ in range(sentences)]
