"""The extrinsic tasks as the runner knows them; torch is imported when one is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from everyword.evaluation.extrinsic.noisy import with_noisy_test
from everyword.evaluation.extrinsic.sets import tag_splits, text_splits
from everyword.evaluation.extrinsic.splits import D, Splits
from everyword.evaluation.extrinsic.tagged import Tagged
from everyword.evaluation.extrinsic.texts import Texts
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.way import CHARACTERS, Way
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.evaluation.extrinsic.learner import Learner

PART_OF_SPEECH_COLUMN = 1


def run_classification(way: Way, data: Splits[Texts], seed: int) -> Scores:
    """A CNN over frozen vectors."""
    return next(classification_copies(way, [data], seed))


def classification_copies(way: Way, copies: Sequence[Splits[Texts]], seed: int) -> Iterator[Scores]:
    """One CNN over frozen vectors, scored on several test sets."""
    require("torch", "A task that trains a classifier")
    from everyword.evaluation.extrinsic.classification import Classifier, ClassifyConfig
    from everyword.evaluation.extrinsic.learner import Learning
    from everyword.evaluation.extrinsic.words import WordVectors

    train, dev = copies[0].train, copies[0].dev
    config = ClassifyConfig(learning=Learning(seed=seed))
    return _scored(Classifier(WordVectors(way.encode, way.dim, way.known), train, dev, config), copies)


def run_tagging(way: Way, data: Splits[Tagged], seed: int) -> Scores:
    """A BiLSTM over frozen vectors, with a CRF where tags mark spans."""
    return next(tagging_copies(way, [data], seed))


def tagging_copies(way: Way, copies: Sequence[Splits[Tagged]], seed: int) -> Iterator[Scores]:
    """One BiLSTM, scored on several test sets; under the policy "characters" it reads characters beside the vectors."""
    require("torch", "A task that trains a tagger")
    from everyword.evaluation.extrinsic.learner import Learning
    from everyword.evaluation.extrinsic.tagging import TagConfig, TagLearner
    from everyword.evaluation.extrinsic.words import WordVectors

    train, dev = copies[0].train, copies[0].dev
    config = TagConfig(
        input="frozen+char" if way.policy == CHARACTERS else "frozen",
        crf=train.scheme == "bio",
        learning=Learning(epochs=20, batch=32, seed=seed),
    )
    return _scored(TagLearner(WordVectors(way.encode, way.dim, way.known), train, dev, config), copies)


def _scored(learner: Learner[D], copies: Sequence[Splits[D]]) -> Iterator[Scores]:
    from everyword.evaluation.extrinsic.protocol import judge_all

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
    run=run_classification,
    run_copies=classification_copies,
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
    run=run_tagging,
    run_copies=tagging_copies,
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
    run=run_tagging,
    run_copies=tagging_copies,
    reads_characters=True,
    corrupt=with_noisy_test,
    slow=True,
)
