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


def run(way: EvaluatedModel, data: Splits[D], seed: int) -> Scores:
    """Networks over the vectors, which stay as they are."""
    return next(run_copies(way, [data], seed))


def run_copies(way: EvaluatedModel, copies: Sequence[Splits[D]], seed: int) -> Iterator[Scores]:
    """The same networks, scored on several test sets."""
    require("torch", "A task that trains networks")
    from everyword.evaluation.tasks.extrinsic.networks import Reading, learner_of
    from everyword.evaluation.tasks.extrinsic.protocol import judge_all

    learner = learner_of(Reading.by_policy(way), copies[0].train, copies[0].dev, seed=seed)
    for judged in judge_all(learner, [copy.test for copy in copies]):
        tokens = {"all": float(judged.tokens), "known": float(judged.tokens_known)}
        yield Scores(
            dict(judged.values),
            judged.n,
            judged.known,
            spread=dict(judged.spread),
            seeds=judged.seeds,
            sections={"dev, by learning rate": dict(judged.dev), "tokens": tokens},
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
