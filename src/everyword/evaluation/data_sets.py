"""The public data sets: what each is, where it comes from, under which terms, and the checksum of our copy.

None is shipped: their licences vary, and many have none. `catalogue` finds them on this machine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DataSet:
    """A public data set and the copy of it that our scores are made with."""

    name: str
    kind: str
    path: str
    """Where it lies in a data folder."""
    items: int
    sha256: str
    source: str
    """The official place, or where it can be had if that is gone."""
    citation: str
    license: str
    """As far as known."""
    parts: tuple[str, ...] = ()
    """The files of a set that is a folder; its checksum is that of their checksums."""
    part_of: str | None = None
    """The set that holds all its items, so that no mean counts them twice."""
    gensim: tuple[str, str] | None = None
    """The file among gensim's test data, and its checksum."""


COLUMNS = {
    "similarity": "word1, word2, score",
    "clustering": "word, category",
    "analogy": "section, a, b, c, d",
    "relation": "section, a, b, c, d",
    "misspelling": "wrong, right",
    "classification": "label, text",
    "tagging": "token, …, tag (CoNLL, no header)",
    "pos": "token, part of speech (CoNLL, no header)",
    "context-similarity": "word1, word2, score; and word, sentences (one JSON object a line)",
    "nonce": "split, word, definition",
    "chimera": "length, split, sentences, probes, scores (one JSON object a line)",
}
_FARUQUI = "copy of https://github.com/mfaruqui/eval-word-vectors (MIT); the set is free for research"
_VECTO = "https://github.com/vecto-ai/word-benchmarks"

