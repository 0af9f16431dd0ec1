"""everyword train tagger: names, parts of speech and other tags of words."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "tagger"
EXPERT_SIZE = 200


@click.command(NAME, short_help="A tagger of names, parts of speech or other tags, from --train.")
@options.overrides
@options.file("--train", "Tagged sentences: CoNLL, the tag in the last column, or CoNLL-U.", required=True)
@options.file("--dev", "Tagged sentences that choose the best epoch.  [default: a tenth of --train]")
@options.file("--test", "Tagged sentences to score at the end.")
@options.text(
    "--vectors",
    "NAME_OR_FILE",
    "A model or a vector file that gives words their vectors, or none; repeat it to read several.",
    multiple=True,
    default=("everyword-en",),
)
@options.flag("--tune-vectors", "Also learn what to add to the vectors of the words of --train.")
@options.flag("--full-tags", "Of CoNLL-U, learn parts of speech with all features, not parts of speech alone.")
@options.flag("--spell-tags", "Spell tags symbol by symbol, so that it can give tags that --train lacks.")
@options.flag("--experts", "Mix an expert for each category of entities.")
@options.flag("--entity-task", "Also learn which words are entities, of whatever kind.")
@options.option("--adversarial", "Learn under the worst change of vectors, as large as this share.", type=float)
@options.option("--prune", "Share of the weights that becomes zero while training.", type=float)
@options.output_folder("Folder to save the tagger to.")
@options.run_folder
@options.resume
@options.device
@options.overwrite
@options.quiet
def tagger(
    *,
    overrides: tuple[str, ...],
    train: Path,
    dev: Path | None,
    test: Path | None,
    vectors: tuple[str, ...],
    tune_vectors: bool,
    full_tags: bool,
    spell_tags: bool,
    experts: bool,
    entity_task: bool,
    adversarial: float | None,
    prune: float | None,
    output: Path,
    run_folder: Path | None,
    resume: bool,
    device: str,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a tagger that survives typos.

    It reads the vectors of --vectors, which are not changed, and the characters of words. Tags such as B-PER, I-PER and
    O mark spans and are scored by F1; any other tags are scored one by one. --spell-tags is for tags that are made of
    parts, such as NOUN|Case=Nom|Number=Sing or (S\\NP)/NP; of CoNLL-U it learns full tags. KEY=VALUE changes network
    and training: states, layers, characters, lookup, shapes, dropout, crf, epochs, patience, batch, learning_rate,
    schedule, averaged, seed and combiner.kind, which says how several sources are combined (attention, mean,
    concatenation). Ctrl-C stops after the current step; --resume continues.

    \b
    Examples:
      everyword train tagger --train train.conll.gz --dev dev.conll.gz --output ner
      everyword train tagger --train train.conll.gz --experts --entity-task --output ner epochs=30
      everyword train tagger --train train.conll.gz --adversarial 0.05 --prune 0.6 --output ner
      everyword train tagger --train en_ewt-ud-train.conllu --output pos layers=2
      everyword train tagger --train tr_imst-ud-train.conllu --vectors tr.vec --spell-tags --output morphology
      everyword train tagger --train train.conll --vectors everyword-en --vectors glove.vec --output ner
    """
    run_folder = run_folder_of(output, run_folder)
    check_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.corpus.labelled.bio import unknown_tags
    from everyword.corpus.labelled.sets import cut_dev
    from everyword.corpus.labelled.tag_symbols import spelling_for
    from everyword.corpus.labelled.treebanks import read_any_tagged
    from everyword.learning.device import pick_device
    from everyword.learning.loop import RunContext
    from everyword.learning.sources import open_sources
    from everyword.systems.taggers.config import TaggerConfig
    from everyword.systems.taggers.saved import save_tagger
    from everyword.systems.taggers.train import score, tags_to_learn, train_tagger

    full = full_tags or spell_tags
    learnt = read_any_tagged(train, full=full)
    extra = [f"experts={EXPERT_SIZE}"] * experts + ["entity_task=true"] * entity_task + ["tuned=true"] * tune_vectors
    extra += [f"spelling={spelling_for(learnt.tags)}"] * spell_tags
    shares = {"adversarial": adversarial, "prune": prune}
    extra += [f"{name}={share}" for name, share in shares.items() if share is not None]
    config = build(TaggerConfig, override({}, [*extra, *overrides]), NAME)
    chosen_device = str(pick_device(device))
    learnt, chosen = (learnt, read_any_tagged(dev, learnt.scheme, full=full)) if dev else cut_dev(learnt)
    judged = read_any_tagged(test, learnt.scheme, full=full) if test else None
    tags_to_learn(learnt, chosen)
    if (never := unknown_tags(learnt.tags, chosen.tags)) and config.spelling in ("none", "whole"):
        say(f"{_some(never)}: in dev, but not in {train.name}; such tags are never given.")
    say(f"{len(learnt):,} sentences to learn from, {len(chosen):,} to choose by.")
    trained = train_tagger(
        learnt,
        chosen,
        open_sources(vectors),
        config,
        device=chosen_device,
        run=RunContext(run_folder, resume, show_progress=not quiet),
        report=say,
    )
    if trained is None:
        named = [part for given in vectors for part in ("--vectors", given)]
        again = ["everyword", "train", NAME, "--train", str(train), *(["--dev", str(dev)] if dev else []), *named]
        given = {"--tune-vectors": tune_vectors, "--full-tags": full_tags, "--spell-tags": spell_tags}
        flags = [flag for flag, on in {**given, "--experts": experts, "--entity-task": entity_task}.items() if on]
        flags += [part for name, share in shares.items() if share is not None for part in (f"--{name}", str(share))]
        line = shlex.join([*again, *flags, "--output", str(output), "--resume", *overrides])
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {line}")
    metric = "F1" if learnt.scheme == "bio" else "accuracy"
    notes = {"metric": metric, "train": train.name, "sentences": len(learnt)}
    if judged is not None:
        notes["test"] = round(score(trained.tagger, judged), 4)
        say(f"{metric} on {test.name}: {notes['test']:.2f}")  # type: ignore[union-attr]
    save_tagger(trained, output, vectors, **notes)
    say(
        f"Saved the tagger of epoch {trained.epoch} ({metric} {trained.dev:.2f} on dev) to {output}. "
        f"Try it:  everyword tag {shlex.quote(str(output))} TEXT"
    )


def _some(tags: list[str]) -> str:
    shown = ", ".join(tags[:5])
    return shown if len(tags) <= 5 else f"{shown} and {len(tags) - 5:,} more"
