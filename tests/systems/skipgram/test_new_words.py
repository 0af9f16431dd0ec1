"""New words in a table that is trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram import PreparedCorpus, SkipgramConfig, SkipgramRun, train_skipgram
from everyword.systems.skipgram.new_words import add_words
from everyword.systems.skipgram.train import SkipgramTraining
from everyword.vectors.neighbours import unit_rows

from .conftest import ANIMALS, PLACES, SHORT

# By its input layer the encoder says the same of a word in every sentence, so what is beside a word is all there is.
PLAIN = SkipgramConfig(
    dim=8, window=3, batch=32, epochs=6, own_word=False, layers=(0,), sentences=SHORT, rule="adam", learning_rate=0.02
)


@pytest.fixture(scope="module")
def trained(
    bert: LanguageModel, prepared: PreparedCorpus, tmp_path_factory: pytest.TempPathFactory
) -> SkipgramTraining:
    run = SkipgramRun(prepared, tmp_path_factory.mktemp("run"), PLAIN)
    assert train_skipgram(bert, run) is not None
    return SkipgramTraining(bert, replace(run, resume=True))


def test_a_word_under_another_name_lies_where_it_lay(trained: SkipgramTraining, corpus: Path) -> None:
    said = [line for line in corpus.read_text(encoding="utf-8").splitlines() if "dog" in line]
    table = add_words(trained, {"hound": [line.replace("dog", "hound") for line in said]})

    before = trained.table()
    assert table.words == [*before.words, "hound"]
    np.testing.assert_array_equal(table.matrix[:-1], before.matrix)
    hound, *others = unit_rows(table.select(["hound", *ANIMALS, *PLACES]).matrix)
    cosines = [float(hound @ other) for other in others]
    assert min(cosines[: len(ANIMALS)]) > max(cosines[len(ANIMALS) :])


def test_few_sentences_are_enough_to_tell_kinds_apart(trained: SkipgramTraining) -> None:
    table = add_words(
        trained,
        {
            "puppy": ["The puppy walked and puppy walked in New York."],
            "hamlet": ["An older hamlet is on naïve hamlet, older."],
        },
    )
    puppy, hamlet, dog, city = unit_rows(table.select(["puppy", "hamlet", "dog", "city"]).matrix)
    assert puppy @ dog > puppy @ city
    assert hamlet @ city > hamlet @ dog


def test_words_that_nothing_is_known_of(trained: SkipgramTraining) -> None:
    with pytest.warns(UserWarning, match="1 of 2 words are left out, because no sentence has them .*'ghost'"):
        table = add_words(trained, {"ghost": ["The dog walked."], "puppy": ["The puppy walked and dog walked."]})
    assert table.words[-1] == "puppy"
    with pytest.raises(InputError, match="None of 1 words gets a vector"):
        add_words(trained, {"ghost": []})
    with pytest.raises(InputError, match="has a vector for 'dog' already"):
        add_words(trained, {"dog": ["The dog walked."]})
    with pytest.raises(InputError, match="has a vector for 'dog' already"):
        add_words(trained, {"Dog": ["The dog walked."]})


def test_a_word_in_two_cases_is_one_word_with_the_sentences_of_both(trained: SkipgramTraining) -> None:
    said = ["The puppy walked and dog walked.", "The cat walked and puppy walked in New York."]
    apart = add_words(trained, {"Puppy": said[:1], "puppy": said[1:], "Hamlet": ["An older hamlet is on naïve mat."]})
    together = add_words(trained, {"puppy": said, "hamlet": ["An older hamlet is on naïve mat."]})
    assert apart.words == together.words
    np.testing.assert_array_equal(apart.matrix, together.matrix)
