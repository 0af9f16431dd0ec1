"""One vector for words that a tokenizer splits, inside BERT (word pieces) and RoBERTa (byte pairs)."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tiny_transformers import SIZE

from everyword.errors import InputError
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.plugins.transformers import from_pretrained, imputer_for, make_plain, robustify, robustify_folder
from everyword.plugins.transformers.robust_input import REMEMBERED, SplitWords
from everyword.plugins.transformers.strategies import STRATEGIES
from everyword.space.linear_map import LinearMap
from everyword.vectors.storage.stored import StoredMatrix
from everyword.vectors.table import VectorTable

DIM = SIZE["hidden_size"]
TEXTS = ["The weasel sat, and a cattle-like dog walked.", "A cat.", "Raven walked the weasel."]
TABLE = VectorTable(
    ["weasel", "cattle", "raven", "cat"], np.random.default_rng(3).normal(size=(4, DIM)).astype(np.float32)
)


@pytest.fixture
def model(folder: Path) -> Any:
    return transformers.AutoModel.from_pretrained(folder).eval()


def with_head(folder: Path, kind: str, **options: Any) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        network = getattr(transformers, kind).from_pretrained(folder, **options)
    return network.eval()


def batch(tokenizer: Any, texts: list[str], **options: Any) -> Any:
    return tokenizer(texts, padding=True, return_tensors="pt", **options)


@torch.no_grad()
def hidden(model: Any, tokenizer: Any, texts: list[str]) -> Any:
    return model(**batch(tokenizer, texts)).last_hidden_state


def pieces_of(tokenizer: Any, text: str, word: str) -> list[int]:
    start = text.lower().index(word)
    offsets = tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
    return [place for place, (a, b) in enumerate(offsets) if start <= a < b <= start + len(word)]


def test_split_words_are_found_among_ids(tokenizer: Any) -> None:
    encoded = batch(tokenizer, TEXTS)
    split = SplitWords(tokenizer, len(tokenizer))

    found = split.find(encoded["input_ids"].numpy())

    spelt = {(word.row, split.spelling(word.pieces).lower()) for word in found}
    assert {(0, "weasel"), (0, "cattle"), (2, "raven"), (2, "weasel")} <= spelt
    assert not {"cat", "dog"} & {word for _, word in spelt}
    for word in found:
        assert tuple(encoded["input_ids"][word.row, word.start : word.stop].tolist()) == word.pieces
        stands = pieces_of(tokenizer, TEXTS[word.row], split.spelling(word.pieces).lower())
        assert list(range(word.start, word.stop)) == stands


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_texts_without_such_words_are_untouched_bit_for_bit(model: Any, tokenizer: Any, strategy: str) -> None:
    texts = ["The cat sat on the mat.", "New York is a city"]
    before = hidden(model, tokenizer, texts)

    robustify(model, tokenizer, TABLE, strategy)

    assert torch.equal(hidden(model, tokenizer, texts), before)


@pytest.mark.parametrize("side", ["left", "right"])
def test_replaced_words_are_one_place_to_the_encoder(model: Any, tokenizer: Any, side: str) -> None:
    tokenizer.padding_side = side
    rows, text = model.get_input_embeddings().weight.detach(), TEXTS[0]
    ids = tokenizer(text)["input_ids"]
    weasel, cattle = pieces_of(tokenizer, text, "weasel"), pieces_of(tokenizer, text, "cattle")
    assert len(weasel) > 1
    assert len(cattle) > 1
    kept = [place for place in range(len(ids)) if place not in weasel[1:] + cattle[1:]]
    by_hand = rows[[ids[place] for place in kept]].clone()
    by_hand[kept.index(weasel[0])] = torch.from_numpy(TABLE["weasel"])
    by_hand[kept.index(cattle[0])] = torch.from_numpy(TABLE["cattle"])
    with torch.no_grad():
        expected = model(inputs_embeds=by_hand[None]).last_hidden_state[0]

    robustify(model, tokenizer, TABLE)
    outputs = hidden(model, tokenizer, TEXTS)

    assert outputs.shape[:2] == batch(tokenizer, TEXTS)["input_ids"].shape
    begin = outputs.shape[1] - len(ids) if side == "left" else 0
    # BERT counts positions from the left end of a row, padding or not; only RoBERTa leaves padding out.
    if side == "right" or model.config.model_type == "roberta":
        torch.testing.assert_close(outputs[0, [begin + place for place in kept]], expected, atol=1e-5, rtol=1e-5)
    for word in (weasel, cattle):
        for piece in word[1:]:
            assert torch.equal(outputs[0, begin + piece], outputs[0, begin + word[0]])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_text_has_the_same_output_in_any_batch(model: Any, tokenizer: Any, strategy: str) -> None:
    robustify(model, tokenizer, TABLE, strategy)
    together = hidden(model, tokenizer, TEXTS)
    for row, text in enumerate(TEXTS):
        alone = hidden(model, tokenizer, [text])[0]
        torch.testing.assert_close(together[row, : len(alone)], alone, atol=1e-5, rtol=1e-4)


def test_a_mask_is_made_where_none_is_given(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE)
    ids = batch(tokenizer, [TEXTS[2]])["input_ids"]
    # The same text, and one whose words all keep their pieces, so that the first becomes shorter than the second.
    both = torch.stack([ids[0], torch.full_like(ids[0], tokenizer("cat")["input_ids"][1])])
    with torch.no_grad():
        alone, together = model(ids).last_hidden_state[0], model(both).last_hidden_state[0]
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-4)


def embedded(model: Any, inputs: Any) -> Any:
    """What a robust model feeds its encoder, before positions are added."""
    seen: list[Any] = []
    last_hook = model.get_input_embeddings().register_forward_hook(lambda *given: seen.append(given[-1]))
    with torch.no_grad():
        model(**inputs)
    last_hook.remove()
    return seen[0]


def test_add_and_linear_change_every_piece_by_their_formulas(model: Any, tokenizer: Any) -> None:
    inputs, weasel = batch(tokenizer, TEXTS[2:]), pieces_of(tokenizer, TEXTS[2], "weasel")
    plain, word = embedded(model, inputs)[0], torch.from_numpy(TABLE["weasel"])

    robustify(model, tokenizer, TABLE, "add")
    added = embedded(model, inputs)[0]
    robustify(model, tokenizer, TABLE, "linear")
    weight = model.everyword.robust_input.strategy.weight
    halves = embedded(model, inputs)[0]
    with torch.no_grad():
        weight.weight.normal_(generator=torch.Generator().manual_seed(1))
    mixed = embedded(model, inputs)[0]

    torch.testing.assert_close(added[weasel], plain[weasel] + word)
    torch.testing.assert_close(halves[weasel], (plain[weasel] + word) / 2)
    share = torch.sigmoid(plain[weasel] @ weight.weight[0])[:, None].detach()
    torch.testing.assert_close(mixed[weasel], (1 - share) * plain[weasel] + share * word)
    untouched = [0, len(plain) - 1]
    assert torch.equal(mixed[untouched], plain[untouched])


def test_slash_puts_a_slash_and_the_vector_behind_the_pieces(model: Any, tokenizer: Any) -> None:
    inputs, weasel = batch(tokenizer, ["The weasel walked"]), pieces_of(tokenizer, "The weasel walked", "weasel")
    plain = embedded(model, inputs)[0]
    slash = model.get_input_embeddings().weight[tokenizer.encode("a /", add_special_tokens=False)[-1]].detach()

    robustify(model, tokenizer, TABLE, "slash")
    new, end = embedded(model, inputs)[0], weasel[-1] + 1

    assert len(new) == len(plain) + 2
    assert torch.equal(new[:end], plain[:end])
    assert torch.equal(new[end + 2 :], plain[end:])
    torch.testing.assert_close(new[end : end + 2], torch.stack([slash, torch.from_numpy(TABLE["weasel"])]))


def test_a_text_never_grows_beyond_what_the_model_reads(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE, "slash")
    longest = model.everyword.robust_input.longest
    inputs = batch(tokenizer, ["weasel " * 40], truncation=True, max_length=longest - 3)
    assert inputs["input_ids"].shape[1] == longest - 3
    assert embedded(model, inputs).shape[1] == longest - 1  # room for one vector, not for two


def test_tokens_are_classified_with_labels_as_before(folder: Path, tokenizer: Any) -> None:
    model = with_head(folder, "AutoModelForTokenClassification", num_labels=3)
    robustify(model, tokenizer, TABLE)
    inputs = batch(tokenizer, TEXTS)
    labels = inputs["attention_mask"] - 100 * (1 - inputs["attention_mask"])

    output = model(**inputs, labels=labels)

    assert output.logits.shape[:2] == inputs["input_ids"].shape
    weasel = pieces_of(tokenizer, TEXTS[0], "weasel")
    assert torch.equal(output.logits[0, weasel[0]], output.logits[0, weasel[-1]])
    expected = torch.nn.functional.cross_entropy(output.logits.flatten(0, 1), labels.flatten())
    torch.testing.assert_close(output.loss, expected)


def test_pipelines_go_on_as_before(folder: Path, tokenizer: Any) -> None:
    model = with_head(folder, "AutoModelForTokenClassification", num_labels=3)
    robustify(model, tokenizer, TABLE)
    tagged = transformers.pipeline("token-classification", model=model, tokenizer=tokenizer)(TEXTS[0])
    for entity in tagged:
        assert TEXTS[0][entity["start"] : entity["end"]].lower() in entity["word"].replace("Ġ", "").lower()
    classifier = with_head(folder, "AutoModelForSequenceClassification", num_labels=2)
    plain = transformers.pipeline("text-classification", model=classifier, tokenizer=tokenizer)
    before = plain(TEXTS)
    robustify(classifier, tokenizer, TABLE)
    after = plain(TEXTS)
    assert before[1] == after[1]
    assert before[2]["score"] != after[2]["score"]


def test_hidden_states_and_tuples_have_a_vector_for_each_piece(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE)
    inputs = batch(tokenizer, TEXTS)
    with torch.no_grad():
        output = model(**inputs, output_hidden_states=True)
        as_tuple = model(**inputs, return_dict=False)
    assert {state.shape[1] for state in output.hidden_states} == {inputs["input_ids"].shape[1]}
    assert torch.equal(output.hidden_states[-1], output.last_hidden_state)
    assert torch.equal(as_tuple[0], output.last_hidden_state)


def test_fine_tuning_reaches_the_weight_of_linear_and_the_rows_of_pieces(folder: Path, tokenizer: Any) -> None:
    model = with_head(folder, "AutoModelForSequenceClassification", num_labels=2).train()
    robustify(model, tokenizer, TABLE, "linear")
    model(**batch(tokenizer, TEXTS), labels=torch.tensor([0, 1, 0])).loss.backward()
    weight = model.everyword.robust_input.strategy.weight.weight
    assert any(parameter is weight for parameter in model.parameters())
    assert weight.grad.abs().sum() > 0
    assert model.get_input_embeddings().weight.grad.abs().sum() > 0


@pytest.mark.parametrize("kind", ["DistilBert", "Electra", "MPNet"])
def test_other_encoders_work_too(kind: str, tiny_bert_folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert_folder)
    sizes = {"vocab_size": len(tokenizer), "max_position_embeddings": 66}
    if kind == "DistilBert":
        sizes |= {"dim": DIM, "n_layers": 1, "n_heads": 2, "hidden_dim": 32}
    else:
        sizes |= {"hidden_size": DIM, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    sizes |= {"embedding_size": DIM} if kind == "Electra" else {}
    config = getattr(transformers, f"{kind}Config")(**sizes, pad_token_id=0)
    model = getattr(transformers, f"{kind}Model")(config).eval()
    before = hidden(model, tokenizer, TEXTS)
    robustify(model, tokenizer, TABLE)
    after = hidden(model, tokenizer, TEXTS)
    assert after.shape == before.shape
    assert not torch.allclose(after[0], before[0])
    torch.testing.assert_close(after[1], before[1], atol=1e-5, rtol=1e-4)


def test_make_plain_takes_everything_back(model: Any, tokenizer: Any) -> None:
    before, parts = hidden(model, tokenizer, TEXTS), set(model.state_dict())
    robustify(model, tokenizer, TABLE, "linear")
    robustify(model, tokenizer, TABLE, "replace")  # instead of the first, not on top of it
    assert not torch.allclose(hidden(model, tokenizer, TEXTS), before)
    make_plain(model)
    make_plain(model)
    assert torch.equal(hidden(model, tokenizer, TEXTS), before)
    assert set(model.state_dict()) == parts
    assert not model.get_input_embeddings()._forward_hooks


def test_a_copy_is_robust_by_itself(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE)
    twin, expected = copy.deepcopy(model), hidden(model, tokenizer, TEXTS)
    make_plain(model)
    assert torch.equal(hidden(twin, tokenizer, TEXTS), expected)


@pytest.mark.parametrize("vectors", ["table", "model", "adapted"])
def test_a_robust_model_can_be_pickled(
    model: Any, tokenizer: Any, vectors: str, tiny_dan_model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = model.get_input_embeddings().weight.detach().numpy()
    known = VectorTable(["the", "cat", "sat", "dan"], rows[:4].copy())
    maps = LinearMap(np.eye(tiny_dan_model.dim, DIM, dtype=np.float32), np.zeros(DIM, dtype=np.float32), 1.0)
    adapted = AdaptedModel("a", tiny_dan_model, maps, KnownWords(known.words, StoredMatrix(known.matrix)), {})
    given = {"table": TABLE, "model": tiny_dan_model, "adapted": adapted}[vectors]
    robustify(model, tokenizer, given, words="split")
    expected = hidden(model, tokenizer, TEXTS)

    buffer = io.BytesIO()
    torch.save(model, buffer)
    copies = [pickle.loads(pickle.dumps(model)), torch.load(io.BytesIO(buffer.getvalue()), weights_only=False)]

    for twin in copies:
        torch.testing.assert_close(hidden(twin, tokenizer, TEXTS), expected, atol=1e-5, rtol=1e-4)
        make_plain(twin)
        assert not twin.get_input_embeddings()._forward_hooks
    make_plain(model)
    assert torch.equal(hidden(copies[0], tokenizer, TEXTS), hidden(model, tokenizer, TEXTS))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "record",
    [
        lambda model, ids, path: torch.jit.trace(model, (ids,), strict=False),
        lambda model, ids, path: torch.export.export(model, (ids,)),
        lambda model, ids, path: torch.onnx.export(model, (ids,), path, dynamo=False),
    ],
    ids=["trace", "export", "onnx"],
)
def test_words_of_an_example_are_never_fixed_in_a_graph(
    tiny_bert_folder: Path, tmp_path: Path, record: Callable[..., Any]
) -> None:
    model = transformers.AutoModel.from_pretrained(tiny_bert_folder, attn_implementation="eager").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert_folder)
    robustify(model, tokenizer, TABLE)
    with pytest.raises(InputError, match=r"A robust model cannot be traced or exported, .* \(make_plain\)"):
        record(model, batch(tokenizer, TEXTS)["input_ids"], tmp_path / "x.onnx")
    assert not (tmp_path / "x.onnx").exists()


def test_a_progress_bar_on_request(model: Any, tokenizer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    robustify(model, tokenizer, TABLE)
    assert not capsys.readouterr().err
    robustify(model, tokenizer, TABLE, progress=True)
    assert "3/3" in capsys.readouterr().err


def test_older_names(
    model: Any, tokenizer: Any, tiny_adapted_model: AdaptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.warns(DeprecationWarning, match="'imputer' is now called 'vectors'"):
        robustify(model, tokenizer, imputer=TABLE)
    with pytest.raises(InputError, match="give only 'vectors'"):
        robustify(model, tokenizer, TABLE, imputer=TABLE)
    monkeypatch.setattr("everyword.plugins.transformers.choices.adapt_to", lambda *given: tiny_adapted_model)
    with pytest.warns(DeprecationWarning, match="now called adapt_to"):
        assert imputer_for(model, tokenizer) is tiny_adapted_model


def test_folders_of_language_models(folder: Path, tokenizer: Any, tmp_path: Path) -> None:
    (tmp_path / "robust").mkdir()
    (tmp_path / "robust" / "modules.json").write_text("[]", encoding="utf-8")  # of an older sentence encoder

    how = robustify_folder(folder, tmp_path / "robust", TABLE, strategy="add")

    assert how.startswith("from everyword.plugins.transformers import from_pretrained; from_pretrained('")
    again, _ = from_pretrained(tmp_path / "robust")
    assert again.everyword.settings == {"strategy": "add", "words": "misspelt"}
    assert not (tmp_path / "robust" / "modules.json").exists()
    with pytest.raises(InputError, match="There is no folder"):
        robustify_folder("no/such/model", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_threads_do_not_meet(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE)
    expected = [hidden(model, tokenizer, [text]) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda turn: hidden(model, tokenizer, [TEXTS[turn % 3]]), range(60)))
    assert all(torch.equal(output, expected[turn % 3]) for turn, output in enumerate(found))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_saved_and_loaded(folder: Path, tokenizer: Any, strategy: str, tmp_path: Path) -> None:
    model = with_head(folder, "AutoModelForSequenceClassification", num_labels=2)
    robustify(model, tokenizer, TABLE, strategy)
    for parameter in model.everyword.parameters():
        torch.nn.init.normal_(parameter)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with torch.no_grad():
        expected = model(**batch(tokenizer, TEXTS)).logits

    again, same_tokenizer = from_pretrained(tmp_path)

    with torch.no_grad():
        assert torch.equal(again.eval()(**batch(same_tokenizer, TEXTS)).logits, expected)
    assert type(again) is type(model)
    plain, report = type(model).from_pretrained(tmp_path, output_loading_info=True)
    assert not report["unexpected_keys"]
    assert not hasattr(plain, "everyword")


def test_saved_with_a_model_as_imputer(model: Any, tokenizer: Any, tiny_dan_model: Model, tmp_path: Path) -> None:
    robustify(model, tokenizer, tiny_dan_model, words="unknown")
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again, _ = from_pretrained(tmp_path, transformers.AutoModel)
    assert torch.equal(hidden(again.eval(), tokenizer, ["bann plinnesx"]), hidden(model, tokenizer, ["bann plinnesx"]))
    assert again.everyword.settings == {"strategy": "replace", "words": "unknown"}


def test_words_are_asked_for_once_and_forgotten_in_time(
    model: Any, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    robustify(model, tokenizer, TABLE)
    robust_input, asked = model.everyword.robust_input, []
    choose = robust_input.choose
    robust_input.choose = lambda words: asked.extend(words) or choose(words)
    for _ in range(3):
        hidden(model, tokenizer, TEXTS)
    assert len(asked) == len(set(asked)) > 0
    assert REMEMBERED > 10_000
    monkeypatch.setattr("everyword.plugins.transformers.robust_input.REMEMBERED", 1)
    expected = hidden(model, tokenizer, TEXTS)
    assert torch.equal(hidden(model, tokenizer, TEXTS), expected)


def test_without_an_imputer_one_is_made_of_the_models_own_rows(
    model: Any, tokenizer: Any, tiny_dan_model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(
        "everyword.plugins.transformers.robust.adapt_to", lambda *given: seen.append(given) or tiny_dan_model
    )
    robustify(model, tokenizer)
    assert seen == [(model, tokenizer)]


class NoEmbeddings(transformers.BertModel):
    def get_input_embeddings(self) -> Any:
        raise NotImplementedError


def test_bad_input_changes_nothing(model: Any, tokenizer: Any, folder: Path) -> None:
    narrow = VectorTable(["weasel"], np.ones((1, DIM + 1), dtype=np.float32))
    before = hidden(model, tokenizer, TEXTS)
    for arguments, message in (
        ((TABLE, "replaces"), "There is no strategy 'replaces': did you mean 'replace'"),
        ((narrow,), f"The table gives vectors of dimension {DIM + 1}, and the model's input rows have {DIM}"),
        ((3,), "A model must be a Model, a name, a folder or None. Got 3"),
    ):
        with pytest.raises(InputError, match=message):
            robustify(model, tokenizer, *arguments)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="There is no kind of words 'mispelt': did you mean 'misspelt'"):
        robustify(model, tokenizer, TABLE, words="mispelt")
    tokenizer.add_tokens([f"new{number}" for number in range(500)])
    with pytest.raises(InputError, match="give the tokenizer that belongs to the model"):
        robustify(model, tokenizer, TABLE)
    assert not hasattr(model, "everyword")
    assert torch.equal(hidden(model, transformers.AutoTokenizer.from_pretrained(folder), TEXTS), before)


def test_models_that_cannot_be_robust(tiny_bert_folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert_folder)
    with pytest.raises(InputError, match=r"input embeddings is needed. Got NoEmbeddings"):
        robustify(NoEmbeddings.from_pretrained(tiny_bert_folder), tokenizer, TABLE)
    config = transformers.GPT2Config(vocab_size=len(tokenizer), n_layer=1, n_embd=DIM, n_head=2)
    with pytest.raises(InputError, match=r"not models that generate text. Got GPT2LMHeadModel"):
        robustify(transformers.GPT2LMHeadModel(config), tokenizer, TABLE)


def test_positions_and_masks_that_cannot_be_moved_are_refused(model: Any, tokenizer: Any) -> None:
    robustify(model, tokenizer, TABLE)
    inputs = batch(tokenizer, TEXTS)
    with pytest.raises(InputError, match="counts positions itself"):
        model(**inputs, position_ids=torch.arange(inputs["input_ids"].shape[1])[None])
    with pytest.raises(InputError, match=r"must be of shape \(texts, pieces\)"):
        model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"][:, None, None])


def test_folders_that_hold_no_robust_model(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not hold a robust model"):
        from_pretrained(folder)
    (tmp_path / "everyword").mkdir()
    (tmp_path / "everyword" / "robust.json").write_text(json.dumps({"format": 99}), encoding="utf-8")
    with pytest.raises(InputError, match="has format 99, and this everyword reads 1"):
        from_pretrained(tmp_path)
