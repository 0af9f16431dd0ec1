from __future__ import annotations

from pathlib import Path

import pytest

from everyword.errors import InputError
from everyword.evaluation.extrinsic.ladder import changed_share
from everyword.evaluation.extrinsic.noise import Noise, noisy_copy, read_noise

from .tiny_sets import tagged, texts

TEST = texts("test", 40, 3)


@pytest.mark.parametrize("kind", ["typo", "ocr"])
def test_noise_is_made_the_same_every_time_and_stronger_with_its_number(kind: str) -> None:
    weak, strong = (noisy_copy(TEST, Noise(kind, percent), Path()) for percent in (20, 90))

    assert noisy_copy(TEST, Noise(kind, 20), Path()) == weak
    assert 0 < changed_share(TEST, weak) < changed_share(TEST, strong)
    assert noisy_copy(tagged("test", 9, 1), Noise(kind, 50), Path()).tags == tagged("test", 9, 1).tags


def test_published_noise_is_read_from_the_sets_folder(tmp_path: Path) -> None:
    lines = [f"{label}\t{' '.join(tokens)}x" for tokens, label in zip(TEST.tokens, TEST.labels, strict=True)]
    (tmp_path / "typo_10.tsv").write_text("label\ttext\n" + "\n".join(lines) + "\n", encoding="utf-8")

    copy = noisy_copy(TEST, read_noise("published-10"), tmp_path)

    assert copy.tokens[0][-1] == TEST.tokens[0][-1] + "x"
    (tmp_path / "typo_20.tsv").write_text("label\ttext\ngood\tanother text\n", encoding="utf-8")
    with pytest.raises(InputError, match="no noisy copy"):
        noisy_copy(TEST, Noise("published", 20), tmp_path)
    with pytest.raises(InputError, match="texts only"):
        noisy_copy(tagged("test", 9, 1), Noise("published", 10), tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [("typo", "kind-percent"), ("typo-0", "from 1 to 100"), ("typo-101", "from 1 to 100"), ("typos-10", "mean 'typo'")],
)
def test_noise_that_is_none(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_noise(text)
