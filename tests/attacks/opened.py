"""Opens hostile files one after the other, each with little more memory than there was before, and tells what it got.

Runs as a program of its own (`python -m attacks.opened FOLDER`): a limit on memory cannot be taken back.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .annotated import ANNOTATED
from .models import MODELS
from .others import CORPUS, OTHERS
from .tables import TABLES
from .trained import TRAINED

ATTACKS = {
    **{name: ("table", make) for name, make in TABLES.items()},
    **{name: ("model", make) for name, make in MODELS.items()},
    **OTHERS,
    **ANNOTATED,
    **TRAINED,
}
MORE_MEMORY = 3 << 28
"""Three quarters of a gigabyte of addresses."""
DEADLINE = 120


def open_table(path: Path) -> Any:
    from everyword.vectors import read_table

    return read_table(path)


def open_model(path: Path) -> Any:
    import everyword

    return everyword.load(path).encode(["ban", "bann", "xyz"])


def open_contexts(path: Path) -> Any:
    from everyword.corpus.contexts.find import ContextSearch, find_contexts
    from everyword.corpus.contexts.spec import SearchOptions, SearchSpec
    from everyword.corpus.executors import process_executor

    return find_contexts(
        ContextSearch(SearchSpec(["ban"], SearchOptions()), [path / CORPUS], path / "out", process_executor(1))
    )


def open_sentences(path: Path) -> Any:
    from everyword.corpus.contexts.sentences import read_sentences

    return read_sentences(path)


def open_part(path: Path) -> Any:
    from everyword.systems.skipgram.parts import Part

    return Part.load(path)


def open_prepared(path: Path) -> Any:
    from everyword.systems.skipgram.prepared import PreparedCorpus

    return list(PreparedCorpus.load(path).parts())


def open_record(path: Path) -> Any:
    from everyword.space import load_record

    return load_record(path)


def open_result(path: Path) -> Any:
    from everyword.evaluation.results import read_all

    return read_all([path])


def open_rows(path: Path) -> Any:
    from everyword.corpus.rows import read_rows

    return list(read_rows(path, "pairs", ("word1", "word2", "score")))


def open_json_lines(path: Path) -> Any:
    from everyword.corpus.rows import read_json_lines

    return list(read_json_lines(path, "words", {"word": str}))


def open_counts(path: Path) -> Any:
    from everyword.evaluation.probes.cloze.counts import read_counts

    return read_counts(path)


def open_points(path: Path) -> Any:
    from everyword.studies.plots.points import read_panels

    return read_panels([path])


def open_study(path: Path) -> Any:
    from everyword.studies.plots.augmentation import read_squares

    return read_squares(path)


def open_kept_scores(path: Path) -> Any:
    from everyword.studies.kinds.rare_words.run import read_cell

    return read_cell(path, "a stamp")


def open_kept_run(path: Path) -> Any:
    from everyword.files import read_kept

    return read_kept(path)


def open_checkpoint(path: Path) -> Any:
    from everyword.learning.checkpoint import read_arrays

    return read_arrays(path, "a fingerprint")


def open_bertram(path: Path) -> Any:
    from everyword.systems.bertram import Bertram

    return Bertram.load(path)


def open_robust(path: Path) -> Any:
    from everyword.plugins.transformers import from_pretrained

    return from_pretrained(path)


def open_trees(path: Path) -> Any:
    from everyword.evaluation.probes.trees import read_trees

    return read_trees(path)


def open_sentiment_trees(path: Path) -> Any:
    from everyword.evaluation.probes.sentiment_trees import read_sentiment_trees

    return read_sentiment_trees(path)


def open_treebank(path: Path) -> Any:
    from everyword.evaluation.probes.parsed import read_treebank

    return read_treebank([path])


def open_parsed_corpus(path: Path) -> Any:
    from everyword.systems.skipgram.conllu import read_conllu

    return list(read_conllu(path))


def open_tagged(path: Path) -> Any:
    from everyword.corpus.labelled.treebanks import read_any_tagged

    return read_any_tagged(path)


def open_roles(path: Path) -> Any:
    from everyword.corpus.labelled.roles import read_roles

    return read_roles(path)


def open_column(path: Path) -> Any:
    from everyword.corpus.columns.column import opened
    from everyword.corpus.columns.records import Wanted

    with opened(str(path), Wanted()) as column:
        return column.survey()


def open_plan(path: Path) -> Any:
    from everyword.corpus.embedding.plan import Plan

    return Plan.load(path).parts


def open_soft_labels(path: Path) -> Any:
    from everyword.corpus.labelled.documents import SoftLabels

    return SoftLabels.load(path)


def open_dictionary(path: Path) -> Any:
    from everyword.space.alignment.pairs import read_dictionary

    return read_dictionary(path)


def open_wordnet(path: Path) -> Any:
    from everyword.corpus.lexicons.attributes import wordnet_lexicon
    from everyword.corpus.lexicons.wordnet import NOUN, WordNet

    wordnet = WordNet(path, [NOUN])
    return wordnet_lexicon(wordnet), [wordnet.depth(wordnet.senses(lemma, NOUN)[0]) for lemma in wordnet.lemmas(NOUN)]


def open_recipe(path: Path) -> Any:
    from everyword.config import read_toml

    return read_toml(path)


def open_probe_result(path: Path) -> Any:
    from everyword.evaluation.item_results import read_saved

    return read_saved(path)


def open_tagger(path: Path) -> Any:
    from everyword.systems.taggers.saved import load_tagger

    return load_tagger(path)


def open_classifier(path: Path) -> Any:
    from everyword.systems.classifiers.classifier import load_classifier

    return load_classifier(path)


def open_code(path: Path) -> Any:
    from everyword.systems.codes.trained import TrainedCode

    return TrainedCode.load(path)


def open_text_network(path: Path) -> Any:
    from everyword.systems.operators.trained import load_network

    return load_network(path)


def open_language_model(path: Path) -> Any:
    from everyword.language_models.language_model import LanguageModel

    return LanguageModel.load(path, device="cpu")


READERS: dict[str, Callable[[Path], Any]] = {
    name.removeprefix("open_").replace("_", " "): reader for name, reader in globals().items() if name[:5] == "open_"
}


def tell(name: str, folder: Path) -> dict[str, Any]:
    """What opening one of them ends in."""
    from everyword.errors import EverywordError

    reader, make = ATTACKS[name]
    folder.mkdir()
    path = make(folder)
    started = time.process_time()
    signal.alarm(DEADLINE)  # kills what hangs; what is slow is measured in its own processor time
    try:
        seen, text = type(READERS[reader](path)).__name__, ""
    except Exception as error:
        seen = "refused" if isinstance(error, EverywordError) else type(error).__name__
        text = str(error)
    signal.alarm(0)
    assert not list(folder.parent.rglob("outside*")), name  # nothing was unpacked beside it
    return {"name": name, "seen": seen, "text": text, "seconds": time.process_time() - started}


def import_all() -> None:
    """What readers import is no work of theirs."""
    import transformers
    from pyarrow import parquet

    from everyword.plugins.transformers import from_pretrained
    from everyword.studies.plots import augmentation, points
    from everyword.systems.bertram import Bertram
    from everyword.systems.classifiers import networks
    from everyword.systems.codes import trained
    from everyword.systems.operators.trained import load_network
    from everyword.systems.skipgram.prepared import PreparedCorpus
    from everyword.systems.taggers import saved

    assert all((transformers.AutoModel, Bertram, augmentation, points, from_pretrained, PreparedCorpus))
    assert all((networks, trained, load_network, saved, parquet))


def limit_memory() -> None:
    """Let the process have little more addresses than it has, where the system tells how many that are."""
    told = Path("/proc/self/statm")
    if not told.is_file():
        return
    pages = int(told.read_text().split()[0])
    most = pages * resource.getpagesize() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(home: Path) -> None:
    import_all()
    limit_memory()
    for number, name in enumerate(ATTACKS):
        print(json.dumps(tell(name, home / str(number))), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
