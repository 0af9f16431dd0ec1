from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.corpus.lexicons.gcide import Definition, read_gcide
from everyword.errors import InputError

TEXT = r"""Harvest \Har"vest\ (h[aum]r"v[e^]st), n. [OE. harvest, AS.
   h[ae]rfest; akin to {Carpet}. See {Excerpt}, and cf.
   {Carp}.]
   1. The gathering of a crop; the time of gathering; as, the
      harvest was late. --Shak.
      [1913 Webster]

            Seedtime and harvest shall not cease. --Gen.
      [1913 Webster]

   2. A feast. [Obs.]
      [1913 Webster]

   {Latter harvest}, the last part of the harvest.

   Note: It is said of hay too.

Abb['e] \Ab"b['e]`\, n. [F. abb['e].]
   A French priest ({Father}
   or {Curate}); -- also a title.
   [1913 Webster]

Twinfold \Twin"fold`\, a.
   See {Double}.
   [1913 Webster]
"""
EXPECTED = [
    Definition("Harvest", "The gathering of a crop; the time of gathering"),
    Definition("Latter harvest", "the last part of the harvest"),
    Definition("Abbé", "A French priest (Father or Curate)"),
]


def test_senses_and_phrases_without_quotations_obsolete_senses_and_references(tmp_path: Path) -> None:
    path = tmp_path / "gcide.dict"
    path.write_text(TEXT, encoding="utf-8")

    assert list(read_gcide(path)) == EXPECTED


def test_the_packed_file_is_read_whatever_its_name_and_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gcide.dict.dz"
    packed = gzip.compress(TEXT.encode() + b"Bad \\Bad\\, n.\n   A byte \x92 from another time.\n")
    path.write_bytes(packed)
    assert list(read_gcide(path))[:3] == EXPECTED

    path.write_bytes(packed[:-20])
    with pytest.raises(InputError, match=r"gcide\.dict\.dz"):
        list(read_gcide(path))
