"""Semantic roles (PropBank): a predicate, an argument, and the role that the argument plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from everyword.corpus.rows import read_json_lines
from everyword.errors import InputError
from everyword.evaluation.probes.span_data import SPLITS, SpanExample, SpanSet, tagged_spans
from everyword.evaluation.probes.trees import Span

PREDICATE = "V"
"""The tag of the predicate itself, which is not a role."""


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
        path = parts[split]
        for number, record in read_json_lines(path, "set of roles", {"tokens": list, "predicates": list}):
            tokens = [str(token) for token in record["tokens"]]
            for predicate in record["predicates"]:
                try:
                    found = list(_arguments(predicate, len(tokens)))
                except (KeyError, TypeError, ValueError):
                    raise InputError(
                        f"{path}:{number}: predicates must have the index of one of {len(tokens)} tokens, and an IOB2 "
                        "tag for each of them; fix this line."
                    ) from None
                at = (predicate["index"], predicate["index"])
                examples[split] += [SpanExample(len(texts), (at, span), (role,)) for span, role in found]
            texts.append(tokens)
    return SpanSet("roles", texts, examples, unlike=True)


def _arguments(predicate: dict[str, Any], tokens: int) -> Iterator[tuple[Span, str]]:
    tags = predicate["tags"]
    index = predicate["index"]
    fitting = isinstance(tags, list) and len(tags) == tokens and type(index) is int and 0 <= index < tokens
    if not fitting or not all(re.fullmatch(r"O|[BI]-.+", tag) for tag in tags):
        raise ValueError
    yield from ((span, role) for span, role in tagged_spans(tags) if role != PREDICATE)
