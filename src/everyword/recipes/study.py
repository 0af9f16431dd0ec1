"""A study from its file to its findings: train every variant, score it, lay it beside the paper.

Whatever is finished is not done again: models stay in the work folder, scores in the results folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from everyword.errors import InputError
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.pieces import Absent, Piece, choose
from everyword.evaluation.results import Result
from everyword.evaluation.run import evaluate
from everyword.evaluation.way import Way, open_way
from everyword.files import checksum
from everyword.recipes.catalogue import load_recipe
from everyword.recipes.findings import Findings, Row, Score, row_of
from everyword.recipes.study_configuration import NetworksConfig, StudyConfig, VariantConfig
from everyword.recipes.study_job import Reproduction, Training, networks_of, plan, size_of
from everyword.recipes.study_models import make, run_of
from everyword.recipes.study_networks import Networks, Subject, characters_of, grouped, score_networks
from everyword.recipes.study_pieces import base_of, noise_of, score_of
from everyword.training.trainer import pick_device


def reproduce(job: Reproduction) -> Findings:
    """Train and score all variants; Ctrl-C leaves what is finished, and a run that is resumed."""
    pieces = pieces_at_hand(job.study, job.data)
    trainings, networks = plan(job), networks_of(job)
    teacher_sha256 = checksum(job.teacher)
    for piece in pieces:
        if isinstance(piece, Absent):
            job.tell(f"{piece.name}: passed over. {piece.reason}")
    rows, models = {}, {}
    for variant in job.study.variants:
        made = trainings[variant.label]
        ways = list(ways_of(job, variant, made, teacher_sha256))
        models[variant.label] = [way.identity or "" for way in ways]
        if networks is not None:
            runs = network_runs(job, variant, subject_of(job, variant, made, ways[0]), pieces, networks)
        else:
            runs = [score(job, way, pieces) for way in ways]
        rows[variant.label] = row_of(runs, job.study.columns)
    return Findings(job.study, job.size, rows, f"{job.teacher.name} {teacher_sha256}", job.overrides, models, networks)


def pieces_at_hand(study: StudyConfig, data: Path | None) -> list[Piece | Absent]:
    """The study's pieces; one whose data is missing is passed over, unless all are."""
    data_folder(data)
    found = [piece_at_hand(name, data) for name in study.pieces]
    absent = [piece for piece in found if isinstance(piece, Absent)]
    if len(absent) == len(found):
        raise InputError(absent[0].reason)
    return found


def piece_at_hand(name: str, data: Path | None) -> Piece | Absent:
    """One piece of a study, with the file of its noise where that is published."""
    try:
        [piece] = choose([base_of(name)], data)
        noise = noise_of(name)
        copy = noise.file(piece.files[0]) if noise and isinstance(piece, Piece) else None
        if copy is not None and not copy.is_file():
            raise InputError(f"The noisy copy {copy} is missing; SST-2's are in https://github.com/tigerchen52/LOVE.")
    except InputError as error:
        return Absent(name, str(error))
    return piece if isinstance(piece, Absent) else replace(piece, named=False)


def ways_of(
    job: Reproduction, variant: VariantConfig, trainings: Sequence[Training], teacher_sha256: str
) -> Iterator[Way]:
    """The vectors behind a row: the teacher's, or those of a model for each seed."""
    if variant.teacher:
        # As many candidates as the models have known words, so that all look for answers among the same.
        stored = load_recipe(job.study.recipe, [*size_of(job), *job.recipe_overrides]).store.words
        yield open_way(str(job.teacher), variant.policy or "zero", candidates=stored or None)
    for one in trainings:
        yield open_way(str(make(job, variant, one, teacher_sha256)), variant.policy or job.study.policy)


def subject_of(job: Reproduction, variant: VariantConfig, trainings: Sequence[Training], way: Way) -> Subject:
    """What the networks of a variant read; its own encoder reads the characters, where it has one."""
    reads_characters = variant.input != "frozen" and bool(trainings)
    return Subject(way, variant.input, characters_of(run_of(job, trainings[0])) if reads_characters else None)


def network_runs(
    job: Reproduction,
    variant: VariantConfig,
    subject: Subject,
    pieces: Sequence[Piece | Absent],
    options: NetworksConfig,
) -> list[Row]:
    """The scores of a variant's networks, a row for each seed; None for what is not at hand or cannot be read so."""
    study, folder = job.study, job.work / variant.folder / "networks"
    networks = Networks(options, study.seeds, str(pick_device(job.device)), folder)
    rows: list[dict[str, Score | None]] = [dict.fromkeys(study.pieces) for _ in range(study.seeds)]
    for base, group in grouped(dict(zip(study.pieces, pieces, strict=True))).items():
        task = group.piece.task
        if not subject.suits(task):
            continue
        job.tell(f"{variant.label}: {base}")
        for row, scores in zip(rows, score_networks(subject, group, networks), strict=True):
            row |= {name: named_score(study, name, task.main, found) for name, found in scores.items()}
    return [*rows]


def score(job: Reproduction, way: Way, pieces: Sequence[Piece | Absent]) -> Row:
    """All pieces for one way to get vectors; None for what is not at hand."""
    row: dict[str, Score | None] = dict.fromkeys(job.study.pieces)
    for done in evaluate(way, [piece for piece in pieces if isinstance(piece, Piece)], keep_in=job.results):
        row[done.piece] = main_score(job.study, done.result) if done.result else None
        if done.reason:
            job.tell(f"{done.piece}: passed over. {done.reason}")
    return row


def main_score(study: StudyConfig, result: Result) -> Score | None:
    """The score that stands in the study's table, with its spread."""
    return named_score(study, result.piece, result.main, result.scores, result.spread)


def named_score(
    study: StudyConfig,
    piece: str,
    main: str,
    scores: Mapping[str, float | None],
    spread: Mapping[str, float] | None = None,
) -> Score | None:
    """Of the scores of a piece the one that the study asks for, or the main one."""
    name = score_of(piece) or study.scores.get(piece, main)
    if name not in scores:
        raise InputError(f"{piece} has no score {name!r}; choose from {', '.join(scores)}.")
    value = scores[name]
    return None if value is None else Score(value, (spread or {}).get(name))
