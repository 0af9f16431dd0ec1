"""The linguistic profile: features of parsed sentences, and how well vectors predict them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.config import check
from everyword.errors import ConfigError, InputError
from everyword.evaluation.probes.linear_svr import LinearSvr
from everyword.evaluation.probes.linguistic import (
    PROBE,
    ProfileConfig,
    correlations,
    given_length,
    profile_vectors,
)
from everyword.evaluation.probes.parsed import read_treebank
from everyword.evaluation.probes.probe import LENGTH, ProbeSettings
from everyword.evaluation.probes.representation import RandomVectors
from everyword.evaluation.probes.sentence_features import FeatureTable, feature_table, sentence_features
from everyword.evaluation.tasks.similarity import spearman
from everyword.sentences.text_poolings import pool_texts

SENTENCE = """\
# text = Dogs in parks say that they slept.
1	Dogs	dog	NOUN	NNS	Number=Plur	4	nsubj	_	_
2	in	in	ADP	IN	_	3	case	_	_
3	parks	park	NOUN	NNS	Number=Plur	1	nmod	_	_
4	say	say	VERB	VBP	Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin	0	root	_	_
5	that	that	SCONJ	IN	_	7	mark	_	_
6	they	they	PRON	PRP	Number=Plur|Person=3	7	nsubj	_	_
7	slept	sleep	VERB	VBD	Mood=Ind|Tense=Past|VerbForm=Fin	4	ccomp	_	_
8	.	.	PUNCT	.	_	4	punct	_	_
"""
CONFIG = ProfileConfig(strengths=(0.01,))


def treebank(folder: Path, text: str) -> list[Path]:
    path = folder / "a.conllu"
    path.write_text(text, encoding="utf-8")
    return [path]


def table_of(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> FeatureTable:
    names = tuple(f"f{number}" for number in range(values.shape[1]))
    return FeatureTable(names, ("syntax",) * len(names), values)


def test_a_chain_of_many_words_is_read_soon(tmp_path: Path) -> None:
    words = 30_000
    rows = (f"{place}\ta\ta\tX\tX\t_\t{place - 1}\tx\t_\t_\n" for place in range(1, words + 1))
    [sentence] = read_treebank(treebank(tmp_path, "".join(rows)))
    assert sentence.depths == list(range(words))
    circle = "1\ta\ta\tX\tX\t_\t2\tx\t_\t_\n2\ta\ta\tX\tX\t_\t1\tx\t_\t_\n"
    with pytest.raises(InputError, match="its heads form a circle"):
        read_treebank(treebank(tmp_path, circle))


def test_features_of_a_tree_that_was_annotated_by_hand(tmp_path: Path) -> None:
    [sentence] = read_treebank(treebank(tmp_path, SENTENCE))
    found = {name: value for level in sentence_features(sentence).values() for name, value in level.items()}
    expected = {
        **{"sent_length": 8, "char_per_tok": (4 + 2 + 5 + 3 + 4 + 4 + 5) / 7, "ttr_form": 1, "ttr_lemma": 1},
        **{"lexical_density": 400 / 7, "upos_dist_NOUN": 25, "upos_dist_PUNCT": 12.5, "xpos_dist_IN": 25},
        **{"verbs_tense_dist_Past": 50, "verbs_tense_dist_Pres": 50, "verbs_num_pers_dist_Plur+3": 50},
        **{"parse_depth": 3, "avg_links_len": (3 + 1 + 2 + 2 + 1 + 3) / 6, "max_links_len": 3},
        **{"avg_prepositional_chain_len": 1, "prep_dist_1": 100},
        **{"verbal_head_per_sent": 2, "avg_token_per_clause": 4, "avg_verb_edges": 2, "verbal_arity_2": 100},
        **{"verbal_root_perc": 100, "subj_pre": 100, "obj_post": 0, "dep_dist_nsubj": 25, "dep_dist_root": 12.5},
        **{"principal_proposition_dist": 50, "subordinate_proposition_dist": 50, "subordinate_post": 100},
        **{"avg_subordinate_chain_len": 1, "subordinate_dist_1": 100},
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert "aux_mood_dist_Ind" not in found


def test_chains_and_clauses_are_counted_by_their_depth(tmp_path: Path) -> None:
    lines = [
        *("1 He PRON 2 nsubj", "2 saw VERB 0 root", "3 end NOUN 2 obl", "4 at ADP 3 case", "5 road NOUN 3 nmod"),
        *(
            "6 of ADP 5 case",
            "7 leads VERB 5 acl:relcl",
            "8 going VERB 7 advcl",
            "9 ran VERB 2 conj",
            "10 up VERB 8 conj",
        ),
    ]
    cells = [line.split() for line in lines]
    text = "".join(f"{i}\t{w}\t{w}\t{u}\t_\t_\t{h}\t{r}\t_\t_\n" for i, w, u, h, r in cells)
    [sentence] = read_treebank(treebank(tmp_path, text))
    found = sentence_features(sentence)["syntax"]
    assert found["avg_prepositional_chain_len"] == 2
    assert found["prep_dist_2"] == 100
    assert (found["subordinate_dist_1"], found["subordinate_dist_2"]) == (50, 50)
    assert found["avg_subordinate_chain_len"] == 1.5
    assert found["principal_proposition_dist"] == 50  # "saw" and "ran"; "up" is inside a subordinate clause
    assert found["verbal_head_per_sent"] == 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1\tDogs\tdog", "1\tDogs", "a.conllu:2: a word has 10 columns"),
        ("4\tnsubj", "9\tnsubj", "a.conllu:10: in the sentence that ends here, the head of 'Dogs' is number 9"),
        ("0\troot", "7\tccomp", "a.conllu:10: the sentence that ends here is not a tree"),
        ("\t3\tcase", "\tx\tcase", "a.conllu:3: the seventh column must be the number of the head"),
        ("2\tin", "3\tin", "a.conllu:3: the word number 2 was expected"),
    ],
)
def test_a_wrong_tree_is_named_by_path_and_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SENTENCE
    with pytest.raises(InputError) as error:
        read_treebank(treebank(tmp_path, SENTENCE.replace(old, new, 1)))
    assert said in str(error.value)


def test_features_that_hardly_vary_and_copies_of_others_are_left_out(tmp_path: Path) -> None:
    other = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n"
    sentences = read_treebank(treebank(tmp_path, (SENTENCE + "\n") * 10 + other))
    table = feature_table(sentences)
    assert table.values.shape == (11, len(table.names))
    assert len({column.tobytes() for column in table.values.T}) == len(table.names)
    assert "verbal_root_perc" not in table.names
    with pytest.raises(InputError, match="all alike"):
        feature_table(sentences[:10])


def noise(sentences: int, dim: int, offset: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vectors of tokens that say nothing but, by their offset, that they are there; and the lengths of sentences."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(3, 40, size=sentences)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return (rng.normal(size=(int(starts[-1]), dim)) + offset).astype(np.float32), starts, lengths


def test_a_feature_that_is_in_the_vectors_is_found() -> None:
    rng = np.random.default_rng(1)
    table = table_of(rng.normal(size=(200, 3)))
    vectors = np.concatenate([10 * table.values + 3, rng.normal(size=(200, 5))], axis=1)
    profile = profile_vectors(vectors, table, ProfileConfig(strengths=(0.01, 1.0)))
    assert profile.correlations().min() > 0.99
    assert profile.levels()["syntax"] == pytest.approx(profile.levels()["all"])
    assert len(profile.folds()) == 5
    low, high = profile.interval(draws=100)
    assert low <= profile.levels()["all"] <= high + 0.1
    absolute = profile_vectors(vectors, table, ProfileConfig(strengths=(1.0,), loss="absolute"))
    assert absolute.correlations().min() > 0.99


def test_noise_says_nothing_by_its_average_and_length_by_its_sum() -> None:
    vectors, starts, lengths = noise(3000, 4)
    rng = np.random.default_rng(2)
    table = table_of(np.stack([lengths + rng.normal(size=3000), rng.normal(size=3000)], axis=1))
    averages = pool_texts("average", vectors, starts)
    assert np.abs(profile_vectors(averages, table, CONFIG).correlations()).max() < 0.05
    shifted, starts, _ = noise(3000, 4, offset=2.0)
    summed = profile_vectors(pool_texts("sum", shifted, starts), table, CONFIG).correlations()
    assert summed[0] > 0.97
    assert abs(summed[1]) < 0.05


def test_random_vectors_of_words_hold_the_bag_of_words() -> None:
    rng = np.random.default_rng(3)
    texts = [[f"w{number}" for number in rng.integers(20, size=10)] for _ in range(300)]
    share = np.array([[text.count("w1") + 0.01 * rng.normal()] for text in texts])
    found = profile_vectors(
        RandomVectors(30).texts(texts), table_of(share), ProfileConfig(strengths=(1.0,))
    ).correlations()
    assert found[0] > 0.7


def test_absolute_errors_are_minimised() -> None:
    rng = np.random.default_rng(4)
    rows, weights = rng.normal(size=(120, 6)), rng.normal(size=(6, 2))
    targets = rows @ weights + rng.standard_t(1.5, size=(120, 2))
    fitted = LinearSvr.fit(rows, targets, 0.5, "absolute")
    scaled = (rows - fitted.centre) / fitted.scale
    wanted = (targets - fitted.target_centre) / fitted.target_scale

    def cost(weights: np.ndarray) -> np.ndarray:
        errors = np.abs(wanted - scaled @ weights[:-1] - weights[-1])
        return (weights[:-1] ** 2).sum(axis=0) / 2 + 0.5 * errors.sum(axis=0)

    best = cost(fitted.weights)
    for _ in range(200):
        other = cost(fitted.weights + 0.02 * rng.normal(size=fitted.weights.shape))
        assert (other > best - 1e-3 * best).all()


def test_correlations_are_spearmans_and_can_leave_out_length() -> None:
    rng = np.random.default_rng(5)
    one, other = rng.normal(size=(2, 50, 3))
    found = correlations(one, other)
    np.testing.assert_allclose(found, [spearman(one[:, k], other[:, k]) for k in range(3)], atol=1e-12)
    length = rng.normal(size=2000)
    pair = [(length + rng.normal(size=2000))[:, None] for _ in range(2)]
    rho, with_length = correlations(*pair), [correlations(each, length[:, None]) for each in pair]
    assert rho[0] > 0.4
    assert abs(given_length(rho, (with_length[0], with_length[1]))[0]) < 0.08


def test_the_probe_answers_by_level_with_the_length_as_a_control(tmp_path: Path) -> None:
    short = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n2\thome\thome\tADV\tRB\t_\t1\tadvmod\t_\t_\n"
    text = "".join((SENTENCE, short, SENTENCE.replace("Dogs", "Cats"))[number % 3] + "\n" for number in range(120))
    score = PROBE.run(RandomVectors(8), treebank(tmp_path, text), ProbeSettings(quick=True), lambda done, of: None)
    assert score.n == 30
    assert score.value > 75  # not more: what is equal is predicted a little differently by each fold
    assert {"raw text", "morphosyntax", "syntax"} < set(score.parts)
    assert score.controls[LENGTH] > 90  # both kinds of sentences differ in length
    assert set(next(iter(score.details.values()))) == {"rho", "rho of the sum", "length", "beyond length"}


def test_settings_and_sentences_that_cannot_be_used() -> None:
    with pytest.raises(ConfigError, match="folds must be 2 or more"):
        check(ProfileConfig(folds=1))
    with pytest.raises(ConfigError, match="strengths must be above 0"):
        check(ProfileConfig(strengths=()))
    with pytest.raises(InputError, match="4 sentences per fold"):
        profile_vectors(np.ones((5, 2)), table_of(np.ones((5, 1))))
