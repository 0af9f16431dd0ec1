"""Seeds that are texts: a few sound lines of every format, by target and name."""

from __future__ import annotations

import json
from typing import Any


def table(*rows: str) -> str:
    """Rows with tabs where bars stand."""
    return "".join(row.replace("|", "\t") + "\n" for row in rows)


def json_lines(*records: Any) -> str:
    """One JSON value per line."""
    return "".join(json.dumps(record) + "\n" for record in records)


CONLLU = table(
    "# sent_id = 1",
    "1-2|It's|_|_|_|_|_|_|_|_",
    "1|It|it|PRON|PRP|Case=Nom|2|nsubj|_|SpaceAfter=No",
    "2|sleeps|sleep|VERB|VBZ|_|0|root|_|_",
    "2.1|_|_|_|_|_|_|_|_|_",
    "3|.|.|PUNCT|.|_|2|punct|_|_",
)
PENN = "(S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *))))"
MENTIONS = [
    {"doc": name, "sentences": [["Ada", "met", "Bob", "."], ["She", "left"]], "mentions": [["1", 0, 0], ["1", 4, 4]]}
    for name in ("a", "b", "c")
]
ROLES = {"tokens": ["Ada", "met", "Bob"], "predicates": [{"index": 1, "tags": ["B-ARG0", "B-V", "B-ARG1"]}]}
CHIMERA = {"length": 2, "split": "test", "sentences": ["a ___ b"], "probes": ["x", "y"], "scores": [1, 2.5]}
RARE = {
    "text": "A feline sat.",
    "label": "1",
    "original": "A cat sat.",
    "replaced": [{"word": "cat", "by": "feline", "kind": "synonym", "count": 3}],
}
SYNSET = '00000002 05 n 02 cat 0 true_cat 0 001 @ 00000001 n 0000 | feline mammal; "cats purr"  '
INDEX = "cat n 1 1 @ 1 1 00000002  \nentity n 1 0 1 0 00000001  \n"
TOP = "00000001 03 n 01 entity 0 000 | that which is  "
PROBE = {
    **{"schema": 1, "probe": "tree", "version": 1, "question": "Is it?", "model": "m", "model_sha256": None},
    **{"policy": "pieces", "dim": 2, "layer": None, "data": ["x"], "data_sha256": "0", "seed": 0, "quick": False},
    **{"metric": "accuracy", "value": 50.0, "interval": [40.0, 60.0], "n": 2, "controls": {"majority": 50.0}},
    **{"parts": {}, "seconds": 0.1, "versions": {}, "details": {"NN": {"accuracy": 1.0, "n": 2}}},
    "items": {"score": [1, 0], "word": ["a", "b"], "gold": ["NN", "DT"], "predicted": ["NN", "NN"], "group": [0, 1]},
}
RESULT = {
    **dict.fromkeys(["task", "data", "data_place", "data_sha256", "model", "policy"], "x"),
    **dict.fromkeys(["version", "candidates", "seed", "seeds", "n", "known"], 1),
    **{"schema": 1, "data_expected": True, "model_sha256": None, "main": "score", "scores": {"score": 0.5}},
    **{"spread": {}, "sections": {}, "versions": {}, "coverage": 1.0, "encode_seconds": 0.1, "score_seconds": 0.1},
}
PLAN = {
    "format": "everyword-embedding.v1",
    "model": {"name": "m", "fingerprint": "0", "dim": 2},
    "options": {"column": "text", "keep": ["id"], "format": "parquet", "rows_per_part": 2},
    "rows": 3,
    "inputs": [
        {
            "location": "x.csv",
            "identity": {"bytes": 9, "modified": 1, "checksum": "0"},
            "survey": {"rows": 3, "marks": [5], "step": 8, "columns": ["id", "text"], "whole_numbers": [True]},
        }
    ],
}
STUDY = """kind = "tables"
name = "x"
title = "X"
source = "nobody"
columns = ["similarity/ws353"]

[[variants]]
label = "a"
make = "train static word2vec"
paper = { "similarity/ws353" = 50.0 }

[[claims]]
text = "a is best"
better = "a"
than = ["b"]
on = "similarity/ws353"
"""
RECIPE = 'extends = "love"\nname = "mine"\n\n[training]\nepochs = 3\nlearning_rate = 1e-3\n'
TEXTS: dict[str, dict[str, str]] = {
    "tagged_sentences": {
        "spans": table("Ada|B-PER", "Lovelace|I-PER", "left|O", "", "Bob|B-PER", ".|O"),
        "columns": "Ada NNP B-PER\nleft VBD O\n",
    },
    "treebank": {
        "sentence": CONLLU + "\n" + CONLLU,
        "circle": table("1|a|a|X|X|_|2|x|_|_", "2|b|b|X|X|_|1|x|_|_"),
    },
    "trees": {
        "penn": table("file|tree", f"a|{PENN}", f"b|{PENN}", f"c|({PENN})"),
        "sentiment": "(3 (2 It) (4 (2 is) (4 great)))\n(2 8 1/2)\n",
        "label_of_many_digits": f"({'1' * 4000} (2 It) (2 is))\n",
        "word_without_tag": table("file|tree", f"a|(S {'x' * 3000} y)"),
    },
    "annotations": {
        "mentions": json_lines(*MENTIONS),
        "roles": json_lines(ROLES),
        "chimeras": json_lines(CHIMERA),
        "rare_texts": json_lines(RARE),
    },
    "labelled_texts": {
        "one_label": table("label|text", "1|It sat.", "0|It ran."),
        "several": table("labels|title|text", "a,b|A|It sat.").replace(",", "|"),
        "pairs": table("label|premise|hypothesis", "entailment|A cat sat.|A cat sat down."),
        "scored": table("sentence1|sentence2|score", "a b|a c|2.5", "d|e|0"),
        "rewrites": table("direction|source|rewrite", "positive to negative|It is good.|It is bad."),
    },
    "word_lists": {
        "dictionary": table("english|pos|translation", "the|det|der", "house|noun|Haus"),
        "frequencies": table("word|zipf", "the|7.7", "house|5.1"),
        "scores": table("name|score|words", "a|50.5|1000", "b|60.5|2000", "c|70|4000", "d|71|9000"),
    },
    "attributes": {
        "lexicon": table("cat|noun.animal feline", "of|"),
        "senses": table(
            "word|pos|sense_rank|supersense|hypernym1|hypernym2|hypernym3", "cat|n|1|noun.animal|feline|carnivore|-"
        ),
        "no_rank": table(
            "word|pos|sense_rank|supersense|hypernym1|hypernym2|hypernym3", "cat|n|first|noun.animal|feline|-|-"
        ),
    },
    "wordnet": {
        "nouns": "\0".join((f"  1 a license\n{TOP}\n{SYNSET}\n", INDEX, "oxen ox\n", "cat%1:05:00:: 1 18\n")),
        "circle": "\0".join((SYNSET.replace("00000001", "00000002") + "\n", INDEX.splitlines()[0] + "\n")),
        "sense_that_is_not_there": "\0".join((TOP + "\n", INDEX)),
        "sense_above_of_another_part": "\0".join((f"{TOP}\n{SYNSET.replace(' n 0000', ' @ 0000')}\n", INDEX)),
        "count_without_number": "\0".join((TOP + "\n", INDEX.splitlines()[1] + "\n", "\nox\n", "cat%9 1 x\n\n")),
    },
    "names": {
        "people": table("kind|name|percent", "female|Ada|0.5", "last|Smith|1.0"),
        "companies": table("company", "Acme Corp.", "Globex"),
    },
    "task_data": {
        "similarity": table("word1|word2|score", "cat|dog|7.5", "cat|car|1"),
        "analogy": table("section|a|b|c|d", "family|man|woman|king|queen"),
        "clustering": table("word|category", "cat|animal", "car|thing"),
        "misspelling": table("wrong|right", "caat|cat"),
        "kinds": table("kind|token|accept", "long|cats|cat,dog"),
        "look_alikes": table("word|related|lookalike|frequency|likeness", "cat|feline|car|frequent|prefix"),
        "bands": table("band|word|relatives", "1-20|cat|cats,catty"),
        "hypernyms": table("word|pos|sense_rank|supersense|hypernym1", "cat|n|1|noun.animal|feline"),
        "nonce": table("split|word|definition", "test|cat|a ___ is an animal"),
        "specificity": table("score|binary|text", "1.5|0|It sat.", "2|1|The cat sat on it."),
        "compounds": table("modifier|head|score|set", "house|cat|4.5|a", "hot|dog|1|a"),
        "phrases": table("term1|term2|score", "old cat|cat|0.5", "a|b|1"),
        "inference": table("label|premise|hypothesis|category", "entailment|a b|a|same", "non-entailment|a|b|same"),
        "associations": table("test|part|group|word", "people|target1|group|cat"),
        "translation": table("source|target", "cat|Katze"),
    },
    "columns": {
        "text": "\0first\nsecond\n\n",
        "json": "\1" + json_lines({"text": "first", "id": 1}, {"text": "\ud83d\ude00", "id": None}),
        "csv": '\2id,text\n1,"a, ""b"""\n2,c\n',
        "tsv": "\3" + table("id|text", "1|a", "2|b"),
        "no_columns": '\2"' + "a line\n" * 500,
    },
    "embedding_plan": {"plan": json.dumps(PLAN)},
    "probe_result": {"probe": json.dumps(PROBE)},
    "item_results": {
        name: json.dumps(RESULT | {"items": items})
        for name, items in {
            "right": {"right": [1, 0, 1]},
            "rank": {"rank": [1, 0, 3]},
            "closeness": {"closeness": [0.5, 0.1, 0.2], "judgement": [3, 1, 2]},
            "judgement_too_many": {"closeness": [0.5, 0.1, 0.2], "judgement": [3, 1, 2, 4]},
        }.items()
    },
    "study": {
        "study": STUDY,
        "recipe": RECIPE,
        "brackets": f"columns = {'[' * 4000}",
    },
    "expression": {"expression": "(rose | 'red flower') & ~colour - x"},
    "spelling_lists": {
        "hunspell": "2\ncat/S\nhappy/U\n\0SFX S Y 1\nSFX S 0 s [^sy]\nPFX U Y 1\nPFX U 0 un .\n",
        "condition_without_end": "1\ncat/S\n\0SFX S Y 1\nSFX S 0 s [^sy\n",
        "condition_of_falling_letters": "1\ncat/S\n\0SFX S Y 1\nSFX S 0 s [z-a]\n",
        "condition_that_never_ends": f"1\n{'a' * 60}b/S\n\0SFX S Y 1\nSFX S 0 s (a+)+c\n",
        "gcide": 'Cat \\Cat\\ (k[a^]t), n. [AS. cat.] (Zool.)\n   1. An animal of {Felid[ae]}; as, "a cat".\n',
    },
    "space_lexicon": {
        "lexicon": "\0".join(
            (
                table("word|zipf", "cat|5", "animal|4"),
                table("phrase|zipf", "house cat|3"),
                table("word|languages|zipf|translations", "Katze|de|4|cat=1;animal=0.5"),
                table("term|definition|kind", "cat|animal|glossary"),
                table("form|lemma", "cats|cat"),
                table("word|other|kind", "cat|animal|synonym"),
            )
        ),
    },
    "context_pair": {
        "pair": json.dumps({"counts": [2, 1], "biases": None, "model": "negative-sampling", "power": 0.75}),
    },
    "checkpoint": {"log": json_lines({"stage": "", "epoch": 1, "loss": 0.5}, {"stage": "", "epoch": 2})},
}
"""By target, and by the name of the seed."""
