"""Small sources of a vocabulary, each in the form of the real one."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from everyword.corpus.vocabulary.foreign import LANGUAGES
from everyword.corpus.vocabulary.sources import VocabularySources

LICENCE = "  1 This line stands for the licence, which begins with blanks.  \n"
Made = tuple[int, str, tuple[str, ...], tuple[tuple[str, int, str, str], ...], str]
"""Place, part of speech, words, pointers and gloss of a synset."""
SYNSETS: dict[str, list[Made]] = {
    "noun": [
        (100, "n", ("dog", "domestic_dog"), (), 'an animal that barks; a pet; "the dog barked"; "a dog is a friend"'),
        (200, "n", ("dog",), (), "a bad person"),
        (300, "n", ("heart_attack",), (), "a sudden illness of the heart"),
        (400, "n", ("heart",), (), "the organ that pumps blood"),
        (500, "n", ("attack",), (), "a fight that someone begins"),
        (600, "n", ("mouse",), (), "a small grey animal"),
        (700, "n", ("time",), (), "what clocks measure"),
        (800, "n", ("machine",), (), "a thing with moving parts"),
        (900, "n", ("learning",), (), "getting knowledge"),
        (950, "n", ("house", "home"), (), "a building in which people live"),
        (960, "n", ("guinea_pig",), (), "a small pet"),
        (970, "n", ("king",), (("!", 980, "n", "0101"),), "a man who reigns"),
        (980, "n", ("queen",), (("!", 970, "n", "0101"),), "a woman who reigns"),
    ],
    "verb": [(100, "v", ("weigh",), (), "find how heavy something is"), (200, "v", ("begin",), (), "start")],
    "adj": [
        (100, "a", ("alive(p)",), (("!", 200, "a", "0101"),), "living"),
        (200, "a", ("dead",), (("!", 100, "a", "0101"),), "not living"),
    ],
    "adv": [(100, "r", ("safely",), (), "without danger")],
}
FREQUENCIES = {
    **{"the": 7.7, "and": 7.4, "you": 7.3, "that": 7.1, "lot": 5.6, "dog": 5.1, "time": 6.2, "house": 5.5, "home": 5.7},
    **{"government": 5.4, "goverment": 2.66, "receive": 4.9, "recieve": 2.75, "heart": 5.2, "attack": 4.9, "mice": 3.9},
    **{"alive": 4.8, "tine": 1.7, "blockchain": 3.1, "alot": 3.9, "don't": 6.2, "dont": 4.6, "u.s": 5.3, "gr8": 2.1},
    **{"havel": 2.0, "governmant": 1.6, "sooooo": 2.9, "perro": 2.0, "machine": 5.0, "learning": 5.0, "chatbots": 2.4},
    **{
        "chatbot": 2.6,
        "city": 5.5,
        "weigh": 4.0,
        "safely": 4.2,
        "king": 5.2,
        "queen": 5.0,
        "0000": 5.0,
        "😂": 4.0,
        "привет": 2.0,
        "dead": 5.3,
    },
}
CORPUS = [
    "The dog had a heart attack when he saw Angela Merkel in New York.",
    "We know that machine learning is the heart of the city's new machine.",
    "In Prague the writer Havel met Angela Merkel and talked about machine learning.",
    "Angela Merkel (born 1954) is a German politician who was chancellor for a long time.",
    "Many saw how Havel wrote and Havel spoke, and Angela Merkel listened in New York.",
    "It was good that he met Angela Merkel again in New York, the city's heart.",
    "He thought that Angela Merkel liked machine learning and New York.",
]
FILLER = "It was there and then it was here again with them all."
SCOWL = {
    "english-words.35": "the dog time house city don't heart",
    "english-words.70": "alive eighth",
    "english-words.95": "tine dont",
}
GCIDE = "Tine \\Tine\\ (t[imac]n), n. [AS. tind.]\n   A tooth of a fork; a prong.\n   [1913 Webster]\n"


def write_wordnet(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, synsets in SYNSETS.items():
        places: dict[str, list[int]] = {}
        for place, _, words, _, _ in synsets:
            for word in words:
                places.setdefault(word.partition("(")[0].lower(), []).append(place)
        pos = synsets[0][1]
        index = [
            f"{word} {pos} {len(at)} 0 {len(at)} 0 {' '.join(f'{one:08d}' for one in at)}  \n"
            for word, at in places.items()
        ]
        (folder / f"data.{name}").write_text(LICENCE + "".join(_synset(*synset) for synset in synsets))
        (folder / f"index.{name}").write_text(LICENCE + "".join(index))
    for name, lines in {
        "noun": "mice mouse\n",
        "verb": "begun begin\n",
        "adj": "better good\n",
        "adv": "best well\n",
    }.items():
        (folder / f"{name}.exc").write_text(lines)
    (folder / "cntlist.rev").write_text("dog%1:05:00:: 1 42\ndog%2:38:00:: 1 2\n")
    return folder


def _synset(
    place: int, pos: str, words: Sequence[str], pointers: Sequence[tuple[str, int, str, str]], gloss: str
) -> str:
    spelt = " ".join(f"{word} 0" for word in words)
    led = " ".join(f"{symbol} {to:08d} {kind} {ends}" for symbol, to, kind, ends in pointers)
    supersense = 18 if "reigns" in gloss else 0
    return f"{place:08d} {supersense:02d} {pos} {len(words):02x} {spelt} {len(pointers):03d} {led} | {gloss}  \n"


def write_sources(folder: Path) -> VocabularySources:
    """Write all sources of a vocabulary."""
    foreign = folder / "foreign"
    for code in LANGUAGES:
        _rows(foreign / "freq" / f"{code}.tsv.gz", "word\tzipf", ["zzz\t5.0"])
        _rows(foreign / "dict" / "wiktionary" / f"en-{code}.tsv.gz", "english\tpos\ttranslation", ["dog\tn\tzzz"])
    german = [
        "hund\t5.0",
        "hunde\t4.5",
        "haus\t5.5",
        "häuser\t5.1",
        "time\t4.0",
        "katzen\t4.0",
        "prag\t4.2",
        "leben\t5.1",
        "villen\t3.0",
        "strasse\t5.0",
    ]
    _rows(foreign / "freq" / "de.tsv.gz", "word\tzipf", german)
    pairs = [
        "dog\tn\tHund",
        "house\tn\tHaus",
        "home\tn\tHaus",
        "home\tn\tHeim",
        "time\tn\tTime",
        "alive\tadj\tLeben",
        "house\tn\tVilla",
        "city\tn\tStraße",
    ]
    _rows(foreign / "dict" / "wiktionary" / "en-de.tsv.gz", "english\tpos\ttranslation", pairs)
    _rows(foreign / "freq" / "es.tsv.gz", "word\tzipf", ["perro\t4.9", "hund\t2.0"])
    _rows(foreign / "dict" / "wiktionary" / "en-es.tsv.gz", "english\tpos\ttranslation", ["dog\tn\tperro"])
    _rows(foreign / "dict" / "xling" / "en-de" / "test.tsv", "source\ttarget", ["alive\tlebendig", "villas\tVillen"])
    _rows(foreign / "dict" / "xling" / "en-de" / "train5k.tsv", "source\ttarget", ["house\tHaus"])
    trees = [f"1\t{form}\t{lemma}\tNOUN" + "\t_" * 6 for form, lemma in (("Häuser", "Haus"), ("Villen", "Villa"))]
    _rows(foreign / "ud" / "German-GSD" / "dev.conllu.gz", "# text", trees)
    forms = [f"train\tTag{letter}\tTag{letter}e\tN;PL" for letter in "abcd"]
    _rows(folder / "paradigms" / "german.tsv.gz", "split\tlemma\tform\tfeatures", forms)

    names = folder / "names"
    _rows(names / "cities.tsv.gz", "name\tcountry\tpopulation", ["New York\tUS\t8000000"])
    _rows(names / "countries.tsv", "name\tiso2\tiso3\tcapital\tpopulation", ["Germany\tDE\tDEU\tBerlin\t83000000"])
    _rows(names / "us_census1990.tsv.gz", "kind\tname\tpercent\trank", ["last\tHavel\t0.001\t9000"])
    _rows(names / "fortune500.tsv", "company\tfirst_year", ["General Motors Corp.\t1955"])

    scowl = folder / "scowl"
    scowl.mkdir()
    for name, words in SCOWL.items():
        (scowl / name).write_text("".join(word + "\n" for word in words.split()))
    (folder / "en.aff").write_text("SET UTF-8\n")
    (folder / "en.dic").write_text("2\ngovernment\nreceive\n")
    (folder / "gcide.dict").write_text(GCIDE)
    (folder / "tweets.conll").write_text("thx\tthanks\nluv\tlove\ntime\tthyme\ngr8\tgreat\n" * 3)
    corpus = folder / "corpus.txt"
    corpus.write_text("".join(line + "\n" for line in CORPUS * 4 + [FILLER] * 200), encoding="utf-8")
    return VocabularySources(
        corpus=[corpus],
        frequencies=_rows(folder / "frequencies.tsv", "word\tzipf", [f"{w}\t{z}" for w, z in FREQUENCIES.items()]),
        wordnet=write_wordnet(folder / "wordnet"),
        gcide=folder / "gcide.dict",
        scowl=scowl,
        hunspell=[folder / "en.dic"],
        names=names,
        misspellings=_rows(folder / "wrong.tsv", "wrong\tright", ["recieve\treceive", "alot\ta lot"]),
        verbs=_rows(folder / "verbs.tsv", "lemma\tform\tfeatures", ["weigh\tweighed\tV;PST"]),
        slang=folder / "tweets.conll",
        paraphrases=_rows(
            folder / "ppdb.tsv",
            "relation\tword1\tword2",
            ["synonym\thome\thouse", "antonym\talive\tdead", "antonym\tqueen\tking"],
        ),
        glossary=_rows(
            folder / "glossary.tsv", "term\tdefinition", ["c#\ta programming language", "machine code\tnumbers"]
        ),
        foreign=foreign,
        paradigms=folder / "paradigms",
    )


def _rows(path: Path, header: str, rows: Sequence[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(row + "\n" for row in (header, *rows)).encode("utf-8")
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path
