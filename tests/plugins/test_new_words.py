"""Whole words as tokens of BERT (word pieces) and RoBERTa (byte pairs), with vectors to start from."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
import transformers
from tiny_transformers import SIZE

import everyword
from everyword.errors import EverywordError, InputError
from everyword.models.model import Model
from everyword.plugins.transformers.choices import adapt_to
from everyword.plugins.transformers.new_words import add_words
from everyword.vectors.table import VectorTable

WORDS = ["rodent", "cattle"]
TEXTS = [
    "The rodent sat on rodents, (rodent) Rodent's dog; arodent cattle cattleland.",
    "rodent",
    "New York's naïve café-owner walks.",
]
DIM = SIZE["hidden_size"]


class Pair(NamedTuple):
    model: Any
    tokenizer: Any


def loaded(folder: Path, kind: str = "AutoModel") -> Pair:
    with torch.random.fork_rng(devices=[]):
        model = getattr(transformers, kind).from_pretrained(folder)
    return Pair(model, transformers.AutoTokenizer.from_pretrained(folder))


@pytest.fixture
def pair(folder: Path) -> Pair:
    return loaded(folder)


def made_vectors(words: list[str] = WORDS) -> dict[str, Any]:
    return {word: np.random.default_rng(len(word)).normal(size=DIM).astype(np.float32) for word in words}


def rows(model: Any) -> Any:
    return model.get_input_embeddings().weight.detach().clone()


def pieces_by_word(tokenizer: Any, text: str) -> list[tuple[str, list[str]]]:
    """Every stretch without blanks and the tokens that begin in it."""
    encoding = tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
    found: dict[int, list[str]] = {}
    for token, (start, _) in zip(encoding.tokens, encoding.offsets, strict=True):
        found.setdefault(len(text[: start + 1].split()) - 1, []).append(token)
    return [(text.split()[place], tokens) for place, tokens in found.items()]


def test_a_word_is_one_token_with_its_vector(pair: Pair) -> None:
    model, tokenizer = pair
    vectors = made_vectors()
    report = add_words(model, tokenizer, WORDS, vectors)
    assert report.added == ("rodent", "cattle")
    assert report.already_there == report.from_pieces == ()
    for word in WORDS:
        ids = tokenizer(f"the {word}, the", add_special_tokens=False)["input_ids"]
        assert ids.count(report.ids[word]) == 1
        assert len(ids) == len(tokenizer("the the, the", add_special_tokens=False)["input_ids"])
        np.testing.assert_array_equal(rows(model)[report.ids[word]], vectors[word])
    assert model.config.vocab_size == len(tokenizer) == len(rows(model))
    assert model(**tokenizer(TEXTS[0], return_tensors="pt")).last_hidden_state.isfinite().all()


def test_existing_rows_stay_bit_for_bit(pair: Pair) -> None:
    before = rows(pair.model)
    add_words(*pair, WORDS, made_vectors())
    assert torch.equal(rows(pair.model)[: len(before)], before)


@pytest.mark.parametrize("text", TEXTS)
def test_other_words_are_cut_as_before(folder: Path, text: str) -> None:
    untouched, changed = loaded(folder), loaded(folder)
    add_words(*changed, [*WORDS, "naïve"], "mean-of-pieces")
    before, after = (pieces_by_word(one.tokenizer, text) for one in (untouched, changed))
    added = ("rodent", "(rodent)", "Rodent's", "cattle", "naïve")
    assert len(before) == len(after) == len(text.split())
    assert [found for found in after if found[0] not in added] == [found for found in before if found[0] not in added]


def test_texts_are_decoded_as_before_and_offsets_are_the_words(folder: Path) -> None:
    untouched, changed = loaded(folder), loaded(folder)
    report = add_words(*changed, [*WORDS, "naïve"], "mean-of-pieces")
    for text in TEXTS:
        encoding = changed.tokenizer(text, return_offsets_mapping=True)
        decoded = changed.tokenizer.decode(encoding["input_ids"], skip_special_tokens=True)
        assert decoded == untouched.tokenizer.decode(untouched.tokenizer(text)["input_ids"], skip_special_tokens=True)
        for piece, (start, stop) in zip(encoding["input_ids"], encoding["offset_mapping"], strict=True):
            if piece in report.ids.values():
                assert text[start:stop].lower() in report.ids


def test_an_uncased_tokenizer_finds_the_word_in_any_case(tiny_bert_folder: Path) -> None:
    model, tokenizer = loaded(tiny_bert_folder)
    report = add_words(model, tokenizer, ["Rodént"], "mean-of-pieces")
    assert tokenizer("RODENT rodént", add_special_tokens=False)["input_ids"] == [report.ids["Rodént"]] * 2


def test_a_byte_pair_vocabulary_has_the_word_with_and_without_the_blank(tiny_roberta_folder: Path) -> None:
    model, tokenizer = loaded(tiny_roberta_folder)
    report = add_words(model, tokenizer, ["rodent"], made_vectors())
    bare, behind_blank = tokenizer("rodent rodent", add_special_tokens=False)["input_ids"]
    assert behind_blank == report.ids["rodent"] != bare
    assert torch.equal(rows(model)[bare], rows(model)[behind_blank])


def test_what_was_added_is_saved_and_loaded_by_plain_transformers(pair: Pair, tmp_path: Path) -> None:
    report = add_words(*pair, WORDS, made_vectors())
    again = add_words(*pair, ["walker"], "mean-of-pieces")
    for part in pair:
        part.save_pretrained(tmp_path / "saved")
    model, tokenizer = loaded(tmp_path / "saved")
    assert torch.equal(rows(model), rows(pair.model))
    for text in [*TEXTS, "the walker"]:
        assert tokenizer(text).data == pair.tokenizer(text).data
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == pair.tokenizer.decode(
            pair.tokenizer(text)["input_ids"]
        )
    assert tokenizer("a rodent", add_special_tokens=False)["input_ids"][-1] == report.ids["rodent"]
    assert tokenizer("a walker", add_special_tokens=False)["input_ids"][-1] == again.ids["walker"]


def test_a_word_of_one_piece_is_left_alone_and_reported(pair: Pair) -> None:
    before, tokens = rows(pair.model), len(pair.tokenizer)
    report = add_words(*pair, ["the"], made_vectors(["the"]))
    assert (report.added, report.already_there) == ((), ("the",))
    assert report.ids["the"] == pair.tokenizer("a the", add_special_tokens=False)["input_ids"][-1]
    assert torch.equal(rows(pair.model), before)
    assert len(pair.tokenizer) == tokens
    assert add_words(*pair, ["the", "rodent"], made_vectors()).already_there == ("the",)
    assert add_words(*pair, ["rodent"], made_vectors()).already_there == ("rodent",)


def test_the_mean_of_pieces(pair: Pair) -> None:
    before = rows(pair.model)
    pieces = pair.tokenizer("a rodent", add_special_tokens=False)["input_ids"][1:]
    report = add_words(*pair, ["rodent"], "mean-of-pieces")
    torch.testing.assert_close(rows(pair.model)[report.ids["rodent"]], before[pieces].mean(dim=0))


def test_rows_that_are_free_are_used_first(pair: Pair) -> None:
    tokens = len(pair.tokenizer)
    pair.model.resize_token_embeddings(tokens + 20, mean_resizing=False)
    report = add_words(*pair, ["rodent"], made_vectors())
    assert report.ids["rodent"] == tokens
    assert len(rows(pair.model)) == tokens + 20


@pytest.mark.parametrize("tied", [True, False])
def test_output_rows_and_biases(folder: Path, tied: bool) -> None:
    model, tokenizer = loaded(folder)
    model.config.tie_word_embeddings = tied
    torch.manual_seed(3)
    kind = transformers.AutoModelForMaskedLM.from_config(model.config)
    with torch.no_grad():
        kind.get_output_embeddings().bias.normal_()
    bias = kind.get_output_embeddings().bias.detach().clone()
    output = kind.get_output_embeddings().weight.detach().clone()
    pieces = tokenizer("a rodent", add_special_tokens=False)["input_ids"][1:]
    report = add_words(kind, tokenizer, ["rodent"], made_vectors())
    logits = kind(**tokenizer("a rodent", return_tensors="pt")).logits
    assert logits.shape[-1] == len(tokenizer)
    head = kind.get_output_embeddings()
    assert (head.weight is kind.get_input_embeddings().weight) == tied
    torch.testing.assert_close(head.bias[report.ids["rodent"]], bias[pieces].mean())
    assert torch.equal(head.bias[: len(bias)], bias)
    assert torch.equal(head.weight[: len(output)], output)
    wanted = torch.from_numpy(made_vectors()["rodent"]) if tied else output[pieces].mean(dim=0)
    torch.testing.assert_close(head.weight[report.ids["rodent"]], wanted)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT that knows 400 words of the default model, with rows that a linear map of its vectors explains."""
    base, folder = everyword.load(), tmp_path_factory.mktemp("english")
    words = [word for word in base.known_words.words if word.isalpha() and len(word) > 2][:400]
    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters), *words]
    tokenizer = transformers.BertTokenizerFast(vocab={piece: place for place, piece in enumerate(pieces)})
    config = transformers.BertConfig(vocab_size=len(pieces), max_position_embeddings=64, **SIZE)
    model = transformers.BertModel(config)
    turn = np.random.default_rng(1).normal(size=(base.dim, DIM)).astype(np.float32)
    with torch.no_grad():
        model.get_input_embeddings().weight[-len(words) :] = torch.from_numpy(base.encode(words) @ turn)
    for part in (model, tokenizer):
        part.save_pretrained(folder)
    return folder


