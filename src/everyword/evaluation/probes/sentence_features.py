"""What a sentence is like, in numbers, by its treebank: raw text, morphology and syntax.

The features are those of linguistic profiling (Brunato et al., 2020), computed from Universal Dependencies: lengths,
distributions of tags and inflections, shapes of trees, relations and the order of words. A percentage of nothing is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from everyword.errors import InputError
from everyword.evaluation.probes.parsed import ROOT, ParsedSentence, Token

RAW, MORPHOSYNTAX, SYNTAX = "raw text", "morphosyntax", "syntax"
CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "ADV"}
PUNCTUATION = "PUNCT"
INFLECTIONS = ("Mood", "Tense", "VerbForm")
SUBORDINATE = {"csubj", "ccomp", "xcomp", "advcl", "acl"}
"""Relations, without subtypes, of the heads of subordinate clauses."""
PREPOSITIONAL = {"nmod", "obl"}
MOST_DEPENDENTS, DEEPEST = 6, 5
"""Larger numbers count as these."""
LEAST_SHARE = 0.05
"""A feature is used if it has another than its usual value in this share of sentences."""

Features = dict[str, float]


def sentence_features(sentence: ParsedSentence) -> dict[str, Features]:
    """Return the features of a sentence by level; one that is missing is 0."""
    return {level: of_level(sentence) for level, of_level in LEVELS.items()}


def raw_text(sentence: ParsedSentence) -> Features:
    """Return length, length of words, and how many of them are different."""
    words = [token.form for token in sentence.tokens if token.upos != PUNCTUATION]
    total = len(sentence.tokens)
    return {
        "sent_length": float(total),
        "char_per_tok": float(np.mean([len(word) for word in words])) if words else 0.0,
        "ttr_form": len({token.form.lower() for token in sentence.tokens}) / total,
        "ttr_lemma": len({token.lemma.lower() for token in sentence.tokens}) / total,
    }


def morphosyntax(sentence: ParsedSentence) -> Features:
    """Return distributions of parts of speech and of the inflections of verbs."""
    tokens = sentence.tokens
    words = [token for token in tokens if token.upos != PUNCTUATION]
    found = {"lexical_density": _percentage(token.upos in CONTENT for token in words)}
    found |= _distribution("upos_dist", [token.upos for token in tokens])
    found |= _distribution("xpos_dist", [token.xpos for token in tokens])
    for name, upos in (("verbs", "VERB"), ("aux", "AUX")):
        some = [token for token in tokens if token.upos == upos]
        for key in INFLECTIONS:
            found |= _distribution(f"{name}_{key.lower()}_dist", [token.feats.get(key, "") for token in some])
        found |= _distribution(f"{name}_num_pers_dist", [_number_and_person(token) for token in some])
    return found


def syntax(sentence: ParsedSentence) -> Features:
    """Return shapes of the tree, relations, clauses and the order of words."""
    tokens = sentence.tokens
    links = [
        abs(place - token.head)
        for place, token in enumerate(tokens)
        if token.head != ROOT and token.upos != PUNCTUATION
    ]
    found = {
        "parse_depth": float(max(sentence.depths)),
        "avg_links_len": float(np.mean(links)) if links else 0.0,
        "max_links_len": float(max(links, default=0)),
        "verbal_root_perc": _percentage(token.upos == "VERB" for token in tokens if token.head == ROOT),
        "subj_pre": _percentage(place < token.head for place, token in enumerate(tokens) if token.base == "nsubj"),
        "obj_post": _percentage(place > token.head for place, token in enumerate(tokens) if token.base == "obj"),
    }
    found |= _distribution("dep_dist", [token.relation for token in tokens])
    return found | _chains(sentence) | _verbs(sentence) | _clauses(sentence)


def _chains(sentence: ParsedSentence) -> Features:
    """Return the lengths of chains of prepositional complements, each directly below the one before."""
    linked = {
        place
        for place, token in enumerate(sentence.tokens)
        if token.base in PREPOSITIONAL
        and any(sentence.tokens[child].base == "case" for child in sentence.children[place])
    }
    lengths = []
    for place in linked:
        if linked.isdisjoint(sentence.children[place]):
            above = sentence.ancestors(place)
            lengths.append(1 + next((number for number, one in enumerate(above) if one not in linked), len(above)))
    found = {"avg_prepositional_chain_len": float(np.mean(lengths)) if lengths else 0.0}
    return found | _distribution("prep_dist", [str(min(length, DEEPEST)) for length in lengths])


def _verbs(sentence: ParsedSentence) -> Features:
    """Return how many verbs there are, and how many dependents they have; punctuation and copulas do not count."""
    arities = [
        sum(sentence.tokens[child].base not in ("punct", "cop") for child in sentence.children[place])
        for place, token in enumerate(sentence.tokens)
        if token.upos == "VERB"
    ]
    return {
        "verbal_head_per_sent": float(len(arities)),
        "avg_token_per_clause": len(sentence.tokens) / max(1, len(arities)),
        "avg_verb_edges": float(np.mean(arities)) if arities else 0.0,
        **_distribution("verbal_arity", [str(min(arity, MOST_DEPENDENTS)) for arity in arities]),
    }


def _clauses(sentence: ParsedSentence) -> Features:
    """Return the shares of main and subordinate clauses, how deep the latter are nested, and where they stand."""
    tokens = sentence.tokens
    lower = [place for place, token in enumerate(tokens) if token.base in SUBORDINATE]
    main = sum(token.head == ROOT or _is_joined_main(sentence, place) for place, token in enumerate(tokens))
    depths = [1 + sum(tokens[one].base in SUBORDINATE for one in sentence.ancestors(place)) for place in lower]
    share = 100 * main / (main + len(lower))
    return {
        "principal_proposition_dist": share,
        "subordinate_proposition_dist": 100 - share,
        "avg_subordinate_chain_len": float(np.mean(depths)) if depths else 0.0,
        "subordinate_post": _percentage(place > tokens[place].head for place in lower),
        **_distribution("subordinate_dist", [str(min(depth, DEEPEST)) for depth in depths]),
    }


def _is_joined_main(sentence: ParsedSentence, place: int) -> bool:
    """Return whether a token is the verb of a further main clause: joined to another, and below no subordinate one."""
    token = sentence.tokens[place]
    if token.base not in ("conj", "parataxis") or token.upos != "VERB":
        return False
    return not any(sentence.tokens[one].base in SUBORDINATE for one in sentence.ancestors(place))


def _number_and_person(token: Token) -> str:
    return "+".join(filter(None, (token.feats.get("Number"), token.feats.get("Person"))))


def _distribution(name: str, values: Sequence[str]) -> Features:
    """Return the percentage of each value; an empty one only counts among all."""
    return {f"{name}_{value}": 100 * count / len(values) for value, count in Counter(values).items() if value}


def _percentage(values: Iterable[bool]) -> float:
    counted = list(values)
    return 100 * sum(counted) / len(counted) if counted else 0.0


LEVELS: dict[str, Callable[[ParsedSentence], Features]] = {RAW: raw_text, MORPHOSYNTAX: morphosyntax, SYNTAX: syntax}


@dataclass(frozen=True)
class FeatureTable:
    """Features of sentences as numbers: rows are sentences, columns are features."""

    names: tuple[str, ...]
    levels: tuple[str, ...]
    """The level of each feature."""
    values: npt.NDArray[np.float64]


def feature_table(sentences: Sequence[ParsedSentence]) -> FeatureTable:
    """Return the features of sentences that vary in 5 % of them or more, each column once.

    Raises:
        InputError: If no feature does.
    """
    found = [sentence_features(sentence) for sentence in sentences]
    columns: dict[bytes, tuple[str, str, npt.NDArray[np.float64]]] = {}
    for level in LEVELS:
        for name in sorted({name for features in found for name in features[level]}):
            column = np.array([features[level].get(name, 0.0) for features in found])
            usual = np.unique(column, return_counts=True)[1].max()
            if len(column) - usual >= LEAST_SHARE * len(column):
                columns.setdefault(column.tobytes(), (name, level, column))
    if not columns:
        raise InputError("The sentences of the treebank are all alike; a profile needs different ones.")
    names, levels, values = zip(*columns.values(), strict=True)
    return FeatureTable(names, levels, np.stack(values, axis=1))
