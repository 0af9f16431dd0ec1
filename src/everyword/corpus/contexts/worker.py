"""The tasks of workers: each takes a few small values, reads everything else from disk and can safely run twice."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from everyword.corpus.contexts.bottom_k import rows_of
from everyword.corpus.contexts.parts import PARTIAL, MergedRows, PartMerger, fold, move_part, write_scan_result
from everyword.corpus.contexts.scan import Scan, ScanResult
from everyword.corpus.contexts.shards import Shard, read_blocks
from everyword.corpus.contexts.spec import SearchSpec, load_spec
from everyword.corpus.contexts.word_matcher import WordMatcher

CHARACTERS_PER_PART = 1 << 25
"""How much text is held in memory."""
PARTS_AT_ONCE = 16
"""How many parts are merged at once; more are merged in rounds."""


def scan_shard(folder: Path, fingerprint: str, shard: Shard) -> str:
    """Scan a shard, write its part and return the name of the part."""
    target = folder / shard.name
    if target.is_dir():  # made by a worker that died before it could say so
        return shard.name
    spec, matcher = load_spec(folder, fingerprint)
    rows, most = len(matcher.spellings), spec.options.sentences
    scratch = Path(tempfile.mkdtemp(prefix=target.name + PARTIAL, dir=folder))
    try:
        written: list[Path] = []
        for number, result in enumerate(_scan(shard, spec, matcher)):
            if len(written) == PARTS_AT_ONCE:
                fold(written, scratch / f"folded-{number}", rows, most)
                for path in written:
                    shutil.rmtree(path)
                written = [scratch / f"folded-{number}"]
            written.append(scratch / str(number))
            write_scan_result(written[-1], result)
        if len(written) > 1:
            fold(written, target, rows, most)
        else:
            move_part(written[0], target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return shard.name


def fold_parts(folder: Path, fingerprint: str, names: tuple[str, ...], target: str) -> str:
    """Merge several parts into one and return its name; the old ones stay until the search is complete."""
    spec, matcher = load_spec(folder, fingerprint)
    fold([folder / name for name in names], folder / target, len(matcher.spellings), spec.options.sentences)
    return target


def write_rows(folder: Path, fingerprint: str, names: tuple[str, ...], rows: range, path: Path) -> str:
    """Write the JSON lines of a range of words, from all parts, without the words themselves, and return the path."""
    spec, _ = load_spec(folder, fingerprint)
    merger = PartMerger([folder / name for name in names], spec.options.sentences)
    with path.open("wb") as file:
        for merged in merger.read(rows):
            file.writelines(_lines(spec, merged, merger.texts(merged.sentences)))
    return str(path)


def _scan(shard: Shard, spec: SearchSpec, matcher: WordMatcher) -> Iterator[ScanResult]:
    scan = Scan(matcher, spec.options.sentences, spec.options.bounds)
    for block in read_blocks(shard, spec.options.text_field):
        scan.add(block)
        if scan.characters >= CHARACTERS_PER_PART:
            yield scan.finish()
            scan = Scan(matcher, spec.options.sentences, spec.options.bounds)
    yield scan.finish()


def _lines(spec: SearchSpec, merged: MergedRows, texts: Sequence[bytes]) -> Iterator[bytes]:
    ends = np.searchsorted(rows_of(merged.keys), np.array(merged.rows), side="right").tolist()
    start = 0
    for count, end in zip(merged.counts.tolist(), ends, strict=True):
        head = f'"count": {count}, "band": "{spec.options.bands.of(count)}", "sentences": ['
        yield head.encode() + b", ".join(texts[start:end]) + b"]}\n"
        start = end
