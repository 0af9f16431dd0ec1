"""The compiled kernel (src/kernel): twins of the slowest functions. Use `everyword.kernel`, which checks and allocates.

An array must be in C order and of the type that the wrapper makes sure of: only its bytes are read.
"""

from everyword.arrays import AnyArray

INTERFACE: int

def ngram_rows(
    words: list[str],
    digits: AnyArray,
    numbers: AnyArray,
    rows: AnyArray,
    base: int,
    shift: int,
    shortest: int,
    longest: int,
    begin: int,
    end: int,
    /,
) -> tuple[bytearray, bytearray]: ...
def mean_rows(
    rows: AnyArray, lengths: AnyArray, values: AnyArray, scales: AnyArray, width: int, kind: str, out: AnyArray, /
) -> None: ...
def times_table(
    vector: AnyArray, values: AnyArray, scales: AnyArray, width: int, kind: str, out: AnyArray, /
) -> None: ...
def add_rows(
    words: AnyArray,
    rows: AnyArray,
    weights: AnyArray,
    values: AnyArray,
    scales: AnyArray,
    width: int,
    kind: str,
    out: AnyArray,
    /,
) -> None: ...
def find_candidates(
    words: list[str], arrays: tuple[AnyArray, ...], settings: tuple[int, int, int, int, int, int, int, int], /
) -> tuple[bytearray, bytearray, bytearray]: ...