def test_without_an_imputer_vectors_lie_between_the_adapted_default_model_and_the_pieces(english: Path) -> None:
    model, tokenizer = loaded(english)
    model.train()
    model.pooler.eval()
    pieces = rows(model)[tokenizer("ozoned", add_special_tokens=False)["input_ids"]].mean(dim=0)
    tokenizer.backend_tokenizer.enable_padding(length=40)
    imputer = adapt_to(model, tokenizer)
    report = add_words(model, tokenizer, ["kubernetes", "ozoned", "ozonéd½"])
    assert report.added == ("kubernetes", "ozoned", "ozonéd½")
    expected = (torch.from_numpy(imputer["ozoned"]) + pieces) / 2
    torch.testing.assert_close(rows(model)[report.ids["ozoned"]], expected)
    # The tokenizer knows no piece for the fraction, so what it makes of the word says nothing.
    np.testing.assert_allclose(rows(model)[report.ids["ozonéd½"]], imputer["ozonéd½"], rtol=1e-5)
    assert model.training
    assert not model.pooler.training
    assert tokenizer.backend_tokenizer.padding["length"] == 40


def test_a_word_of_which_the_imputer_knows_nothing_starts_as_its_pieces(pair: Pair, tiny_model: Model) -> None:
    assert tiny_model.dim == DIM
    report = add_words(*pair, ["bano", "日"], tiny_model)
    assert report.from_pieces == ("日",)
    np.testing.assert_array_equal(rows(pair.model)[report.ids["bano"]], tiny_model["bano"])


