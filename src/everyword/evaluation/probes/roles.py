"""Semantic roles (PropBank): a predicate, an argument, and the role that the argument plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from everyword.corpus.labelled.roles import PREDICATE, role_sentences
from everyword.evaluation.probes.span_data import SPLITS, SpanExample, SpanSet, tagged_spans


def roles(parts: Mapping[str, Path]) -> SpanSet:
    """Return pairs of a predicate and one of its arguments, labelled by the role.

    Args:
        parts: The files of train, dev and test: JSON lines with tokens and predicates, each with the index of its token
            and an IOB2 tag for every token.

    Raises:
        InputError: If a line is something else, with path and line.
    """
    texts: list[list[str]] = []
    examples: dict[str, list[SpanExample]] = {split: [] for split in SPLITS}
    for split in SPLITS:
        for tokens, predicates in role_sentences(parts[split]):
            for one in predicates:
                at = (one.index, one.index)
                spans = [(span, role) for span, role in tagged_spans(one.tags) if role != PREDICATE]
                examples[split] += [SpanExample(len(texts), (at, span), (role,)) for span, role in spans]
            texts.append(list(tokens))
    return SpanSet("roles", texts, examples, unlike=True)
