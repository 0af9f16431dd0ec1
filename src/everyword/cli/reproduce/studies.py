"""everyword reproduce STUDY: one command per kind of study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.group import Command, named_copy
from everyword.cli.reproduce.common import reproduce_study, size_options, study_options
from everyword.cli.reproduce.spaces import features, resources
from everyword.cli.train.recipe import check_teacher
from everyword.errors import EverywordError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.studies.config import RareWordVariant
    from everyword.studies.findings import Findings


def study_command(name: str, path: Path) -> click.Command:
    """Return the command that reproduces a study, a published one or a TOML file."""
    from everyword.config import read_toml
    from everyword.studies.config import kind_of

    try:
        kind, title = kind_of(path), str(read_toml(path).get("title", ""))
    except (EverywordError, OSError):  # Python 3.10 reads TOML only with an extra; a file may be missing
        kind, title = path.parent.name, ""
    return named_copy(COMMANDS.get(kind, models), name, title)


@click.command(cls=Command)
@options.overrides
@options.file("--teacher", "Vector file to learn from.", required=True)
@study_options
@size_options
@click.pass_context
def models(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table of models of spelling.

    Every variant of the study is trained on your teacher, small unless --full is given. Our scores are printed beside
    the paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes the configuration of all variants, except for what distinguishes them; networks.KEY=VALUE changes
    the networks that a study trains on the vectors. Models and scores that exist already are used again, so the same
    command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce love-ablation --teacher vectors.vec --data DATA
      everyword reproduce love-temperature --teacher vectors.vec --data DATA words.limit=5000 --work runs/quick
      everyword reproduce love-robustness --teacher vectors.vec --data DATA --seeds 5
      everyword reproduce love-intrinsic --teacher crawl-300d-2M.vec --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run_models, **given)


def _run_models(**job: Any) -> Findings:
    check_teacher(job["teacher"], needed=True)
    require("torch", "Reproducing a study")
    from everyword.learning.device import pick_device
    from everyword.studies.models import ModelJob, run_models

    pick_device(job["device"])
    return run_models(ModelJob(**job))


@click.command(cls=Command)
@options.overrides
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.", required=True)
@options.folder("--contexts", "Frequent words and their sentences.", required=True)
@options.folder("--rare", "Rare words and their sentences.")
@options.file("--counts", "For bertram-rarified: word counts of 'everyword cloze count'.")
@options.file("--probe", "For bertram-probe: questions of 'everyword cloze build'.")
@study_options
@size_options
@click.pass_context
def rare_words(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about rare words in a language model.

    The variants of the study learn from sentences of frequent words, --contexts. Our scores are printed beside the
    paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    KEY=VALUE changes BERTRAM, static.KEY=VALUE its predecessors, mimick.KEY=VALUE Mimick, and rarify.KEY=VALUE the
    texts with rare words. Models and scores that exist already are used again, so the same command continues after
    Ctrl-C.

    \b
    Examples:
      everyword reproduce bertram-contexts --encoder my-bert --contexts frequent --data DATA
      everyword reproduce bertram-rarified --encoder my-bert --contexts frequent --rare rare --counts counts.tsv
        --data DATA
      everyword reproduce bertram-probe --encoder my-bert --contexts frequent --rare rare --probe cloze.tsv
    """
    reproduce_study(str(ctx.info_name), _run_rare_words, **given)


def _run_rare_words(**job: Any) -> Findings:
    require("transformers", "Reproducing a study about language models")
    from everyword.studies.rare_models import RareWordJob
    from everyword.studies.rare_words import run_rare_words

    with warnings_as_lines():
        return run_rare_words(RareWordJob(put_in=_put_in, **job))


def _put_in(network: Any, tokenizer: Any, vectors: Any, variant: RareWordVariant) -> Any:
    from everyword.plugins.transformers import robustify

    return robustify(network, tokenizer, vectors, variant.strategy, words=variant.words)


