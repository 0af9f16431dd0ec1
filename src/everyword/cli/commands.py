"""The command `everyword` and the table of its commands.

A command is imported when it is called, and imports models and arrays itself, so that help is instant.
"""

from __future__ import annotations

import click

from everyword import __version__
from everyword.cli.common.group import LazyGroup

SECTIONS = {
    "Use a model": {
        "nearest": "everyword.cli.nearest:nearest",
        "encode": "everyword.cli.encode:encode",
        "embed": "everyword.cli.embed:embed",
        "search": "everyword.cli.search:search",
        "tag": "everyword.cli.tag:tag",
        "classify": "everyword.cli.classify:classify",
        "correct": "everyword.cli.correct:correct",
        "similarity": "everyword.cli.similarity:similarity",
        "explain": "everyword.cli.explain:explain",
        "serve": "everyword.cli.serve:serve",
        "export": "everyword.cli.export:export",
        "info": "everyword.cli.info:info",
        "list": "everyword.cli.list:list_parts",
    },
    "Make a model": {
        "adapt": "everyword.cli.adapt:adapt",
        "add-vectors": "everyword.cli.adapt:add_vectors",
        "train": "everyword.cli.train:train",
    },
    "Work with language models": {
        "robustify": "everyword.cli.robustify:robustify",
        "extract": "everyword.cli.extract:extract",
        "contexts": "everyword.cli.contexts:contexts",
        "attributes": "everyword.cli.attributes:attributes",
        "bertram": "everyword.cli.bertram:bertram",
    },
    "Evaluate": {
        "evaluate": "everyword.cli.evaluate:evaluate",
        "compare": "everyword.cli.evaluate:compare",
        "compare-results": "everyword.cli.compare_results:compare_results",
        "language-distance": "everyword.cli.language_distance:language_distance",
        "probe": "everyword.cli.probe:probe",
        "components": "everyword.cli.components:components",
        "by-resource": "everyword.cli.by_resource:by_resource",
        "plot": "everyword.cli.plot:plot",
        "cloze": "everyword.cli.cloze:cloze",
        "rare-texts": "everyword.cli.rare_texts:rare_texts",
        "attack": "everyword.cli.attack:attack",
        "corrupt": "everyword.cli.corrupt:corrupt",
        "reproduce": "everyword.cli.reproduce:reproduce",
    },
    "Change vector files": {
        "convert": "everyword.cli.convert:convert",
        "postprocess": "everyword.cli.spaces:postprocess",
        "merge": "everyword.cli.spaces:merge",
        "align": "everyword.cli.align:align",
        "alpha": "everyword.cli.alpha:alpha",
        "shrink": "everyword.cli.shrink:shrink",
    },
}
COMMANDS = {name: target for commands in SECTIONS.values() for name, target in commands.items()}
OLD_NAMES = {
    "distil": "extract",
    "table": "compare",
    "attach": "add-vectors",
    "rarify": "rare-texts",
}


@click.group(
    "everyword",
    cls=LazyGroup,
    sections=SECTIONS,
    old_names=OLD_NAMES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="everyword", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """A good vector for every word and every text: typos, rare words, new words, names and slang.

    Results go to standard output, remarks to standard error. Exit codes: 0 for success, 2 for input that cannot be
    used, 1 for a failure of everyword itself, 130 after Ctrl-C.

    \b
    Examples:
      everyword nearest mispelling
      everyword search notes.txt "leukamia treatmnt"
      everyword encode leukamia covfefe > vectors.jsonl
      everyword train --help
    """
