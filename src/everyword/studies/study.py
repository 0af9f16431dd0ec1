"""A study from its file to its findings: train every variant, score it, lay it beside the paper.

Whatever is finished is not done again: models stay in the work folder, scores in the results folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from everyword.errors import InputError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.results import Result
from everyword.evaluation.run import evaluate
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput
from everyword.files import checksum
from everyword.learning.device import pick_device
from everyword.studies.benchmarks import piece_at_hand, score_of
from everyword.studies.config import NetworksConfig, StudyConfig, VariantConfig
from everyword.studies.findings import Findings, Row, Score, row_of
from everyword.studies.job import Reproduction, Training, networks_of, plan, size_of
from everyword.studies.models import make, run_of
from everyword.studies.networks import Networks, characters_of, grouped, score_networks
from everyword.systems.spelling.recipe import load_recipe


def reproduce(job: Reproduction) -> Findings:
    """Train and score all variants; Ctrl-C leaves what is finished, and a run that is resumed."""
    pieces = pieces_at_hand(job.study, job.data)
    trainings, networks = plan(job), networks_of(job)
    teacher_sha256 = checksum(job.teacher)
    for piece in pieces.values():
        if isinstance(piece, MissingData):
            job.tell(f"{piece.name}: passed over. {piece.reason}")
    rows, models = {}, {}
    for variant in job.study.variants:
        made = trainings[variant.label]
        ways = list(ways_of(job, variant, made, teacher_sha256))
        models[variant.label] = [way.fingerprint or "" for way in ways]
        if networks is not None:
            runs = network_runs(job, variant, reading_of(job, variant, made, ways[0]), pieces, networks)
        else:
            runs = [score(job, way, pieces) for way in ways]
        rows[variant.label] = row_of(runs, job.study.columns)
    return Findings(job.study, job.size, rows, f"{job.teacher.name} {teacher_sha256}", job.overrides, models, networks)


def pieces_at_hand(study: StudyConfig, data: Path | None) -> dict[str, Benchmark | MissingData]:
    """The study's pieces by name; one whose data is missing is passed over, unless all are."""
    data_folder(data)
    found = {name: piece_at_hand(name, data) for name in study.pieces}
    absent = [piece for piece in found.values() if isinstance(piece, MissingData)]
    if len(absent) == len(found):
        raise InputError(absent[0].reason)
    return found


def ways_of(
    job: Reproduction, variant: VariantConfig, trainings: Sequence[Training], teacher_sha256: str
) -> Iterator[EvaluatedModel]:
    """The vectors behind a row: the teacher's, or those of a model for each seed."""
    if variant.teacher:
        # As many candidates as the models have known words, so that all look for answers among the same.
        stored = load_recipe(job.study.recipe, [*size_of(job), *job.recipe_overrides]).store.words
        yield open_evaluated(str(job.teacher), variant.policy or "zero", candidates=stored or None)
    for one in trainings:
        yield open_evaluated(str(make(job, variant, one, teacher_sha256)), variant.policy or job.study.policy)


def reading_of(
    job: Reproduction, variant: VariantConfig, trainings: Sequence[Training], way: EvaluatedModel
) -> NetworkInput:
    """What the networks of a variant read; its own encoder reads the characters, where it has one."""
    reads_characters = variant.input != "frozen" and bool(trainings)
    return NetworkInput(way, variant.input, characters_of(run_of(job, trainings[0])) if reads_characters else None)


def network_runs(
    job: Reproduction,
    variant: VariantConfig,
    reading: NetworkInput,
    pieces: Mapping[str, Benchmark | MissingData],
    options: NetworksConfig,
) -> list[Row]:
    """The scores of a variant's networks, a row for each seed; None for what is not at hand or cannot be read so."""
    study, folder = job.study, job.work / variant.folder / "networks"
    networks = Networks(options, study.seeds, str(pick_device(job.device)), folder)
    rows: list[dict[str, Score | None]] = [dict.fromkeys(study.pieces) for _ in range(study.seeds)]
    for base, group in grouped(pieces).items():
        task = next(iter(group.values())).task
        if not reading.suits(task):
            continue
        job.tell(f"{variant.label}: {base}")
        for name, scored in score_networks(reading, group, networks).items():
            for row, scores in zip(rows, scored.networks, strict=True):
                row[name] = Score(scores[asked(name, task.main, scores)], changed=scored.changed)
    return [*rows]


def score(job: Reproduction, way: EvaluatedModel, pieces: Mapping[str, Benchmark | MissingData]) -> Row:
    """All pieces for one way to get vectors; None for what is not at hand."""
    row: dict[str, Score | None] = dict.fromkeys(pieces)
    for name, piece in pieces.items():
        if isinstance(piece, MissingData):
            continue
        [done] = evaluate(way, [piece], save_to=job.results)
        if done.result is None:
            job.tell(f"{name}: passed over. {done.reason}")
        else:
            row[name] = score_in(done.result, name)
    return row


def score_in(result: Result, name: str) -> Score | None:
    """Of a result the score that a piece of the study asks for, with its spread."""
    which = asked(name, result.main, result.scores)
    value = result.scores[which]
    return None if value is None else Score(value, result.spread.get(which), result.changed)


def asked(name: str, main: str, scores: Collection[str]) -> str:
    """Which score of a piece its name asks for: the one behind "#", or the main one."""
    which = score_of(name) or main
    if which not in scores:
        raise InputError(f"{name} has no score {which!r}; choose from {', '.join(scores)}.")
    return which