def test_a_table_or_a_folder_as_imputer(pair: Pair, tiny_model_folder: Path, tiny_model: Model) -> None:
    first = add_words(*pair, ["bano"], tiny_model_folder)
    np.testing.assert_array_equal(rows(pair.model)[first.ids["bano"]], tiny_model["bano"])
    second = add_words(*pair, ["rodent"], VectorTable(["rodent"], np.ones((1, DIM), dtype=np.float32)))
    assert rows(pair.model)[second.ids["rodent"]].tolist() == [1.0] * DIM


@pytest.mark.parametrize(
    ("words", "imputer", "sentence"),
    [
        ("rodent", None, r"write \['rodent'\]"),
        ([], None, "The list of words is empty"),
        (["rodent", 3], None, "Item 1 is 3, of type int"),
        (["rodent", ""], None, "Item 1 is ''"),
        (["new york"], None, "A word has letters and no blanks"),
        (["rodent", "rodent"], None, "'rodent' is in the list twice"),
        (["\ud800"], None, "half of a character"),
        (["rodent"], "mean-of-peices", "There is no model 'mean-of-peices'"),
        (["rodent"], 3, "Got 3, of type int, instead"),
        (["rodent"], "everyword-en", "everyword-en gives vectors of dimension 256, and the model's input rows have 16"),
        (["rodent"], {"rodent": [1.0, 2.0]}, "'vectors' gives vectors of dimension 2"),
        (["rodent", "cattle"], {"rodent": [1.0] * DIM}, r"no vector for 1 of 2 words \('cattle'\)"),
        (["rodent"], {"rodent": "striped"}, "every word a vector of finite numbers"),
        (["rodent", "cattle"], {"rodent": [1.0], "cattle": [1.0, 2.0]}, "all of one dimension"),
        (["rodent"], {"rodent": [float("nan")] * DIM}, "finite numbers"),
    ],
)
def test_what_cannot_be_used_changes_nothing(
    tiny_roberta_folder: Path, words: Any, imputer: Any, sentence: str
) -> None:
    model, tokenizer = loaded(tiny_roberta_folder)
    before, kind, described = rows(model), type(tokenizer), tokenizer.backend_tokenizer.to_str()
    with pytest.raises(EverywordError, match=sentence):
        add_words(model, tokenizer, words, imputer)
    assert torch.equal(rows(model), before)
    assert tokenizer.backend_tokenizer.to_str() == described
    assert type(tokenizer) is kind


