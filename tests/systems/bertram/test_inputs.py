"""What the encoder is really given: rows, prefixes and masks."""

from __future__ import annotations

import pytest
import torch

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.mentions import MentionFinder
from everyword.systems.bertram.config import BertramConfig
from everyword.systems.bertram.encoder_input import EncoderInput, InputLayout, input_rows, vectors_at_masks
from everyword.systems.bertram.masking import MaskedSentence, OneWarning, UnusedSentences, mask_word, masked_contexts

SENTENCE = "The Dog, a dog and the cat"


def laid_out(model: LanguageModel, variant: str, **changes: object) -> EncoderInput:
    config = BertramConfig(variant=variant, **changes)  # type: ignore[arg-type]
    layout = InputLayout(model, config.variant, config)
    masked = mask_word(SENTENCE, MentionFinder(["dog"]), layout.mask)
    assert masked is not None
    return layout.inputs([masked])[0]


def tokens(model: LanguageModel, item: EncoderInput) -> list[str]:
    found: list[str] = model.tokenizer.convert_ids_to_tokens(item.ids)
    return found


def test_bert_reads_a_colon_and_the_form_vector_before_the_context(bert: LanguageModel) -> None:
    shallow, add = laid_out(bert, "shallow"), laid_out(bert, "add")

    assert tokens(bert, shallow) == ["[CLS]", "the", "[MASK]", ",", "a", "[MASK]", "and", "the", "cat", "[SEP]"]
    assert tokens(bert, add) == ["[CLS]", "[SEP]", ":", *tokens(bert, shallow)[1:]]
    assert (shallow.mask, shallow.form) == (2, None)
    assert (add.mask, add.form) == (4, 1)


def test_roberta_reads_the_form_vector_between_quotes(roberta: LanguageModel) -> None:
    shallow, add = laid_out(roberta, "shallow"), laid_out(roberta, "add")

    assert tokens(roberta, add) == ["<s>", '"', "</s>", '"', ":", *tokens(roberta, shallow)[1:]]
    assert (add.mask, add.form) == (shallow.mask + 4, 2)
    assert tokens(roberta, laid_out(roberta, "add", prefix="colon"))[:3] == ["<s>", "</s>", ":"]


def test_quotes_can_be_asked_for(bert: LanguageModel) -> None:
    assert laid_out(bert, "add", prefix="quotes").form == 2


def test_replace_overwrites_the_mask(encoder: LanguageModel) -> None:
    item = laid_out(encoder, "replace")

    assert item.form == item.mask
    assert item.ids[item.mask] == encoder.tokenizer.mask_token_id


@pytest.mark.parametrize("variant", ["add", "replace"])
def test_the_form_vector_is_the_one_row_that_changes(encoder: LanguageModel, variant: str) -> None:
    item = laid_out(encoder, variant)
    form = torch.full((1, encoder.input_dim), 7.0)
    ids = torch.tensor([item.ids])

    rows = input_rows(encoder, ids, [item], form)[0]

    plain = encoder.network.get_input_embeddings()(ids)[0]
    changed = [index for index in range(len(item.ids)) if not torch.equal(rows[index], plain[index])]
    assert changed == [item.form]
    assert torch.equal(rows[item.form], form[0])


@pytest.mark.parametrize("variant", ["add", "replace"])
def test_the_encoder_hears_the_form_vector(encoder: LanguageModel, variant: str) -> None:
    item = laid_out(encoder, variant)
    forms = torch.zeros(1, encoder.input_dim, requires_grad=True)

    vectors_at_masks(encoder, [item], forms).square().sum().backward()  # type: ignore[no-untyped-call]

    assert forms.grad is not None
    assert forms.grad.abs().sum() > 0


