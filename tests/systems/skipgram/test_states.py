from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram import PreparedCorpus, prepare, state_cache
from everyword.systems.skipgram.baselines.dependency import pairs_folder
from everyword.systems.skipgram.state_cache import StateCache, cached_states
from everyword.systems.skipgram.states import (
    StatePool,
    measure_states,
    pooled_states,
    principal_components,
    read_states,
)

from .conftest import SHORT


@pytest.fixture
def own(bert: LanguageModel, corpus: Path, tmp_path: Path) -> PreparedCorpus:
    """A prepared corpus that no other test has read."""
    return prepare([corpus], tmp_path / "prepared", SHORT, model=bert)


def outputs_of(model: LanguageModel, prepared: PreparedCorpus) -> torch.Tensor:
    """The outputs for all centres, in the order of the corpus."""
    part = prepared.part(0)
    return torch.cat([some for some, _ in read_states(model, part, np.arange(len(part)), (-1,))])


def files_of(prepared: PreparedCorpus) -> list[Path]:
    return sorted(prepared.folder.glob("states-*"))


class Deaf(LanguageModel):
    """An encoder that must not read any more."""

    def forward(self, padded: torch.Tensor, mask: torch.Tensor, layers: Sequence[int] = (-1,)) -> torch.Tensor:
        pytest.fail("the encoder reads again")


def test_on_a_cpu_outputs_are_a_file_that_later_commands_use(bert: LanguageModel, own: PreparedCorpus) -> None:
    first = StateCache.read(bert, own, (-1,))
    torch.testing.assert_close(first.states.float(), outputs_of(bert, own), atol=2e-3, rtol=2e-3)
    [path] = files_of(own)
    assert path.suffix == ".f16"
    assert path.stat().st_size == 2 * first.states.numel()

    again = StateCache.read(Deaf(bert.network, bert.tokenizer), own, (-1,))
    assert torch.equal(again.states, first.states)
    StateCache.read(bert, own, (0,))  # another layer is another file
    assert len(files_of(own)) == 2


def test_one_process_reads_a_corpus_once(bert: LanguageModel, own: PreparedCorpus) -> None:
    first = cached_states(bert, own, (-1,))
    assert cached_states(bert, own, (-1,)) is first
    assert cached_states(bert, own, (0,)) is not first


def test_in_memory_they_are_the_same(bert: LanguageModel, own: PreparedCorpus) -> None:
    reader = state_cache._Reader(bert, own, (-1,), show_progress=False)
    torch.testing.assert_close(reader.into_memory(), reader.into_file(), atol=2e-3, rtol=2e-3)


def test_a_stopped_reading_goes_on(bert: LanguageModel, own: PreparedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_cache, "BLOCK", 64)
    whole = StateCache.read(bert, own, (-1,)).states.clone()
    [path] = files_of(own)
    path.unlink()

    blocks, made = state_cache._Reader._block, []

    def two(self: Any, *given: Any) -> torch.Tensor:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(given)
        return blocks(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(state_cache._Reader, "_block", two)
        with pytest.raises(KeyboardInterrupt):
            StateCache.read(bert, own, (-1,))
    [partial] = files_of(own)
    with partial.open("ab") as file:
        file.write(b"half a block")

    read = []
    monkeypatch.setattr(state_cache._Reader, "_block", lambda self, *given: read.append(given) or blocks(self, *given))
    assert torch.equal(StateCache.read(bert, own, (-1,)).states, whole)
    assert len(read) == -(-sum(own.sizes) // 64) - 2
    assert files_of(own) == [path]


def test_a_damaged_file_is_read_again(bert: LanguageModel, own: PreparedCorpus) -> None:
    whole = StateCache.read(bert, own, (-1,)).states.clone()
    [path] = files_of(own)
    path.write_bytes(path.read_bytes()[:-10])
    assert torch.equal(StateCache.read(bert, own, (-1,)).states, whole)


def test_a_full_disk_is_told_with_the_size(
    bert: LanguageModel, own: PreparedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Iterator[torch.Tensor]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(state_cache._Reader, "_blocks", full)
    with pytest.raises(InputError, match=r"need 0\.0 GB in .*, which cannot be written \(No space left on device\); "):
        StateCache.read(bert, own, (-1,))


def test_outputs_of_an_earlier_corpus_go_with_it(bert: LanguageModel, own: PreparedCorpus, tmp_path: Path) -> None:
    StateCache.read(bert, own, (-1,))
    assert files_of(own)
    pairs = pairs_folder(own, None)
    pairs.mkdir()
    (tmp_path / "new.txt").write_text("The cat walked on a mat.\n" * 9)
    prepare([tmp_path / "new.txt"], own.folder, SHORT, model=bert, overwrite=True)
    assert not files_of(own)
    assert not pairs.exists()


def test_what_is_measured_of_the_file_is_what_the_encoder_puts_out(bert: LanguageModel, own: PreparedCorpus) -> None:
    expected = measure_states(bert, own, (-1,))
    cache = StateCache.read(bert, own, (-1,))
    found = measure_states(Deaf(bert.network, bert.tokenizer), own, (-1,), cache)
    for measured, exact in zip(found, expected, strict=True):
        torch.testing.assert_close(measured, exact, atol=1e-3, rtol=1e-3)


class OneDead(LanguageModel):
    """An encoder with a dimension that never changes but for rounding."""

    def forward(self, padded: torch.Tensor, mask: torch.Tensor, layers: Sequence[int] = (-1,)) -> torch.Tensor:
        outputs = super().forward(padded, mask, layers).clone()
        outputs[..., 0] = 0.1385 + 1e-7 * torch.sign(outputs[..., 0])
        return outputs


def test_a_dimension_that_never_changes_is_not_blown_up(bert: LanguageModel, prepared: PreparedCorpus) -> None:
    mean, spread = measure_states(OneDead(bert.network, bert.tokenizer), prepared, (-1,))
    assert float(mean[0]) == pytest.approx(0.1385, rel=1e-4)
    assert float(spread[0]) == pytest.approx(0.1 * float(spread.median()), rel=0.1)


@pytest.mark.parametrize("pool", ["mean", "max"])
def test_outputs_are_pooled_over_the_occurrences_of_a_word(
    bert: LanguageModel, prepared: PreparedCorpus, pool: StatePool
) -> None:
    found = pooled_states(bert, prepared, (-1,), pool)
    row, part, own = prepared.vocabulary.words.index("dog"), prepared.part(0), []
    for states, batch in read_states(bert, part, np.arange(len(part)), (-1,)):
        own.append(states[batch.rows.flatten()[batch.centres] == row])
    expected = torch.cat(own).mean(dim=0) if pool == "mean" else torch.cat(own).amax(dim=0)
    np.testing.assert_allclose(found[row], expected, atol=1e-5)
    cache = cached_states(bert, prepared, (-1,))
    np.testing.assert_allclose(pooled_states(bert, prepared, (-1,), pool, cache), found, atol=2e-3)


def test_principal_components_keep_the_distances() -> None:
    vectors = torch.randn(20, 3, generator=torch.Generator().manual_seed(4)) @ torch.randn(3, 6)
    found = principal_components(vectors, 3)
    torch.testing.assert_close(torch.cdist(found, found), torch.cdist(vectors, vectors), atol=1e-4, rtol=1e-4)
    with pytest.raises(InputError, match="dim must not be above the 6 dimensions"):
        principal_components(vectors, 7)
