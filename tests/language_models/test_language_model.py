from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel

from .naive import all_outputs

TEXTS = ["the cat", "a", "walking the naïve dog in New York"]


def test_a_text_gets_the_same_vectors_alone_and_among_longer_ones(model: LanguageModel) -> None:
    outputs, mask = model.outputs([encoding.ids for encoding in model.tokenize(TEXTS)])

    for row, text in enumerate(TEXTS):
        np.testing.assert_allclose(outputs[row][mask[row]].numpy(), all_outputs(model, text), atol=1e-5)


def test_layers_are_averaged_and_0_is_the_input(model: LanguageModel) -> None:
    ids = [encoding.ids for encoding in model.tokenize(["the cat"])]

    outputs, _ = model.outputs(ids, layers=[0, -2])

    expected = (all_outputs(model, "the cat", 0) + all_outputs(model, "the cat", 1)) / 2
    np.testing.assert_allclose(outputs[0].numpy(), expected, atol=1e-5)


def test_the_network_repeats_itself(model: LanguageModel) -> None:
    ids = [encoding.ids for encoding in model.tokenize(TEXTS)]

    assert torch.equal(model.outputs(ids)[0], model.outputs(ids)[0])


def test_a_text_is_cut_where_the_positions_of_the_model_end(model: LanguageModel) -> None:
    (encoding,) = model.tokenize(["cat " * 500])

    assert len(encoding.ids) == model.longest
    assert torch.isfinite(model.outputs([encoding.ids])[0]).all()


def test_of_a_model_that_writes_what_it_reads_the_reading_half_is_taken(
    tiny_roberta_folder: Path, tmp_path: Path
) -> None:
    import transformers

    config = transformers.T5Config(vocab_size=300, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2)
    transformers.T5Model(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(tiny_roberta_folder).save_pretrained(tmp_path)

    model = LanguageModel.load(tmp_path, device="cpu")
    outputs, mask = model.outputs([encoding.ids for encoding in model.tokenize(TEXTS)])

    assert (model.dim, model.layers) == (16, 2)
    for row, text in enumerate(TEXTS):
        np.testing.assert_allclose(outputs[row][mask[row]].numpy(), all_outputs(model, text), atol=1e-5)


def test_a_model_is_found_inside_the_folder_of_a_package(tiny_bert_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_bert_folder, tmp_path / "package" / "model")
    (tmp_path / "package" / "pooling").mkdir()
    (tmp_path / "package" / "pooling" / "config.json").write_text("{}")

    assert LanguageModel.load(tmp_path, device="cpu").dim == 16


def test_two_models_in_a_folder_are_not_chosen_between(tiny_bert_folder: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(tiny_bert_folder, tmp_path / name)

    with pytest.raises(InputError, match=r"holds 2 models \(.*one, .*two\); give one of them"):
        LanguageModel.load(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no model of transformers .*; give the folder that save_pretrained"):
        LanguageModel.load(tmp_path)


def test_a_path_that_leads_nowhere_is_no_hub_id() -> None:
    with pytest.raises(InputError, match=r"There is no folder \./no/such; check the path"):
        LanguageModel.load("./no/such")


def test_a_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_text("x")

    with pytest.raises(InputError, match="is a file; a model of transformers is a folder"):
        LanguageModel.load(tmp_path / "model.bin")


def test_damaged_weights_are_refused(tiny_bert_folder: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(tiny_bert_folder, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"nonsense")

    with pytest.raises(InputError, match=r"A language model could not be loaded from .*broken \(.+\); give a folder"):
        LanguageModel.load(broken)


def test_weights_that_would_be_drawn_at_random_are_refused(tiny_bert_folder: Path, tmp_path: Path) -> None:
    partial = shutil.copytree(tiny_bert_folder, tmp_path / "partial")
    weights = load_file(partial / "model.safetensors")
    weights = {name: tensor for name, tensor in weights.items() if "layer.1.output.dense" not in name}
    save_file(weights, partial / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(InputError, match=r"lack 2 parts of the model \(encoder\.layer\.1\.output\.dense"):
        LanguageModel.load(partial)


def test_a_tokenizer_that_cannot_tell_letters_is_refused(bert: LanguageModel) -> None:
    class Slow:
        is_fast = False

    with pytest.raises(InputError, match=r"The tokenizer of old-model \(Slow\) does not report .*; use a model with"):
        LanguageModel(bert.network, Slow(), name="old-model")


@pytest.mark.parametrize(("layers", "seen"), [((3,), "3"), ((-4, -1), "-4"), ((), "none")])
def test_layers_that_are_not_there_are_refused(bert: LanguageModel, layers: tuple[int, ...], seen: str) -> None:
    with pytest.raises(InputError, match=rf"are 0 \(its input\) to 2, .* -1 to -3\. Got {seen} instead"):
        bert.check_layers(layers)


def test_an_unknown_precision_is_refused(tiny_bert_folder: Path) -> None:
    with pytest.raises(InputError, match="no precision 'float8': did you mean 'float32'"):
        LanguageModel.load(tiny_bert_folder, device="cpu", precision="float8")


def test_bfloat16_is_near(tiny_bert_folder: Path, bert: LanguageModel) -> None:
    rough = LanguageModel.load(tiny_bert_folder, device="cpu", precision="bfloat16")
    ids = [encoding.ids for encoding in bert.tokenize(TEXTS)]

    rough_outputs, mask = rough.outputs(ids)

    assert rough_outputs.dtype == torch.float32
    cosines = torch.cosine_similarity(rough_outputs[mask], bert.outputs(ids)[0][mask])
    assert cosines.min() > 0.98


def test_fingerprints_tell_models_apart(bert: LanguageModel, roberta: LanguageModel, tiny_bert_folder: Path) -> None:
    again = LanguageModel.load(str(tiny_bert_folder), device="cpu")

    assert bert.fingerprint() == again.fingerprint()
    assert bert.fingerprint() != roberta.fingerprint()
