"""Run a study about tables of vectors: make those that are missing by commands of everyword, and score all of them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everyword.atomic import write_atomic
from everyword.config import build, override, to_dict
from everyword.errors import EverywordError, InputError, MissingExtraError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput
from everyword.evaluation.tasks.extrinsic.occurrences import ContextualInput
from everyword.files import read_object
from everyword.learning.device import pick_device
from everyword.studies.benchmarks import find_benchmarks, is_network, score_row
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import NetworksConfig
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.tables.study import SENTENCES, TableStudy, TableVariant, run_of
from everyword.studies.neighbour_lists import nearest_words
from everyword.studies.networks import Networks, network_row
from everyword.systems.skipgram.config import RECORD, SentencesConfig

Cell = dict[str, Any]
"""The scores of one table and how it was made; empty if there is no table."""
SCORES = "scores"
SIZE = 0.25
"""The root mean square of coordinates that networks read, about that of word2vec's. Tables of some methods are ten
times as long as those of others, which would decide how soon a network learns."""
COMMAND = ".command"
"""The ending of the file beside a table that has the command which made it, before its names are filled in."""


@dataclass(frozen=True, kw_only=True)
class TableJob(Job):
    """A study about tables to run, with what their commands need."""

    study: TableStudy
    run_command: Callable[[list[str]], None]
    """Runs a command of everyword, given as its words."""
    encoder: tuple[str, ...] = ()
    """The encoders that the study compares, in its order; most studies have one."""
    corpus: tuple[Path, ...] = ()
    parser: str | None = None
    prepared: Path | None = None
    """The prepared corpus, by default in the work folder; further encoders have one each, named after it."""

    @property
    def settings(self) -> dict[str, tuple[str, ...]]:
        """The settings of this run's size."""
        return self.study.small if self.size == "small" else self.study.full

    @property
    def networks(self) -> NetworksConfig | None:
        """How networks are trained at this size, if any are."""
        if not any(map(is_network, self.study.benchmarks)):
            return None
        return self.study.networks.small if self.size == "small" else self.study.networks.full

    def prepared_folder(self, encoder: int = 1) -> Path:
        """Return the folder of the corpus as an encoder reads it."""
        folder = self.prepared or self.work / "prepared"
        return folder if encoder == 1 else folder.with_name(f"{folder.name}-{encoder}")

    def encoder_of(self, variant: TableVariant) -> str | None:
        """Return the encoder of a row, if it is given."""
        return next(iter(self.encoder[variant.encoder - 1 : variant.encoder]), None)


def run_tables(job: TableJob) -> Findings:
    """Make the tables that are missing in the work folder, and score all of them.

    The scores of a table are kept in the work folder, so that a table may be removed once it is scored. A table whose
    command needs something that is not given is skipped; its row and the claims about it are not tested.

    Args:
        job: The study, what its commands need, and the folders.
    """
    asked = job.study.encoders
    if len(job.encoder) > len(asked):
        few = f"at most {len(asked)} times, for {', '.join(asked)}"
        raise InputError(f"{job.study.name} takes --encoder {few}. Got {len(job.encoder)} instead")
    job.check_share()
    job.work.mkdir(parents=True, exist_ok=True)
    _prepare(job)
    benchmarks = find_benchmarks(job.study.benchmarks, job.data, job.report)
    runs: dict[str, list[Cell]] = {variant.label: [] for variant in job.study.variants}
    # Seed by seed: a run that is stopped has some scores of every row, rather than all of some rows.
    for seed in job.seeds:
        for variant in filter(lambda one: job.makes(one.label), job.study.variants):
            again = any(job.study.runs(variant, column) is not None for column in benchmarks)
            first = runs[variant.label] or job.only_seed is not None  # what lacks an option lacks it with every seed
            if not seed or (again and seed < job.study.seeds_of(variant) and first):
                runs[variant.label] += filter(None, [_cell(job, variant, seed, benchmarks)])
    rows = {
        variant.label: mean_row(
            [_row_of(job, variant, cell, benchmarks) for cell in runs[variant.label] or [{}]], job.study.columns
        )
        for variant in job.study.variants
    }
    fingerprints = {label: [str(cell["model"]) for cell in cells] for label, cells in runs.items()}
    encoders = ", ".join(Path(encoder).name for encoder in job.encoder) or "no encoder"
    nearest = {label: cells[0]["nearest"] for label, cells in runs.items() if cells and cells[0].get("nearest")}
    return Findings(
        job.study,
        job.size,
        rows,
        f"{encoders}, {_about_corpus(job)}",
        networks=job.networks,
        details={"nearest words": nearest} if nearest else None,
        models=fingerprints,
    )


def _about_corpus(job: TableJob) -> str:
    """Return how many sentences and words the tables were made from."""
    try:
        record = read_object(job.prepared_folder() / RECORD)
        return f"{sum(record['parts']):,} sentences, {record['words']:,} words"
    except (OSError, ValueError, KeyError, TypeError, EverywordError):
        return f"tables in {job.work.absolute().name}"


def _prepare(job: TableJob) -> None:
    """Prepare the corpus for each encoder that reads it."""
    if not job.corpus or not job.encoder:
        return
    from everyword.language_models.language_model import LanguageModel
    from everyword.systems.skipgram.prepared import prepare

    chosen = override({}, job.settings.get(SENTENCES, ())).get(SENTENCES, {})
    sentences = build(SentencesConfig, chosen, "the sentences of the study")
    for number, encoder in enumerate(job.encoder, start=1):
        model = LanguageModel.load(encoder, device="cpu")
        prepare(job.corpus, job.prepared_folder(number), sentences, model=model, report=job.report)


