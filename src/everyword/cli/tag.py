"""everyword tag: the tags of words in texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.streams import Words, batches, text_file
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.systems.taggers.saved import TaggedText

TEXTS_AT_ONCE = 512


@click.command()
@click.argument("tagger", type=options.PATH)
@click.argument("texts", nargs=-1)
@click.option("--input", "input_path", type=text_file, metavar="FILE", help="File to read texts from, one per line.")
@options.text(
    "--vectors", "NAME_OR_FILE", "Where the tagger's vectors are now, if they were moved; repeatable.", multiple=True
)
@options.json_lines
@options.device
def tag(
    *,
    tagger: Path,
    texts: tuple[str, ...],
    input_path: Path | None,
    vectors: tuple[str, ...],
    as_json: bool,
    device: str,
) -> None:
    """Tag the words of texts.

    TAGGER is a folder that `everyword train tagger` saved. Texts are arguments, or lines of --input or standard input.
    Below each text are the spans that its tags mark, or every word if tags mark no spans, with the label and how
    probable it is. With --json, a line has the tokens, tags, confidences and spans of a text.

    \b
    Examples:
      everyword tag ner "Angela Merkl flew to Strassburg"
      everyword tag ner --input news.txt --json > tagged.jsonl
      cat news.txt | everyword tag ner
    """
    source = Words(texts, input_path)
    require("torch", "Tagging")
    from everyword.learning.device import pick_device
    from everyword.systems.taggers.saved import load_tagger, tag_texts

    loaded = load_tagger(tagger, str(pick_device(device)), vectors or None)
    for batch in batches(source, TEXTS_AT_ONCE):
        for tagged in tag_texts(loaded, batch):
            click.echo(json.dumps(tagged.to_dict(), ensure_ascii=False) if as_json else _as_text(tagged))
    source.remark_blank()


def _as_text(tagged: TaggedText) -> str:
    if not tagged.spans:
        return f"{tagged.text}\n  (nothing is tagged)"
    wide = max(len(span.text) for span in tagged.spans)
    lines = [f"  {span.text:<{wide}}  {span.label}  {span.confidence:.2f}" for span in tagged.spans]
    return "\n".join([tagged.text, *lines])
