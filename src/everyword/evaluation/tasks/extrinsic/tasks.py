"""The extrinsic tasks as the runner knows them, and their noisy test sets; torch is imported when a task is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import cast

from everyword import registry
from everyword.corpus.labelled.sets import D, Splits, read_texts, tag_splits, text_splits
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import NONE_PUBLISHED, PUBLISHED, Noise, name_under
from everyword.evaluation.task import Scores, Task
from everyword.extras import require
from everyword.text.corruption import corrupt_text

PART_OF_SPEECH_COLUMN = 1


def run(model: EvaluatedModel, data: Splits[D], seed: int) -> Scores:
    """Train networks over the vectors, which stay fixed, and score them."""
    return next(run_copies(model, [data], seed))


def run_copies(model: EvaluatedModel, copies: Sequence[Splits[D]], seed: int) -> Iterator[Scores]:
    """Score the same networks on several test sets."""
    require("torch", "A task that trains networks")
    from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
    from everyword.evaluation.tasks.extrinsic.protocol import score_tests

    learner = learner_of(NetworkInput.by_policy(model), copies[0].train, copies[0].dev, seed=seed)
    yield from score_tests(learner, [copy.test for copy in copies])


def with_noisy_test(data: Splits[D], noise: Noise, seed: int) -> tuple[Splits[D], float]:
    """Return the splits with a noisy test set, and the share of its tokens that really changed."""
    if noise.corruption == PUBLISHED:
        test = cast(D, read_texts(published_file(data.home, noise)))
    else:
        test = noisy_copy(data.test, noise, seed)
    return replace(data, test=test), changed_share(data.test, test)


def noisy_copy(test: D, noise: Noise, seed: int = 0) -> D:
    """Return a test set with one edit in each of a share of its tokens.

    Each token has its own random numbers, so that what is corrupt at 10 % is corrupt in the same way at 20 %.
    """
    kinds = [registry.corruptions.get(kind) for kind in noise.kinds]
    tokens = tuple(
        tuple(
            corrupt_text(token, noise.share, kinds, Random(f"{seed}/{item}/{index}"))
            for index, token in enumerate(tokens)
        )
        for item, tokens in enumerate(test.tokens)
    )
    return replace(test, name=name_under(noise, test.name), tokens=tokens)


def published_file(home: Path | None, noise: Noise) -> Path:
    """Return the path of a published noisy copy. SST-2 has typo_10.tsv to typo_90.tsv, from the authors of LOVE."""
    if home is None or not home.is_dir():
        raise NoScoreError(NONE_PUBLISHED)
    path = home / f"typo_{noise.strength:g}.tsv"
    if not path.is_file():
        there = sorted(int(name[5:]) for found in home.glob("typo_*.tsv") if (name := found.stem)[5:].isdigit())
        raise InputError(
            f"There is no published noisy copy of {home.name} with {noise.strength:g}% errors; "
            + (f"choose from {', '.join(map(str, there))}." if there else f"save it as {path}.")
        )
    return path


def changed_share(clean: D, noisy: D) -> float:
    """Return the share of tokens that differ; both must have the same items, token by token."""
    if [len(tokens) for tokens in clean.tokens] != [len(tokens) for tokens in noisy.tokens]:
        raise InputError(f"{noisy.name!r} is not a noisy copy of {clean.name!r}: their tokens are not aligned.")
    pairs = [
        pair for one, other in zip(clean.tokens, noisy.tokens, strict=True) for pair in zip(one, other, strict=True)
    ]
    return sum(one != other for one, other in pairs) / len(pairs)


_trained = partial(Task, version=1, run=run, run_copies=run_copies, corrupt=with_noisy_test, slow=True)
CLASSIFICATION = _trained(
    name="classification",
    kind="classification",
    summary="How well does a CNN over these fixed vectors classify texts? Accuracy.",
    main="accuracy",
    load=text_splits,
    reads_characters=True,
)
TAGGING = _trained(
    name="tagging",
    kind="tagging",
    summary="How well does a BiLSTM-CRF over these vectors find names and chunks? F1 of spans.",
    main="f1",
    load=tag_splits,
    reads_characters=True,
)
PARTS_OF_SPEECH = _trained(
    name="pos",
    kind="pos",
    summary="How well does a BiLSTM over these vectors predict parts of speech? Accuracy.",
    main="accuracy",
    load=partial(tag_splits, column=PART_OF_SPEECH_COLUMN, scheme="plain"),
    reads_characters=True,
)