def test_vectors_are_those_of_the_plain_encoder_and_do_not_depend_on_the_batch(encoder: LanguageModel) -> None:
    config = BertramConfig(variant="shallow")
    layout = InputLayout(encoder, "shallow", config)
    texts = ["the cat sat", "a dog", "the dog and the cat sat on the mat"]
    masked = [MaskedSentence(f"{text} {layout.mask}", len(text) + 1) for text in texts]
    inputs = layout.inputs(masked)

    together = vectors_at_masks(encoder, inputs)

    for item, vector in zip(inputs, together, strict=True):
        outputs = encoder.network(input_ids=torch.tensor([item.ids])).last_hidden_state
        torch.testing.assert_close(vector, outputs[0, item.mask], rtol=1e-4, atol=1e-5)


def test_a_long_context_is_cut_around_the_mask(encoder: LanguageModel) -> None:
    layout = InputLayout(encoder, "add", BertramConfig(max_length=20))
    before = "cat " * 200
    item = layout.inputs([MaskedSentence(f"{before}{layout.mask} {before}", len(before))])[0]

    assert len(item.ids) == 20
    assert item.ids[item.mask] == encoder.tokenizer.mask_token_id
    assert item.ids[-1] == encoder.special_pieces()[1][-1]


def test_the_whole_model_is_the_limit(encoder: LanguageModel) -> None:
    layout = InputLayout(encoder, "shallow", BertramConfig(max_length=5000))
    item = layout.inputs([MaskedSentence(f"{layout.mask} " + "cat " * 300, 0)])[0]

    assert len(item.ids) == encoder.longest


def test_an_encoder_without_a_mask_is_refused(bert: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bert.tokenizer, "_special_tokens_map", {**bert.tokenizer._special_tokens_map, "mask_token": None}
    )

    with pytest.raises(InputError, match="has no mask token, which BERTRAM puts in place of a word"):
        InputLayout(bert, "add", BertramConfig())


def test_words_are_found_as_whole_words_in_any_case() -> None:
    unused = UnusedSentences()
    contexts = {"dog": ["Dogs bark.", "DOG!", "the dog-house"], "new york": ["in New  York, New York"]}

    found = masked_contexts(contexts, "_", 9, unused)

    assert [[context.text for context in of_word] for of_word in found] == [["_!", "the _-house"], ["in _, _"]]
    assert (list(unused.pairs), unused.total) == ([("dog", "Dogs bark.")], 4)
    with pytest.warns(UserWarning, match="Skipped 1 of 4 sentences that do not contain .* such as those of 'dog'"):
        unused.warn()


def test_a_run_warns_once_of_sentences_that_it_gives_many_times() -> None:
    def ask(words: dict[str, list[str]]) -> None:
        masked_contexts(words, "_", 9, unused := UnusedSentences())
        unused.warn()

    def ask_twice() -> None:
        with OneWarning():
            ask({"dog": ["Dogs bark.", "a dog"]})
            ask({"dog": ["Dogs bark."], "cat": ["Cats do not."]})

    with pytest.warns(UserWarning, match="Skipped 2 sentences that .* such as those of 'dog', 'cat'") as told:
        ask_twice()
    assert len(told) == 1
    with pytest.warns(UserWarning, match="1 of 1 sentences"):  # afterwards each speaks for itself again
        ask({"dog": ["Dogs bark."]})


def test_a_phrase_that_overlaps_itself_is_masked_once() -> None:
    assert mask_word("cat cat cat", MentionFinder(["cat cat"]), "_") == MaskedSentence("_ cat", 0)


def test_contexts_are_drawn_by_word_and_seed_alone() -> None:
    many = [f"the cat {number}" for number in range(100)]

    alone = masked_contexts({"cat": many}, "_", 5, UnusedSentences())
    among = masked_contexts({"dog": ["a dog"], "cat": many}, "_", 5, UnusedSentences())
    other_seed = masked_contexts({"cat": many}, "_", 5, UnusedSentences(), seed=1)

    assert len(alone[0]) == 5
    assert among[1] == alone[0] != other_seed[0]