DATA_SETS = (
    DataSet(
        name="rareword",
        kind="similarity",
        path="similarity/rareword.tsv",
        items=2034,
        sha256="f6808a8acfabfc1ef0714b8e3772a62a900a683569f97e6f1975150786829431",
        source="https://nlp.stanford.edu/~lmthang/morphoNLM/",
        citation="Luong, Socher and Manning, CoNLL 2013",
        license=_FARUQUI,
    ),
    DataSet(
        name="men3000",
        kind="similarity",
        path="similarity/men3000.tsv",
        items=3000,
        sha256="0d3661df69b865231a90f1823a96596c1053bcb7ea40666cfe8f3b02b09c5179",
        source="https://staff.fnwi.uva.nl/e.bruni/MEN",
        citation="Bruni, Tran and Baroni, JAIR 2014",
        license="CC BY 2.0 by its authors' word; " + _FARUQUI,
    ),
    DataSet(
        name="simlex999",
        kind="similarity",
        path="similarity/simlex999.tsv",
        items=999,
        sha256="505c3d9baed1c5e7a3ba36e9519f41127db38bd35f7afb442f1d02ebe76733da",
        source="https://fh295.github.io/simlex.html",
        citation="Hill, Reichart and Korhonen, Computational Linguistics 2015",
        license=_FARUQUI,
        gensim=("simlex999.txt", "d5e0501971478a511430ee880bd0121e94ac701ba86d90544d83e6d2ba3db05d"),
    ),
    DataSet(
        name="simverb3500",
        kind="similarity",
        path="similarity/simverb3500.tsv",
        items=3500,
        sha256="6c5a310bf5b25b7064bb9b84f5f5a6e24749b10339a88dc199167130e387fad6",
        source="http://people.ds.cam.ac.uk/dsg40/simverb.html",
        citation="Gerz, Vulić, Hill, Reichart and Korhonen, EMNLP 2016",
        license=_FARUQUI,
    ),
    DataSet(
        name="mturk771",
        kind="similarity",
        path="similarity/mturk771.tsv",
        items=771,
        sha256="b8e230dff754e0d5239ebddd79140549ab25f7646be4f39e892f681661ec3cb0",
        source="http://www2.mta.ac.il/~gideon/mturk771.html",
        citation="Halawi, Dror, Gabrilovich and Koren, KDD 2012",
        license=_FARUQUI,
    ),
    DataSet(
        name="wordsim353",
        kind="similarity",
        path="similarity/wordsim353.tsv",
        items=353,
        sha256="989786c1800bfb98fe65e534729ed699000cf76cb06ad84f477c4218ae75ecd7",
        source="http://www.cs.technion.ac.il/~gabr/resources/data/wordsim353/",
        citation="Finkelstein et al., ACM Transactions on Information Systems 2002",
        license=_FARUQUI,
        gensim=("wordsim353.tsv", "f92a022fc2537793a15bc3a8c162ebcd74990e033a228bb6388cb71e4c0b1e1d"),
    ),
    DataSet(
        name="wordsim353_rel",
        kind="similarity",
        path="similarity/wordsim353_rel.tsv",
        items=252,
        sha256="1f19149606e19d081a2f5a2c2011c5b0f5b9b6c3e20fd7e94e5cb0f3a66bac3e",
        source="http://alfonseca.org/eng/research/wordsim353.html",
        citation="Agirre et al., NAACL 2009",
        license=_FARUQUI,
        part_of="wordsim353",
    ),
    DataSet(
        name="wordsim353_sim",
        kind="similarity",
        path="similarity/wordsim353_sim.tsv",
        items=203,
        sha256="200d09318fe4b06b38b90484ca281c94cd51d7ecbe67bf5a06b4e99b7844b52d",
        source="http://alfonseca.org/eng/research/wordsim353.html",
        citation="Agirre et al., NAACL 2009",
        license=_FARUQUI,
        part_of="wordsim353",
    ),
    DataSet(
        name="crw_dev",
        kind="similarity",
        path="rare/crw_dev.tsv",
        items=550,
        sha256="a47c45be3c385801a0d454f367c0d99a0c63f095a16cb67ea106898c38eb5b00",
        source="https://github.com/timoschick/form-context-model",
        citation="Khodak et al., ACL 2018, in the selection of Schick and Schütze",
        license="Apache-2.0 (repository)",
        part_of="rareword",
    ),
    DataSet(
        name="ap",
        kind="clustering",
        path="clustering/ap.tsv",
        items=402,
        sha256="ebf70d7d29d09f84b31832eff41dacc85354ebeec66bd0cfb7af4908f3fd02a4",
        source=_VECTO,
        citation="Almuhareb and Poesio; Almuhareb's thesis, University of Essex 2006",
        license="none stated",
    ),
    DataSet(
        name="bless",
        kind="clustering",
        path="clustering/bless.tsv",
        items=200,
        sha256="11c514274edb2913389db64f8edf503d198856d27bb5520c419add4ac1d15c3f",
        source=_VECTO,
        citation="Baroni and Lenci, GEMS 2011",
        license="none stated",
    ),
    DataSet(
        name="google",
        kind="analogy",
        path="analogy/google.tsv",
        items=19544,
        sha256="c4077e97ce40ea553d928e3b0ae6e46b4d7fce051a2f796786fa9322c768082c",
        source="https://github.com/tmikolov/word2vec (questions-words.txt)",
        citation="Mikolov, Chen, Corrado and Dean, ICLR workshop 2013",
        license="Apache-2.0 (word2vec)",
        gensim=("questions-words.txt", "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36"),
    ),
    DataSet(
        name="msr",
        kind="analogy",
        path="analogy/msr.tsv",
        items=8000,
        sha256="fee77df0f7ab088d9e4abadbfaf8fd2ed79f7fe16f4ae2c6a28eb0913bbce172",
        source=_VECTO,
        citation="Mikolov, Yih and Zweig, NAACL 2013",
        license="none stated",
    ),
    DataSet(
        name="semeval2012",
        kind="relation",
        path="analogy/semeval2012.tsv",
        items=10014,
        sha256="6fbf70fc1f2c8126278e3e11e2b06c7ff3310a9c067fd004fe70b2380bc33291",
        source=_VECTO,
        citation="Jurgens, Mohammad, Turney and Holyoak, SemEval 2012",
        license="none stated",
    ),
    DataSet(
        name="wikipedia",
        kind="misspelling",
        path="misspelling/wikipedia.tsv",
        items=2439,
        sha256="cea2666ba6fec178419597b1811e099adea9e71f382017c1c1bd8df90d97bdd6",
        source="https://github.com/TheoSeo93/English_Common_Misspellings",
        citation="Wikipedia's common misspellings, prepared by R. Mitton",
        license="repository MIT; Wikipedia text CC BY-SA",
    ),
    DataSet(
        name="codespell",
        kind="misspelling",
        path="misspelling/codespell.tsv.gz",
        items=58805,
        sha256="5163091c2bdaac9e1de0598341d4e73c6dba4911d8c93ee1847421e4e6d569ab",
        source="https://github.com/codespell-project/codespell (dictionary.txt)",
        citation="the authors of codespell",
        license="CC BY-SA 3.0",
    ),
    DataSet(
        name="sst2",
        kind="classification",
        path="classification/sst2",
        parts=("train.tsv", "dev.tsv", "test.tsv"),
        items=9613,
        sha256="e46035519379b886fbc3cdec0167a84a047d45cc5677cae78b2b6d3ab8335c29",
        source="https://nlp.stanford.edu/sentiment/ (binary, sentences)",
        citation="Socher and others, EMNLP 2013",
        license="none stated; copy in https://github.com/tigerchen52/LOVE (MIT)",
    ),
    DataSet(
        name="mr",
        kind="classification",
        path="classification/mr.tsv.gz",
        items=10662,
        sha256="6b08e63d7ad28612db6c22dc376813799bc28fb6715a73a5c551a16dc45e65e4",
        source="https://www.cs.cornell.edu/people/pabo/movie-review-data/",
        citation="Pang and Lee, ACL 2005",
        license="free for research",
    ),
    DataSet(
        name="conll2003",
        kind="tagging",
        path="tagging/conll2003",
        parts=("train.conll.gz", "dev.conll.gz", "test.conll.gz"),
        items=20744,
        sha256="d40372bb71bab921d377db02f773a003b805a940ce9a0ccfeee3b2c3f8df9045",
        source="https://www.clips.uantwerpen.be/conll2003/ner/",
        citation="Tjong Kim Sang and De Meulder, CoNLL 2003",
        license="Reuters text, research use only",
    ),
    DataSet(
        name="bc2gm",
        kind="tagging",
        path="tagging/bc2gm",
        parts=("train.conll.gz", "dev.conll.gz", "test.conll.gz"),
        items=20131,
        sha256="2f53b44f37b37bfab71ae6b6eb53cd0332bda2b569843c26e1abf327639a603f",
        source="https://github.com/cambridgeltl/MTL-Bioinformatics-2016",
        citation="Smith and others, Genome Biology 2008",
        license="CC BY 4.0",
    ),
    DataSet(
        name="conll2000",
        kind="tagging",
        path="tagging/conll2000",
        parts=("train.conll.gz", "test.conll.gz"),
        items=10948,
        sha256="5057779fcccc9e778bfdbcbcd45535c4f1457e1b023d24a15cb15da686996394",
        source="https://www.clips.uantwerpen.be/conll2000/chunking/",
        citation="Tjong Kim Sang and Buchholz, CoNLL 2000",
        license="WSJ text, research use only",
    ),
    DataSet(
        name="ud-ewt",
        kind="pos",
        path="tagging/ud_ewt",
        parts=("train.conll.gz", "dev.conll.gz", "test.conll.gz"),
        items=16622,
        sha256="e051aa3b5de42aa11fbe9fa0a82e126592e0bfd275488644635bfa3c36e0f8f9",
        source="https://github.com/UniversalDependencies/UD_English-EWT",
        citation="Silveira and others, LREC 2014",
        license="CC BY-SA 4.0",
    ),
    DataSet(
        name="crw",
        kind="context-similarity",
        path="rare",
        parts=("crw_dev.tsv", "crw_dev_contexts.jsonl.gz"),
        items=550,
        sha256="afc133c5d4283f51ad7f0b642def895fa69518f6691a456450defbd99cb1616f",
        source="https://github.com/timoschick/form-context-model",
        citation="Khodak et al., ACL 2018, in the selection of Schick and Schütze",
        license="Apache-2.0 (repository); Wikipedia text CC BY-SA",
    ),
    DataSet(
        name="definitional",
        kind="nonce",
        path="rare/definitional_nonce.tsv",
        items=1000,
        sha256="7ef233e9157bffe28ba494390275ff03abc73c852a1a44ce0cbfe73168228f31",
        source="https://github.com/NLPrinceton/ALaCarte",
        citation="Herbelot and Baroni, EMNLP 2017",
        license="MIT (repository); Wikipedia text CC BY-SA",
    ),
    DataSet(
        name="chimeras",
        kind="chimera",
        path="rare/chimeras.jsonl.gz",
        items=990,
        sha256="4d5411d84a8e0d91063662aba9418f6e9a1ee16a2bad5c16a5348582cbdfdbdd",
        source="https://github.com/NLPrinceton/ALaCarte",
        citation="Lazaridou, Marelli and Baroni, Cognitive Science 2017",
        license="MIT (repository)",
    ),
)
"""All data sets; rows of a file and not always items of a score: a misspelling with two targets is two rows."""
