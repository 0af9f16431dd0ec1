"""The extrinsic tasks as the runner knows them; torch is imported when one is run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from everyword.evaluation.extrinsic.sets import tag_splits, text_splits
from everyword.evaluation.extrinsic.splits import Splits
from everyword.evaluation.extrinsic.tagged import Tagged
from everyword.evaluation.extrinsic.texts import Texts
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.way import Way
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.evaluation.extrinsic.protocol import Scores as Judged

PART_OF_SPEECH_COLUMN = 1


def run_classification(way: Way, data: Splits[Texts], seed: int) -> Scores:
    """A CNN over frozen vectors."""
    require("torch", "A task that trains a classifier")
    from everyword.evaluation.extrinsic.classification import ClassifyConfig, classify
    from everyword.evaluation.extrinsic.learner import Learning

    config = ClassifyConfig(learning=Learning(seed=seed))
    return _kept(classify(way.encode, way.dim, data.train, data.dev, data.test, config=config, known=way.known))


def run_tagging(way: Way, data: Splits[Tagged], seed: int) -> Scores:
    """A BiLSTM over frozen vectors, with a CRF where tags mark spans."""
    require("torch", "A task that trains a tagger")
    from everyword.evaluation.extrinsic.learner import Learning
    from everyword.evaluation.extrinsic.tagging import TagConfig, tag

    learning = Learning(epochs=20, batch=32, seed=seed)
    config = TagConfig(crf=data.train.scheme == "bio", learning=learning)
    return _kept(tag(way.encode, way.dim, data.train, data.dev, data.test, config=config, known=way.known))


def _kept(judged: Judged) -> Scores:
    tokens = {"all": float(judged.tokens), "known": float(judged.tokens_known)}
    return Scores(
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
    slow=True,
)
