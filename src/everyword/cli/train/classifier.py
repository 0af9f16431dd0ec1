"""everyword train classifier: labels of texts."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from everyword import registry
from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "classifier"
NETWORKS = ("linear", "cnn", "lstm", "attention", "tfidf")


@click.command(NAME, short_help="A classifier of texts by topic, sentiment or other labels, from --train.")
@options.overrides
@options.file("--train", "Labelled texts: tab-separated, with a header line.", required=True)
@options.file("--dev", "Labelled texts that choose the best epoch.  [default: a tenth of --train]")
@options.file("--test", "Labelled texts to score at the end.")
@options.text("--label", "COLUMN", "The column of the labels.  [default: label or labels]")
@options.text(
    "--vectors",
    "NAME_OR_FILE",
    "A model or a vector file that gives words their vectors; repeat it to read several.",
    multiple=True,
    default=("everyword-en",),
)
@options.choice("--network", NETWORKS, "What reads a text.", default="cnn")
@options.choice("--loss", tuple(registry.classification_losses), "What it learns from.", default="cross-entropy")
@options.choice(
    "--word-objective", tuple(registry.word_objectives), "What the states of words learn besides.", default="none"
)
@options.option("--adversarial", "Learn under the worst change of vectors, as large as this share.", type=float)
@options.option("--prune", "Share of the weights that becomes zero while training.", type=float)
@options.file("--teacher", "A larger classifier, its folder, or its probabilities of the labels of --train.")
@options.output_folder("Folder to save the classifier to.")
@options.run_folder
@options.resume
@options.device
@options.overwrite
@options.quiet
def classifier(
    *,
    overrides: tuple[str, ...],
    train: Path,
    dev: Path | None,
    test: Path | None,
    label: str | None,
    vectors: tuple[str, ...],
    teacher: Path | None,
    output: Path,
    run_folder: Path | None,
    resume: bool,
    device: str,
    overwrite: bool,
    quiet: bool,
    **techniques: Any,
) -> None:
    """Train a classifier that survives typos.

    The first line of --train names its columns: label and text, and perhaps title. With a column labels, a text may
    have several, with | between them, or none. The classifier reads the vectors of --vectors, which are not changed;
    tfidf reads words only. KEY=VALUE changes network and training: states, layers, widths, filters, dropout, longest,
    epochs, patience, batch, learning_rate, seed and others. Ctrl-C stops after the current step; --resume continues.

    \b
    Examples:
      everyword train classifier --train train.tsv.gz --output topics
      everyword train classifier --train train.tsv --dev dev.tsv --network attention --output topics epochs=10
      everyword train classifier --train train.tsv --adversarial 0.05 --prune 0.6 --output topics
      everyword train classifier --train train.tsv --network linear --teacher probabilities.npz --output topics
    """
    run_folder = run_folder_of(output, run_folder)
    check_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.corpus.labelled.documents import SoftLabels, labels_to_learn, read_documents
    from everyword.language_models.teachers import soft_labels
    from everyword.learning.device import pick_device
    from everyword.learning.loop import RunContext
    from everyword.learning.sources import open_sources
    from everyword.systems.classifiers.classifier import WEIGHTS, ClassifierConfig, load_classifier
    from everyword.systems.classifiers.train import score, train_classifier

    named = {name: value for name, value in techniques.items() if value is not None}
    extra = [f"{name}={given}" for name, given in named.items()]
    config = build(ClassifierConfig, override({}, [*extra, *overrides]), NAME)
    chosen_device = str(pick_device(device))
    learnt = read_documents(train, label)
    judged = read_documents(test, label) if test else None
    if teacher:
        if (teacher / WEIGHTS).is_file():
            own = load_classifier(teacher, device=chosen_device)
            learnt = learnt.taught_by(SoftLabels(tuple(own.labels), own.probabilities(learnt.texts)))
        else:
            learnt = learnt.taught_by(soft_labels(teacher, learnt, chosen_device))
    learnt, chosen = (learnt, read_documents(dev, label)) if dev else learnt.cut_dev()
    labels = labels_to_learn(learnt, chosen)
    if never := sorted(set(chosen.known) - set(labels)):
        say(f"{', '.join(never)}: in dev, but not in {train.name}; such labels are never given.")
    say(f"{len(learnt):,} texts to learn from, {len(chosen):,} to choose by, {len(labels):,} labels.")
    trained = train_classifier(
        learnt,
        chosen,
        open_sources(vectors) if config.network != "tfidf" else [],
        config,
        device=chosen_device,
        run=RunContext(run_folder, resume, show_progress=not quiet),
        report=say,
    )
    if trained is None:
        given = {"train": train, "dev": dev, "label": label, "teacher": teacher, "output": output, **named}
        parts = [part for name, value in given.items() if value is not None for part in (f"--{name}", str(value))]
        parts += [part for one in vectors for part in ("--vectors", one)]
        line = shlex.join(["everyword", "train", NAME, *parts, "--resume", *overrides]).replace("word_obj", "word-obj")
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {line}")
    metric = "F1" if learnt.several else "accuracy"
    notes = {"metric": metric, "train": train.name, "texts": len(learnt)}
    if judged is not None and test is not None:
        notes["test"] = round(score(trained.classifier, judged), 4)
        say(f"{metric} on {test.name}: {notes['test']:.2f}")
    trained.save(output, vectors, **notes)
    say(
        f"Saved the classifier of epoch {trained.epoch} ({metric} {trained.dev:.2f} on dev) to {output}. "
        f"Try it:  everyword classify {shlex.quote(str(output))} TEXT"
    )
