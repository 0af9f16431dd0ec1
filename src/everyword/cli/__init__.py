"""The shell: one file per command, thin; `main` is the command `everyword` itself.

Read in order: `commands` lists all commands; `common/` has what they share (groups, options, checks, streams, errors,
output). To use a model: `nearest`, `encode`, `embed`, `search`, `tag`, `classify`, `correct`, `similarity`, `explain`,
`serve`, `export`, `info`, `list`. To make one: `adapt` (with add-vectors), `train/`. Language models: `robustify`,
`extract`, `contexts`, `attributes`, `bertram/`. To evaluate: `evaluate` (with compare), `compare_results`,
`by_resource`, `language_distance`, `probe`, `components`, `plot`, `cloze`, `rare_texts`, `attack`, `corrupt`,
`reproduce/`. Vector files: `convert`, `spaces` (postprocess and merge), `align`, `alpha`, `shrink`.
"""

from __future__ import annotations

from everyword.cli.commands import main

__all__ = ["main"]