def _given(job: TableJob, variant: TableVariant) -> dict[str, list[str]]:
    """Return what the command of a row may ask for."""
    encoder, prepared = job.encoder_of(variant), job.prepared_folder(variant.encoder)
    return {
        "encoder": [encoder] if encoder else [],
        "corpus": [str(file) for file in job.corpus],
        "parser": [job.parser] if job.parser else [],
        "prepared": [str(prepared)] if (prepared / RECORD).exists() else [],
        "work": [str(job.work)],
        "device": [job.device],
    }


def _cell(
    job: TableJob,
    variant: TableVariant,
    seed: int,
    benchmarks: Mapping[str, Benchmark | MissingData],
) -> Cell:
    """Return the scores of a table, made now if neither they nor the table are there; nothing if it cannot be made."""
    kept = job.work / SCORES / job.study.name / f"{variant.folder}{run_of(seed)}.json"
    networks = None if job.networks is None else json.loads(json.dumps({**to_dict(job.networks), "size": SIZE}))
    described = {"make": variant.at_size(job.settings), "seed": seed, "networks": networks}
    if variant.layer != "last":
        described["layer"] = variant.layer
    known = _kept_cell(kept, described)
    scores = known.get("scores", {})
    missing = {name: one for name, one in benchmarks.items() if isinstance(one, Benchmark) and name not in scores}
    if known and not missing:
        return known
    if variant.contextual:
        found = _contextual_scores(job, variant, seed, missing)
    else:
        found = _table_scores(job, variant, seed, missing)
    if not found:
        return {}
    cell = {**described, **found, "scores": {**scores, **found["scores"]}}
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(kept, json.dumps(cell, indent=2) + "\n")
    return cell


def _table_scores(job: TableJob, variant: TableVariant, seed: int, benchmarks: Mapping[str, Benchmark]) -> Cell:
    path = job.work / variant.file_of(seed)
    if not _is_made(job, variant, path) and not _made(
        job, variant, seed, {**_given(job, variant), "output": [str(path)]}
    ):
        return {}
    model = open_evaluated(str(path), job.study.policy)
    plain = {name: one for name, one in benchmarks.items() if not is_network(name)}
    row = {
        **score_row(model, plain, job.results, job.report),
        **_network_row(job, variant, seed, NetworkInput(model), benchmarks),
    }
    nearest = nearest_words(model, job.study.neighbours)
    return {"model": model.fingerprint or "", "dim": model.dim, "scores": _kept_scores(row), "nearest": nearest}


def _contextual_scores(job: TableJob, variant: TableVariant, seed: int, benchmarks: Mapping[str, Benchmark]) -> Cell:
    name = job.encoder_of(variant)
    if name is None:
        job.report(f"{variant.label}: skipped, because --encoder is missing.")
        return {}
    from everyword.evaluation.probes.layers import open_layers

    [encoder] = open_layers(name, variant.layer, job.device)
    row = _network_row(job, variant, seed, ContextualInput(encoder), benchmarks)
    return {"model": encoder.fingerprint or "", "dim": encoder.dim, "scores": _kept_scores(row)}


def _network_row(
    job: TableJob,
    variant: TableVariant,
    seed: int,
    reading: NetworkInput | ContextualInput,
    benchmarks: Mapping[str, Benchmark],
) -> Row:
    chosen = {name: one for name, one in benchmarks.items() if is_network(name)}
    if job.networks is None:
        return {}
    networks = Networks(job.networks, seed, str(pick_device(job.device)), job.work / "networks", SIZE)
    return network_row(reading, chosen, networks, lambda base: job.report(f"{variant.label}: {base}"))


def _kept_scores(row: Row) -> dict[str, list[float | int | None]]:
    return {name: [score.value, score.n] for name, score in row.items() if score is not None}


def _kept_cell(path: Path, described: Mapping[str, Any]) -> Cell:
    """Return the scores that an earlier run kept of the same command and the same networks."""
    try:
        cell = read_object(path)
        return cell if described.items() <= cell.items() and isinstance(cell["scores"], dict) else {}
    except (OSError, ValueError, KeyError, EverywordError):
        return {}


def _row_of(job: TableJob, variant: TableVariant, cell: Cell, benchmarks: Iterable[str]) -> Row:
    scores = cell.get("scores", {})
    chance = {name: job.study.runs(variant, name) is not None for name in scores}
    return {
        name: Score(scores[name][0], n=scores[name][1], seeds=1 if chance[name] else None) if name in scores else None
        for name in benchmarks
    }


def _is_made(job: TableJob, variant: TableVariant, path: Path) -> bool:
    """Return whether a table is there; one that the study would make by another command is refused."""
    if not path.exists():
        return False
    command = path.with_suffix(COMMAND)
    known = command.read_text(encoding="utf-8").strip() if command.exists() else None
    if known not in (None, variant.at_size(job.settings)):
        raise InputError(f"{path} was made by another command ({known}); choose another --work, or delete it.")
    return True


def _made(job: TableJob, variant: TableVariant, seed: int, given: Mapping[str, Sequence[str]]) -> bool:
    command = variant.command(given, seed, job.settings)
    if command is None:
        job.report(f"{variant.label}: skipped, because --encoder, --corpus or --parser is missing.")
        return False
    sources = [Path(word) for word in command if Path(word).parent == job.work and Path(word).suffix == ".npy"]
    absent = [path for path in sources if not path.exists() and str(path) not in given["output"]]
    if absent:
        job.report(f"{variant.label}: skipped, because {absent[0]} is missing.")
        return False
    job.report(shlex.join(["everyword", *command]))
    try:
        job.run_command(command)
    except MissingExtraError as error:
        job.report(f"{variant.label}: skipped. {error}")
        return False
    write_atomic((job.work / variant.file_of(seed)).with_suffix(COMMAND), variant.at_size(job.settings) + "\n")
    return True
