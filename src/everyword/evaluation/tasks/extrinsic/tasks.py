"""The extrinsic tasks as the runner knows them; torch is imported when one is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.extrinsic.noisy import with_noisy_test
from everyword.evaluation.tasks.extrinsic.sets import tag_splits, text_splits
from everyword.evaluation.tasks.extrinsic.splits import D, Splits
from everyword.extras import require

PART_OF_SPEECH_COLUMN = 1


def run(model: EvaluatedModel, data: Splits[D], seed: int) -> Scores:
    """Networks over the vectors, which stay as they are."""
    return next(run_copies(model, [data], seed))


def run_copies(model: EvaluatedModel, copies: Sequence[Splits[D]], seed: int) -> Iterator[Scores]:
    """The same networks, scored on several test sets."""
    require("torch", "A task that trains networks")
    from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
    from everyword.evaluation.tasks.extrinsic.protocol import score_tests

    learner = learner_of(NetworkInput.by_policy(model), copies[0].train, copies[0].dev, seed=seed)
    for scores in score_tests(learner, [copy.test for copy in copies]):
        tokens = {"all": float(scores.tokens), "known": float(scores.tokens_known)}
        yield Scores(
            dict(scores.values),
            scores.n,
            scores.known,
            spread=dict(scores.spread),
            seeds=scores.seeds,
            sections={"dev, by learning rate": dict(scores.dev), "tokens": tokens},
        )


CLASSIFICATION = Task(
    name="classification",
    version=1,
    kind="classification",
    summary="How well does a CNN over these vectors, left as they are, classify texts? Accuracy.",
    main="accuracy",
    load=text_splits,
    run=run,
    run_copies=run_copies,
    corrupt=with_noisy_test,
    slow=True,
)
TAGGING = Task(
    name="tagging",
    version=1,
    kind="tagging",
    summary="How well does a BiLSTM-CRF over these vectors find names and chunks? F1 of spans.",
    main="f1",
    load=tag_splits,
    run=run,
    run_copies=run_copies,
    reads_characters=True,
    corrupt=with_noisy_test,
    slow=True,
)
PARTS_OF_SPEECH = Task(
    name="pos",
    version=1,
    kind="pos",
    summary="How well does a BiLSTM over these vectors tell parts of speech? Accuracy.",
    main="accuracy",
    load=partial(tag_splits, column=PART_OF_SPEECH_COLUMN, scheme="plain"),
    run=run,
    run_copies=run_copies,
    reads_characters=True,
    corrupt=with_noisy_test,
    slow=True,
)