def test_words_that_are_not_one_to_the_tokenizer(tiny_bert_folder: Path, tiny_roberta_folder: Path) -> None:
    bert, roberta = loaded(tiny_bert_folder), loaded(tiny_roberta_folder)
    with pytest.raises(InputError, match="'Rodent' and 'rodent' are the same to the tokenizer"):
        add_words(*bert, ["Rodent", "rodent"], "mean-of-pieces")
    with pytest.raises(InputError, match="reads the word '日本' as '日' '本'"):
        add_words(*bert, ["日本"], "mean-of-pieces")
    with pytest.raises(InputError, match="as nothing, so it cannot be one token"):
        add_words(*bert, ["\u200d"], "mean-of-pieces")
    with pytest.raises(InputError, match="'##s' is already a piece of other words"):
        add_words(*bert, ["##s"], "mean-of-pieces")
    with pytest.raises(InputError, match="reads the word 'covid-19' as 'covid' '-' '19'"):
        add_words(*roberta, ["covid-19"], "mean-of-pieces")
    assert add_words(*bert, ["covid-19"], "mean-of-pieces").added == ("covid-19",)
    assert add_words(*roberta, ["Rodent", "rodent", "日本"], "mean-of-pieces").added == ("Rodent", "rodent", "日本")


def test_models_and_tokenizers_of_other_kinds(tiny_bert_folder: Path, tiny_roberta_folder: Path) -> None:
    from tokenizers import Tokenizer, models

    model, tokenizer = loaded(tiny_bert_folder)
    with pytest.raises(InputError, match=r"with input embeddings is needed\. Got Linear"):
        add_words(torch.nn.Linear(2, 2), tokenizer, ["rodent"])
    with pytest.raises(InputError, match="give the tokenizer that belongs to the model"):
        add_words(model, loaded(tiny_roberta_folder).tokenizer, ["rodent"])
    unigram = Tokenizer(models.Unigram([("<unk>", 0.0), ("a", -1.0)], unk_id=0))
    with pytest.raises(InputError, match="Got one of kind Unigram"):
        add_words(model, transformers.PreTrainedTokenizerFast(tokenizer_object=unigram), ["rodent"])


def test_adding_warns_of_nothing(pair: Pair) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add_words(*pair, WORDS, "mean-of-pieces")
