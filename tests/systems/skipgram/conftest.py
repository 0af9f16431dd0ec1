from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import spacy
from spacy.training import Example

from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram import PreparedCorpus, SentencesConfig, prepare

from .made_trees import RELATIONS, made_corpus

SHORT = SentencesConfig(shortest=4, longest=12, min_count=3)
ANIMALS, PLACES = ("cat", "dog", "cats"), ("city", "mat", "café")


@pytest.fixture(scope="session")
def bert(tiny_bert_folder: Path) -> LanguageModel:
    return LanguageModel.load(tiny_bert_folder, device="cpu")


@pytest.fixture(scope="session")
def roberta(tiny_roberta_folder: Path) -> LanguageModel:
    return LanguageModel.load(tiny_roberta_folder, device="cpu")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Animals walk and places are old: words of a kind share their contexts."""
    rng, path = Random(5), tmp_path_factory.mktemp("corpus") / "text.txt"
    lines = []
    for _ in range(150):
        lines.append(f"The {rng.choice(ANIMALS)} walked and {rng.choice(ANIMALS)} walked in New York.")
        lines.append(f"An older {rng.choice(PLACES)} is on naïve {rng.choice(PLACES)}, older.")
    path.write_text("\n".join(["", *lines, "too short", "long " * 100, "once a zebra came here"]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def prepared(bert: LanguageModel, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> PreparedCorpus:
    return prepare([corpus], tmp_path_factory.mktemp("prepared"), SHORT, model=bert)


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spaCy pipeline whose parser has learnt the syntax of our small grammar."""
    nlp, folder = spacy.blank("en"), tmp_path_factory.mktemp("pipeline")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    told = {"heads": [head - 1 if head else 2 for head, _ in RELATIONS], "deps": [name for _, name in RELATIONS]}
    examples = [Example.from_dict(nlp.make_doc(" ".join(words)), told) for words in made_corpus(12)]
    spacy.util.fix_random_seed(1)
    optimiser, rng = nlp.initialize(lambda: examples), Random(3)
    for _ in range(25):
        rng.shuffle(examples)
        nlp.update(examples, sgd=optimiser)
    nlp.to_disk(folder)
    return folder
