"""Read GCIDE, the Collaborative International Dictionary of English, as dictd stores it: one text with all entries.

An entry begins at the left margin with its headword and, between backslashes, its pronunciation. Its senses follow,
numbered if there are several, then phrases with their own definitions in paragraphs such as `{Latter harvest}, the
last part of the harvest`. Quotations stand further to the right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from everyword.vectors.input_file import DAMAGE, InputFile, damaged

HEADWORD = re.compile(r"^([^\s\\{\[(][^\\]*?) ?\\")
SENSE = re.compile(r"^\s{3,6}(?:\d+\.\s|\([a-z]\)\s|Note:|Syn:|Usage:)")
"""How a new sense or remark begins."""
REMARK = ("Note:", "Syn:", "Usage:")
PHRASE = re.compile(r"^\{([^{}]+)\}(.*)$")
QUOTATION_INDENT = 9
MARKS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", ",": "\u0327"}
ACCENTED = re.compile(r"\[(['`\"^~,])([a-zA-Z])\]")
UMLAUT = re.compile(r"\[([aou])um\]")
LIGATURE = re.compile(r"\[([ao]e|AE|OE)\]")
BRACKETED = re.compile(r"\[[^\[\]]*\]|\\[^\\]*\\")
"""Etymologies, sources and marks such as [Obs.]; pronunciations."""
PART = r"(?:n|v|a|p|pl|adv|adj|prep|conj|interj|pron|imp|pr|vb|t|i|sing|compar|superl|fem|masc|prop)\."
GRAMMAR = re.compile(rf"^[\s,;:.]*(?:\([^()]*\)[\s,;:]*)*(?:{PART}[\s,;:&]*)+")
FIELD = re.compile(r"\((?:[A-Z][\w&.,' ]*\.|[a-z])\)")
"""Marks such as (Zool.) or (a)."""
TAIL = re.compile(
    r"""(?x) \s* (?: [;:,]?\s--\s?.* | \s"[^"]*"\s*(?:--.*)?$ | [;:,]\sas,\s.* | \.?\s?\bSee\s(?:also\s)?[A-Z{"'].*
    | [;:,.]?\s\bCf\.\s.* | [;.,]?\s(?:C|c)alled\salso\b.* )$"""
)
"""What follows a definition: authors, quotations, examples and references."""
MAY_HAVE_TAIL = re.compile(r'--|"|\bas,|\bSee\b|\bCf\.|alled also')
OBSOLETE = re.compile(r"\[(?:Obs|R|Archaic|Prov|Scot)\b")
LEAD = re.compile(r"^(?:Hence|Specifically|Also|Sometimes|Now|Formerly)[,:]+ |^or [\w' -]{1,30}, |^\([^()]*\),? ")
"""What precedes a definition: "or Grass wrack, eelgrass"."""
REFERENCE = re.compile(r"^(?:See|(?:\w+ )?Same as|Cf\.|Of|imp\. of|p\. p\. of|pl\. of)\b")
SHORTEST = 8
"""Characters of a definition that says anything."""


class Definition(NamedTuple):
    """One sense of a headword or of a phrase under it."""

    term: str
    text: str


def read_gcide(path: Path) -> Iterator[Definition]:
    """Yield definitions in the order of the dictionary, without senses that it calls obsolete or rare.

    The file is `gcide.dict.dz`, or the same text unpacked.
    """
    chunk: list[str] = []
    term = ""
    for line in _lines(path):
        head = HEADWORD.match(line)
        if head or SENSE.match(line) or not line.strip():
            yield from _definition(term, chunk)
            chunk = [line] if line.strip() else []
            term = _spelt(head[1]) if head else term
        elif line.startswith(" ") and len(line) - len(line.lstrip()) < QUOTATION_INDENT:
            chunk.append(line)
    yield from _definition(term, chunk)


def _lines(path: Path) -> Iterator[str]:
    source = InputFile(path)
    try:
        for raw in source.open():
            yield raw.decode("utf-8", "replace").rstrip("\r\n")
    except DAMAGE as error:
        raise damaged(path, error) from error
    finally:
        source.close()


def _definition(term: str, chunk: list[str]) -> Iterator[Definition]:
    text = " ".join(line.strip() for line in chunk)
    if not text or text.startswith(REMARK) or OBSOLETE.search(text):
        return
    phrase = PHRASE.match(text)
    if phrase:
        term, text = _spelt(phrase[1]), phrase[2]
    elif head := HEADWORD.match(chunk[0]):
        text = text[len(head[1]) :]
    cleaned = _cleaned(text, has_grammar=phrase is None and HEADWORD.match(chunk[0]) is not None)
    if len(cleaned) >= SHORTEST and not REFERENCE.match(cleaned):
        yield Definition(term, cleaned)


def _cleaned(text: str, has_grammar: bool) -> str:
    text = _letters(text)
    while (shorter := BRACKETED.sub(" ", text)) != text:
        text = shorter
    text = re.sub(r"\[.*|^[^\[]*\]", "", text)  # half a bracket
    if has_grammar:
        text = GRAMMAR.sub("", text.strip())
    text = FIELD.sub(" ", re.sub(r"^\s*\d+\.\s", "", text))
    text = " ".join(text.replace("{", "").replace("}", "").split())
    while MAY_HAVE_TAIL.search(text) and (shorter := TAIL.sub("", text)) != text:
        text = shorter
    return LEAD.sub("", re.sub(r"\s+([,.;:])", r"\1", text)).strip(" ,.;:-")


def _letters(text: str) -> str:
    """Write accented letters and ligatures as letters."""
    text = UMLAUT.sub(lambda found: found[1] + "\u0308", LIGATURE.sub(r"\1", text))
    text = ACCENTED.sub(lambda found: found[2] + MARKS[found[1]], text)
    return unicodedata.normalize("NFC", text)


def _spelt(headword: str) -> str:
    return " ".join(BRACKETED.sub("", _letters(headword)).split()).strip(" ,;.")