@click.command(cls=Command)
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.")
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True)
@options.text("--parser", "PIPELINE", "A spaCy pipeline that parses the corpus, for dependency contexts.")
@options.folder("--prepared", "The prepared corpus.  [default: WORK/prepared]")
@study_options
@click.pass_context
def tables(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a comparison of tables of vectors.

    Every vector file that is not in WORK yet is made by a command that is shown and can be run on its own. Then all are
    scored, and our scores are printed beside the paper's, with each claim: holds, does not hold, too close to tell, or
    not tested. Files that need a missing --encoder, --corpus or --parser are skipped, so files can be made on several
    machines and scored on one.

    \b
    Examples:
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --data DATA
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --parser en_core_web_sm --data DATA
      everyword reproduce dynamic-static --work tables --data DATA
    """
    reproduce_study(str(ctx.info_name), _run_tables, **given)


def _run_tables(**job: Any) -> Findings:
    require("torch", "Comparing tables made from a corpus")
    from everyword.studies.tables import TableJob, run_tables

    return run_tables(TableJob(run_command=_run_command, **job))


@click.command(cls=Command)
@options.overrides
@options.model
@options.file("--vectors", "A vector file such as GloVe's, for the rows about a plain table.")
@study_options
@size_options
@click.pass_context
def texts(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about measures of texts.

    What the study trains learns from the paraphrases in --data. Our scores are printed beside the paper's, then each
    claim: holds, does not hold, too close to tell, or not tested. KEY=VALUE changes all trainings, except for what
    distinguishes them. What is trained already is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce word-operators --data DATA
      everyword reproduce word-operators --data DATA --vectors glove.npy --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run_texts, **given)


def _run_texts(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.texts import TextJob, run_texts

    return run_texts(TextJob(**job))


@click.command(cls=Command)
@options.overrides
@options.model
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.")
@study_options
@size_options
@click.pass_context
def spans(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about poolings of spans.

    For each pooling a probe is trained on frozen vectors of the tokens of --data: those of an everyword model and, if
    --encoder is given, of all layers of a language model. Our scores are printed beside the paper's, then each claim:
    holds, does not hold, too close to tell, or not tested. KEY=VALUE changes the probes.

    \b
    Examples:
      everyword reproduce span-poolings --data DATA
      everyword reproduce span-poolings --encoder all-MiniLM-L6-v2 --data DATA --seeds 1 epochs=3
    """
    reproduce_study(str(ctx.info_name), _run_spans, **given)


def _run_spans(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.spans import SpanJob, run_spans

    return run_spans(SpanJob(**job))


@click.command(cls=Command)
@options.overrides
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True)
@options.folder("--prepared", "The prepared corpus.  [default: WORK/prepared]")
@study_options
@size_options
@click.pass_context
def pairs(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about word and context vectors.

    Pairs of word and context vectors are trained on --corpus. What is made of them is scored on test halves; where
    there is a choice, development halves make it. Our scores are printed beside the paper's, then each claim: holds,
    does not hold, too close to tell, or not tested. KEY=VALUE changes all trainings. What is finished is used again, so
    the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce alpha --corpus wiki.txt.xz --data DATA
      everyword reproduce alpha --corpus wiki.txt.xz --data DATA --seeds 1 epochs=2
    """
    reproduce_study(str(ctx.info_name), _run_pairs, **given)


def _run_pairs(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    require("gensim", "Training skip-gram")
    from everyword.studies.pairs import PairJob, run_pairs

    return run_pairs(PairJob(**job))


@click.command(cls=Command)
@options.overrides
@options.model
@options.folder("--vectors", "Vector files by language, such as fi.vec, for rows about whole words.")
@options.folder("--prepared", "Prepared sentences and vectors.  [default: WORK/prepared]")
@options.text("--language", "CODE", "Train only this language; repeatable.", to="languages", multiple=True)
@study_options
@size_options
@click.pass_context
def languages(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about auxiliary languages.

    Sentences, vectors of pieces learnt from the corpora in --data, and distances of languages are prepared once. Then
    taggers are trained over the sources of each row. With --prepared, a machine needs neither the data nor gensim. With
    --language, several processes can share one work folder; the same command without it then puts all together.
    KEY=VALUE changes the size and the taggers, as in tagger.epochs=5.

    \b
    Examples:
      everyword reproduce auxiliary-languages --data DATA --language fi --language de --language it
      everyword reproduce auxiliary-languages --data DATA --vectors tables --work runs/languages --seeds 1
      everyword reproduce auxiliary-languages --prepared runs/languages/prepared --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run_languages, **given)


def _run_languages(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.languages import LanguageJob, run_languages

    return run_languages(LanguageJob(**job))


@click.command(cls=Command)
@options.folder("--vectors", "Folder with a vector file for each language, such as en.vec.", required=True)
@study_options
@options.count("--seeds", "Number of runs of what depends on chance.  [default: the study's]")
@options.flag("--full", "Align 50,000 words with exact CSLS and long self-learning, which takes hours.")
@click.pass_context
def lexicons(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about alignment of languages.

    The vector files of --vectors, one per language as in en.vec, are aligned in pairs with the dictionaries of --data,
    and translations of test words are searched in both directions. A language without a file is left out. Our scores
    are printed beside the paper's, then each claim: holds, does not hold, too close to tell, or not tested.

    \b
    Examples:
      everyword train static skip-gram --corpus de.txt.xz --output vectors/de.vec
      everyword reproduce lexicon-induction --vectors vectors --data DATA
    """
    reproduce_study(str(ctx.info_name), _run_lexicons, **given)


def _run_lexicons(**job: Any) -> Findings:
    from everyword.studies.lexicons import LexiconJob, run_lexicons

    return run_lexicons(LexiconJob(**job))


@click.command(cls=Command)
@options.overrides
@options.folder("--vectors", "Vector files by language, such as en.vec, the frequent words first.", required=True)
@study_options
@size_options
@click.pass_context
def transfer(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about transfer between languages.

    Taggers learn from tagged sentences of some languages in --data and are scored in others, over vectors that are as
    they are, mapped onto those of one language, or brought together by an adversary. Our scores are printed beside the
    paper's, then each claim: holds, does not hold, too close to tell, or not tested. KEY=VALUE changes the taggers, as
    in tagger.learning.epochs=5. What is trained already is used again, so the same command continues after Ctrl-C.

    \b
    Examples:
      everyword reproduce language-adversary --vectors tables --data DATA
      everyword reproduce language-adversary --vectors tables --data DATA --seeds 1 adversary.strength=0.001
      everyword reproduce language-adversary --vectors tables --data DATA --full --device cuda
    """
    reproduce_study(str(ctx.info_name), _run_transfer, **given)


def _run_transfer(**job: Any) -> Findings:
    require("torch", "Reproducing a study")
    from everyword.studies.transfer import TransferJob, run_transfer

    return run_transfer(TransferJob(**job))


@click.command(cls=Command)
@options.model
@options.text(
    "--vectors", "NAME=FILE", "A vector file by the name that the study has for it; repeatable.", multiple=True
)
@study_options
@size_options
@click.pass_context
def spaces(ctx: click.Context, /, **given: Any) -> None:
    """Reproduce a table about changes of a space.

    Every change of the study is made to each table and, where it has a column, to an everyword model, and scored on the
    sets of --data. Our scores are printed beside the paper's, then each claim: holds, does not hold, too close to tell,
    or not tested.

    \b
    Examples:
      everyword reproduce principal-components --vectors glove=glove.vec --data DATA
      everyword reproduce principal-components --vectors glove=glove.vec --vectors skip-gram=skip-gram.vec --data DATA
    """
    reproduce_study(str(ctx.info_name), _run_spaces, **given)


def _run_spaces(vectors: tuple[str, ...], **job: Any) -> Findings:
    from everyword.studies.spaces import SpaceJob, named_files, run_spaces

    return run_spaces(SpaceJob(vectors=named_files(vectors), **job))


def _run_command(words: list[str]) -> None:
    """Run a command as if typed, so that what is shown is what was done; errors and Ctrl-C come back here."""
    from everyword.cli.commands import main

    with main.make_context("everyword", words) as context:
        main.invoke(context)


COMMANDS = {
    "models": models,
    "rare-words": rare_words,
    "tables": tables,
    "texts": texts,
    "spans": spans,
    "pairs": pairs,
    "languages": languages,
    "lexicons": lexicons,
    "transfer": transfer,
    "spaces": spaces,
    "features": features,
    "resources": resources,
}
"""By the kind of study."""
